//===- StableHLOOps.td - ops of the dialect `stablehlo` -------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Names, operands and attributes are those of the specification of StableHLO; the text is what frameworks write.
// docs/StableHLO.md has the table of all ops.
//
//===------------------------------------------------------------------------------===//

#ifndef STABLEHLO_OPS
#define STABLEHLO_OPS

include "dialects/StableHLO/IR/StableHLODialect.td"
include "dialects/StableHLO/IR/StableHLOProgramOps.td"

//===------------------------------------------------------------------------------===//
// Elementwise
//===------------------------------------------------------------------------------===//

def StableHLO_AbsOp : StableHLO_Op<"abs", [SameOperandsAndResultShape]> {
  let summary = "elementwise absolute value; that of a complex number is real";
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` custom<Types>(type($operand), type($result))";
  let hasVerifier = 1;
}
def StableHLO_CbrtOp : StableHLO_Unary<"cbrt", "elementwise cube root">;
def StableHLO_CeilOp : StableHLO_Unary<"ceil", "elementwise rounding up">;
def StableHLO_ClzOp : StableHLO_Unary<"count_leading_zeros", "elementwise number of leading zero bits">;
def StableHLO_CosineOp : StableHLO_Unary<"cosine", "elementwise cosine">;
def StableHLO_ExpOp : StableHLO_Unary<"exponential", "elementwise exponential">;
def StableHLO_Expm1Op : StableHLO_Unary<"exponential_minus_one", "elementwise exponential minus 1">;
def StableHLO_FloorOp : StableHLO_Unary<"floor", "elementwise rounding down">;
def StableHLO_LogOp : StableHLO_Unary<"log", "elementwise natural logarithm">;
def StableHLO_Log1pOp : StableHLO_Unary<"log_plus_one", "elementwise natural logarithm of 1 plus the operand">;
def StableHLO_LogisticOp : StableHLO_Unary<"logistic", "elementwise logistic function">;
def StableHLO_NegOp : StableHLO_Unary<"negate", "elementwise negation">;
def StableHLO_NotOp : StableHLO_Unary<"not", "elementwise logical or bitwise negation">;
def StableHLO_PopulationCountOp : StableHLO_Unary<"popcnt", "elementwise number of bits that are 1">;
def StableHLO_RoundAfzOp : StableHLO_Unary<"round_nearest_afz", "elementwise rounding to nearest, ties away from 0">;
def StableHLO_RoundEvenOp : StableHLO_Unary<"round_nearest_even", "elementwise rounding to nearest, ties to even">;
def StableHLO_RsqrtOp : StableHLO_Unary<"rsqrt", "elementwise reciprocal of the square root">;
def StableHLO_SignOp : StableHLO_Unary<"sign", "elementwise sign">;
def StableHLO_SineOp : StableHLO_Unary<"sine", "elementwise sine">;
def StableHLO_SqrtOp : StableHLO_Unary<"sqrt", "elementwise square root">;
def StableHLO_TanOp : StableHLO_Unary<"tan", "elementwise tangent">;
def StableHLO_TanhOp : StableHLO_Unary<"tanh", "elementwise hyperbolic tangent">;

def StableHLO_AddOp : StableHLO_Binary<"add", "elementwise sum; on i1 the logical or">;
def StableHLO_AndOp : StableHLO_Binary<"and", "elementwise logical or bitwise and">;
def StableHLO_Atan2Op : StableHLO_Binary<"atan2", "elementwise angle of a point">;
def StableHLO_DivOp : StableHLO_Binary<"divide", "elementwise quotient; that of integers is rounded toward 0">;
def StableHLO_MaxOp : StableHLO_Binary<"maximum", "elementwise maximum">;
def StableHLO_MinOp : StableHLO_Binary<"minimum", "elementwise minimum">;
def StableHLO_MulOp : StableHLO_Binary<"multiply", "elementwise product; on i1 the logical and">;
def StableHLO_OrOp : StableHLO_Binary<"or", "elementwise logical or bitwise or">;
def StableHLO_PowOp : StableHLO_Binary<"power", "elementwise power">;
def StableHLO_RemOp : StableHLO_Binary<"remainder", "elementwise remainder with the sign of the dividend">;
def StableHLO_ShiftLeftOp : StableHLO_Binary<"shift_left", "elementwise left shift">;
def StableHLO_ShiftRightArithmeticOp
    : StableHLO_Binary<"shift_right_arithmetic", "elementwise right shift that keeps the sign">;
def StableHLO_ShiftRightLogicalOp
    : StableHLO_Binary<"shift_right_logical", "elementwise right shift that shifts zeros in">;
def StableHLO_SubtractOp : StableHLO_Binary<"subtract", "elementwise difference">;
def StableHLO_XorOp : StableHLO_Binary<"xor", "elementwise logical or bitwise exclusive or">;

def StableHLO_IsFiniteOp : StableHLO_Op<"is_finite", [SameOperandsAndResultShape]> {
  let summary = "elementwise test for numbers that are neither infinite nor NaN";
  let arguments = (ins StableHLO_Tensor:$x);
  let results = (outs TensorOf<[I1]>:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def StableHLO_CompareOp : StableHLO_Op<"compare", [SameOperandsElementType, SameOperandsAndResultShape]> {
  let summary = "elementwise comparison";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
                       StableHLO_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<StableHLO_ComparisonTypeAttr>:$compare_type);
  let results = (outs TensorOf<[I1]>:$result);
  let assemblyFormat = [{
    $comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_SelectOp : StableHLO_Op<"select"> {
  let summary = "elementwise choice; a predicate of rank 0 chooses for all elements";
  let arguments = (ins TensorOf<[I1]>:$pred, StableHLO_Tensor:$on_true, StableHLO_Tensor:$on_false);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` custom<SelectTypes>(type($pred), type($on_true), type($on_false), type($result))
  }];
  let hasVerifier = 1;
}

def StableHLO_ClampOp : StableHLO_Op<"clamp", [StableHLO_SameElements]> {
  let summary = "elementwise limits; those of rank 0 hold for all elements";
  let arguments = (ins StableHLO_Tensor:$min, StableHLO_Tensor:$operand, StableHLO_Tensor:$max);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
    custom<Types>(type($min), type($operand), type($max), type($result))
  }];
  let hasVerifier = 1;
}

def StableHLO_ConvertOp : StableHLO_Op<"convert", [SameOperandsAndResultShape]> {
  let summary = "elementwise conversion to another element type";
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` custom<Types>(type($operand), type($result))";
}

//===------------------------------------------------------------------------------===//
// Constants and shapes
//===------------------------------------------------------------------------------===//

def StableHLO_ConstantOp : StableHLO_Op<"constant", [ConstantLike]> {
  let summary = "constant tensor; the value of a quantized one has the integers that store it";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs StableHLO_Tensor:$output);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def StableHLO_IotaOp : StableHLO_Op<"iota"> {
  let summary = "indices along one dimension";
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs StableHLO_Tensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
  let hasVerifier = 1;
}

def StableHLO_BroadcastInDimOp : StableHLO_Op<"broadcast_in_dim", [StableHLO_SameElements]> {
  let summary = "broadcast: dimension i of the operand is dimension dims[i] of the result";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimList:$broadcast_dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<ListOrElements>($broadcast_dimensions) attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_ReshapeOp : StableHLO_Op<"reshape", [StableHLO_SameElements]> {
  let summary = "the elements in another shape";
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_TransposeOp : StableHLO_Op<"transpose", [StableHLO_SameElements]> {
  let summary = "permutation of dimensions";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimList:$permutation);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<ListOrElements>($permutation) attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_ReverseOp : StableHLO_Elementwise<"reverse"> {
  let summary = "reversed order along dimensions";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimList:$dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` custom<ListOrElements>($dimensions) attr-dict `:` custom<Types>(type($operand), type($result))
  }];
  let hasVerifier = 1;
}

def StableHLO_SliceOp : StableHLO_Op<"slice", [StableHLO_SameElements]> {
  let summary = "strided slice at constant positions";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_DimList:$start_indices, StableHLO_DimList:$limit_indices,
                       StableHLO_DimList:$strides);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand custom<Ranges>($start_indices, $limit_indices, $strides) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_ConcatenateOp : StableHLO_Op<"concatenate"> {
  let summary = "concatenation along one dimension";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    custom<OperandsBefore>($inputs) `dim` `=` $dimension attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_PadOp : StableHLO_Op<"pad", [StableHLO_SameElements]> {
  let summary = "padding before, after and between elements; negative padding removes elements";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$padding_value,
                       StableHLO_DimList:$edge_padding_low, StableHLO_DimList:$edge_padding_high,
                       StableHLO_DimList:$interior_padding);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` custom<ListOrElements>($edge_padding_low) `,` `high` `=` custom<ListOrElements>($edge_padding_high) `,`
    `interior` `=` custom<ListOrElements>($interior_padding) attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicSliceOp : StableHLO_Op<"dynamic_slice"> {
  let summary = "slice at positions that are computed";
  let arguments = (ins StableHLO_Tensor:$operand, Variadic<StableHLO_Tensor>:$start_indices,
                       StableHLO_DimList:$slice_sizes);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<OperandsBefore>($start_indices) `sizes` `=` custom<ListOrElements>($slice_sizes) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicUpdateSliceOp : StableHLO_Op<"dynamic_update_slice"> {
  let summary = "replacement of a slice at positions that are computed";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$update, Variadic<StableHLO_Tensor>:$start_indices);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===------------------------------------------------------------------------------===//
// Contraction and reduction
//===------------------------------------------------------------------------------===//

def StableHLO_DotGeneralOp : StableHLO_Op<"dot_general"> {
  let summary = "sum of products over contracted dimensions, for each batch";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs, StableHLO_DotAttr:$dot_dimension_numbers,
                       OptionalAttr<TypedArrayAttrBase<StableHLO_PrecisionAttr, "precisions">>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensions>($dot_dimension_numbers, $precision_config) attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_ReduceOp : StableHLO_Op<"reduce", [SameVariadicOperandSize, SingleBlock]> {
  let summary = "reduction along dimensions by a computation";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, Variadic<StableHLO_Tensor>:$init_values,
                       StableHLO_DimList:$dimensions);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===------------------------------------------------------------------------------===//
// Representations
//===------------------------------------------------------------------------------===//

def StableHLO_BitcastConvertOp : StableHLO_Op<"bitcast_convert"> {
  let summary = "the bits of the elements as elements of another type";
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_ReducePrecisionOp : StableHLO_Elementwise<"reduce_precision"> {
  let summary = "elementwise rounding to a float with fewer bits, and back";
  let arguments = (ins StableHLO_Tensor:$operand, I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let results = (outs StableHLO_Tensor:$output);
  let assemblyFormat = [{
    $operand `,` `format` `=` custom<ExponentMantissa>($exponent_bits, $mantissa_bits) attr-dict `:`
    custom<Types>(type($operand), type($output))
  }];
  let hasVerifier = 1;
}

def StableHLO_ComplexOp : StableHLO_Op<"complex", [SameOperandsAndResultShape, SameOperandsElementType]> {
  let summary = "elementwise complex number of a real and an imaginary part";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs);
  let results = (outs TensorOf<[AnyComplex]>:$result);
  let assemblyFormat = "operands attr-dict `:` custom<ComplexTypes>(type($lhs), type($rhs), type($result))";
}

class StableHLO_PartOp<string mnemonic, string text> : StableHLO_Op<mnemonic, [SameOperandsAndResultShape]> {
  let summary = text;
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` custom<Types>(type($operand), type($result))";
}
def StableHLO_RealOp : StableHLO_PartOp<"real", "elementwise real part">;
def StableHLO_ImagOp : StableHLO_PartOp<"imag", "elementwise imaginary part">;

def StableHLO_OptimizationBarrierOp : StableHLO_Op<"optimization_barrier"> {
  let summary = "its operands, which no transformation moves ops across";
  let arguments = (ins Variadic<StableHLO_Value>:$operand);
  let results = (outs Variadic<StableHLO_Value>:$result);
  let assemblyFormat = "attr-dict ($operand^ `:` type($operand))? custom<SameResults>(ref(type($operand)), type($result))";
}

//===------------------------------------------------------------------------------===//
// Gather, scatter, sort
//===------------------------------------------------------------------------------===//

def StableHLO_GatherOp : StableHLO_Op<"gather"> {
  let summary = "slices at positions that a tensor of indices gives";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$start_indices,
                       StableHLO_GatherAttr:$dimension_numbers, StableHLO_Dims:$slice_sizes,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_ScatterOp : StableHLO_Op<"scatter", [SingleBlock, SameVariadicOperandSize]> {
  let summary = "updates of slices at positions that a tensor of indices gives";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, StableHLO_Tensor:$scatter_indices,
                       Variadic<StableHLO_Tensor>:$updates, StableHLO_ScatterAttr:$scatter_dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$update_computation);
  let hasVerifier = 1;
}

def StableHLO_SortOp : StableHLO_Op<"sort", [SingleBlock]> {
  let summary = "sorts along a dimension by a comparison";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
  let hasVerifier = 1;
}

def StableHLO_MapOp : StableHLO_Op<"map", [SingleBlock, SameOperandsAndResultShape]> {
  let summary = "a computation on each element";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, StableHLO_Dims:$dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
  let hasVerifier = 1;
}

//===------------------------------------------------------------------------------===//
// Windows
//===------------------------------------------------------------------------------===//

def StableHLO_ConvolutionOp : StableHLO_Op<"convolution"> {
  let summary = "convolution over any number of spatial dimensions";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs, OptionalAttr<StableHLO_Dims>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding, OptionalAttr<StableHLO_Dims>:$lhs_dilation,
                       OptionalAttr<StableHLO_Dims>:$rhs_dilation, OptionalAttr<StableHLO_Flags>:$window_reversal,
                       StableHLO_ConvAttr:$dimension_numbers, I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<TypedArrayAttrBase<StableHLO_PrecisionAttr, "precisions">>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvDimensions>($dimension_numbers) `,` `window` `=`
    custom<Window>($window_strides, $padding, $lhs_dilation, $rhs_dilation, $window_reversal) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_ReduceWindowOp : StableHLO_Op<"reduce_window", [SingleBlock, SameVariadicOperandSize]> {
  let summary = "reduction of each window by a computation";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, Variadic<StableHLO_Tensor>:$init_values,
                       StableHLO_Dims:$window_dimensions, OptionalAttr<StableHLO_Dims>:$window_strides,
                       OptionalAttr<StableHLO_Dims>:$base_dilations, OptionalAttr<StableHLO_Dims>:$window_dilations,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def StableHLO_SelectAndScatterOp : StableHLO_Op<"select_and_scatter"> {
  let summary = "scatters the source to the selected element of each window";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$source, StableHLO_Tensor:$init_value,
                       OptionalAttr<StableHLO_Dims>:$window_dimensions, OptionalAttr<StableHLO_Dims>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs StableHLO_Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let hasVerifier = 1;
}

//===------------------------------------------------------------------------------===//
// Linear algebra, transforms, random bits
//===------------------------------------------------------------------------------===//

def StableHLO_DotOp : StableHLO_Op<"dot"> {
  let summary = "product of vectors or matrices";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
                       OptionalAttr<TypedArrayAttrBase<StableHLO_PrecisionAttr, "precisions">>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Precisions>($precision_config) attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_CholeskyOp : StableHLO_Op<"cholesky", [StableHLO_SameElements]> {
  let summary = "Cholesky decomposition of a batch of matrices";
  let arguments = (ins StableHLO_Tensor:$a, DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$a (`,` `lower` `=` $lower^)? attr-dict `:` custom<Types>(type($a), type($result))";
  let hasVerifier = 1;
}

def StableHLO_TriangularSolveOp : StableHLO_Op<"triangular_solve", [StableHLO_SameElements]> {
  let summary = "solution of a batch of triangular systems";
  let arguments = (ins StableHLO_Tensor:$a, StableHLO_Tensor:$b, BoolAttr:$left_side, BoolAttr:$lower,
                       BoolAttr:$unit_diagonal, StableHLO_TransposeAttr:$transpose_a);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_FftOp : StableHLO_Op<"fft"> {
  let summary = "Fourier transform of the last dimensions";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_FftTypeAttr:$fft_type, StableHLO_Dims:$fft_length);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` custom<FftKind>($fft_type) `,` `length` `=` custom<ListOrElements>($fft_length) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator"> {
  let summary = "random bits, and the state after them";
  let arguments = (ins StableHLO_RngAlgorithmAttr:$rng_algorithm, StableHLO_Tensor:$initial_state);
  let results = (outs StableHLO_Tensor:$output_state, StableHLO_Tensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` custom<Algorithm>($rng_algorithm) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_RngOp : StableHLO_Op<"rng"> {
  let summary = "random numbers of a generator that the specification leaves open";
  let arguments = (ins StableHLO_Tensor:$a, StableHLO_Tensor:$b, StableHLO_Tensor:$shape,
                       StableHLO_RngDistributionAttr:$rng_distribution);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` custom<Distribution>($rng_distribution) attr-dict `:`
    functional-type(operands, results)
  }];
}

//===------------------------------------------------------------------------------===//
// Quantized types
//===------------------------------------------------------------------------------===//

class StableHLO_QuantizeOp<string mnemonic, string text> : StableHLO_Op<mnemonic, [SameOperandsAndResultShape]> {
  let summary = text;
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` custom<Types>(type($operand), type($result))";
  let hasVerifier = 1;
}
def StableHLO_UniformQuantizeOp
    : StableHLO_QuantizeOp<"uniform_quantize", "elementwise conversion to a quantized type">;
def StableHLO_UniformDequantizeOp
    : StableHLO_QuantizeOp<"uniform_dequantize", "elementwise conversion of quantized elements to floats">;

//===------------------------------------------------------------------------------===//
// Older ops
//===------------------------------------------------------------------------------===//

def StableHLO_BroadcastOp : StableHLO_Op<"broadcast", [StableHLO_SameElements]> {
  let summary = "the operand in new leading dimensions";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Dims:$broadcast_sizes);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` custom<ListOrElements>($broadcast_sizes) attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_EinsumOp : StableHLO_Op<"einsum"> {
  let summary = "sum of products over labels of the dimensions, such as \"ab,bc->ac\"";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs, StrAttr:$einsum_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_UnaryEinsumOp : StableHLO_Op<"unary_einsum"> {
  let summary = "sum over labels of the dimensions, such as \"ab->b\"";
  let arguments = (ins StableHLO_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_TorchIndexSelectOp : StableHLO_Op<"torch_index_select"> {
  let summary = "the elements of a dimension that an index tensor names";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$index, I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs StableHLO_Tensor:$result);
}

def StableHLO_CrossReplicaSumOp : StableHLO_Op<"cross-replica-sum", [StableHLO_SameElements]> {
  let summary = "sum of the operands of all processes of a group";
  let arguments = (ins StableHLO_Tensor:$operand, I64ElementsAttr:$replica_groups);
  let results = (outs StableHLO_Tensor:$result);
}

def StableHLO_TraceOp : Op<StableHLO_Dialect, "trace"> {
  let summary = "mark of a value for a debugger; it computes nothing";
  let arguments = (ins StableHLO_Tensor:$operand, StrAttr:$tag);
  let assemblyFormat = "$operand `,` $tag attr-dict `:` type($operand)";
}

//===------------------------------------------------------------------------------===//
// Sizes that are values
//===------------------------------------------------------------------------------===//

def StableHLO_GetDimensionSizeOp : StableHLO_Op<"get_dimension_size"> {
  let summary = "size of a dimension";
  let arguments = (ins StableHLO_Tensor:$operand, I64Attr:$dimension);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_SetDimensionSizeOp : StableHLO_Op<"set_dimension_size"> {
  let summary = "the first elements of a dimension, as many as a value says";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$size, I64Attr:$dimension);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $size `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicIotaOp : StableHLO_Op<"dynamic_iota"> {
  let summary = "indices along one dimension, of a shape that is a value";
  let arguments = (ins StableHLO_Tensor:$output_shape, I64Attr:$iota_dimension);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_DynamicBroadcastInDimOp : StableHLO_Op<"dynamic_broadcast_in_dim"> {
  let summary = "broadcast to a shape that is a value";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$output_dimensions,
                       StableHLO_DimList:$broadcast_dimensions,
                       OptionalAttr<StableHLO_Dims>:$known_expanding_dimensions,
                       OptionalAttr<StableHLO_Dims>:$known_nonexpanding_dimensions);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` custom<ListOrElements>($broadcast_dimensions) attr-dict `:`
    functional-type(operands, results)
  }];
}

class StableHLO_DynamicOp<string mnemonic, string text, dag operands> : StableHLO_Op<mnemonic> {
  let summary = text;
  let arguments = operands;
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def StableHLO_DynamicReshapeOp
    : StableHLO_DynamicOp<"dynamic_reshape", "the elements in a shape that is a value",
                          (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$output_shape)>;
def StableHLO_DynamicPadOp
    : StableHLO_DynamicOp<"dynamic_pad", "padding by amounts that are values",
                          (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$padding_value,
                               StableHLO_Tensor:$edge_padding_low, StableHLO_Tensor:$edge_padding_high,
                               StableHLO_Tensor:$interior_padding)>;
def StableHLO_RealDynamicSliceOp
    : StableHLO_DynamicOp<"real_dynamic_slice", "strided slice at positions that are values",
                          (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$start_indices,
                               StableHLO_Tensor:$limit_indices, StableHLO_Tensor:$strides)>;

def StableHLO_DynamicConvOp : StableHLO_Op<"dynamic_conv"> {
  let summary = "convolution with paddings that are values";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs, StableHLO_Tensor:$d_padding,
                       OptionalAttr<StableHLO_Dims>:$window_strides, OptionalAttr<I64ElementsAttr>:$padding,
                       OptionalAttr<StableHLO_Dims>:$lhs_dilation, OptionalAttr<StableHLO_Dims>:$rhs_dilation,
                       OptionalAttr<StableHLO_Flags>:$window_reversal, StableHLO_ConvAttr:$dimension_numbers,
                       I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<TypedArrayAttrBase<StableHLO_PrecisionAttr, "precisions">>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
}

def StableHLO_DynamicGatherOp : StableHLO_Op<"dynamic_gather"> {
  let summary = "gather of slices whose sizes are values";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$start_indices, StableHLO_Tensor:$slice_sizes,
                       StableHLO_GatherAttr:$dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
}

//===------------------------------------------------------------------------------===//
// Normalization
//===------------------------------------------------------------------------------===//

def StableHLO_BatchNormInferenceOp : StableHLO_Op<"batch_norm_inference"> {
  let summary = "normalization by given means and variances of the features";
  let arguments = (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$scale, StableHLO_Tensor:$offset,
                       StableHLO_Tensor:$mean, StableHLO_Tensor:$variance, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs StableHLO_Tensor:$result);
}

class StableHLO_BatchNormOfThree<string mnemonic, string text, dag operands> : StableHLO_Op<mnemonic> {
  let summary = text;
  let arguments = !con(operands, (ins F32Attr:$epsilon, I64Attr:$feature_index));
}
def StableHLO_BatchNormTrainingOp
    : StableHLO_BatchNormOfThree<"batch_norm_training", "normalization by the means and variances of the features",
                                 (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$scale, StableHLO_Tensor:$offset)> {
  let results = (outs StableHLO_Tensor:$output, StableHLO_Tensor:$batch_mean, StableHLO_Tensor:$batch_var);
}
def StableHLO_BatchNormGradOp
    : StableHLO_BatchNormOfThree<"batch_norm_grad", "gradients of batch_norm_training",
                                 (ins StableHLO_Tensor:$operand, StableHLO_Tensor:$scale, StableHLO_Tensor:$mean,
                                      StableHLO_Tensor:$variance, StableHLO_Tensor:$grad_output)> {
  let results = (outs StableHLO_Tensor:$grad_operand, StableHLO_Tensor:$grad_scale, StableHLO_Tensor:$grad_offset);
}

#endif // STABLEHLO_OPS
