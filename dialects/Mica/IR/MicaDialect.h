//===- MicaDialect.h - the dialect `mica` ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The dialect class, its enumerations and operations, and helpers of the op classes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_IR_MICADIALECT_H
#define MICA_DIALECTS_MICA_IR_MICADIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Mica/IR/MicaDialect.h.inc"
#include "dialects/Mica/IR/MicaEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Mica/IR/MicaAttrs.h.inc"

namespace mica {

/// Discardable attribute of linalg ops: the kind of op, a string. mica-tensor-annotate-kinds attaches it, for readers;
/// no pass depends on it (passes/Tensor/OpKinds.h).
inline constexpr llvm::StringLiteral kKindAttr = "mica.kind";
/// On a parallel loop: its results may reuse the memory of its outputs, of which it updates few elements.
inline constexpr llvm::StringLiteral kInPlaceAttr = "mica.in_place";
/// On a function: the result of mica-dispatch-infer-dim-equalities.
inline constexpr llvm::StringLiteral kRelatedSizesAttr = "mica.related_sizes";
/// On scf.forall: the name for the loop's kernel, a string.
inline constexpr llvm::StringLiteral kLoopKindAttr = "mica.loop_kind";
/// On a buffer argument: iteration k of the loop, in row-major order, writes at most its elements k * n to (k + 1) * n.
inline constexpr llvm::StringLiteral kShareElementsAttr = "mica.share_elements";
/// On the maximum and the exponential of a softmax: rows with NaN become NaN by the sum of their exponentials, so the
/// maximum may ignore NaN; in all other rows, the exponential's operand is not positive.
inline constexpr llvm::StringLiteral kSoftmaxAttr = "mica.softmax";
/// On an argument or result: its name for users.
inline constexpr llvm::StringLiteral kNameAttr = "mica.name";
/// On an argument or result of signless integers: callers pass and get unsigned ones, as the program was written.
inline constexpr llvm::StringLiteral kUnsignedAttr = "mica.unsigned";
/// On an argument or result of f32 or f64: the imaginary part of what the one before is the real part of. Callers pass
/// and get both as one complex value, as the program was written.
inline constexpr llvm::StringLiteral kImaginaryAttr = "mica.imaginary";
/// On a program that was printed after a phase: that phase, and the options that differ from their defaults.
inline constexpr llvm::StringLiteral kStageAttr = "mica.stage";
/// On operations that CSE must not merge, while mica-tensor-simplify runs: a unique number.
inline constexpr llvm::StringLiteral kApartAttr = "mica.apart";
/// On loads whose value is used, while convert-mica-sched-to-llvm inserts reports of uninitialized memory.
inline constexpr llvm::StringLiteral kUsedAttr = "mica.used";

/// Runs an operation's verifyConstraints() before the traits that infer result types, which report failures without a
/// label, and would access operands that are not verified yet.
template <typename ConcreteType>
class LabelledConstraints : public mlir::OpTrait::TraitBase<ConcreteType, LabelledConstraints> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return llvm::cast<ConcreteType>(op).verifyConstraints();
  }
};

/// Whether both lists have ranked tensors with equal element types, ranks, and static sizes.
bool haveCompatibleTypes(mlir::TypeRange lhs, mlir::TypeRange rhs);
/// As haveCompatibleTypes, but the element type in `written` may also be a wider one of the same kind than that in
/// `inferred`: the result types that are allowed for accumulating ops.
bool haveCompatibleSums(mlir::TypeRange inferred, mlir::TypeRange written);

/// The result shapes of an operation whose results have the shape of its first operand.
llvm::LogicalResult reifyAsFirstOperand(mlir::OpBuilder &builder, mlir::Operation *op,
                                        mlir::ReifiedRankedShapedTypeDims &shapes);

/// The shape of two shapes of equal rank under the dialect's broadcasting (dimensions that are statically 1 are
/// broadcast), or nothing if they do not match.
std::optional<llvm::SmallVector<int64_t>> broadcastShapes(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs);

/// The shape of mica.gather's result: dimension `axis` of `input` is replaced by the dimensions of `indices` after the
/// first `batchDims`.
llvm::SmallVector<int64_t> gatheredShape(llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> indices, int64_t axis,
                                         int64_t batchDims);

/// The dimensions of an image in a layout.
struct ImageDims {
  int64_t batch, height, width, channel;
};

/// The dimensions of a convolution's image and result, whose dimension 0 is the batch, and of its filter in a layout.
struct ConvDims {
  int64_t channel;
  llvm::SmallVector<int64_t, 2> spatial;
  int64_t filterInput, filterOutput;
  llvm::SmallVector<int64_t, 2> filterSpatial;
};

ImageDims imageDims(ImageLayout layout);
ConvDims convDims(ConvLayout layout);
ConvDims convDims(Conv1dLayout layout);
ConvDims convDims(ConvTransposeLayout layout);

} // namespace mica

#define GET_OP_CLASSES
#include "dialects/Mica/IR/MicaOps.h.inc"

#endif // MICA_DIALECTS_MICA_IR_MICADIALECT_H
