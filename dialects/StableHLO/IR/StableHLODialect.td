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

    Example:

    ```mlir
    func.func public @main(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
         : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      return %0 : tensor<4x2xf32>
    }
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
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

def StableHLO_Tensor : RankedTensorOf<[AnyType]>;

class StableHLO_Op<string mnemonic, list<Trait> traits = []>
    : Op<StableHLO_Dialect, mnemonic, !listconcat([Pure], traits)>;

/// An elementwise op whose operands and result have one type.
class StableHLO_Elementwise<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, !listconcat([SameOperandsAndResultShape, SameOperandsAndResultElementType], traits)>;

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
