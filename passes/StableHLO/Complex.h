//===- Complex.h - the steps of legalize-stablehlo-types ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to legalize-stablehlo-types. A complex tensor is a pair of real ones of its shape, and an op on complex
// elements becomes ops of stablehlo on the pairs.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_COMPLEX_H
#define MICA_PASSES_STABLEHLO_COMPLEX_H

#include "dialects/StableHLO/IR/StableHLODialect.h"
#include "passes/StableHLO/ComplexFormulas.h"
#include "passes/StableHLO/FlattenSignature.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace mica::hlotypes {

inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

using Parts = ComplexParts;

/// Real arithmetic on tensors of one type.
class Arith {
public:
  Arith(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value neg(mlir::Value a);
  /// The constant `value`, of the type of `like`.
  mlir::Value number(mlir::Value like, double value);
  /// A tensor of the sizes of `like`, each of whose elements is `element`.
  mlir::Value constantLike(mlir::Value like, mlir::TypedAttr element);
  /// The sizes as a list of i64.
  mlir::Value shapeOf(mlir::Value value);
  /// A dimension's size, of rank 0.
  mlir::Value sizeOf(mlir::Value value, int64_t dim);
  /// A constant of type i64 and of rank 0.
  mlir::Value integer(int64_t value);
  /// A list of values of rank 0.
  mlir::Value list(mlir::ValueRange values);
  /// The sums over `dims`; `shape` has the sizes of the other dimensions.
  mlir::Value sum(mlir::Value value, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> shape);
  /// `value` in the sizes of `like`: its dimension i is dimension dims[i].
  mlir::Value broadcast(mlir::Value value, mlir::Value like, llvm::ArrayRef<int64_t> dims);
  mlir::Value equal(mlir::Value a, mlir::Value b);
  mlir::Value less(mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value pred, mlir::Value a, mlir::Value b);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);
  mlir::Value atan2(mlir::Value y, mlir::Value x);
  mlir::Value abs(mlir::Value a) { return apply<stablehlo::AbsOp>(a); }
  mlir::Value sqrt(mlir::Value a) { return apply<stablehlo::SqrtOp>(a); }
  mlir::Value cbrt(mlir::Value a) { return apply<stablehlo::CbrtOp>(a); }
  mlir::Value exp(mlir::Value a) { return apply<stablehlo::ExpOp>(a); }
  mlir::Value expm1(mlir::Value a) { return apply<stablehlo::Expm1Op>(a); }
  mlir::Value log(mlir::Value a) { return apply<stablehlo::LogOp>(a); }
  mlir::Value log1p(mlir::Value a) { return apply<stablehlo::Log1pOp>(a); }
  mlir::Value sin(mlir::Value a) { return apply<stablehlo::SineOp>(a); }
  mlir::Value cos(mlir::Value a) { return apply<stablehlo::CosineOp>(a); }
  mlir::Value tan(mlir::Value a) { return apply<stablehlo::TanOp>(a); }
  mlir::Value tanh(mlir::Value a) { return apply<stablehlo::TanhOp>(a); }
  /// `value` with elements of `element`.
  mlir::Value as(mlir::Value value, mlir::Type element);
  template <typename Op> mlir::Value apply(mlir::Value a) { return Op::create(builder, loc, a.getType(), a); }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// The elementwise op `op` of complex operands, whose parts these are; nothing if there is no conversion. The result
/// is real where `im` is null.
std::optional<Parts> computeComplex(mlir::Operation *op, llvm::ArrayRef<Parts> operands, mlir::OpBuilder &builder);

/// The parts of a transform, of which `im` is null for a real result; nothing if its sizes are too large.
std::optional<Parts> computeFft(stablehlo::FftOp op, Parts operand, mlir::OpBuilder &builder);

/// The state after it and the random bits; nothing for forms that the generators do not have.
std::optional<llvm::SmallVector<mlir::Value>> expandRandomBits(stablehlo::RngBitGeneratorOp op,
                                                               mlir::OpBuilder &builder);

/// einsum, torch_index_select and the like as ops of the specification; nothing for others, and for forms that these
/// do not have.
std::optional<llvm::SmallVector<mlir::Value>> expandOlderOp(mlir::Operation *op, mlir::OpBuilder &builder);

/// chlo.ragged_dot; nothing for forms that are not supported.
std::optional<llvm::SmallVector<mlir::Value>> expandRaggedDot(mlir::Operation *op, mlir::OpBuilder &builder);

/// What a collective op gives in a group of one process; nothing for other groups.
std::optional<llvm::SmallVector<mlir::Value>> expandCollective(mlir::Operation *op, mlir::OpBuilder &builder);

/// The op with other operands and results; it takes the regions.
mlir::Operation *rebuilt(mlir::OpBuilder &builder, mlir::Operation *op, mlir::ValueRange operands,
                         mlir::TypeRange results);

/// Replaces tuples by their elements, and removes tokens.
void flattenTuples(mlir::ModuleOp module);

/// Replaces quantized elements by integers, and computes on them as the specification says. Reports what it cannot.
llvm::LogicalResult expandQuantized(mlir::ModuleOp module);

/// Ops that carry elements unchanged, such as control flow, or whose region computes; and ops that move elements.
bool carriesElements(mlir::Operation *op);
bool movesElements(mlir::Operation *op);

/// Whether mica lacks the element type, but a wider one holds its values.
bool isSmall(mlir::Type type);
/// Replaces such elements by wider ones, and rounds where ops compute. Reports what it cannot.
llvm::LogicalResult widenSmallTypes(mlir::ModuleOp module);

/// Replaces ops that others compose; those of other forms stay.
void expandComposites(mlir::ModuleOp module);

/// Computes the sizes that follow from constants, in calls and through control flow too.
llvm::LogicalResult refineShapes(mlir::ModuleOp module);

/// Replaces maps that compute with complex numbers by the ops of their computations, on whole tensors.
void inlineComplexMaps(mlir::ModuleOp module);

/// Converts all complex values of the program. Reports what cannot be.
llvm::LogicalResult splitComplex(mlir::ModuleOp module);

} // namespace mica::hlotypes

#endif // MICA_PASSES_STABLEHLO_COMPLEX_H
