//===- ConvertLaunches.cpp - converting launches to calls of the runtime ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Converts both sides of include/mica/ABI/Gpu.h at once, so that they agree on the parameters: a buffer becomes its
// address and its dynamic sizes, an index 64 bits, an i1 a byte; other types are unchanged.
//
// The wrapper's last argument is the launch place of mica-codegen-convert-kernel-entry: the table of services, followed
// by the first nonzero status. After an error nothing is launched.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Passes.h"

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "mica/ABI/Gpu.h"
#include "mica/ABI/Kernel.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Reference/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringMap.h"

#include <cstddef>
#include <limits>

namespace mica {
#define GEN_PASS_DEF_CONVERTLAUNCHESPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;

static_assert(sizeof(mica_gpu_launch_v1) == 56 && sizeof(mica_gpu_services_v1) == 32,
              "the wrapper writes and reads these structures");

/// The address space of workgroup memory in LLVM's back end, and the alignment of its globals.
static constexpr int64_t kWorkgroupSpace = 3, kWorkgroupAlignment = 128;

namespace {
class ConvertLaunchesPass : public mica::impl::ConvertLaunchesPassBase<ConvertLaunchesPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto device = module.lookupSymbol<gpu::GPUModuleOp>(mica::kGpuModuleName);
    if (!device)
      return;
    pointer = LLVM::LLVMPointerType::get(&getContext());
    texts.clear();
    places.clear();
    SmallVector<gpu::LaunchFuncOp> launches;
    module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
    SmallVector<gpu::AllocOp> allocs;
    module.walk([&](gpu::AllocOp alloc) { allocs.push_back(alloc); });
    for (gpu::LaunchFuncOp launch : launches)
      if (Value place = placeOf(launch))
        convertLaunch(launch, launch->getParentOfType<func::FuncOp>(), place);
    for (gpu::AllocOp alloc : allocs)
      if (Value place = placeOf(alloc)) {
        module->setAttr(mica::codegen::kDeviceMemoryAttr, UnitAttr::get(&getContext()));
        convertAlloc(alloc, place);
      }
    for (auto kernel : llvm::make_early_inc_range(device.getOps<gpu::GPUFuncOp>()))
      convertKernel(kernel);
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

private:
  /// The last argument of the wrapper around `op`; null, and the pass fails, if it has none.
  Value placeOf(Operation *op) {
    auto wrapper = op->getParentOfType<func::FuncOp>();
    Value &place = places[wrapper];
    if (place)
      return place;
    const unsigned last = wrapper.getNumArguments();
    if (failed(wrapper.insertArgument(last, pointer, DictionaryAttr(), wrapper.getLoc()))) {
      signalPassFailure();
      return {};
    }
    wrapper->setAttr(mica::codegen::kLaunchesAttr, UnitAttr::get(&getContext()));
    return place = wrapper.getArgument(last);
  }
  /// The address of a global with `text`.
  Value addressOf(OpBuilder &builder, Location loc, ModuleOp module, StringRef text);
  void convertLaunch(gpu::LaunchFuncOp launch, func::FuncOp wrapper, Value place);
  void convertAlloc(gpu::AllocOp alloc, Value place);
  void convertKernel(gpu::GPUFuncOp kernel);

  Type pointer;
  llvm::StringMap<LLVM::GlobalOp> texts;
  llvm::DenseMap<Operation *, Value> places; ///< by wrapper
};
} // namespace

Value ConvertLaunchesPass::addressOf(OpBuilder &builder, Location loc, ModuleOp module, StringRef text) {
  LLVM::GlobalOp &global = texts[text];
  if (!global) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    std::string bytes = text.str(), name = "mica_text_" + std::to_string(texts.size());
    bytes.push_back('\0');
    global = LLVM::GlobalOp::create(top, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                                    /*isConstant=*/true, LLVM::Linkage::Internal, name, builder.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

/// The device types for a parameter of `type`.
static SmallVector<Type> passedTypes(Type type, Type pointer) {
  Builder builder(type.getContext());
  if (auto buffer = dyn_cast<MemRefType>(type)) {
    SmallVector<Type> types{pointer};
    types.append(buffer.getNumDynamicDims(), builder.getI64Type());
    return types;
  }
  if (type.isIndex())
    return {builder.getI64Type()};
  return {type.isInteger(1) ? builder.getI8Type() : type};
}

void ConvertLaunchesPass::convertLaunch(gpu::LaunchFuncOp launch, func::FuncOp wrapper, Value place) {
  Location loc = launch.getLoc();
  OpBuilder builder(launch), atStart = OpBuilder::atBlockBegin(&wrapper.getBody().front());
  Type i8 = builder.getI8Type(), i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto memory = [&](int64_t bytes) -> Value {
    Value count = LLVM::ConstantOp::create(atStart, loc, atStart.getI64IntegerAttr(std::max<int64_t>(bytes, 1)));
    return LLVM::AllocaOp::create(atStart, loc, pointer, i8, count, /*alignment=*/16);
  };
  auto at = [&](Value base, int64_t bytes) -> Value {
    return LLVM::GEPOp::create(builder, loc, pointer, i8, base, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
  };

  // Launch nothing after a failed launch.
  Value failed = LLVM::LoadOp::create(builder, loc, i32, at(place, mica::kLaunchStatusOffset));
  Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value fine = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, failed, zero);
  auto branch = scf::IfOp::create(builder, loc, fine, /*withElseRegion=*/false);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());

  SmallVector<Value> values;
  auto widened = [&](Value index) -> Value { return arith::IndexCastOp::create(builder, loc, i64, index); };
  for (Value operand : launch.getKernelOperands()) {
    Type type = operand.getType();
    if (auto buffer = dyn_cast<MemRefType>(type)) {
      values.push_back(widened(memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, operand)));
      for (int64_t dim = 0; dim < buffer.getRank(); ++dim)
        if (buffer.isDynamicDim(dim))
          values.push_back(widened(memref::DimOp::create(builder, loc, operand, dim)));
    } else if (type.isIndex()) {
      values.push_back(widened(operand));
    } else {
      values.push_back(type.isInteger(1) ? arith::ExtUIOp::create(builder, loc, i8, operand).getResult() : operand);
    }
  }
  constexpr int64_t kSlot = 16;
  const int64_t count = static_cast<int64_t>(values.size());
  Value slots = memory(count * kSlot), params = memory(count * sizeof(void *)),
        call = memory(sizeof(mica_gpu_launch_v1));
  for (auto [i, value] : llvm::enumerate(values)) {
    Value slot = at(slots, i * kSlot);
    LLVM::StoreOp::create(builder, loc, value, slot);
    LLVM::StoreOp::create(builder, loc, slot, at(params, i * sizeof(void *)));
  }
  auto set = [&](size_t field, Value value) {
    LLVM::StoreOp::create(builder, loc, value, at(call, static_cast<int64_t>(field)));
  };
  // A value that does not fit exceeds every device's limit: the launch is then rejected, not truncated.
  constexpr int64_t kMostThere = std::numeric_limits<uint32_t>::max();
  auto size = [&](Value index) -> Value {
    if (const std::optional<int64_t> known = getConstantIntValue(index); !known || *known < 0 || *known > kMostThere)
      index = arith::MinUIOp::create(builder, loc, index, arith::ConstantIndexOp::create(builder, loc, kMostThere));
    return arith::IndexCastOp::create(builder, loc, i32, index);
  };
  ModuleOp module = getOperation();
  set(offsetof(mica_gpu_launch_v1, entry), addressOf(builder, loc, module, launch.getKernelName().getValue()));
  set(offsetof(mica_gpu_launch_v1, kernel), addressOf(builder, loc, module, module.getName().value_or("")));
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues(), block = launch.getBlockSizeOperandValues();
  const Value sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  static_assert(offsetof(mica_gpu_launch_v1, block) == offsetof(mica_gpu_launch_v1, grid) + 3 * sizeof(uint32_t));
  for (auto [i, value] : llvm::enumerate(sizes))
    set(offsetof(mica_gpu_launch_v1, grid) + i * sizeof(uint32_t), size(value));
  Value dynamic = launch.getDynamicSharedMemorySize();
  set(offsetof(mica_gpu_launch_v1, dynamic_shared_bytes), dynamic ? dynamic : zero);
  set(offsetof(mica_gpu_launch_v1, param_count),
      LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(count))));
  set(offsetof(mica_gpu_launch_v1, params), params);
  Value services = LLVM::LoadOp::create(builder, loc, pointer, place);
  Value queue = LLVM::LoadOp::create(builder, loc, pointer, at(services, offsetof(mica_gpu_services_v1, queue)));
  Value function = LLVM::LoadOp::create(builder, loc, pointer, at(services, offsetof(mica_gpu_services_v1, launch)));
  auto type = LLVM::LLVMFunctionType::get(i32, {pointer, pointer});
  Value code = LLVM::CallOp::create(builder, loc, type, ValueRange{function, queue, call}).getResult();
  LLVM::StoreOp::create(builder, loc, code, at(place, mica::kLaunchStatusOffset));
  launch.erase();
}

static Value fieldOf(OpBuilder &builder, Location loc, Value structure, size_t offset) {
  return LLVM::GEPOp::create(builder, loc, structure.getType(), builder.getI8Type(), structure,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

/// Allocates by the services, and releases; a failed allocation sets the status, which the following launches test.
void ConvertLaunchesPass::convertAlloc(gpu::AllocOp alloc, Value place) {
  Location loc = alloc.getLoc();
  OpBuilder builder(alloc);
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto service = [&](size_t field, TypeRange results, ValueRange operands) -> Value {
    Value services = LLVM::LoadOp::create(builder, loc, pointer, place);
    Value queue = LLVM::LoadOp::create(builder, loc, pointer,
                                       fieldOf(builder, loc, services, offsetof(mica_gpu_services_v1, queue)));
    Value function = LLVM::LoadOp::create(builder, loc, pointer, fieldOf(builder, loc, services, field));
    SmallVector<Value> all{function, queue};
    llvm::append_range(all, operands);
    SmallVector<Type> types{pointer};
    llvm::append_range(types, operands.getTypes());
    Type result = results.empty() ? Type(LLVM::LLVMVoidType::get(&getContext())) : results.front();
    auto call = LLVM::CallOp::create(builder, loc, LLVM::LLVMFunctionType::get(result, types), all);
    return results.empty() ? Value() : call.getResult();
  };
  SmallVector<gpu::DeallocOp> deallocs;
  for (Operation *user : alloc.getMemref().getUsers())
    if (auto dealloc = dyn_cast<gpu::DeallocOp>(user))
      deallocs.push_back(dealloc);
  Value bytes = arith::IndexCastOp::create(builder, loc, i64, alloc.getDynamicSizes().front());
  Value memory = service(offsetof(mica_gpu_services_v1, allocate), pointer, bytes);
  Value status = fieldOf(builder, loc, place, mica::kLaunchStatusOffset);
  Value before = LLVM::LoadOp::create(builder, loc, i32, status);
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value refused = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, memory, null);
  Value code = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(MICA_GPU_NO_MEMORY));
  LLVM::StoreOp::create(builder, loc, LLVM::SelectOp::create(builder, loc, refused, code, before), status);
  auto type = cast<MemRefType>(alloc.getMemref().getType());
  alloc.getMemref().replaceAllUsesWith(mica::bufferAt(builder, loc, type, memory, alloc.getDynamicSizes()));
  for (gpu::DeallocOp dealloc : deallocs) {
    builder.setInsertionPoint(dealloc);
    service(offsetof(mica_gpu_services_v1, release), {}, memory);
    dealloc.erase();
  }
  alloc.erase();
}

/// Converts workgroup memory to a global, aligned for asynchronous copies and matrix loads, whose address replaces it.
static void placeInWorkgroup(OpBuilder &builder, BlockArgument memory, StringRef function, unsigned number) {
  OpBuilder::InsertionGuard guard(builder);
  auto before = cast<MemRefType>(memory.getType());
  auto type = MemRefType::get(before.getShape(), before.getElementType(), before.getLayout(),
                              builder.getI64IntegerAttr(kWorkgroupSpace));
  std::string name = (function + "_workgroup_" + Twine(number)).str();
  Location loc = memory.getLoc();
  Value address = memref::GetGlobalOp::create(builder, loc, type, name);
  builder.setInsertionPoint(memory.getOwner()->getParentOp());
  memref::GlobalOp::create(builder, loc, name, builder.getStringAttr("private"), type, builder.getUnitAttr(),
                           /*constant=*/false, builder.getI64IntegerAttr(kWorkgroupAlignment));
  memory.replaceAllUsesWith(address);
}

/// Converts the kernel to an ordinary function on addresses and scalars, which the lowerings of host functions can
/// lower.
void ConvertLaunchesPass::convertKernel(gpu::GPUFuncOp kernel) {
  Location loc = kernel.getLoc();
  OpBuilder builder(kernel);
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    llvm::append_range(types, passedTypes(type, pointer));
  auto function = func::FuncOp::create(builder, loc, kernel.getName(), builder.getFunctionType(types, {}));
  function->setAttr(mica::codegen::kEntryAttr, builder.getUnitAttr());
  if (auto size = kernel.getKnownBlockSizeAttr())
    function->setAttr("gpu.known_block_size", size);
  if (auto size = kernel.getKnownGridSizeAttr())
    function->setAttr("gpu.known_grid_size", size);
  SmallVector<Type> before(kernel.getArgumentTypes());
  const unsigned shared = kernel.getNumWorkgroupAttributions();
  function.getBody().takeBody(kernel.getBody());
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  SmallVector<Value> passed;
  for (Type type : types)
    passed.push_back(entry.addArgument(type, loc));
  size_t next = 0;
  for (auto [i, type] : llvm::enumerate(before)) {
    Value value = passed[next];
    if (auto buffer = dyn_cast<MemRefType>(type)) {
      // The ABI's guarantees for a kernel's buffers; scratch is one of them.
      function.setArgAttr(next, "llvm.noalias", builder.getUnitAttr());
      function.setArgAttr(next, "llvm.align", builder.getI64IntegerAttr(MICA_BUFFER_ALIGNMENT));
      SmallVector<Value> sizes;
      for (unsigned dim = 0; dim < buffer.getNumDynamicDims(); ++dim)
        sizes.push_back(arith::IndexCastOp::create(builder, loc, builder.getIndexType(), passed[next + 1 + dim]));
      value = mica::bufferAt(builder, loc, buffer, value, sizes);
    } else if (type.isIndex()) {
      value = arith::IndexCastOp::create(builder, loc, type, value);
    } else if (type.isInteger(1)) {
      value = arith::TruncIOp::create(builder, loc, type, value);
    }
    entry.getArgument(i).replaceAllUsesWith(value);
    next += passedTypes(type, pointer).size();
  }
  for (unsigned i = 0; i < shared; ++i)
    placeInWorkgroup(builder, entry.getArgument(before.size() + i), function.getName(), i);
  entry.eraseArguments(0, before.size() + shared);
  function.walk([&](gpu::ReturnOp op) {
    builder.setInsertionPoint(op);
    func::ReturnOp::create(builder, op.getLoc());
    op.erase();
  });
  kernel.erase();
}
