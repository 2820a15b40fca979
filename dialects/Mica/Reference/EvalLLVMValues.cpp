//===- EvalLLVMValues.cpp - constants, aggregates and selects of the LLVM dialect --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// LLVM's language reference: "Undefined Values", "Poison Values", "Vector Operations", "Aggregate Operations",
// "select", "freeze", "call", "unreachable".
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVM.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace mica::reference {

/// The scalars of an attribute's elements, each `bits` wide.
static LogicalResult appendElements(Attribute value, LLVMValue &out) {
  auto push = [&](uint64_t bits) { out.push_back({bits, 0, 0, 0, false}); };
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (integer.getValue().getBitWidth() > 64)
      return failure();
    push(integer.getValue().getZExtValue());
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    push(number.getValue().bitcastToAPInt().getZExtValue());
  } else if (auto text = dyn_cast<StringAttr>(value)) {
    for (const char c : text.getValue())
      push(uint8_t(c));
  } else if (auto integers = dyn_cast<DenseIntElementsAttr>(value)) {
    for (const APInt &element : integers.getValues<APInt>())
      push(element.getZExtValue());
  } else if (auto floats = dyn_cast<DenseFPElementsAttr>(value)) {
    for (const APFloat &element : floats.getValues<APFloat>())
      push(element.bitcastToAPInt().getZExtValue());
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    const unsigned bytes = resource.getElementType().isIntOrFloat() ? llvmBits(resource.getElementType()) / 8 : 0;
    if (!blob || bytes == 0 || int64_t(blob->getData().size()) != resource.getNumElements() * int64_t(bytes))
      return failure();
    for (int64_t i = 0; i < resource.getNumElements(); ++i) {
      uint64_t bits = 0;
      for (unsigned k = 0; k < bytes; ++k)
        bits |= uint64_t(uint8_t(blob->getData()[size_t(i) * bytes + k])) << (8 * k);
      push(bits);
    }
  } else if (auto list = dyn_cast<ArrayAttr>(value)) {
    for (Attribute element : list)
      if (failed(appendElements(element, out)))
        return failure();
  } else {
    return failure();
  }
  return success();
}

LogicalResult LLVMInterpreter::constant(Operation *op, Attribute value, Type type, LLVMValue &out) {
  const auto count = size_t(llvmScalarCount(type));
  if (isa<LLVM::UndefAttr>(value)) {
    eachLLVMScalar(type, 0,
                   [&](int64_t, Type scalar) { out.push_back(undef(op, llvmBits(scalar), "an undefined value")); });
    return success();
  }
  if (isa<LLVM::ZeroAttr>(value)) {
    out.resize(count);
    return success();
  }
  if (failed(appendElements(value, out)))
    return stop(op, "the constant is not taken");
  if (out.size() == 1 && count != 1)
    out.assign(count, LLVMScalar(out[0]));
  return out.size() == count ? success() : stop(op, "the constant is not taken");
}

namespace {

using In = ArrayRef<LLVMValue>;

LogicalResult evalConstant(Operation *op, In, LLVMValue &out, LLVMInterpreter &interpreter) {
  return interpreter.constant(op, cast<LLVM::ConstantOp>(op).getValue(), op->getResult(0).getType(), out);
}

LogicalResult evalZero(Operation *op, In, LLVMValue &out, LLVMInterpreter &) {
  out.resize(size_t(llvmScalarCount(op->getResult(0).getType())));
  return success();
}

LogicalResult evalUndef(Operation *op, In, LLVMValue &out, LLVMInterpreter &interpreter) {
  const bool isPoison = isa<LLVM::PoisonOp>(op);
  eachLLVMScalar(op->getResult(0).getType(), 0, [&](int64_t, Type scalar) {
    out.push_back(isPoison ? interpreter.poison(op, "a poison value")
                           : interpreter.undef(op, llvmBits(scalar), "an undefined value"));
  });
  return success();
}

LogicalResult evalFreeze(Operation *, In in, LLVMValue &out, LLVMInterpreter &) {
  out = in[0];
  for (LLVMScalar &scalar : out) {
    scalar.undefined = 0;
    scalar.origin = 0;
    scalar.isPoison = false;
  }
  return success();
}

/// A poison condition gives poison; with an undefined one, the bits in which both operands differ are undefined.
LogicalResult evalSelect(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  const Type type = op->getResult(0).getType();
  SmallVector<unsigned> bits;
  eachLLVMScalar(type, 0, [&](int64_t, Type scalar) { bits.push_back(llvmBits(scalar)); });
  for (size_t i = 0; i < in[1].size(); ++i) {
    const LLVMScalar &condition = in[0][in[0].size() == 1 ? 0 : i], &yes = in[1][i], &no = in[2][i];
    if (condition.isPoison) {
      out.push_back({0, 0, 0, condition.origin, true});
    } else if (condition.undefined) {
      LLVMScalar either = yes.isPoison ? yes : no;
      if (!either.isPoison) {
        either.undefined |= yes.undefined | (yes.bits ^ no.bits);
        either.origin = either.undefined ? condition.origin : 0;
      }
      out.push_back(either);
    } else {
      out.push_back(condition.bits ? yes : no);
    }
  }
  return success();
}

/// The offset of the member at `position`, and its number of scalars.
std::pair<size_t, size_t> memberAt(Type type, ArrayRef<int64_t> position) {
  size_t begin = 0;
  for (const int64_t at : position) {
    if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
      for (int64_t i = 0; i < at; ++i)
        begin += size_t(llvmScalarCount(structure.getBody()[size_t(i)]));
      type = structure.getBody()[size_t(at)];
    } else {
      type = cast<LLVM::LLVMArrayType>(type).getElementType();
      begin += size_t(at * llvmScalarCount(type));
    }
  }
  return {begin, size_t(llvmScalarCount(type))};
}

LogicalResult evalExtractValue(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  auto extract = cast<LLVM::ExtractValueOp>(op);
  auto [begin, count] = memberAt(extract.getContainer().getType(), extract.getPosition());
  out.append(in[0].begin() + begin, in[0].begin() + begin + count);
  return success();
}

LogicalResult evalInsertValue(Operation *op, In in, LLVMValue &out, LLVMInterpreter &) {
  auto insert = cast<LLVM::InsertValueOp>(op);
  auto [begin, count] = memberAt(insert.getContainer().getType(), insert.getPosition());
  out = in[0];
  std::copy(in[1].begin(), in[1].end(), out.begin() + begin);
  return success();
}

/// An out-of-range lane number, which gives poison.
std::optional<LLVMScalar> badLane(Operation *op, const LLVMScalar &position, size_t lanes,
                                  LLVMInterpreter &interpreter) {
  if (!position.isDefined())
    return LLVMScalar{0, 0, 0, position.origin, true};
  if (position.bits >= lanes)
    return interpreter.poison(op, "lane " + Twine(position.bits) + " of a vector of " + Twine(lanes));
  return std::nullopt;
}

LogicalResult evalExtractElement(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  const std::optional<LLVMScalar> bad = badLane(op, in[1][0], in[0].size(), interpreter);
  out.push_back(bad ? *bad : in[0][size_t(in[1][0].bits)]);
  return success();
}

LogicalResult evalInsertElement(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  out = in[0];
  if (const std::optional<LLVMScalar> bad = badLane(op, in[2][0], in[0].size(), interpreter))
    std::fill(out.begin(), out.end(), *bad);
  else
    out[size_t(in[2][0].bits)] = in[1][0];
  return success();
}

LogicalResult evalShuffle(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  for (const int32_t lane : cast<LLVM::ShuffleVectorOp>(op).getMask()) {
    const size_t first = in[0].size();
    if (lane < 0)
      out.push_back(interpreter.poison(op, "a lane of the mask is poison"));
    else
      out.push_back(size_t(lane) < first ? in[0][size_t(lane)] : in[1][size_t(lane) - first]);
  }
  return success();
}

LogicalResult evalCall(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  auto call = cast<LLVM::CallOp>(op);
  if (call.getCalleeAttr())
    return interpreter.call(op, interpreter.symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, call.getCalleeAttr()),
                            in, out);
  if (failed(interpreter.require(op, in[0][0], "the address of a function")))
    return failure();
  const uint32_t number = in[0][0].object == kAnyObject ? interpreter.objectAt(in[0][0].bits) : in[0][0].object;
  auto callee = number ? dyn_cast<LLVM::LLVMFuncOp>(interpreter.object(number).op) : LLVM::LLVMFuncOp();
  if (!callee || interpreter.object(number).address != in[0][0].bits)
    return interpreter.broken(op, "the address that is called is not that of a function");
  return interpreter.call(op, callee, in.drop_front(), out);
}

LogicalResult evalUnreachable(Operation *op, In, LLVMValue &, LLVMInterpreter &interpreter) {
  return interpreter.broken(op, "it is reached");
}

} // namespace

void addLLVMValues(LLVMInterpreter &interpreter) {
  auto &handlers = interpreter.handlers;
  handlers["llvm.mlir.constant"] = evalConstant;
  handlers["llvm.mlir.zero"] = evalZero;
  handlers["llvm.mlir.undef"] = handlers["llvm.mlir.poison"] = evalUndef;
  handlers["llvm.freeze"] = evalFreeze;
  handlers["llvm.select"] = evalSelect;
  handlers["llvm.extractvalue"] = evalExtractValue;
  handlers["llvm.insertvalue"] = evalInsertValue;
  handlers["llvm.extractelement"] = evalExtractElement;
  handlers["llvm.insertelement"] = evalInsertElement;
  handlers["llvm.shufflevector"] = evalShuffle;
  handlers["llvm.call"] = evalCall;
  handlers["llvm.unreachable"] = evalUnreachable;
}

} // namespace mica::reference
