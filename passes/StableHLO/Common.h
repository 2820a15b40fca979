//===- Common.h - what the conversions of stablehlo share ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to the passes of this folder. A conversion gets an op, with the builder in front of it. It returns the values
// that replace the op's results, or a failure after it has reported why the op is refused.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_COMMON_H
#define MICA_PASSES_STABLEHLO_COMMON_H

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/StableHLO/IR/StableHLODialect.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mica::hlotomica {

inline constexpr llvm::StringLiteral kStatic = "all sizes must be static";

using Values = llvm::SmallVector<mlir::Value, 2>;
using Converted = llvm::FailureOr<Values>;

/// Reports that `op` is refused; `why` says what is supported.
llvm::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &why);

inline mlir::RankedTensorType typeOf(mlir::Value value) { return llvm::cast<mlir::RankedTensorType>(value.getType()); }
inline mlir::Type elementOf(mlir::Value value) { return typeOf(value).getElementType(); }
inline bool isBool(mlir::Type type) { return type.isSignlessInteger(1); }
/// Whether the elements are signed integers of more than a bit.
inline bool isInteger(mlir::Type type) { return type.isSignlessInteger() && !isBool(type); }

/// `value` in the given shape, which has as many elements.
mlir::Value reshaped(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, llvm::ArrayRef<int64_t> shape);
/// A value of rank 0 with `rank` dimensions of size 1; values of other ranks unchanged.
mlir::Value withRank(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t rank);
mlir::Value transposed(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                       llvm::ArrayRef<int64_t> permutation);
/// The element of a tensor of rank 0.
mlir::Value scalarOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
/// A tensor each of whose elements is `scalar`, with a size for each dynamic dimension.
mlir::Value filled(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type, mlir::Value scalar,
                   mlir::ValueRange dynamicSizes = {});
/// A constant each of whose elements is `value`, of a type of floats or integers.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type, double value);
/// The value of a tensor that a constant of one value makes; null for others.
mlir::TypedAttr splatValue(mlir::Value value);

/// Arithmetic on sizes and positions, which folds constants.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value) const;
  llvm::SmallVector<mlir::Value> constants(llvm::ArrayRef<int64_t> values) const;
  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, mlir::Value b) const;
  mlir::Value mul(mlir::Value a, mlir::Value b) const;
  /// The quotient of numbers that are not negative, rounded down.
  mlir::Value div(mlir::Value a, mlir::Value b) const;
  mlir::Value rem(mlir::Value a, mlir::Value b) const;
  mlir::Value min(mlir::Value a, mlir::Value b) const;
  mlir::Value max(mlir::Value a, mlir::Value b) const;
  mlir::Value equal(mlir::Value a, mlir::Value b) const;
  mlir::Value atMost(mlir::Value a, mlir::Value b) const;
  mlir::Value both(mlir::Value a, mlir::Value b) const;
  mlir::Value either(mlir::Value a, mlir::Value b) const;
  mlir::Value select(mlir::Value pred, mlir::Value a, mlir::Value b) const;
  /// An assertion of the run, unless a constant says that the condition holds.
  void require(mlir::Value condition, const llvm::Twine &message) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// A size of a tensor, a constant where it is static.
mlir::Value sizeOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, int64_t dim);
llvm::SmallVector<mlir::Value> sizesOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
/// Those of `sizes`, one for each dimension, that the type does not state.
llvm::SmallVector<mlir::Value> dynamicOnes(mlir::RankedTensorType type, mlir::ValueRange sizes);
/// `count`, or 0 where one of `sizes` is 0: the number of steps of a loop that reads a tensor of these sizes.
mlir::Value unlessEmpty(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange sizes, mlir::Value count);
/// The type with a static size where the value is a constant.
mlir::RankedTensorType refined(mlir::RankedTensorType type, mlir::ValueRange sizes);
/// A tensor type with the sizes that are constants.
mlir::RankedTensorType typeOfSizes(mlir::ValueRange sizes, mlir::Type element);
/// The integers of operand `number`, a list, as indices.
llvm::FailureOr<llvm::SmallVector<mlir::Value>> listOperand(mlir::Operation *op, unsigned number,
                                                            mlir::OpBuilder &builder);
/// A linalg.generic whose elements `element` makes of their coordinates. There is a size for each dimension.
mlir::Value tabulated(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type, mlir::ValueRange sizes,
                      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)> element);

/// Whether the elements were unsigned before legalize-stablehlo-types.
bool isUnsignedOperand(mlir::Operation *op, size_t index);
bool isUnsignedResult(mlir::Operation *op, size_t index);
/// The bits of a float as an integer that is ordered as the floats are, -0 before 0, NaN beyond the infinities.
mlir::Value orderedBits(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// An elementwise op on scalars.
llvm::FailureOr<mlir::Value> convertScalar(mlir::Operation *op, mlir::ValueRange operands, mlir::OpBuilder &builder);
/// A function of chlo on scalars.
llvm::FailureOr<mlir::Value> convertSpecialFunction(mlir::Operation *op, mlir::ValueRange operands,
                                                    mlir::OpBuilder &builder);
/// An elementwise op as a linalg.generic.
Converted convertByScalars(mlir::Operation *op, mlir::OpBuilder &builder);

/// A linalg.generic that combines the elements of `operands` with `starts` by a computation of pairs. Operands beyond
/// the number of starts only give their shape.
Converted combineInLoop(mlir::OpBuilder &builder, mlir::Location loc, mlir::Block &computation,
                        mlir::ValueRange operands, mlir::ValueRange starts, llvm::ArrayRef<mlir::AffineMap> maps,
                        llvm::ArrayRef<mlir::utils::IteratorType> iterators);

Converted convertElementwise(mlir::Operation *op, mlir::OpBuilder &builder);
Converted convertShape(mlir::Operation *op, mlir::OpBuilder &builder);
Converted convertDot(stablehlo::DotGeneralOp op, mlir::OpBuilder &builder);
Converted convertReduce(stablehlo::ReduceOp op, mlir::OpBuilder &builder);
Converted convertRepresentation(mlir::Operation *op, mlir::OpBuilder &builder);
Converted convertGather(stablehlo::GatherOp op, mlir::OpBuilder &builder);
/// gather and dynamic_gather, with the sizes of the slices as indices.
Converted convertGather(mlir::Operation *op, stablehlo::GatherDimensionNumbersAttr numbers, mlir::ValueRange sliceSizes,
                        mlir::OpBuilder &builder);
Converted convertScatter(stablehlo::ScatterOp op, mlir::OpBuilder &builder);
Converted convertSort(stablehlo::SortOp op, mlir::OpBuilder &builder);
Converted convertMap(stablehlo::MapOp op, mlir::OpBuilder &builder);
Converted convertPlainDot(stablehlo::DotOp op, mlir::OpBuilder &builder);
Converted convertConvolution(stablehlo::ConvolutionOp op, mlir::OpBuilder &builder);
/// The padding is a value.
Converted convertConvolution(stablehlo::DynamicConvOp op, mlir::OpBuilder &builder);
Converted convertReduceWindow(stablehlo::ReduceWindowOp op, mlir::OpBuilder &builder);
Converted convertSelectAndScatter(stablehlo::SelectAndScatterOp op, mlir::OpBuilder &builder);
Converted convertLinearAlgebra(mlir::Operation *op, mlir::OpBuilder &builder);
/// The ops whose sizes are values, where these are constant and the result's type is static.
Converted convertDynamic(mlir::Operation *op, mlir::OpBuilder &builder);
/// Ops that move elements where sizes or positions are known when the program runs.
Converted convertDynamicForm(mlir::Operation *op, mlir::OpBuilder &builder);
Converted convertShapeAssertion(stablehlo::CustomCallOp op, mlir::OpBuilder &builder);
/// The ops of `check`, and custom calls of them.
Converted convertCheck(mlir::Operation *op, mlir::OpBuilder &builder);
Converted convertControlFlow(mlir::Operation *op, mlir::OpBuilder &builder);

/// An integer as an index.
mlir::Value indexOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value integer, bool isUnsigned);
/// `value` padded before, after and between elements by a scalar; negative padding removes elements.
mlir::Value padded(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value scalar,
                   llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high, llvm::ArrayRef<int64_t> interior);
mlir::Value padded(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value scalar,
                   mlir::ValueRange low, mlir::ValueRange high, mlir::ValueRange interior);
/// A loop from 0 to `size`, with step 1, that carries `carried`.
mlir::ResultRange
loopOver(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value size, mlir::ValueRange carried,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::Value, mlir::ValueRange)> body);
/// Nested loops over `sizes`, around `body`.
llvm::SmallVector<mlir::Value> loopsOver(
    mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> sizes, mlir::ValueRange carried,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::ValueRange, mlir::ValueRange)> body);
llvm::SmallVector<mlir::Value> loopsOver(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange sizes, mlir::ValueRange carried,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::ValueRange, mlir::ValueRange)> body);

/// The ops of `block`, which work on tensors of rank 0, on scalars: `arguments` are its arguments. Returns what the
/// block returns.
Converted convertToScalars(mlir::Block &block, llvm::ArrayRef<mlir::Value> arguments, mlir::OpBuilder &builder);

} // namespace mica::hlotomica

#endif // MICA_PASSES_STABLEHLO_COMMON_H
