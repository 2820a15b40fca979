//===- MicaDialect.h - the dialect `mica` ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The dialect class, its enumerations and its operations, and what the operations' classes share.
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

/// Discardable attribute of linalg ops: what kind of op it is, a string. mica-tensor-annotate-kinds writes it, for
/// people; nothing is decided by it (passes/Tensor/OpKinds.h).
inline constexpr llvm::StringLiteral kKindAttr = "mica.kind";
/// On a parallel loop: its results may take over the memory of its outputs, which it changes at a few places.
inline constexpr llvm::StringLiteral kInPlaceAttr = "mica.in_place";
/// On a function: what mica-dispatch-infer-dim-equalities found.
inline constexpr llvm::StringLiteral kRelatedSizesAttr = "mica.related_sizes";
/// What the kernel of a loop is named after: a string on scf.forall.
inline constexpr llvm::StringLiteral kLoopKindAttr = "mica.loop_kind";
/// Of a written buffer argument: iteration k of the loop, in row-major order, writes at most its elements k * n to
/// (k + 1) * n.
inline constexpr llvm::StringLiteral kShareElementsAttr = "mica.share_elements";
/// The attribute of an argument or result that names it for those who run the program.
inline constexpr llvm::StringLiteral kNameAttr = "mica.name";
/// On a program that was printed behind a phase: that phase, and the options that differ from the default ones.
inline constexpr llvm::StringLiteral kStageAttr = "mica.stage";
/// Of operations that CSE is not to merge, while mica-tensor-simplify runs: a number of its own.
inline constexpr llvm::StringLiteral kApartAttr = "mica.apart";
/// Of loads whose value is used, while convert-mica-sched-to-llvm looks for uninitialized memory.
inline constexpr llvm::StringLiteral kUsedAttr = "mica.used";

/// Runs an operation's verifyConstraints() before the traits that infer result types: these report a failure of their
/// own without a label, and would read operands that no constraint has vouched for.
template <typename ConcreteType>
class LabelledConstraints : public mlir::OpTrait::TraitBase<ConcreteType, LabelledConstraints> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return llvm::cast<ConcreteType>(op).verifyConstraints();
  }
};

/// Whether both lists hold ranked tensors that agree in element type, rank, and every dimension both know.
bool haveCompatibleTypes(mlir::TypeRange lhs, mlir::TypeRange rhs);
/// As haveCompatibleTypes, where the element type in `written` may also be a wider one of the same kind than that in
/// `inferred`: the types that a sum of products may be written with.
bool haveCompatibleSums(mlir::TypeRange inferred, mlir::TypeRange written);

/// The shapes of an operation whose results all have the shape of its first operand.
llvm::LogicalResult reifyAsFirstOperand(mlir::OpBuilder &builder, mlir::Operation *op,
                                        mlir::ReifiedRankedShapedTypeDims &shapes);

/// The shape of two equally ranked shapes under the dialect's broadcasting (a dimension that is statically 1 repeats),
/// or nothing where they do not fit.
std::optional<llvm::SmallVector<int64_t>> broadcastShapes(llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs);

/// The shape of mica.gather's result: dimension `axis` of `input` gives way to the dimensions of `indices` behind the
/// first `batchDims`.
llvm::SmallVector<int64_t> gatheredShape(llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> indices, int64_t axis,
                                         int64_t batchDims);

/// Where a layout puts the parts of an image.
struct ImageDims {
  int64_t batch, height, width, channel;
};

/// Where a layout puts the parts of a convolution's image and result, whose dimension 0 is the batch, and of its
/// filter.
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
