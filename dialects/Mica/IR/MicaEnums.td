//===- MicaEnums.td - enums of the mica dialect --------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Enum attributes.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_ENUMS
#define MICA_ENUMS

include "dialects/Mica/IR/MicaDialect.td"

def Mica_GeluApproximation : I32EnumAttr<"GeluApproximation", "approximation of the normal distribution in mica.gelu", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Tanh", 1, "tanh">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_GeluApproximationAttr : EnumAttr<Mica_Dialect, Mica_GeluApproximation, "gelu_approximation">;

def Mica_ReduceKind : I32EnumAttr<"ReduceKind", "operation of mica.reduce", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Prod", 4, "prod">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ReduceKindAttr : EnumAttr<Mica_Dialect, Mica_ReduceKind, "reduce_kind">;

def Mica_ConvLayout : I32EnumAttr<"ConvLayout",
                                  "order of the dimensions of the image and the filter of a convolution", [
    I32EnumAttrCase<"NhwcHwcf", 0, "nhwc_hwcf">,
    I32EnumAttrCase<"NhwcFhwc", 1, "nhwc_fhwc">,
    I32EnumAttrCase<"NchwFchw", 2, "nchw_fchw">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ConvLayoutAttr : EnumAttr<Mica_Dialect, Mica_ConvLayout, "conv_layout">;

def Mica_ImageLayout : I32EnumAttr<"ImageLayout", "order of the dimensions of an image", [
    I32EnumAttrCase<"Nhwc", 0, "nhwc">,
    I32EnumAttrCase<"Nchw", 1, "nchw">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ImageLayoutAttr : EnumAttr<Mica_Dialect, Mica_ImageLayout, "image_layout">;

def Mica_Conv1dLayout : I32EnumAttr<"Conv1dLayout",
                                    "order of the dimensions of the input and the filter of a 1-D convolution", [
    I32EnumAttrCase<"NwcWcf", 0, "nwc_wcf">,
    I32EnumAttrCase<"NwcFwc", 1, "nwc_fwc">,
    I32EnumAttrCase<"NcwFcw", 2, "ncw_fcw">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_Conv1dLayoutAttr : EnumAttr<Mica_Dialect, Mica_Conv1dLayout, "conv1d_layout">;

def Mica_ConvTransposeLayout : I32EnumAttr<"ConvTransposeLayout",
                                           "order of the dimensions of the image and the filter of a transposed convolution", [
    I32EnumAttrCase<"NhwcFhwc", 0, "nhwc_fhwc">,
    I32EnumAttrCase<"NchwCfhw", 1, "nchw_cfhw">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ConvTransposeLayoutAttr : EnumAttr<Mica_Dialect, Mica_ConvTransposeLayout, "conv_transpose_layout">;

def Mica_PadMode : I32EnumAttr<"PadMode", "elements that mica.pad adds", [
    I32EnumAttrCase<"Constant", 0, "constant">,
    I32EnumAttrCase<"Edge", 1, "edge">,
    I32EnumAttrCase<"Reflect", 2, "reflect">,
    I32EnumAttrCase<"Wrap", 3, "wrap">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_PadModeAttr : EnumAttr<Mica_Dialect, Mica_PadMode, "pad_mode">;

def Mica_ResizeMode : I32EnumAttr<"ResizeMode", "interpolation of mica.resize", [
    I32EnumAttrCase<"Nearest", 0, "nearest">,
    I32EnumAttrCase<"Bilinear", 1, "bilinear">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ResizeModeAttr : EnumAttr<Mica_Dialect, Mica_ResizeMode, "resize_mode">;

def Mica_ResizeCoordinates : I32EnumAttr<"ResizeCoordinates",
                                         "mapping from positions in the result of mica.resize to positions in its operand", [
    I32EnumAttrCase<"HalfPixel", 0, "half_pixel">,
    I32EnumAttrCase<"Asymmetric", 1, "asymmetric">,
    I32EnumAttrCase<"AlignCorners", 2, "align_corners">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ResizeCoordinatesAttr : EnumAttr<Mica_Dialect, Mica_ResizeCoordinates, "resize_coordinates">;

def Mica_ResizeRounding : I32EnumAttr<"ResizeRounding", "rounding to the nearest element in mica.resize", [
    I32EnumAttrCase<"Floor", 0, "floor">,
    I32EnumAttrCase<"Ceil", 1, "ceil">,
    I32EnumAttrCase<"PreferFloor", 2, "prefer_floor">,
    I32EnumAttrCase<"PreferCeil", 3, "prefer_ceil">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ResizeRoundingAttr : EnumAttr<Mica_Dialect, Mica_ResizeRounding, "resize_rounding">;
def Mica_Comparison : I32EnumAttr<"Comparison", "predicate of mica.compare", [
    I32EnumAttrCase<"Eq", 0, "eq">,
    I32EnumAttrCase<"Ne", 1, "ne">,
    I32EnumAttrCase<"Lt", 2, "lt">,
    I32EnumAttrCase<"Le", 3, "le">,
    I32EnumAttrCase<"Gt", 4, "gt">,
    I32EnumAttrCase<"Ge", 5, "ge">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ComparisonAttr : EnumAttr<Mica_Dialect, Mica_Comparison, "comparison">;

def Mica_Overflow : I32EnumAttr<"Overflow", "conversion of out-of-range values in mica.cast", [
    I32EnumAttrCase<"Saturate", 0, "saturate">,
    I32EnumAttrCase<"Wrap", 1, "wrap">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_OverflowAttr : EnumAttr<Mica_Dialect, Mica_Overflow, "overflow">;

def Mica_Rounding : I32EnumAttr<"Rounding", "rounding from float to integer in mica.cast", [
    I32EnumAttrCase<"TowardZero", 0, "toward_zero">,
    I32EnumAttrCase<"NearestEven", 1, "nearest_even">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_RoundingAttr : EnumAttr<Mica_Dialect, Mica_Rounding, "rounding">;

#endif // MICA_ENUMS
