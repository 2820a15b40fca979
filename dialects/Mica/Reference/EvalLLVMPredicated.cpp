//===- EvalLLVMPredicated.cpp - intrinsics with a mask and a vector length --------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See EvalLLVM.h. llvm.intr.vp.X is X on the lanes that the mask enables and that lie below the vector length; other
// lanes of a result are poison.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVM.h"

using namespace mlir;

namespace mica::reference {

namespace {

using In = ArrayRef<LLVMValue>;
constexpr llvm::StringLiteral kPrefix = "llvm.intr.vp.";

/// Lane by lane: whether the mask enables it and it is below the length. An undefined mask or length is an error.
LogicalResult enabledLanes(Operation *op, const LLVMValue *mask, const LLVMScalar &length, size_t lanes,
                           LLVMInterpreter &interpreter, SmallVector<bool> &enabled) {
  if (failed(interpreter.require(op, length, "a vector length")))
    return failure();
  if (length.bits > lanes)
    return interpreter.broken(op, "a vector length of " + Twine(length.bits) + " of " + Twine(lanes) + " lanes");
  if (mask && failed(interpreter.requireAll(op, *mask, "a mask")))
    return failure();
  for (size_t i = 0; i < lanes; ++i)
    enabled.push_back(i < length.bits && (!mask || (*mask)[i].bits));
  return success();
}

LLVMScalar disabled(Operation *op, LLVMInterpreter &interpreter) {
  return interpreter.poison(op, "a lane that is not enabled");
}

/// The op without a mask on all lanes, of which those that are not enabled are poison.
LogicalResult evalPredicatedEachLane(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  const StringRef name = op->getName().getStringRef().drop_front(kPrefix.size());
  SmallVector<bool> enabled;
  SmallVector<LLVMValue> data(in.drop_back(2));
  if (failed(enabledLanes(op, &in[in.size() - 2], in.back()[0], data[0].size(), interpreter, enabled)))
    return failure();
  for (auto [i, isEnabled] : llvm::enumerate(enabled))
    if (!isEnabled)
      data[0][i] = disabled(op, interpreter);
  auto base = interpreter.handlers.find(("llvm." + name).str());
  if (base == interpreter.handlers.end())
    base = interpreter.handlers.find(("llvm.intr." + name).str());
  return base->second(op, data, out, interpreter);
}

/// The enabled lanes, in order, from a start value.
LogicalResult evalPredicatedReduce(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  const StringRef name = op->getName().getStringRef().drop_front(kPrefix.size());
  SmallVector<bool> enabled;
  if (failed(enabledLanes(op, &in[2], in[3][0], in[1].size(), interpreter, enabled)))
    return failure();
  LLVMValue lanes;
  for (auto [lane, isEnabled] : llvm::zip_equal(in[1], enabled))
    if (isEnabled)
      lanes.push_back(lane);
  const LLVMValue operands[2] = {in[0], std::move(lanes)};
  return interpreter.handlers.find(("llvm.intr.vector." + name).str())->second(op, operands, out, interpreter);
}

/// Lanes beyond the length: poison for select, those of the last operand for merge.
LogicalResult evalPredicatedSelect(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  SmallVector<bool> enabled;
  if (failed(enabledLanes(op, nullptr, in[3][0], in[1].size(), interpreter, enabled)) ||
      failed(interpreter.requireAll(op, in[0], "a condition")))
    return failure();
  const bool isMerge = op->getName().getStringRef().ends_with(".merge");
  for (auto [i, isEnabled] : llvm::enumerate(enabled))
    out.push_back(isEnabled ? in[in[0][i].bits ? 1 : 2][i] : isMerge ? in[2][i] : disabled(op, interpreter));
  return success();
}

/// Of vp.load and vp.store, and of those with a stride in bytes.
LogicalResult evalPredicatedMemory(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  const bool isStore = op->getNumResults() == 0, isStrided = in.size() == (isStore ? 5u : 4u);
  auto type = cast<VectorType>(isStore ? op->getOperand(0).getType() : op->getResult(0).getType());
  const Type lane = type.getElementType();
  SmallVector<bool> enabled;
  if (failed(enabledLanes(op, &in[in.size() - 2], in.back()[0], size_t(type.getNumElements()), interpreter, enabled)))
    return failure();
  const size_t at = isStore ? 1 : 0;
  LLVMScalar pointer = in[at][0];
  if (isStrided && failed(interpreter.require(op, in[at + 1][0], "a stride")))
    return failure();
  const uint64_t step =
      isStrided ? uint64_t(signedOf(in[at + 1][0].bits, llvmBits(op->getOperand(unsigned(at) + 1).getType())))
                : uint64_t(llvmSize(lane));
  for (size_t i = 0; i < enabled.size(); ++i, pointer.bits += step) {
    if (!enabled[i] && !isStore)
      out.push_back(disabled(op, interpreter));
    if (!enabled[i])
      continue;
    if (isStore ? failed(interpreter.store(op, pointer, lane, 1, {in[0][i]}))
                : failed(interpreter.load(op, pointer, lane, 1, out)))
      return failure();
  }
  return success();
}

} // namespace

void addLLVMPredicated(LLVMInterpreter &interpreter) {
  auto &handlers = interpreter.handlers;
  for (const char *name : {"add",    "sub",    "mul",     "sdiv",  "udiv",  "srem", "urem",    "ashr",     "lshr",
                           "shl",    "or",     "and",     "xor",   "smax",  "smin", "umax",    "umin",     "fadd",
                           "fsub",   "fmul",   "fdiv",    "frem",  "fneg",  "fma",  "fmuladd", "fptoui",   "fptosi",
                           "uitofp", "sitofp", "fptrunc", "fpext", "trunc", "zext", "sext",    "ptrtoint", "inttoptr"})
    handlers[(kPrefix + name).str()] = evalPredicatedEachLane;
  for (const char *name :
       {"add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin", "fadd", "fmul", "fmax", "fmin"})
    handlers[(kPrefix + "reduce." + name).str()] = evalPredicatedReduce;
  handlers["llvm.intr.vp.select"] = handlers["llvm.intr.vp.merge"] = evalPredicatedSelect;
  for (const char *name : {"llvm.intr.vp.load", "llvm.intr.vp.store", "llvm.intr.experimental.vp.strided.load",
                           "llvm.intr.experimental.vp.strided.store"})
    handlers[name] = evalPredicatedMemory;
}

} // namespace mica::reference
