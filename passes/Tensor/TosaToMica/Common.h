//===- Common.h - conditions for converting tosa to mica ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Shared by the patterns of convert-tosa-to-mica.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_TOSATOMICA_COMMON_H
#define MICA_PASSES_TENSOR_TOSATOMICA_COMMON_H

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mica::tosatomica {

/// The element types for which an op can be converted: Number is all except i1, Integer those without a fraction.
enum class Elements { Any, Number, Float, Integer, Bool };

/// Whether every value is a ranked tensor of one element type that mica supports and that is among `allowed`.
bool haveOneType(mlir::ValueRange values, Elements allowed = Elements::Any);

/// Whether a value is a ranked tensor with an element type that mica supports.
bool isMicaTensor(mlir::Value value);
bool isFloat(mlir::Value value);

/// Whether a value is a constant zero: a zero point or shift without effect.
bool isZero(mlir::Value value);
/// The values of a tosa.const_shape.
std::optional<llvm::SmallVector<int64_t>> constantShape(mlir::Value value);
/// The bias of a convolution with one element for each of the `channels` of the result: tosa repeats a bias of one
/// element. Where only the run knows whether it has one, the size is compared there.
mlir::Value repeatedBias(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value bias, mlir::OpFoldResult channels);
/// Folds each shape in `root` that is computed from known ones to a tosa.const_shape.
void foldShapes(mlir::Operation *root);

/// Whether the op's NaN mode is that of mica.
template <typename OpTy> bool propagatesNan(OpTy op) {
  return op.getNanMode() == mlir::tosa::NanPropagationMode::PROPAGATE;
}

// Why an op is not converted.
inline constexpr llvm::StringLiteral kTypes = "element types differ or are none of mica's";
inline constexpr llvm::StringLiteral kZeroPoints = "zero points are not zero";
inline constexpr llvm::StringLiteral kNanMode = "NaN is not propagated";

void populateElementwisePatterns(mlir::RewritePatternSet &patterns);
void populateGatherPatterns(mlir::RewritePatternSet &patterns);
void populateMovementPatterns(mlir::RewritePatternSet &patterns);
void populateReductionPatterns(mlir::RewritePatternSet &patterns);
void populateWindowPatterns(mlir::RewritePatternSet &patterns);

} // namespace mica::tosatomica

#endif // MICA_PASSES_TENSOR_TOSATOMICA_COMMON_H
