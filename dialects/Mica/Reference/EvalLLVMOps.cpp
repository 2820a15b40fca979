//===- EvalLLVMOps.cpp - ops of the llvm dialect in functions of func -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The interpreter of the LLVM dialect (EvalLLVM.h) evaluates them, on values converted from and to tensors. Integers,
// floats and vectors of them are tensors. A pointer, a struct or an array has no element type: its tensor holds the
// number of a value that `HostedLLVM` keeps.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVMOps.h"

#include "dialects/Mica/Reference/Bounds.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace mica::reference {

bool isNumberedLLVMType(Type type) {
  return isa<LLVM::LLVMPointerType, LLVM::LLVMStructType, LLVM::LLVMArrayType>(type);
}

HostedLLVM::HostedLLVM(const EvalOptions &options)
    : interpreter(options, options.undefined ? *options.undefined : unused) {}

LLVMValue HostedLLVM::fromTensor(const Tensor &tensor, Type type, bool isSearch) {
  if (isNumberedLLVMType(type))
    return values[size_t(tensor.value().i)];
  LLVMValue value;
  const Type lane = llvmLaneType(type);
  const uint64_t all = lowBits(llvmBits(lane));
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    const uint64_t bits =
        isa<FloatType>(lane) ? llvmFloatBits(tensor.data()[i].f, lane) : uint64_t(tensor.intAt(i)) & all;
    const double bound = isSearch ? tensor.boundAt(i) : 0;
    value.push_back({bits, bound == kUnknown ? all : static_cast<uint64_t>(bound) & all, 0, 0, false});
  }
  return value;
}

Tensor HostedLLVM::toTensor(LLVMValue value, Type type) {
  const ElementType element = *ElementType::of(type);
  if (isNumberedLLVMType(type)) {
    values.push_back(std::move(value));
    return Tensor::scalar(element, Cell::of(int64_t(values.size()) - 1));
  }
  auto vector = dyn_cast<VectorType>(type);
  Tensor tensor(element, vector ? vector.getShape() : ArrayRef<int64_t>());
  Cell *cells = tensor.mutableData();
  for (auto [i, scalar] : llvm::enumerate(value))
    cells[i] = element.isFloat ? Cell::of(llvmFloat(scalar.bits, llvmLaneType(type)))
                               : Cell::of(element.wrap(int64_t(scalar.bits)));
  return tensor;
}

FailureOr<uint32_t> HostedLLVM::objectOf(Operation *op, const Tensor &buffer, bool isSearch) {
  std::shared_ptr<BufferMemory> memory = buffer.view().memory;
  if (auto it = shown.find(memory.get()); it != shown.end())
    return it->second;
  const ElementType type = buffer.view().bytes ? ElementType(DType::I8) : buffer.elementType();
  if (type.bits % 8 != 0 && type.bits != 1)
    return interpreter.stop(op, "not taken: the address of a buffer of elements of " + Twine(type.bits) + " bits");
  const int64_t bytes = dtypeBytes(type.dtype);
  FailureOr<uint32_t> made = interpreter.allocate(op, LLVMObject::Kind::Argument, int64_t(memory->size()) * bytes, 64);
  if (failed(made))
    return failure();
  shown[memory.get()] = *made;
  interpreter.object(*made).exchange = [this, memory, type, bytes, isSearch](LLVMObject &object, int64_t offset,
                                                                             int64_t size, bool isWrite) {
    for (int64_t i = offset / bytes; i * bytes < offset + size; ++i) {
      Cell &cell = (*memory)[size_t(i)];
      const bool isBounded = memory->bounds && (*memory->bounds)[size_t(i)].f != 0;
      uint64_t bits = type.toBits(cell);
      bool isUndefined = false;
      for (int64_t k = 0; k < bytes; ++k) {
        const auto at = size_t(i * bytes + k);
        if (isWrite) {
          bits = (bits & ~(uint64_t(0xff) << (8 * k))) | uint64_t(object.bytes[at]) << (8 * k);
          isUndefined |= object.undefined[at] || object.poison[at];
        } else {
          object.bytes[at] = uint8_t(bits >> (8 * k));
          object.undefined[at] = isSearch && isBounded ? 0xff : 0;
        }
      }
      if (isWrite)
        cell = type.ofBits(bits);
      if (isWrite && memory->bounds)
        (*memory->bounds)[size_t(i)] = Cell::of(isUndefined && isSearch ? kUnknown : 0.0);
      readsBounds |= !isWrite && isBounded;
    }
  };
  return *made;
}

FailureOr<Tensor> addressOf(Operation *op, const Tensor &buffer, Evaluator &evaluator) {
  HostedLLVM &hosted = evaluator.hostedLLVM();
  FailureOr<uint32_t> object = hosted.objectOf(op, buffer, evaluator.undefined());
  if (failed(object))
    return failure();
  // The offset of the buffer is not part of the address, except that views of bytes begin at any byte.
  const int64_t first = buffer.view().bytes ? buffer.view().offset % buffer.view().unit() : 0;
  return Tensor::index(int64_t(hosted.interpreter.pointerTo(*object).bits) + first);
}

/// Whether every number the function computes is rounded to its type, so that code has no choice.
static bool isCorrectlyRounded(Operation *op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  auto callee = call && call.getCalleeAttr()
                    ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, call.getCalleeAttr())
                    : LLVM::LLVMFuncOp();
  if (!callee || callee.isExternal())
    return false;
  return !callee
              .walk([](Operation *inner) {
                const bool isRounded =
                    !isa<LLVM::CallOp>(inner) && !inner->getName().getStringRef().starts_with("llvm.intr.");
                return isRounded ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool isPureOnNumbers(Operation *op) {
  return isMemoryEffectFree(op) && llvm::none_of(op->getOperandTypes(), isNumberedLLVMType) &&
         llvm::none_of(op->getResultTypes(), isNumberedLLVMType);
}

/// In a search: marks the elements of `tensor` that are undefined in `value`.
static void markUndefined(Operation *op, Tensor &tensor, const LLVMValue &value, HostedLLVM &hosted,
                          UndefinedValues &search) {
  Tensor bounds(DType::F64, tensor.shape());
  for (auto [i, scalar] : llvm::enumerate(value))
    if (!scalar.isDefined() && (scalar.origin == 0 || search.makes(op, hosted.interpreter.originText(scalar))))
      bounds.mutableData()[i] = Cell::of(kUnknown);
  tensor.setBound(std::move(bounds));
}

static LogicalResult evalLLVM(Operation *op, Operands in, Results &out, Evaluator &evaluator) {
  HostedLLVM &hosted = evaluator.hostedLLVM();
  UndefinedValues *search = evaluator.undefined();
  const bool isPure = isPureOnNumbers(op), hasBounds = !search && evaluator.tracksBounds();
  for (const Tensor &operand : in) {
    // Memory and calls take defined numbers alone, and do not carry bounds.
    if (!isPure && failed(requireDefined(op, operand, "an operand", evaluator)))
      return failure();
    evaluator.isUndecided |= !isPure && hasBounds && operand.hasBound();
  }
  SmallVector<LLVMValue> values;
  for (auto [tensor, type] : llvm::zip_equal(in, op->getOperandTypes()))
    values.push_back(hosted.fromTensor(tensor, type, search));
  LLVMValue value;
  auto handler = hosted.interpreter.handlers.find(op->getName().getStringRef());
  hosted.readsBounds = false;
  if (failed(handler->second(op, values, value, hosted.interpreter)))
    return failure();
  hosted.interpreter.exchangeWritten();
  evaluator.isUndecided |= hasBounds && hosted.readsBounds;
  if (op->getNumResults() == 0)
    return success();
  const Type type = op->getResult(0).getType();
  Tensor result = hosted.toTensor(value, type);
  if (search && !isNumberedLLVMType(type))
    markUndefined(op, result, value, hosted, *search);
  if (hasBounds && isa<LLVM::CallOp>(op) && result.elementType().isFloat && !isCorrectlyRounded(op)) {
    Tensor bounds(DType::F64, result.shape());
    std::fill_n(bounds.mutableData(), bounds.size(), Cell::of(kUnknown));
    result.setBound(std::move(bounds));
  }
  out.push_back(std::move(result));
  return success();
}

LLVMStackScope::LLVMStackScope(Operation *function, Evaluator &evaluator)
    : function(function), evaluator(evaluator),
      height(evaluator.hasHostedLLVM() ? evaluator.hostedLLVM().interpreter.stackHeight() : 0) {}

LLVMStackScope::~LLVMStackScope() {
  if (evaluator.hasHostedLLVM())
    evaluator.hostedLLVM().interpreter.endStack(height, function);
}

std::string whyLLVMOpIsNotTaken(Operation *op, LLVMInterpreter &interpreter) {
  std::string why;
  ScopedDiagnosticHandler listen(op->getContext(), [&](Diagnostic &diagnostic) {
    if (why.empty())
      why = diagnostic.str();
    return success();
  });
  (void)interpreter.checkTaken(op);
  return why;
}

void addLLVMOps(OpTable &table) {
  const EvalOptions options;
  HostedLLVM hosted(options);
  for (const auto &handler : hosted.interpreter.handlers)
    table.addNamed(handler.getKey(), evalLLVM);
  table.addTerminator<LLVM::BrOp>();
  table.addTerminator<LLVM::CondBrOp>();
  table.addTerminator<LLVM::SwitchOp>();
}

} // namespace mica::reference
