//===- BufferRegionOp.cpp - code on buffers, as a function of tensors ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Constraints and effects of buffer_region, and its bufferization: the body is inlined, and its arguments are replaced
// by the operands' buffers. Bufferization decides whether updated operands must be copied first.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mica::sched;

LogicalResult BufferRegionOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getNumOperands())
    return emitOpError() << "(C1) has " << getNumOperands() << " operands, but its body takes "
                         << block.getNumArguments() << " buffers";
  for (auto [operand, argument] : llvm::zip_equal(getOperands(), block.getArguments())) {
    auto tensor = cast<RankedTensorType>(operand.getType());
    auto buffer = dyn_cast<MemRefType>(argument.getType());
    if (!buffer || !buffer.getLayout().isIdentity() || buffer.getElementType() != tensor.getElementType() ||
        failed(verifyCompatibleShape(buffer.getShape(), tensor.getShape())))
      return emitOpError() << "(C1) gives " << tensor << " to an argument of type " << argument.getType() << "; "
                           << MemRefType::get(tensor.getShape(), tensor.getElementType()) << " is expected";
  }
  if (!llvm::equal(getUpdates().getTypes(), getResultTypes()))
    return emitOpError() << "(C2) updates (" << getUpdates().getTypes() << "), but its results are ("
                         << getResultTypes() << ")";
  return success();
}

MutableOperandRange BufferRegionOp::getDpsInitsMutable() { return getUpdatesMutable(); }

/// Effects of the body on its own buffers are not effects of the op: its results are new values.
void BufferRegionOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getHost())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===------------------------------------------------------------------------------------------------------------===//
// Bufferization
//===------------------------------------------------------------------------------------------------------------===//

bool BufferRegionOp::bufferizesToMemoryRead(OpOperand &operand, const bufferization::AnalysisState &state) {
  return true;
}

bool BufferRegionOp::bufferizesToMemoryWrite(OpOperand &operand, const bufferization::AnalysisState &state) {
  return isDpsInit(&operand);
}

bufferization::AliasingValueList BufferRegionOp::getAliasingValues(OpOperand &operand,
                                                                   const bufferization::AnalysisState &state) {
  if (!isDpsInit(&operand))
    return {};
  return {{getTiedOpResult(&operand), bufferization::BufferRelation::Equivalent}};
}

/// The body's own arguments; they do not exist after bufferization.
bool BufferRegionOp::isWritable(Value value, const bufferization::AnalysisState &state) { return true; }

LogicalResult BufferRegionOp::bufferize(RewriterBase &rewriter, const bufferization::BufferizationOptions &options,
                                        bufferization::BufferizationState &state) {
  SmallVector<Value> buffers, results;
  for (auto [operand, argument] : llvm::zip_equal((*this)->getOpOperands(), getBody().front().getArguments())) {
    FailureOr<Value> buffer = bufferization::getBuffer(rewriter, operand.get(), options, state);
    if (failed(buffer))
      return failure();
    if (isDpsInit(&operand))
      results.push_back(*buffer);
    Value seen = *buffer;
    if (seen.getType() != argument.getType()) {
      // One of the two types may have a static size that is dynamic in the other.
      if (!memref::CastOp::areCastCompatible(seen.getType(), argument.getType()))
        return emitOpError() << "needs " << argument.getType() << ", but operand " << operand.getOperandNumber()
                             << " lies in " << seen.getType();
      seen = memref::CastOp::create(rewriter, getLoc(), argument.getType(), seen);
    }
    buffers.push_back(seen);
  }
  rewriter.inlineBlockBefore(&getBody().front(), *this, buffers);
  bufferization::replaceOpWithBufferizedValues(rewriter, *this, results);
  return success();
}
