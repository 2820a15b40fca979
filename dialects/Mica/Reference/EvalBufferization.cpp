//===- EvalBufferization.cpp - bufferization --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Between tensors and buffers. A tensor made of a buffer is a copy of what the buffer holds then; a buffer made of a
// tensor has memory of its own. Programs whose results depend on more than that are not valid ones.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace mica::reference {

namespace {

FailureOr<Tensor> evalToTensor(bufferization::ToTensorOp, Operands in, Evaluator &) { return in[0].loaded(); }

FailureOr<Tensor> evalToBuffer(bufferization::ToBufferOp, Operands in, Evaluator &) { return Tensor::newBuffer(in[0]); }

FailureOr<Tensor> evalClone(bufferization::CloneOp, Operands in, Evaluator &) {
  return Tensor::newBuffer(in[0].loaded());
}

FailureOr<Tensor> evalAllocTensor(bufferization::AllocTensorOp op, Operands in, Evaluator &evaluator) {
  if (op.getCopy())
    return in[0];
  ArrayRef<Tensor> dynamic = in;
  FailureOr<Tensor> result =
      evaluator.allocate(op, *ElementType::of(op.getType()), fillDynamic(op.getType().getShape(), dynamic));
  if (succeeded(result))
    setUninitialized(op, *result, evaluator);
  return result;
}

LogicalResult evalMaterialize(bufferization::MaterializeInDestinationOp op, Operands in, Results &out, Evaluator &) {
  if (in[0].shape() != in[1].shape())
    return op.emitError() << "shape mismatch: " << in[0].typeString() << " for a destination of " << in[1].typeString();
  if (in[1].isBuffer())
    in[1].store(in[0]);
  else
    out.push_back(in[0]);
  return success();
}

LogicalResult evalDeallocTensor(bufferization::DeallocTensorOp, Operands, Results &, Evaluator &) { return success(); }

/// Frees memory, which the evaluator does by itself; the results say who owns what is kept.
LogicalResult evalDealloc(bufferization::DeallocOp op, Operands, Results &out, Evaluator &) {
  for (size_t i = 0; i < op->getNumResults(); ++i)
    out.push_back(Tensor::scalar(DType::I1, Cell::of(int64_t(1))));
  return success();
}

/// ub.poison: any value will do; the evaluator's is zero.
FailureOr<Tensor> evalPoison(ub::PoisonOp op, Operands, Evaluator &evaluator) {
  auto shaped = dyn_cast<ShapedType>(op.getType());
  if (shaped && !shaped.hasStaticShape())
    return op.emitError() << "a poison value of a dynamic shape has no extents";
  FailureOr<Tensor> result =
      evaluator.allocate(op, *ElementType::of(op.getType()), shaped ? shaped.getShape() : ArrayRef<int64_t>());
  if (succeeded(result))
    setUndefined(op, *result, "a poison value", evaluator);
  return result;
}

} // namespace

void addBufferizationOps(OpTable &table) {
  table.add<bufferization::ToTensorOp>(evalToTensor);
  table.add<bufferization::ToBufferOp>(evalToBuffer);
  table.add<bufferization::CloneOp>(evalClone);
  table.add<bufferization::AllocTensorOp>(evalAllocTensor);
  table.add<bufferization::MaterializeInDestinationOp>(evalMaterialize);
  table.add<bufferization::DeallocTensorOp>(evalDeallocTensor);
  table.add<bufferization::DeallocOp>(evalDealloc);
  table.add<ub::PoisonOp>(evalPoison);
}

} // namespace mica::reference
