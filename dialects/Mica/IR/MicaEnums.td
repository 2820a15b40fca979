//===- MicaEnums.td - enumerations of the dialect `mica` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Attributes that choose among a few named cases.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_ENUMS
#define MICA_ENUMS

include "dialects/Mica/IR/MicaDialect.td"

def Mica_GeluApproximation : I32EnumAttr<"GeluApproximation", "how mica.gelu computes the normal distribution", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Tanh", 1, "tanh">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_GeluApproximationAttr : EnumAttr<Mica_Dialect, Mica_GeluApproximation, "gelu_approximation">;

def Mica_ReduceKind : I32EnumAttr<"ReduceKind", "how mica.reduce combines elements", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Mean", 1, "mean">,
    I32EnumAttrCase<"Max", 2, "max">]> {
  let cppNamespace = "::mica";
  let genSpecializedAttr = 0;
}
def Mica_ReduceKindAttr : EnumAttr<Mica_Dialect, Mica_ReduceKind, "reduce_kind">;

def Mica_ConvLayout : I32EnumAttr<"ConvLayout", "order of the dimensions of a convolution's image and filter", [
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

#endif // MICA_ENUMS
