//===- Scalars.h - bodies of elementwise operators --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private to the files of elementwise operators: arithmetic on scalars in the body of a linalg.generic.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IMPORT_ONNX_SCALARS_H
#define MICA_LIB_IMPORT_ONNX_SCALARS_H

#include "lib/Import/ONNX/Node.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mica::importer {

/// Arithmetic on scalars of one type, in a body.
class Scalars {
public:
  Scalars(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value number(mlir::Type type, double value) {
    return mlir::isa<mlir::FloatType>(type)
               ? mlir::arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value))
               : mlir::arith::ConstantOp::create(builder, loc,
                                                 builder.getIntegerAttr(type, static_cast<int64_t>(value)));
  }
  mlir::Value add(mlir::Value x, mlir::Value y) { return pick<mlir::arith::AddFOp, mlir::arith::AddIOp>(x, y); }
  mlir::Value sub(mlir::Value x, mlir::Value y) { return pick<mlir::arith::SubFOp, mlir::arith::SubIOp>(x, y); }
  mlir::Value mul(mlir::Value x, mlir::Value y) { return pick<mlir::arith::MulFOp, mlir::arith::MulIOp>(x, y); }
  mlir::Value div(mlir::Value x, mlir::Value y) { return pick<mlir::arith::DivFOp, mlir::arith::DivSIOp>(x, y); }
  mlir::Value max(mlir::Value x, mlir::Value y) { return pick<mlir::arith::MaximumFOp, mlir::arith::MaxSIOp>(x, y); }
  mlir::Value min(mlir::Value x, mlir::Value y) { return pick<mlir::arith::MinimumFOp, mlir::arith::MinSIOp>(x, y); }
  mlir::Value less(mlir::Value x, mlir::Value y) {
    return mlir::isa<mlir::FloatType>(x.getType())
               ? mlir::Value(mlir::arith::CmpFOp::create(builder, loc, mlir::arith::CmpFPredicate::OLT, x, y))
               : mlir::Value(mlir::arith::CmpIOp::create(builder, loc, mlir::arith::CmpIPredicate::slt, x, y));
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(builder, loc, condition, x, y);
  }
  mlir::Value exp(mlir::Value x) { return mlir::math::ExpOp::create(builder, loc, x); }

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  template <typename FloatOp, typename IntOp> mlir::Value pick(mlir::Value x, mlir::Value y) {
    return mlir::isa<mlir::FloatType>(x.getType()) ? mlir::Value(FloatOp::create(builder, loc, x, y))
                                                   : mlir::Value(IntOp::create(builder, loc, x, y));
  }
};

/// An operator of one input that `body` computes.
inline mlir::LogicalResult mapInput(Node &node, llvm::function_ref<mlir::Value(Scalars &, mlir::Value)> body,
                                    bool floatsOnly = true) {
  if (floatsOnly && !mlir::isa<mlir::FloatType>(node.element(0)))
    return node.refuse("its element type is not a float type");
  mlir::Value result = node.elementwise(node.in(0), node.element(0),
                                        [&](mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange args) {
                                          Scalars scalars(builder, loc);
                                          return body(scalars, args[0]);
                                        });
  node.set(0, result, node.isUnsigned(0));
  return mlir::success();
}

/// Whether the operands have one type, which every binary operator but Pow requires. Refuses the node otherwise.
mlir::LogicalResult checkSameTypes(Node &node);

} // namespace mica::importer

#endif // MICA_LIB_IMPORT_ONNX_SCALARS_H
