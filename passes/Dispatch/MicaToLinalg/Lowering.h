//===- Lowering.h - shared by the lowerings of mica ops to linalg ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Helpers for the patterns of ConvertMicaToLinalg: linalg.generic with the location of the lowered op on the op and
// everything in its body, and simple reshapes.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_MICATOLINALG_LOWERING_H
#define MICA_PASSES_DISPATCH_MICATOLINALG_LOWERING_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mica::tolinalg {

/// Emits the computation of one element: its arguments are the elements of the inputs and (last) of the output.
using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// Creates ops for one operation, all with its location, which carries the operation's id.
class Lowering {
public:
  Lowering(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// tensor.empty.
  mlir::Value empty(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element);
  /// A tensor filled with `value`.
  mlir::Value filled(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::TypedAttr value);

  /// linalg.generic with one output, whose indexing map is the last of `maps`.
  mlir::Value generic(mlir::ValueRange inputs, mlir::Value output, llvm::ArrayRef<mlir::AffineMap> maps,
                      llvm::ArrayRef<mlir::utils::IteratorType> iterators, Body body);
  /// The same with parallel loops over an output of `sizes` with the identity map; `maps` are the inputs'.
  mlir::Value parallel(mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element, Body body);
  /// Loops over all dimensions of inputs[0], combining along `dims` from `init` on. The other inputs and the result do
  /// not have `dims`.
  mlir::Value reduce(mlir::ValueRange inputs, llvm::ArrayRef<int64_t> dims, mlir::TypedAttr init, Body body);

  /// `value` without the given dimensions, which have size 1.
  mlir::Value dropUnitDims(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  /// `value` reshaped to `type`, by adding the given dimensions of size 1.
  mlir::Value insertUnitDims(mlir::Value value, llvm::ArrayRef<int64_t> dims, mlir::RankedTensorType type,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// `value` with the dimension `dim`, of size 1, that a reduction of `source` removed.
  mlir::Value insertUnitDims(mlir::Value value, int64_t dim, mlir::Value source);

  /// `value` with dimension `dim` split into `groups` groups of adjacent elements: (group, position in the group).
  mlir::Value divided(mlir::Value value, int64_t dim, int64_t groups);
  /// `sizes` likewise.
  llvm::SmallVector<mlir::OpFoldResult> dividedSizes(llvm::ArrayRef<mlir::OpFoldResult> sizes, int64_t dim,
                                                     int64_t groups);
  /// `value` with dimensions `dim` and `dim + 1` collapsed.
  mlir::Value merged(mlir::Value value, int64_t dim);

  /// The product of the sizes of `dims` of `value`.
  mlir::OpFoldResult product(mlir::Value value, llvm::ArrayRef<int64_t> dims);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Map from loops 0 .. rank-1 to those of them that are not in `dropped`.
mlir::AffineMap mapWithout(int64_t rank, llvm::ArrayRef<int64_t> dropped, mlir::MLIRContext *context);

/// An index as a float of type `type`, inside of a body.
mlir::Value asFloat(mlir::OpBuilder &builder, mlir::Location loc, mlir::OpFoldResult index, mlir::Type type);

/// The number `value` as a constant, inside of a body.
mlir::Value number(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, double value);

/// The smallest value of a type: -inf, the smallest integer, or false.
mlir::TypedAttr leastValue(mlir::Type type);

/// The largest value of a type: inf, the largest integer, or true.
mlir::TypedAttr greatestValue(mlir::Type type);

/// The type in which sums and functions of elements are computed: f32 for narrower floats.
mlir::Type widened(mlir::Type element);
/// Converts a float to another float type, or an integer to a wider integer type; a float to a narrower type is also
/// allowed.
mlir::Value widenTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type);
mlir::Value narrowTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type);

/// The maximum of two elements, with the semantics of mica.max.
mlir::Value larger(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);
/// The minimum of two elements, with the semantics of mica.min.
mlir::Value smaller(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);
/// The sum of two elements.
mlir::Value sum(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);

/// Expands `value` to `sizes`, in a type with all known sizes static: upstream's canonicalization crashes on a known
/// size that is dynamic in the type.
mlir::Value expandTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups, llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The sizes of an operation's result.
llvm::SmallVector<mlir::OpFoldResult> resultSizes(mlir::OpBuilder &builder, mlir::ReifyRankedShapedTypeOpInterface op);

/// Replaces `op`, with a tensor.cast if `value` has a type with more or fewer static sizes than the op's result type.
void replace(mlir::PatternRewriter &rewriter, mlir::Operation *op, mlir::Value value);

/// `value` cast to `type`, which may have more or fewer static sizes.
mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type);

inline mlir::RankedTensorType typeOf(mlir::Value value) { return llvm::cast<mlir::RankedTensorType>(value.getType()); }
inline mlir::TypedAttr zeroOf(Lowering &lowering, mlir::Type element) {
  return llvm::cast<mlir::TypedAttr>(lowering.builder.getZeroAttr(element));
}

void populateAxisPatterns(mlir::RewritePatternSet &patterns);
void populateElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateContractionPatterns(mlir::RewritePatternSet &patterns);
void populateImagePatterns(mlir::RewritePatternSet &patterns);
void populateNormPatterns(mlir::RewritePatternSet &patterns);
void populateReductionPatterns(mlir::RewritePatternSet &patterns);
void populateShapePatterns(mlir::RewritePatternSet &patterns);
void populateMovementPatterns(mlir::RewritePatternSet &patterns);
void populateScatterPatterns(mlir::RewritePatternSet &patterns);
void populateSortPatterns(mlir::RewritePatternSet &patterns);
void populateControlFlowPatterns(mlir::RewritePatternSet &patterns);
void populateRopePatterns(mlir::RewritePatternSet &patterns);
/// Ops that become other mica ops, which are lowered after them.
void populateAttentionPatterns(mlir::RewritePatternSet &patterns);
void populateWindowPatterns(mlir::RewritePatternSet &patterns);

} // namespace mica::tolinalg

#endif // MICA_PASSES_DISPATCH_MICATOLINALG_LOWERING_H
