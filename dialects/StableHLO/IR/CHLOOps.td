//===- CHLOOps.td - ops of the dialect `chlo` -----------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Ops that frameworks write beside those of stablehlo: special functions, and ops that broadcast their operands.
//
//===------------------------------------------------------------------------------===//

#ifndef STABLEHLO_CHLO_OPS
#define STABLEHLO_CHLO_OPS

include "dialects/StableHLO/IR/StableHLODialect.td"

def CHLO_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::mica::chlo";
  let summary = "Special functions and broadcasting ops beside stablehlo";
  let description = [{
    An input dialect. `legalize-stablehlo-types` replaces ops that broadcast, and functions of complex numbers;
    `convert-stablehlo-to-mica` converts functions of floats to loops over scalar code.

    Example:

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mica::stablehlo::StableHLODialect"];
  let useDefaultAttributePrinterParser = 1;
}

/// An attribute of the enumeration of stablehlo, as text of chlo.
class CHLO_EnumAttr<string name, string text, EnumInfo enum> : AttrDef<CHLO_Dialect, name> {
  let mnemonic = text;
  let parameters = (ins EnumParameter<enum>:$value);
  let assemblyFormat = "$value";
}
def CHLO_ComparisonDirectionAttr
    : CHLO_EnumAttr<"ComparisonDirection", "comparison_direction", StableHLO_ComparisonDirection>;
def CHLO_ComparisonTypeAttr : CHLO_EnumAttr<"ComparisonType", "comparison_type", StableHLO_ComparisonType>;

def CHLO_PrecisionAttr : CHLO_EnumAttr<"Precision", "precision", StableHLO_Precision>;

def CHLO_RaggedDotAttr : AttrDef<CHLO_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let summary = "dimensions that ragged_dot batches, contracts and divides into groups";
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$lhs_batching_dimensions,
                        OptionalArrayRefParameter<"int64_t">:$rhs_batching_dimensions,
                        OptionalArrayRefParameter<"int64_t">:$lhs_contracting_dimensions,
                        OptionalArrayRefParameter<"int64_t">:$rhs_contracting_dimensions,
                        OptionalArrayRefParameter<"int64_t">:$lhs_ragged_dimensions,
                        OptionalArrayRefParameter<"int64_t">:$rhs_group_dimensions);
  let assemblyFormat = [{
    `<` struct(custom<Dims>($lhs_batching_dimensions), custom<Dims>($rhs_batching_dimensions),
               custom<Dims>($lhs_contracting_dimensions), custom<Dims>($rhs_contracting_dimensions),
               custom<Dims>($lhs_ragged_dimensions), custom<Dims>($rhs_group_dimensions)) `>`
  }];
}

class CHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<CHLO_Dialect, mnemonic, !listconcat([Pure], traits)>;

//===------------------------------------------------------------------------------===//
// Functions
//===------------------------------------------------------------------------------===//

class CHLO_Unary<string mnemonic, string text> : CHLO_Op<mnemonic, [SameOperandsAndResultShape]> {
  let summary = text;
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}
def CHLO_AcosOp : CHLO_Unary<"acos", "elementwise inverse cosine">;
def CHLO_AcoshOp : CHLO_Unary<"acosh", "elementwise inverse hyperbolic cosine">;
def CHLO_AsinOp : CHLO_Unary<"asin", "elementwise inverse sine">;
def CHLO_AsinhOp : CHLO_Unary<"asinh", "elementwise inverse hyperbolic sine">;
def CHLO_AtanOp : CHLO_Unary<"atan", "elementwise inverse tangent">;
def CHLO_AtanhOp : CHLO_Unary<"atanh", "elementwise inverse hyperbolic tangent">;
def CHLO_BesselI1eOp : CHLO_Unary<"bessel_i1e", "elementwise modified Bessel function of order 1, times exp(-|x|)">;
def CHLO_ConjOp : CHLO_Unary<"conj", "elementwise complex conjugate">;
def CHLO_CoshOp : CHLO_Unary<"cosh", "elementwise hyperbolic cosine">;
def CHLO_DigammaOp : CHLO_Unary<"digamma", "elementwise derivative of lgamma">;
def CHLO_ErfOp : CHLO_Unary<"erf", "elementwise error function">;
def CHLO_ErfInvOp : CHLO_Unary<"erf_inv", "elementwise inverse of the error function">;
def CHLO_ErfcOp : CHLO_Unary<"erfc", "elementwise 1 minus the error function">;
def CHLO_IsInfOp : CHLO_Unary<"is_inf", "elementwise test for infinities">;
def CHLO_IsNegInfOp : CHLO_Unary<"is_neg_inf", "elementwise test for the negative infinity">;
def CHLO_IsPosInfOp : CHLO_Unary<"is_pos_inf", "elementwise test for the positive infinity">;
def CHLO_LgammaOp : CHLO_Unary<"lgamma", "elementwise logarithm of the magnitude of the gamma function">;
def CHLO_SinhOp : CHLO_Unary<"sinh", "elementwise hyperbolic sine">;
def CHLO_SquareOp : CHLO_Unary<"square", "elementwise square">;
def CHLO_TanOp : CHLO_Unary<"tan", "elementwise tangent">;

class CHLO_Binary<string mnemonic, string text>
    : CHLO_Op<mnemonic, [SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = text;
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}
def CHLO_NextAfterOp : CHLO_Binary<"next_after", "elementwise next float in the direction of the second operand">;
def CHLO_PolygammaOp : CHLO_Binary<"polygamma", "elementwise derivative of digamma of the order that lhs gives">;
def CHLO_ZetaOp : CHLO_Binary<"zeta", "elementwise Hurwitz zeta function">;

//===------------------------------------------------------------------------------===//
// Constants, and the largest elements
//===------------------------------------------------------------------------------===//

def CHLO_ConstantOp : CHLO_Op<"constant", [
    ConstantLike, TypesMatchWith<"the result has the value's type", "value", "output", "$_self">]> {
  let summary = "constant tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs StableHLO_Tensor:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def CHLO_ConstantLikeOp : CHLO_Op<"constant_like", [SameOperandsAndResultShape]> {
  let summary = "constant of one value, in the shape of its operand";
  let arguments = (ins TypedAttrInterface:$value, StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
}

def CHLO_TopKOp : CHLO_Op<"top_k"> {
  let summary = "the k largest elements of the last dimension, and their indices";
  let arguments = (ins StableHLO_Tensor:$operand, I64Attr:$k);
  let results = (outs StableHLO_Tensor:$values, StableHLO_Tensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict `:` type($operand) `->` `(` type($values) `,` type($indices) `)`
  }];
}

def CHLO_RaggedDotOp : CHLO_Op<"ragged_dot"> {
  let summary = "sums of products for groups of consecutive indices of a dimension, whose sizes are values";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs, StableHLO_Tensor:$group_sizes,
                       CHLO_RaggedDotAttr:$ragged_dot_dimension_numbers,
                       OptionalAttr<TypedArrayAttrBase<CHLO_PrecisionAttr, "precisions">>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
}

//===------------------------------------------------------------------------------===//
// Ops that broadcast their operands
//===------------------------------------------------------------------------------===//

class CHLO_Broadcast<string mnemonic, dag more = (ins)> : CHLO_Op<"broadcast_" # mnemonic> {
  let summary = "the op " # mnemonic # " of operands that are broadcast to one shape";
  let arguments = !con((ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
                            OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions), more);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}
def CHLO_BroadcastAddOp : CHLO_Broadcast<"add">;
def CHLO_BroadcastAndOp : CHLO_Broadcast<"and">;
def CHLO_BroadcastAtan2Op : CHLO_Broadcast<"atan2">;
def CHLO_BroadcastComplexOp : CHLO_Broadcast<"complex">;
def CHLO_BroadcastDivOp : CHLO_Broadcast<"divide">;
def CHLO_BroadcastMaxOp : CHLO_Broadcast<"maximum">;
def CHLO_BroadcastMinOp : CHLO_Broadcast<"minimum">;
def CHLO_BroadcastMulOp : CHLO_Broadcast<"multiply">;
def CHLO_BroadcastNextAfterOp : CHLO_Broadcast<"next_after">;
def CHLO_BroadcastOrOp : CHLO_Broadcast<"or">;
def CHLO_BroadcastPolygammaOp : CHLO_Broadcast<"polygamma">;
def CHLO_BroadcastPowOp : CHLO_Broadcast<"power">;
def CHLO_BroadcastRemOp : CHLO_Broadcast<"remainder">;
def CHLO_BroadcastShiftLeftOp : CHLO_Broadcast<"shift_left">;
def CHLO_BroadcastShiftRightArithmeticOp : CHLO_Broadcast<"shift_right_arithmetic">;
def CHLO_BroadcastShiftRightLogicalOp : CHLO_Broadcast<"shift_right_logical">;
def CHLO_BroadcastSubOp : CHLO_Broadcast<"subtract">;
def CHLO_BroadcastXorOp : CHLO_Broadcast<"xor">;
def CHLO_BroadcastZetaOp : CHLO_Broadcast<"zeta">;
def CHLO_BroadcastCompareOp
    : CHLO_Broadcast<"compare", (ins CHLO_ComparisonDirectionAttr:$comparison_direction,
                                 OptionalAttr<CHLO_ComparisonTypeAttr>:$compare_type)>;

def CHLO_BroadcastSelectOp : CHLO_Op<"broadcast_select"> {
  let summary = "elementwise choice between operands that are broadcast to one shape";
  let arguments = (ins TensorOf<[I1]>:$pred, StableHLO_Tensor:$on_true, StableHLO_Tensor:$on_false);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif // STABLEHLO_CHLO_OPS
