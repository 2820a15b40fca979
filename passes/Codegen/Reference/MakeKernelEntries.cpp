//===- MakeKernelEntries.cpp - creating the kernel entries that the runtime calls ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// For a program in phase `lowered`, whose host functions are in the LLVM dialect and call kernels through the runtime:
//
//   func.func @k(%a: memref<?xf32>, %part: index, %parts: index)
//   =>
//   func.func @mica_kernel_k(%args: !llvm.ptr) -> i32   reads what the structure of arguments names (include/mica/ABI),
//                                                       calls @mica_body_k, which is @k as it was, returns the status
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/Signatures.h"
#include "mica/ABI/Checks.h"
#include "mica/ABI/Memory.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/Passes.h"

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
namespace mica {
#define GEN_PASS_DEF_MAKEKERNELENTRIES
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
/// The fields of the structure of arguments, in order.
enum class Field : int32_t { Buffers, Scalars, Scratch, Part, Parts, Checks, Gpu };

class EntryBuilder {
public:
  explicit EntryBuilder(func::FuncOp kernel)
      : kernel(kernel), b(kernel), loc(kernel.getLoc()), pointer(LLVM::LLVMPointerType::get(b.getContext())) {}

  LogicalResult build();

private:
  /// Element `index` of an array of 64-bit words.
  Value word(Value table, int64_t index, Type type) {
    Value address = LLVM::GEPOp::create(b, loc, pointer, b.getI64Type(), table,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    return LLVM::LoadOp::create(b, loc, type, address);
  }
  Value field(Field which, Type type) { return word(args, static_cast<int64_t>(which), type); }
  Value constant(int32_t value) { return LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(value)); }
  /// A word as a scalar of the kernel.
  Value scalar(Value value, Type type) {
    if (type.isIndex())
      return arith::IndexCastOp::create(b, loc, type, value);
    return type.isInteger(64) ? value : arith::TruncIOp::create(b, loc, type, value).getResult();
  }
  /// The status that the kernel returns; it was called with `log` and `place`, which may be null.
  Value status(Value log, Value place);

  func::FuncOp kernel;
  OpBuilder b;
  Location loc;
  Type pointer;
  Value args;
};
} // namespace

Value EntryBuilder::status(Value log, Value place) {
  if (place) {
    Value address = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), place,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(kLaunchStatusOffset)});
    return LLVM::LoadOp::create(b, loc, b.getI32Type(), address);
  }
  auto level = kernel->getAttrOfType<StringAttr>(check::kLevelAttr);
  if (!log || !level || level == "warn")
    return constant(0);
  Value failures = LLVM::LoadOp::create(b, loc, b.getI64Type(), log, /*alignment=*/8, /*isVolatile=*/true);
  Value none = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  Value held = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, failures, none);
  return arith::SelectOp::create(b, loc, held, constant(0), constant(MICA_STATUS_CHECK_FAILED));
}

LogicalResult EntryBuilder::build() {
  // The last arguments: the check log and the launch place.
  const bool hasPlace = kernel->hasAttr(mica::codegen::kLaunchesAttr);
  SmallVector<Type> types(kernel.getArgumentTypes());
  unsigned numPointers = 0;
  while (numPointers < types.size() && isa<LLVM::LLVMPointerType>(types[types.size() - 1 - numPointers]))
    ++numPointers;
  const bool hasLog = numPointers > unsigned(hasPlace);
  auto scratchBytes = kernel->getAttrOfType<IntegerAttr>(sched::kScratchBytesAttr);
  const bool hasScratch = scratchBytes && scratchBytes.getInt() > 0;
  if (kernel.getNumResults() != 0 || types.size() < numPointers + 2 + hasScratch)
    return kernel.emitOpError("is no kernel: it has results, or lacks the arguments part and parts");
  const unsigned numBindings = types.size() - numPointers - 2 - hasScratch;

  std::string name = kernel.getName().str();
  auto module = kernel->getParentOfType<ModuleOp>();
  int64_t numBuffers = 0;
  SmallVector<int64_t> bindings;
  for (auto [index, type] : llvm::enumerate(ArrayRef(types).take_front(numBindings))) {
    if (!isa<MemRefType>(type))
      continue;
    auto access = kernel.getArgAttrOfType<StringAttr>(index, sched::kAccessAttr);
    bindings.push_back(!access ? -1 : access == "read" ? 0 : access == "write" ? 1 : access == "readwrite" ? 2 : -1);
    sched::appendSignature(bindings, type);
    ++numBuffers;
  }
  auto grid = kernel->getAttrOfType<IntegerAttr>(sched::kGridAttr);
  SmallVector<int64_t> signature{sched::hasMemoryApi(module) ? MICA_SIGNATURE_ALLOCATES : 0,
                                 scratchBytes ? scratchBytes.getInt() : 0, grid ? grid.getInt() : 1,
                                 static_cast<int64_t>(numBindings) - numBuffers, numBuffers};
  signature.append(bindings);
  sched::makeSignature(module, loc, MICA_SIGNATURE_PREFIX + name, signature);
  auto entry = func::FuncOp::create(b, loc, "mica_kernel_" + name, b.getFunctionType(pointer, b.getI32Type()));
  for (StringRef attribute : {sched::kGridAttr, sched::kScratchBytesAttr, sched::kStrategyAttr, check::kShadowsAttr})
    if (Attribute value = kernel->getAttr(attribute))
      entry->setAttr(attribute, value);
  b.setInsertionPointToStart(entry.addEntryBlock());
  args = entry.getArgument(0);
  Value buffers = field(Field::Buffers, pointer), words = field(Field::Scalars, pointer);
  int64_t nextBuffer = 0, nextWord = 0;
  SmallVector<Value> operands;
  auto nextScalar = [&](Type type) { return scalar(word(words, nextWord++, b.getI64Type()), type); };
  for (Type type : ArrayRef(types).take_front(numBindings)) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer) {
      operands.push_back(nextScalar(type));
      continue;
    }
    SmallVector<Value> sizes;
    for (unsigned dim = 0; dim < buffer.getNumDynamicDims(); ++dim)
      sizes.push_back(nextScalar(b.getIndexType()));
    operands.push_back(bufferAt(b, loc, buffer, word(buffers, nextBuffer++, pointer), sizes));
  }
  if (hasScratch)
    operands.push_back(bufferAt(b, loc, cast<MemRefType>(types[numBindings]), field(Field::Scratch, pointer), {}));
  for (Field which : {Field::Part, Field::Parts})
    operands.push_back(scalar(field(which, b.getI64Type()), types[operands.size()]));
  Value log, place;
  if (hasLog)
    operands.push_back(log = field(Field::Checks, pointer));
  if (hasPlace) {
    // The place where the body finds the device services and stores the status.
    place = LLVM::AllocaOp::create(b, loc, pointer, b.getI64Type(), constant(2));
    LLVM::StoreOp::create(b, loc, field(Field::Gpu, pointer), place);
    Value address = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(), place,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(kLaunchStatusOffset)});
    LLVM::StoreOp::create(b, loc, constant(0), address);
    operands.push_back(place);
  }
  kernel.setName("mica_body_" + name);
  kernel.setPrivate();
  func::CallOp::create(b, loc, kernel, operands);
  func::ReturnOp::create(b, loc, status(log, place));
  kernel->removeAttr(sched::kGridAttr);
  return success();
}

namespace {
struct MakeKernelEntries : mica::impl::MakeKernelEntriesBase<MakeKernelEntries> {
  void runOnOperation() override {
    if (!sched::isKernelModule(getOperation()))
      return;
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // An existing entry takes the structure already.
      bool isEntry = function.getNumArguments() == 1 && isa<LLVM::LLVMPointerType>(function.getArgumentTypes().front());
      if (function->hasAttr(sched::kGridAttr) && !isEntry)
        kernels.push_back(function);
    }
    for (func::FuncOp kernel : kernels)
      if (failed(EntryBuilder(kernel).build()))
        return signalPassFailure();
  }
};
} // namespace
