//===- MicaDialect.td - the mica dialect ---------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// The dialect, the types of its operands and results, and the base classes of its ops.
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
  let summary = "tensor ops of machine learning models";
  let description = [{
    Tensor ops of neural networks, on ranked tensors with value semantics. An op defines what is computed, not
    how: the pass `convert-mica-to-linalg` lowers it to loops, and the reference evaluator computes the results
    to compare with.

    **Types.** Every operand and result is a ranked tensor of a *float type* (`f64`, `f32`, `f16`, `bf16`,
    `f8E4M3FN`, `f8E5M2`), an *integer type* (`i64`, `i32`, `i16`, `i8`, `i4`) or `i1`; each op states which of
    these it supports. Dimensions are static or dynamic (`?`). Integers are signed and wrap around (two's
    complement). Floats follow IEEE 754. The order of accumulation is unspecified where an op says so; nothing
    else is reassociated. NaN propagates unless an op says otherwise, also through `max`, `min`, `relu` and the
    maximum kinds of `reduce` and `max_pool`. For float types of fewer than 32 bits, an op computes in `f32` and
    rounds its result once, to nearest, ties to even. Results that are too large become infinities, or NaN in
    `f8E4M3FN`, which has no infinities.

    **Memory.** Elements of `i4` and `i1` occupy one byte each in buffers of kernels, in the C API (DLPack
    `int8` and `bool`) and in `.npy` files (`int8` and `bool`). An `i4` is stored sign-extended; when it is
    loaded, only the low four bits of the byte count.

    **Broadcasting.** The operands of elementwise ops have equal rank. A dimension that is statically 1 is
    broadcast to the size of the other operand's dimension. A dynamic dimension is never broadcast: if neither
    operand's dimension is statically 1, both must have the same size at run time. Operands of lower rank are
    brought to equal rank by `mica.reshape` or `mica.broadcast`.

    **Constraints.** The description of an op lists the constraints for its validity as (C1), (C2), ...; the
    messages of the verifier begin with the label of the violated constraint. With dynamic dimensions, the
    verifier checks what the types show; the rest must hold at run time.

    **Result types** may be more or less static than the inferred ones. A static size where the inferred type
    has a `?` must be the size at run time.

    **Assembly.** Where the operands and the result of an op have one type, it is written once:
    `mica.add %x, %y : tensor<4xf32>`; the function type `(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>` is
    parsed as well. In the syntax of an op, clauses in braces go in any order, each at most once.

    **Attributes of ops of other dialects.** `mica.kind` on a `linalg` op names the kind of the op, for readers.
    It is a string that is not empty (`mica-tensor-annotate-kinds`). `mica.softmax` on the maximum and the exponential
    of a softmax lets the maximum ignore NaN, because the row becomes NaN by the sum of its exponentials, and says that
    in all other rows the exponential's operand is not positive.

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
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
}

//===------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------===//

/// The type of operands and results. Each op restricts the element types further by a constraint, usually (C1).
def Mica_Tensor : Type<RankedTensorOf<[F64, F32, F16, BF16, F8E4M3FN, F8E5M2, I64, I32, I16, I8, I<4>, I1]>.predicate,
                       "ranked tensor of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8, i4 or i1",
                       "::mlir::RankedTensorType">;

//===------------------------------------------------------------------------------===//
// Base classes of ops
//===------------------------------------------------------------------------------===//

/// Verifies the labelled constraints before result types are inferred, so that a violation emits a single error.
def Mica_LabelledConstraints : NativeOpTrait<"LabelledConstraints"> {
  let cppNamespace = "::mica";
}

class Mica_Op<string mnemonic, list<Trait> traits = []>
    : Op<Mica_Dialect, mnemonic, !listconcat([Mica_LabelledConstraints, Pure], traits)> {
  /// Declarations of a single op, in addition to those of all ops.
  code moreClassDeclaration = "";
  let extraClassDeclaration = [{
    /// Verifies the constraints (C1), (C2), .. of the description. An error begins with the label of the violated one.
    ::llvm::LogicalResult verifyConstraints();
  }] # moreClassDeclaration;
}

/// An op whose result type is inferred from operands and attributes, and may be written with more or fewer dynamic
/// sizes.
class Mica_InferredOp<string mnemonic, list<Trait> traits = []>
    : Mica_Op<mnemonic, !listconcat([InferTypeOpAdaptorWithIsCompatible,
                                     DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>], traits)> {
  let extraClassDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange lhs, ::mlir::TypeRange rhs) {
      return ::mica::haveCompatibleTypes(lhs, rhs);
    }
  }];
}

/// An op that accumulates products. In addition to Mica_InferredOp, its result may have a wider element type, which is
/// then the type of the accumulators.
class Mica_SumOp<string mnemonic, list<Trait> traits = []> : Mica_InferredOp<mnemonic, traits> {
  let extraClassDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange written) {
      return ::mica::haveCompatibleSums(inferred, written);
    }
  }];
}

/// An op whose result has the type of its first operand.
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
