//===- ConvertKernelEntry.cpp - creating the ABI entry of a kernel ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Makes a kernel callable through include/mica/ABI/Kernel.h:
//
//   func.func @relu(%a: memref<?x8xf32>, %o: memref<?x8xf32>, %n: index, %part: index, %parts: index)
//   ->
//   func.func @mica_body_relu(%a: !llvm.ptr {noalias, align 64}, %o: ..., %d0: i64, %d1: i64, %n: i64, %part:
//   i64, %parts: i64) func.func @mica_kernel_relu(%args: !llvm.ptr) -> i32 { load all of them from %args;
//   call @mica_body_relu; return 0 }
//
// The body is internal and never inlined: as function parameters its buffers are known not to alias, which scoped
// metadata after inlining expresses less well. Descriptors of the buffers are created inside it, so that static sizes
// and strides are constants.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/ContiguousDescriptor.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/Signatures.h"
#include "mica/ABI/Checks.h"
#include "mica/ABI/Memory.h"
#include "passes/Codegen/Common/Passes.h"

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTKERNELENTRYPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// Positions of the fields of mica_kernel_args_v1, all 8 bytes wide.
enum ArgsField { Buffers = 0, Scalars = 1, Scratch = 2, Part = 3, Parts = 4, Checks = 5, Gpu = 6 };

struct ConvertKernelEntryPass : mica::impl::ConvertKernelEntryPassBase<ConvertKernelEntryPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!module->hasAttr("mica_sched.kernel"))
      return;
    SmallVector<func::FuncOp> funcs(module.getOps<func::FuncOp>());
    for (func::FuncOp func : funcs)
      if (func->hasAttr("mica_sched.grid") && !isEntry(func))
        if (failed(convert(func)))
          return signalPassFailure();
  }

private:
  /// Whether `func` is such an entry, which has the kernel's attributes: a snapshot after this pass may be lowered
  /// again.
  static bool isEntry(func::FuncOp func) {
    return func.getNumArguments() == 1 && isa<LLVM::LLVMPointerType>(func.getArgumentTypes()[0]);
  }

  LogicalResult convert(func::FuncOp func) {
    MLIRContext *context = &getContext();
    OpBuilder builder(func);
    Location loc = func.getLoc();
    Type ptr = LLVM::LLVMPointerType::get(context), i64 = builder.getI64Type();
    if (func.getNumResults() != 0 || !llvm::hasSingleElement(func.getBody()))
      return func.emitOpError("is no kernel: it has results, or more than one block");
    auto scratchBytes = func->getAttrOfType<IntegerAttr>("mica_sched.scratch_bytes");
    bool hasScratch = scratchBytes && scratchBytes.getInt() > 0;
    // The log, added by the lowering of checks, and the launch place, added by mica-gpu-convert-launches, are the last
    // arguments.
    const bool hasPlace = func->hasAttr(mica::codegen::kLaunchesAttr);
    unsigned numExtra = 0;
    for (Type type : llvm::reverse(func.getArgumentTypes())) {
      if (!isa<LLVM::LLVMPointerType>(type))
        break;
      ++numExtra;
    }
    const bool hasLog = numExtra > unsigned(hasPlace);
    const unsigned count = func.getNumArguments() - numExtra;
    if (count < 2u + hasScratch)
      return func.emitOpError("is no kernel: it lacks the arguments part and parts");
    for (unsigned last : {count - 2, count - 1})
      if (!func.getArgument(last).getType().isIndex())
        return func.emitOpError("is no kernel: argument ") << last << ", of part and parts, is no index";
    if (hasScratch)
      if (auto type = dyn_cast<MemRefType>(func.getArgument(count - 3).getType());
          !type || !type.hasStaticShape() || !type.getLayout().isIdentity())
        return func.emitOpError("has mica_sched.scratch_bytes, but its argument ")
               << count - 3 << " is no contiguous buffer of static size";

    // The arguments of the body: buffers, their dynamic sizes, scalars, scratch, part, parts.
    SmallVector<BlockArgument> buffers, scalars;
    for (BlockArgument argument : func.getArguments().take_front(count).drop_back(2 + hasScratch)) {
      if (auto type = dyn_cast<MemRefType>(argument.getType())) {
        if (!type.getLayout().isIdentity() || !scalars.empty())
          return func.emitOpError("is no kernel: argument ")
                 << argument.getArgNumber() << " is a buffer after a scalar, or not contiguous";
        buffers.push_back(argument);
      } else if (argument.getType().isIntOrIndex() &&
                 (argument.getType().isIndex() || argument.getType().getIntOrFloatBitWidth() <= 64)) {
        scalars.push_back(argument);
      } else {
        return func.emitOpError("is no kernel: argument ")
               << argument.getArgNumber() << " of type " << argument.getType() << " is neither buffer nor scalar";
      }
    }
    makeSignature(func, buffers, scalars.size(), scratchBytes ? scratchBytes.getInt() : 0);
    SmallVector<Type> types(buffers.size(), ptr);
    int64_t numDims = 0;
    for (BlockArgument buffer : buffers)
      numDims += cast<MemRefType>(buffer.getType()).getNumDynamicDims();
    types.append(numDims + scalars.size(), i64);
    if (hasScratch)
      types.push_back(ptr);
    types.append(2, i64);
    types.append(numExtra, ptr);

    std::string name = func.getName().str();
    auto body = func::FuncOp::create(builder, loc, "mica_body_" + name, builder.getFunctionType(types, {}));
    body.setPrivate();
    body->setAttr("llvm.linkage", LLVM::LinkageAttr::get(context, LLVM::Linkage::Internal));
    body->setAttr("passthrough", builder.getStrArrayAttr({"noinline", "nounwind"}));
    body.getBody().takeBody(func.getBody());
    Block &block = body.getBody().front();
    SmallVector<Value> fresh;
    for (auto [index, type] : llvm::enumerate(types)) {
      fresh.push_back(block.addArgument(type, loc));
      if (type != ptr || index + numExtra >= types.size())
        continue;
      body.setArgAttr(index, "llvm.noalias", builder.getUnitAttr());
      body.setArgAttr(index, "llvm.nonnull", builder.getUnitAttr());
      body.setArgAttr(index, "llvm.align", builder.getI64IntegerAttr(64));
      if (index < buffers.size())
        if (auto access = func.getArgAttrOfType<StringAttr>(index, "mica_sched.access"); access && access == "read")
          body.setArgAttr(index, "llvm.readonly", builder.getUnitAttr());
    }
    builder.setInsertionPointToStart(&block);
    LLVMTypeConverter converter(context);
    unsigned next = buffers.size();
    for (auto [index, buffer] : llvm::enumerate(buffers))
      buffer.replaceAllUsesWith(describe(builder, loc, converter, cast<MemRefType>(buffer.getType()), fresh[index],
                                         [&] { return fresh[next++]; }));
    for (BlockArgument scalar : scalars)
      scalar.replaceAllUsesWith(narrow(builder, loc, fresh[next++], scalar.getType()));
    if (hasScratch) {
      BlockArgument scratch = block.getArgument(count - 3);
      scratch.replaceAllUsesWith(describe(builder, loc, converter, cast<MemRefType>(scratch.getType()), fresh[next++],
                                          [] { return Value(); }));
    }
    for (unsigned old : {count - 2, count - 1})
      block.getArgument(old).replaceAllUsesWith(narrow(builder, loc, fresh[next++], builder.getIndexType()));
    for (unsigned extra = 0; extra < numExtra; ++extra)
      block.getArgument(count + extra).replaceAllUsesWith(fresh[next++]);
    block.eraseArguments(0, count + numExtra);

    emitEntry(func, body, buffers.size(), numDims + scalars.size(), hasScratch, hasLog);
    func.erase();
    return success();
  }

  /// Adds the signature that the runtime compares with the kernel's record in the manifest.
  void makeSignature(func::FuncOp func, ArrayRef<BlockArgument> buffers, int64_t numScalars, int64_t scratchBytes) {
    ModuleOp module = getOperation();
    SmallVector<int64_t> numbers{mica::sched::hasMemoryApi(module) ? MICA_SIGNATURE_ALLOCATES : 0, scratchBytes,
                                 func->getAttrOfType<IntegerAttr>("mica_sched.grid").getInt(), numScalars,
                                 static_cast<int64_t>(buffers.size())};
    for (BlockArgument buffer : buffers) {
      auto access = func.getArgAttrOfType<StringAttr>(buffer.getArgNumber(), mica::sched::kAccessAttr);
      numbers.push_back(!access ? -1 : access == "read" ? 0 : access == "write" ? 1 : access == "readwrite" ? 2 : -1);
      mica::sched::appendSignature(numbers, buffer.getType());
    }
    mica::sched::makeSignature(module, func.getLoc(), MICA_SIGNATURE_PREFIX + func.getName(), numbers);
  }

  /// A memref of identity layout at `pointer`; `nextSize` returns its dynamic sizes, outermost first.
  Value describe(OpBuilder &builder, Location loc, const LLVMTypeConverter &converter, MemRefType type, Value pointer,
                 llvm::function_ref<Value()> nextSize) {
    SmallVector<Value> sizes;
    for (int64_t size : type.getShape())
      sizes.push_back(ShapedType::isDynamic(size)
                          ? nextSize()
                          : LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(size)).getResult());
    Value descriptor = mica::contiguousDescriptor(builder, loc, converter, type, pointer, sizes);
    return UnrealizedConversionCastOp::create(builder, loc, type, descriptor).getResult(0);
  }

  Value narrow(OpBuilder &builder, Location loc, Value wide, Type type) {
    if (type.isIndex())
      return arith::IndexCastOp::create(builder, loc, type, wide);
    return type == wide.getType() ? wide : arith::TruncIOp::create(builder, loc, type, wide).getResult();
  }

  Value statusOf(OpBuilder &builder, Location loc, Value place) {
    return LLVM::GEPOp::create(builder, loc, place.getType(), builder.getI8Type(), place,
                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(mica::kLaunchStatusOffset)});
  }

  /// The place where the body finds the device services and stores the status.
  Value makeLaunchPlace(OpBuilder &builder, Location loc, Value services) {
    Value words = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(2));
    Value place = LLVM::AllocaOp::create(builder, loc, services.getType(), builder.getI64Type(), words);
    LLVM::StoreOp::create(builder, loc, services, place);
    Value none = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    LLVM::StoreOp::create(builder, loc, none, statusOf(builder, loc, place));
    return place;
  }

  /// Emits the exported function, which loads the arguments of `body` from the arguments structure.
  void emitEntry(func::FuncOp kernel, func::FuncOp body, unsigned numBuffers, unsigned numScalars, bool hasScratch,
                 bool hasLog) {
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    Type ptr = LLVM::LLVMPointerType::get(&getContext()), i64 = builder.getI64Type(), i32 = builder.getI32Type();
    auto entry = func::FuncOp::create(builder, loc, ("mica_kernel_" + kernel.getName()).str(),
                                      builder.getFunctionType({ptr}, {i32}));
    for (StringRef name : {StringRef("mica_sched.grid"), StringRef("mica_sched.scratch_bytes"),
                           StringRef("mica_sched.strategy"), StringRef(mica::check::kShadowsAttr)})
      if (Attribute attribute = kernel->getAttr(name))
        entry->setAttr(name, attribute);
    entry->setAttr("passthrough", builder.getStrArrayAttr({"nounwind"}));
    builder.setInsertionPointToStart(entry.addEntryBlock());
    auto element = [&](Value base, int64_t index, Type type) -> Value {
      Value address =
          LLVM::GEPOp::create(builder, loc, ptr, i64, base, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
      return LLVM::LoadOp::create(builder, loc, type, address);
    };
    Value args = entry.getArgument(0);
    SmallVector<Value> operands;
    if (numBuffers > 0) {
      Value table = element(args, Buffers, ptr);
      for (unsigned i = 0; i < numBuffers; ++i)
        operands.push_back(element(table, i, ptr));
    }
    if (numScalars > 0) {
      Value table = element(args, Scalars, ptr);
      for (unsigned i = 0; i < numScalars; ++i)
        operands.push_back(element(table, i, i64));
    }
    if (hasScratch)
      operands.push_back(element(args, Scratch, ptr));
    operands.push_back(element(args, Part, i64));
    operands.push_back(element(args, Parts, i64));
    Value log = hasLog ? element(args, Checks, ptr) : Value();
    if (hasLog)
      operands.push_back(log);
    if (kernel->hasAttr(mica::codegen::kLaunchesAttr)) {
      Value place = makeLaunchPlace(builder, loc, element(args, Gpu, ptr));
      operands.push_back(place);
      func::CallOp::create(builder, loc, body, operands);
      func::ReturnOp::create(builder, loc,
                             LLVM::LoadOp::create(builder, loc, i32, statusOf(builder, loc, place)).getResult());
      return;
    }
    func::CallOp::create(builder, loc, body, operands);
    Value status = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    auto level = kernel->getAttrOfType<StringAttr>(mica::check::kLevelAttr);
    if (hasLog && level && level != "warn") {
      // Atomic, as other work partitions may increment it.
      Value failures = LLVM::LoadOp::create(builder, loc, i64, log, /*alignment=*/8, /*isVolatile=*/false,
                                            /*isNonTemporal=*/false, /*isInvariant=*/false,
                                            /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
      Value none = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
      Value held = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, failures, none);
      Value failed = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(MICA_STATUS_CHECK_FAILED));
      status = arith::SelectOp::create(builder, loc, held, status, failed);
    }
    func::ReturnOp::create(builder, loc, status);
  }
};

} // namespace
