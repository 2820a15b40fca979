//===- StableHLODialect.td - the dialect `stablehlo` ----------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// The dialect, its enumerations and attributes, and the classes of its ops.
//
//===------------------------------------------------------------------------------===//

#ifndef STABLEHLO_DIALECT
#define STABLEHLO_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StableHLO_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::mica::stablehlo";
  let summary = "Programs of JAX and of other frameworks, as jax.export writes them";
  let description = [{
    An input dialect: the ops of StableHLO 1.x that Mica reads, in the text that frameworks write and in the
    generic form. `convert-stablehlo-to-mica` converts them in the phase tensor; docs/StableHLO.md lists what it
    converts and what it refuses.

    `legalize-stablehlo-types` marks ops that worked on unsigned integers with the unit attribute
    `stablehlo.unsigned`; their integers are signless after it.

    Example:

    ```mlir
    func.func public @main(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
         : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      return %0 : tensor<4x2xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::quant::QuantDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

class StableHLO_Enum<string name, string summary, list<string> names>
    : I32EnumAttr<name, summary, !foreach(i, !range(!size(names)), I32EnumAttrCase<names[i], i>)> {
  let cppNamespace = "::mica::stablehlo";
  let genSpecializedAttr = 0;
}

def StableHLO_ComparisonDirection
    : StableHLO_Enum<"ComparisonDirection", "relation that compare tests", ["EQ", "NE", "GE", "GT", "LE", "LT"]>;
def StableHLO_ComparisonDirectionAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_ComparisonDirection, "comparison_direction">;
def StableHLO_ComparisonType
    : StableHLO_Enum<"ComparisonType", "order that compare uses",
                     ["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]>;
def StableHLO_ComparisonTypeAttr : EnumAttr<StableHLO_Dialect, StableHLO_ComparisonType, "comparison_type">;
def StableHLO_Precision
    : StableHLO_Enum<"Precision", "precision of a product, a hint", ["DEFAULT", "HIGH", "HIGHEST"]>;
def StableHLO_PrecisionAttr : EnumAttr<StableHLO_Dialect, StableHLO_Precision, "precision">;

def StableHLO_FftType : StableHLO_Enum<"FftType", "kind of a Fourier transform", ["FFT", "IFFT", "RFFT", "IRFFT"]>;
def StableHLO_FftTypeAttr : EnumAttr<StableHLO_Dialect, StableHLO_FftType, "fft_type">;
def StableHLO_RngAlgorithm
    : StableHLO_Enum<"RngAlgorithm", "algorithm that makes random bits", ["DEFAULT", "THREE_FRY", "PHILOX"]>;
def StableHLO_RngAlgorithmAttr : EnumAttr<StableHLO_Dialect, StableHLO_RngAlgorithm, "rng_algorithm">;
def StableHLO_RngDistribution
    : StableHLO_Enum<"RngDistribution", "distribution of random numbers", ["UNIFORM", "NORMAL"]>;
def StableHLO_RngDistributionAttr : EnumAttr<StableHLO_Dialect, StableHLO_RngDistribution, "rng_distribution">;
def StableHLO_Transpose
    : StableHLO_Enum<"Transpose", "what is done to a matrix before it is used",
                     ["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]>;
def StableHLO_TransposeAttr : EnumAttr<StableHLO_Dialect, StableHLO_Transpose, "transpose">;
def StableHLO_CustomCallApiVersion
    : StableHLO_Enum<"CustomCallApiVersion", "calling convention of a custom call",
                     ["API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                      "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"]>;

def StableHLO_ResultAccuracyMode
    : StableHLO_Enum<"ResultAccuracyMode", "how accurate a function is, a hint", ["DEFAULT", "HIGHEST", "TOLERANCE"]>;
def StableHLO_ResultAccuracyModeAttr
    : EnumAttr<StableHLO_Dialect, StableHLO_ResultAccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

/// A list of integers: `array<i64: 1, 2>`, or `dense<[1, 2]> : tensor<2xi64>` as versions before 1.0 write it.
def StableHLO_Dims : AnyAttrOf<[DenseI64ArrayAttr, I64ElementsAttr], "list of 64-bit integers">;
/// The same, read as its integers.
def StableHLO_DimList : Attr<Or<[DenseI64ArrayAttr.predicate, I64ElementsAttr.predicate]>, "list of 64-bit integers"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::llvm::SmallVector<int64_t>";
  let convertFromStorage = "::mica::stablehlo::listOf($_self)";
  let constBuilderCall = "$_builder.getDenseI64ArrayAttr($0)";
}
def StableHLO_Flags : AnyAttrOf<[DenseBoolArrayAttr, ElementsAttr], "list of booleans">;

class StableHLO_Attr<string name, string text> : AttrDef<StableHLO_Dialect, name> {
  let mnemonic = text;
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_DotAttr : StableHLO_Attr<"DotDimensionNumbers", "dot"> {
  let summary = "dimensions that dot_general batches and contracts";
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$lhs_batching_dimensions,
                        OptionalArrayRefParameter<"int64_t">:$rhs_batching_dimensions,
                        OptionalArrayRefParameter<"int64_t">:$lhs_contracting_dimensions,
                        OptionalArrayRefParameter<"int64_t">:$rhs_contracting_dimensions);
  let assemblyFormat = [{
    `<` struct(custom<Dims>($lhs_batching_dimensions), custom<Dims>($rhs_batching_dimensions),
               custom<Dims>($lhs_contracting_dimensions), custom<Dims>($rhs_contracting_dimensions)) `>`
  }];
}

def StableHLO_GatherAttr : StableHLO_Attr<"GatherDimensionNumbers", "gather"> {
  let summary = "dimensions of a gather";
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$offset_dims,
                        OptionalArrayRefParameter<"int64_t">:$collapsed_slice_dims,
                        OptionalArrayRefParameter<"int64_t">:$operand_batching_dims,
                        OptionalArrayRefParameter<"int64_t">:$start_indices_batching_dims,
                        OptionalArrayRefParameter<"int64_t">:$start_index_map,
                        DefaultValuedParameter<"int64_t", "0">:$index_vector_dim);
  let assemblyFormat = [{
    `<` struct(custom<Dims>($offset_dims), custom<Dims>($collapsed_slice_dims), custom<Dims>($operand_batching_dims),
               custom<Dims>($start_indices_batching_dims), custom<Dims>($start_index_map), $index_vector_dim) `>`
  }];
}

def StableHLO_ScatterAttr : StableHLO_Attr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "dimensions of a scatter";
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$update_window_dims,
                        OptionalArrayRefParameter<"int64_t">:$inserted_window_dims,
                        OptionalArrayRefParameter<"int64_t">:$input_batching_dims,
                        OptionalArrayRefParameter<"int64_t">:$scatter_indices_batching_dims,
                        OptionalArrayRefParameter<"int64_t">:$scatter_dims_to_operand_dims,
                        DefaultValuedParameter<"int64_t", "0">:$index_vector_dim);
  let assemblyFormat = [{
    `<` struct(custom<Dims>($update_window_dims), custom<Dims>($inserted_window_dims),
               custom<Dims>($input_batching_dims), custom<Dims>($scatter_indices_batching_dims),
               custom<Dims>($scatter_dims_to_operand_dims), $index_vector_dim) `>`
  }];
}

def StableHLO_ConvAttr : StableHLO_Attr<"ConvDimensionNumbers", "conv"> {
  let summary = "dimensions of a convolution: batch, features and spatial ones of the operands and the result";
  let parameters = (ins "int64_t":$input_batch_dimension, "int64_t":$input_feature_dimension,
                        ArrayRefParameter<"int64_t">:$input_spatial_dimensions,
                        "int64_t":$kernel_input_feature_dimension, "int64_t":$kernel_output_feature_dimension,
                        ArrayRefParameter<"int64_t">:$kernel_spatial_dimensions,
                        "int64_t":$output_batch_dimension, "int64_t":$output_feature_dimension,
                        ArrayRefParameter<"int64_t">:$output_spatial_dimensions);
  let hasCustomAssemblyFormat = 1;
  let assemblyFormat = ?;
}

def StableHLO_ResultAccuracyAttr : StableHLO_Attr<"ResultAccuracy", "result_accuracy"> {
  let summary = "accuracy that a program asks for, which is not used";
  let parameters = (ins OptionalParameter<"::mlir::FloatAttr">:$atol, OptionalParameter<"::mlir::FloatAttr">:$rtol,
                        DefaultValuedParameter<"int64_t", "0">:$ulps, "::mica::stablehlo::ResultAccuracyModeAttr":$mode);
}

def StableHLO_ChannelHandleAttr : StableHLO_Attr<"ChannelHandle", "channel_handle"> {
  let summary = "channel of a collective op: its number, and a kind";
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
}

def StableHLO_OutputOperandAliasAttr : StableHLO_Attr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "operand of a custom call whose memory a result may use";
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$output_tuple_indices, "int64_t":$operand_index,
                        OptionalArrayRefParameter<"int64_t">:$operand_tuple_indices);
  let assemblyFormat = [{
    `<` struct(custom<Dims>($output_tuple_indices), $operand_index, custom<Dims>($operand_tuple_indices)) `>`
  }];
}

def StableHLO_BoundsAttr : AttrDef<StableHLO_Dialect, "Bounds"> {
  let mnemonic = "bounds";
  let summary = "largest sizes of the dimensions of a type, ? for none, as encoding of a tensor type; not used";
  let parameters = (ins ArrayRefParameter<"int64_t">:$bounds);
  let assemblyFormat = "`<` custom<Sizes>($bounds) `>`";
}

def StableHLO_SameElements : NativeOpTrait<"SameElements"> {
  let cppNamespace = "::mica::stablehlo";
}

def StableHLO_Tensor : RankedTensorOf<[AnyType]>;

def StableHLO_Token : TypeDef<StableHLO_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "order of operations with side effects";
}

def StableHLO_Future : TypeDef<StableHLO_Dialect, "Future"> {
  let mnemonic = "future";
  let summary = "results of an asynchronous computation";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $types `>`";
}

/// What control flow, calls and tuples carry.
def StableHLO_Value : AnyTypeOf<[StableHLO_Tensor, StableHLO_Token, AnyTuple], "ranked tensor, token or tuple">;

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<StableHLO_Dialect, mnemonic, !listconcat([Pure], traits)>;

/// An elementwise op whose operands and result have one type.
class StableHLO_Elementwise<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat([SameOperandsAndResultShape, StableHLO_SameElements], traits)>;

class StableHLO_Unary<string mnemonic, string text> : StableHLO_Elementwise<mnemonic> {
  let summary = text;
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` custom<Types>(type($operand), type($result))";
}

class StableHLO_Binary<string mnemonic, string text> : StableHLO_Elementwise<mnemonic> {
  let summary = text;
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` custom<Types>(type($lhs), type($rhs), type($result))";
}

#endif // STABLEHLO_DIALECT
