//===- EvalBufferization.cpp - bufferization --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Conversions between tensors and buffers. A tensor made from a buffer is a copy of its current contents; a buffer made
// from a tensor has separate memory. Programs whose results depend on more than that are invalid.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Lifetimes.h"
#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace mica::reference {

namespace {

FailureOr<Tensor> evalToTensor(bufferization::ToTensorOp, Operands in, Evaluator &) { return in[0].loaded(); }

FailureOr<Tensor> evalToBuffer(bufferization::ToBufferOp op, Operands in, Evaluator &evaluator) {
  Tensor buffer = Tensor::newBuffer(in[0]);
  noteAllocation(op, buffer, Allocation::Kind::Value, evaluator);
  if (op.getReadOnly())
    noteConstant(op, buffer, evaluator);
  return buffer;
}

/// An implementation may return the same memory: neither buffer is written afterwards.
FailureOr<Tensor> evalClone(bufferization::CloneOp op, Operands in, Evaluator &evaluator) {
  Tensor buffer = Tensor::newBuffer(in[0].loaded());
  noteAllocation(op, buffer, Allocation::Kind::Heap, evaluator);
  noteConstant(op, in[0], evaluator);
  noteConstant(op, buffer, evaluator);
  return buffer;
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

/// Frees each memory that is owned and not retained, once; the results are the ownership of the retained ones.
LogicalResult evalDealloc(bufferization::DeallocOp op, Operands in, Results &out, Evaluator &evaluator) {
  const size_t count = op.getMemrefs().size();
  Operands freed = in.take_front(count), owned = in.slice(count, count), retained = in.drop_front(2 * count);
  auto isSame = [](const Tensor &a, const Tensor &b) { return a.view().memory == b.view().memory; };
  for (const Tensor &kept : retained) {
    bool isOwned = false;
    for (auto [buffer, condition] : llvm::zip_equal(freed, owned))
      isOwned |= condition.value().i && isSame(buffer, kept);
    out.push_back(Tensor::scalar(DType::I1, Cell::of(int64_t(isOwned))));
  }
  for (size_t i = 0; i < count; ++i) {
    auto isHere = [&](const Tensor &other) { return isSame(other, freed[i]); };
    bool isBefore = false;
    for (size_t k = 0; k < i; ++k)
      isBefore |= owned[k].value().i && isHere(freed[k]);
    if (owned[i].value().i && !isBefore && llvm::none_of(retained, isHere) &&
        failed(endAllocation(op, freed[i], evaluator)))
      return failure();
  }
  return success();
}

/// ub.poison: any value is allowed; the evaluator uses zero.
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
  table.addTerminator<ub::UnreachableOp>();
}

} // namespace mica::reference
