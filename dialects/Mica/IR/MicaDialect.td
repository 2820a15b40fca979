//===- MicaDialect.td - the dialect `mica` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// The dialect, the types its operations take, and the base classes of its operations.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_DIALECT
#define MICA_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Mica_Dialect : Dialect {
  let name = "mica";
  let cppNamespace = "::mica";
  let summary = "what a model is written in";
  let description = [{
    Tensor operations of neural networks, on ranked tensors with value semantics. An operation says what is computed,
    never how: the pass `convert-mica-to-linalg` gives loops, the reference evaluator gives the numbers to compare with.

    **Types.** Every operand and result is a ranked tensor of a *float type* (`f64`, `f32`, `f16`, `bf16`, `f8E4M3FN`,
    `f8E5M2`), an *integer type* (`i64`, `i32`, `i16`, `i8`, `i4`) or `i1`; each operation says which of these it takes.
    Dimensions are static or dynamic (`?`). Integers are signed and wrap around (two's complement). Floats are IEEE: no
    operation reassociates, and NaN propagates through each of them, `max`, `min`, `relu` and the maximum kinds of
    `reduce` and `max_pool` included. In float types of fewer than 32 bits an operation computes in `f32` and rounds its
    result once, to nearest, ties to even; beyond the largest number that gives an infinity, in `f8E4M3FN`, which has
    none, NaN.

    **Memory.** Elements of `i4` and `i1` take one byte each wherever a program meets the world: buffers of a kernel, the C
    API (DLPack `int8` and `bool`) and `.npy` files (`int8` and `bool`). An `i4` is sign-extended; of a byte that comes in,
    the low four bits count.

    **Broadcasting.** The two-operand elementwise operations take operands of equal rank; a dimension that is statically
    1 is repeated to match the other operand's. A dynamic dimension is never repeated: where neither operand's dimension
    is statically 1, both must have the same size at run time. Operands of lower rank are brought up with
    `mica.reshape` or `mica.broadcast`.

    **Constraints.** What must hold for an operation to be valid is listed in its description as (C1), (C2), ...; the
    verifier's messages begin with the label of the constraint that does not hold. Where dimensions are dynamic, a
    constraint is checked as far as the types tell, and what remains must hold at run time.

    **Result types** may know more than what follows from the operands: a `?` of the inferred type may be a number in
    the written one, which then must be true at run time, and the other way round.

    **Attributes of other ops.** `mica.kind` on an op of `linalg` says in a word what kind of op it is, for people: a
    string that is not empty (`mica-annotate-kinds`).

    Example:

    ```mlir
    func.func @dense(%x: tensor<?x64xf32>, %w: tensor<64x10xf32>, %b: tensor<1x10xf32>) -> tensor<?x10xf32> {
      %0 = mica.matmul %x, %w : (tensor<?x64xf32>, tensor<64x10xf32>) -> tensor<?x10xf32>
      %1 = mica.add %0, %b : (tensor<?x10xf32>, tensor<1x10xf32>) -> tensor<?x10xf32>
      %2 = mica.softmax %1 axis = 1 : tensor<?x10xf32>
      return %2 : tensor<?x10xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------===//

/// What every operand and result is; an operation's own choice among the element types is its constraint (C1).
def Mica_Tensor : Type<RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I64, I32, I16, I8, I<4>, I1]>.predicate,
                       "ranked tensor of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8, i4 or i1",
                       "::mlir::RankedTensorType">;

//===------------------------------------------------------------------------------===//
// Base classes of operations
//===------------------------------------------------------------------------------===//

/// Checks the labelled constraints before result types are inferred, so that a broken constraint is one error.
def Mica_LabelledConstraints : NativeOpTrait<"LabelledConstraints"> {
  let cppNamespace = "::mica";
}

class Mica_Op<string mnemonic, list<Trait> traits = []>
    : Op<Mica_Dialect, mnemonic, !listconcat([Mica_LabelledConstraints, Pure], traits)> {
  /// Declarations of one operation, beside those all of them have.
  code moreClassDeclaration = "";
  let extraClassDeclaration = [{
    /// Checks the constraints (C1).. of the description; the error begins with the label of the one that fails.
    ::llvm::LogicalResult verifyConstraints();
  }] # moreClassDeclaration;
}

/// An operation whose result type follows from operands and attributes, and may be written with more or fewer `?`.
class Mica_InferredOp<string mnemonic, list<Trait> traits = []>
    : Mica_Op<mnemonic, !listconcat([InferTypeOpAdaptorWithIsCompatible,
                                     DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>], traits)> {
  let extraClassDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange lhs, ::mlir::TypeRange rhs) {
      return ::mica::haveCompatibleTypes(lhs, rhs);
    }
  }];
}

/// Sums of products: as Mica_InferredOp, and the result may be written with a wider element type, which is that of the sums.
class Mica_SumOp<string mnemonic, list<Trait> traits = []> : Mica_InferredOp<mnemonic, traits> {
  let extraClassDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange written) {
      return ::mica::haveCompatibleSums(inferred, written);
    }
  }];
}

/// An operation whose result has exactly the type of its first operand.
class Mica_SameTypeOp<string mnemonic, list<Trait> traits = []>
    : Mica_Op<mnemonic, !listconcat([DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>], traits)> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::reifyResultShapes(::mlir::OpBuilder &builder,
                                                       ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mica::reifyAsFirstOperand(builder, *this, shapes);
    }
  }];
}

#endif // MICA_DIALECT
