//===- Lowering.h - shared by the lowerings of mica to linalg ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What the patterns of ConvertMicaToLinalg have in common: building linalg.generic with the location of the operation
// that is lowered on the op and on everything in its body, and small changes of shape.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_MICATOLINALG_LOWERING_H
#define MICA_PASSES_DISPATCH_MICATOLINALG_LOWERING_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mica::tolinalg {

/// Computes one element: the values of inputs and (last) of the output at one place come in, the new one goes out.
using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// Builds ops for one operation, all with its location: the location is what carries the operation's id.
class Lowering {
public:
  Lowering(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// tensor.empty.
  mlir::Value empty(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element);
  /// A tensor that holds `value` everywhere.
  mlir::Value filled(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::TypedAttr value);

  /// linalg.generic with one output, whose indexing map is the last of `maps`.
  mlir::Value generic(mlir::ValueRange inputs, mlir::Value output, llvm::ArrayRef<mlir::AffineMap> maps,
                      llvm::ArrayRef<mlir::utils::IteratorType> iterators, Body body);
  /// The same with parallel loops over an output of `sizes`, mapped by identity; `maps` are the inputs'.
  mlir::Value parallel(mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps,
                       llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element, Body body);
  /// Loops over all dimensions of inputs[0], combining along `dims` from `init` on. The other inputs lack `dims`. The
  /// result lacks them too.
  mlir::Value reduce(mlir::ValueRange inputs, llvm::ArrayRef<int64_t> dims, mlir::TypedAttr init, Body body);

  /// `value` without the given dimensions, which have size 1.
  mlir::Value dropUnitDims(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  /// `value` as a tensor of `type`, where the given dimensions of `type`, of size 1, are those it lacks.
  mlir::Value insertUnitDims(mlir::Value value, llvm::ArrayRef<int64_t> dims, mlir::RankedTensorType type,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// `value` with the dimension `dim`, of size 1, that a reduction of `source` along it has taken.
  mlir::Value insertUnitDims(mlir::Value value, int64_t dim, mlir::Value source);

  /// `value` with dimension `dim` divided into `groups` of neighbours, the groups before the place in a group.
  mlir::Value divided(mlir::Value value, int64_t dim, int64_t groups);
  /// `sizes` likewise.
  llvm::SmallVector<mlir::OpFoldResult> dividedSizes(llvm::ArrayRef<mlir::OpFoldResult> sizes, int64_t dim,
                                                     int64_t groups);
  /// `value` with dimensions `dim` and `dim + 1` made one.
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

/// The least value of a type: -inf, the smallest integer, or false.
mlir::TypedAttr leastValue(mlir::Type type);

/// The greatest value of a type: inf, the largest integer, or true.
mlir::TypedAttr greatestValue(mlir::Type type);

/// The type in which sums and functions of elements are computed: f32 for narrower floats.
mlir::Type widened(mlir::Type element);
/// A float in another float type, or an integer in another integer type, which is wider; a float in one that is
/// narrower.
mlir::Value widenTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type);
mlir::Value narrowTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Type type);

/// The larger of two elements as mica.max has it.
mlir::Value larger(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);
/// The smaller of two elements as mica.min has it.
mlir::Value smaller(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);
/// The sum of two elements.
mlir::Value sum(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs, mlir::Value rhs);

/// `value` expanded to `sizes`, in a type that says each of them that is known: upstream's canonicalization crashes on
/// one that is known where the type says that it is not.
mlir::Value expandTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups, llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// The sizes of an operation's result.
llvm::SmallVector<mlir::OpFoldResult> resultSizes(mlir::OpBuilder &builder, mlir::ReifyRankedShapedTypeOpInterface op);

/// Replaces `op`, with a tensor.cast where `value` knows more or less of its shape than the operation's result type.
void replace(mlir::PatternRewriter &rewriter, mlir::Operation *op, mlir::Value value);

/// `value` as a tensor of `type`, which may know more or less of its shape.
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
/// Operations that become others of mica; these are lowered after them.
void populateAttentionPatterns(mlir::RewritePatternSet &patterns);
void populateWindowPatterns(mlir::RewritePatternSet &patterns);

} // namespace mica::tolinalg

#endif // MICA_PASSES_DISPATCH_MICATOLINALG_LOWERING_H
