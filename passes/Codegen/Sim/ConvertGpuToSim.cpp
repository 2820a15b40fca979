//===- ConvertGpuToSim.cpp - converting kernels to functions that call markers ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// In this order: memory spaces become integers and tokens of asynchronous ops booleans, ops get the names of their
// sites, kernels move out of their modules, their bodies are converted (KernelOps.cpp), then host functions
// (HostOps.cpp).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Passes.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Sim/Convert.h"
#include "passes/Codegen/Sim/Expand.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVAttributes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTGPUTOSIM
#include "passes/Codegen/Sim/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

int64_t sim::elementBytesOf(Type element) {
  if (element.isIndex())
    return 8;
  if (auto vector = dyn_cast<VectorType>(element)) {
    // Vectors of sub-byte elements are packed.
    const bool whole = vector.getElementType().isIndex() || vector.getElementTypeBitWidth() % 8 == 0;
    return vector.isScalable() || !whole ? 0 : vector.getNumElements() * elementBytesOf(vector.getElementType());
  }
  if (!element.isIntOrFloat())
    return 0;
  // LLVM's layout in arrays.
  return static_cast<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)));
}

Value sim::bufferAtAddress(OpBuilder &builder, Location loc, MemRefType type, Value address, ValueRange sizes) {
  Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext(), type.getMemorySpaceAsInt());
  Value pointer = LLVM::IntToPtrOp::create(builder, loc, pointerType, number);
  return bufferAt(builder, loc, type, pointer, sizes);
}

Value sim::placeInWorkgroup(OpBuilder &builder, Location loc, func::FuncOp function, MemRefType type, Markers &markers,
                            int64_t alignment) {
  constexpr int64_t kAlignment = 16;
  int64_t used = function->getAttrOfType<IntegerAttr>(kWorkgroupBytesAttr).getInt();
  used = llvm::alignTo(used, std::max(alignment, kAlignment));
  int64_t bytes = type.getNumElements() * elementBytesOf(type.getElementType());
  int64_t after = llvm::alignTo(used + bytes, kAlignment);
  function->setAttr(kWorkgroupBytesAttr, builder.getI64IntegerAttr(after));
  Value base = markers.uniform(builder, loc, MICA_SIM_WORKGROUP);
  Value address = arith::AddIOp::create(builder, loc, base, arith::ConstantIndexOp::create(builder, loc, used));
  return bufferAtAddress(builder, loc, type, address, {});
}

namespace {

class ConvertGpuToSim : public mica::impl::ConvertGpuToSimBase<ConvertGpuToSim> {
public:
  void runOnOperation() override {
    program = getOperation();
    sim::Markers markers(program);
    this->markers = &markers;
    kernels.clear();
    if (failed(sim::expandClusterIds(program)))
      return signalPassFailure();
    nameSites();
    replaceTypes();
    if (failed(checkSpaces()))
      return signalPassFailure();
    SmallVector<gpu::GPUModuleOp> modules(program.getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp module : modules)
      if (failed(moveModule(module)))
        return signalPassFailure();
    if (failed(sim::convertHostOps(program, kernels, markers)))
      return signalPassFailure();
    for (gpu::GPUModuleOp module : modules)
      module.erase();
    program->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

private:
  void nameSites();
  void replaceTypes();
  LogicalResult checkSpaces();
  void noteLaunchSizes(gpu::GPUModuleOp module, gpu::GPUFuncOp kernel, func::FuncOp function);
  LogicalResult moveModule(gpu::GPUModuleOp module);
  LogicalResult moveKernel(gpu::GPUModuleOp module, gpu::GPUFuncOp kernel);
  LogicalResult convertGlobals(gpu::GPUModuleOp module, func::FuncOp function);

  ModuleOp program;
  sim::Markers *markers = nullptr;
  llvm::StringMap<func::FuncOp> kernels;
};

} // namespace

/// Stores site names in locations, since later passes create instructions whose locations are the only link to their
/// op.
void ConvertGpuToSim::nameSites() {
  program.walk(
      [](gpu::GPUFuncOp kernel) { kernel.getBody().walk([](Operation *op) { op->setLoc(sim::nameSite(op)); }); });
}

void ConvertGpuToSim::replaceTypes() {
  AttrTypeReplacer replacer;
  Builder builder(&getContext());
  replacer.addReplacement([&](gpu::AddressSpaceAttr space) -> Attribute {
    switch (space.getValue()) {
    case gpu::AddressSpace::Workgroup:
      return builder.getI64IntegerAttr(sim::kWorkgroupSpace);
    case gpu::AddressSpace::Private:
      return builder.getI64IntegerAttr(sim::kPrivateSpace);
    default:
      return builder.getI64IntegerAttr(0);
    }
  });
  // As SPIR-V names them, by convert-gpu-to-spirv's conventions.
  auto spaceOf = [](Attribute space) -> std::optional<int64_t> {
    if (auto known = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
      return known.getValue() == gpu::AddressSpace::Workgroup ? sim::kWorkgroupSpace : 0;
    if (auto known = dyn_cast_or_null<spirv::StorageClassAttr>(space))
      return known.getValue() == spirv::StorageClass::Workgroup ? sim::kWorkgroupSpace : 0;
    return std::nullopt;
  };
  // A thread's private memory is found by following an address to its allocation, so it needs no memory space.
  replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
    Attribute space = type.getMemorySpace();
    if (std::optional<int64_t> known = spaceOf(space))
      space = builder.getI64IntegerAttr(*known);
    auto number = dyn_cast_or_null<IntegerAttr>(space);
    if (!number)
      return std::nullopt;
    if (number.getInt() != sim::kWorkgroupSpace)
      space = Attribute();
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(), space);
  });
  replacer.addReplacement([&](gpu::AsyncTokenType) -> Type { return builder.getI1Type(); });
  replacer.addReplacement([&](nvgpu::DeviceAsyncTokenType) -> Type { return builder.getI1Type(); });
  replacer.recursivelyReplaceElementsIn(program, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
}

/// Memory spaces are numbers now, but for those of dialects that say nothing of what they are on a GPU.
LogicalResult ConvertGpuToSim::checkSpaces() {
  Operation *unknown = nullptr;
  Attribute space;
  auto isUnknown = [&](Type type) {
    auto buffer = dyn_cast<BaseMemRefType>(type);
    space = buffer ? buffer.getMemorySpace() : Attribute();
    return space && !isa<IntegerAttr>(space);
  };
  for (gpu::GPUModuleOp module : program.getOps<gpu::GPUModuleOp>())
    module.walk([&](Operation *op) {
      if (llvm::any_of(op->getOperandTypes(), isUnknown) || llvm::any_of(op->getResultTypes(), isUnknown)) {
        unknown = op;
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
  if (unknown)
    return unknown->emitError() << "memory space " << space
                                << " is not simulated; those of gpu.address_space, of spirv.storage_class, and NVVM's "
                                   "numbers are";
  return success();
}

LogicalResult ConvertGpuToSim::moveModule(gpu::GPUModuleOp module) {
  for (auto kernel : llvm::make_early_inc_range(module.getBody()->getOps<gpu::GPUFuncOp>())) {
    if (!kernel.isKernel()) {
      if (!SymbolTable::symbolKnownUseEmpty(kernel, module))
        return kernel.emitError() << "calls of gpu.func are not known; make it a func.func of the module";
      continue;
    }
    if (failed(moveKernel(module, kernel)))
      return failure();
  }
  return success();
}

/// Records the sizes that all launches of a kernel agree on, for proofs. The kernel's own attributes are not trusted.
void ConvertGpuToSim::noteLaunchSizes(gpu::GPUModuleOp module, gpu::GPUFuncOp kernel, func::FuncOp function) {
  std::optional<SmallVector<int32_t>> sizes;
  bool known = true;
  program.walk([&](gpu::LaunchFuncOp launch) {
    if (launch.getKernelModuleName() != module.getName() || launch.getKernelName() != kernel.getName())
      return;
    SmallVector<int32_t> now;
    for (gpu::KernelDim3 dims : {launch.getBlockSizeOperandValues(), launch.getGridSizeOperandValues()})
      for (Value size : {dims.x, dims.y, dims.z}) {
        std::optional<int64_t> number = getConstantIntValue(size);
        known &= number && *number > 0 && *number <= INT32_MAX;
        now.push_back(number ? int32_t(*number) : 0);
      }
    known &= !sizes || *sizes == now;
    sizes = now;
  });
  if (!known || !sizes)
    return;
  Builder builder(&getContext());
  function->setAttr("gpu.known_block_size", builder.getDenseI32ArrayAttr(ArrayRef(*sizes).take_front(3)));
  function->setAttr("gpu.known_grid_size", builder.getDenseI32ArrayAttr(ArrayRef(*sizes).drop_front(3)));
}

/// Whether threads may compute or load addresses: what the launch passes then does not show which memory they access.
static bool usesRawAddresses(func::FuncOp kernel) {
  auto isRaw = [](Value value) {
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(value.getType());
    return pointer && pointer.getAddressSpace() != sim::kWorkgroupSpace;
  };
  auto isElsewhere = [](Type type) { return isa<BaseMemRefType, LLVM::LLVMPointerType>(type); };
  // The device alone reads tensor maps.
  auto isTensorMap = [](BlockArgument argument) {
    return llvm::all_of(
        argument.getUsers(),
        llvm::IsaPred<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp, NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>);
  };
  if (llvm::any_of(kernel.getArguments(), [&](BlockArgument argument) {
        auto buffer = dyn_cast<BaseMemRefType>(argument.getType());
        return (isRaw(argument) && !isTensorMap(argument)) || isa<UnrankedMemRefType>(argument.getType()) ||
               (buffer && isElsewhere(buffer.getElementType()));
      }))
    return true;
  return kernel
      .walk([&](Operation *op) {
        if (auto made = dyn_cast<memref::AllocOp>(op))
          if (made.getType().getMemorySpaceAsInt() != sim::kWorkgroupSpace)
            return WalkResult::interrupt();
        const bool makesAddress = isa<LLVM::IntToPtrOp, LLVM::LoadOp, memref::LoadOp>(op) && op->getNumResults() == 1 &&
                                  (isRaw(op->getResult(0)) || isa<BaseMemRefType>(op->getResult(0).getType()));
        return makesAddress ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Places stack memory of sizes that only a run knows where allocations are; it is released at the end of its block.
static void placeDynamicStack(func::FuncOp kernel) {
  SmallVector<memref::AllocaOp> allocas;
  kernel.walk([&](memref::AllocaOp op) {
    if (!op.getType().hasStaticShape())
      allocas.push_back(op);
  });
  for (memref::AllocaOp op : allocas) {
    OpBuilder builder(op);
    Value memory = memref::AllocOp::create(builder, op.getLoc(), op.getType(), op.getDynamicSizes(),
                                           op.getSymbolOperands(), op.getAlignmentAttr());
    op.replaceAllUsesWith(memory);
    builder.setInsertionPoint(op->getBlock()->getTerminator());
    op.erase();
    memref::DeallocOp::create(builder, memory.getLoc(), memory);
  }
}

LogicalResult ConvertGpuToSim::moveKernel(gpu::GPUModuleOp module, gpu::GPUFuncOp kernel) {
  OpBuilder builder(module);
  Location loc = kernel.getLoc();
  std::string key = (module.getName() + "::" + kernel.getName()).str();
  std::string symbol = ("mica_sim_kernel_" + module.getName() + "_" + kernel.getName()).str();
  SmallVector<MemRefType> attributions;
  for (BlockArgument argument : kernel.getBody().getArguments().drop_front(kernel.getFunctionType().getNumInputs()))
    attributions.push_back(cast<MemRefType>(argument.getType()));
  unsigned numWorkgroup = kernel.getNumWorkgroupAttributions();
  auto function = func::FuncOp::create(builder, loc, symbol, kernel.getFunctionType());
  function.setPrivate();
  function->setAttr(sim::kKernelAttr, kernel.getNameAttr());
  function->setAttr(sim::kWorkgroupBytesAttr, builder.getI64IntegerAttr(0));
  noteLaunchSizes(module, kernel, function);
  function.getBody().takeBody(kernel.getBody());
  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  for (auto [i, type] : llvm::enumerate(attributions)) {
    BlockArgument argument = entry.getArgument(function.getNumArguments() + i);
    if (!type.hasStaticShape() || sim::elementBytesOf(type.getElementType()) == 0)
      return function.emitError() << "attribution " << type << " has no size that is known";
    Value memory = i < numWorkgroup ? sim::placeInWorkgroup(builder, loc, function, type, *markers)
                                    : memref::AllocaOp::create(builder, loc, type).getResult();
    argument.replaceAllUsesWith(memory);
  }
  entry.eraseArguments(function.getNumArguments(), attributions.size());
  placeDynamicStack(function);
  if (usesRawAddresses(function))
    function->setAttr(sim::kFlagsAttr, builder.getI32IntegerAttr(MICA_SIM_RAW_ADDRESSES));
  SmallVector<Operation *> returns;
  function.walk([&](gpu::ReturnOp op) { returns.push_back(op); });
  for (Operation *op : returns) {
    builder.setInsertionPoint(op);
    func::ReturnOp::create(builder, op->getLoc());
    op->erase();
  }
  kernels[key] = function;
  // Device functions were inlined before; a remaining call is recursive.
  auto call = function.walk([&](func::CallOp op) {
    return op.getCallee().starts_with("mica_sim_") ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (call.wasInterrupted()) {
    Operation *left = nullptr;
    function.walk([&](func::CallOp op) {
      if (!op.getCallee().starts_with("mica_sim_"))
        left = op;
    });
    return left->emitError() << "the simulator does not take calls of functions outside the module, nor functions that "
                                "call themselves, in kernels";
  }
  if (failed(convertGlobals(module, function)))
    return failure();
  return sim::convertKernelOps(function, *markers);
}

/// Replaces each write to `buffer`, which is constant memory, or to a view of it, by a report.
static void dropWrites(Value buffer) {
  for (Operation *op : llvm::make_early_inc_range(buffer.getUsers())) {
    if (isa<ViewLikeOpInterface>(op)) {
      for (Value result : op->getResults())
        if (isa<BaseMemRefType>(result.getType()))
          dropWrites(result);
      continue;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (!effects || !effects.getEffectOnValue<MemoryEffects::Write>(buffer))
      continue;
    OpBuilder builder(op);
    check::FailedOp::create(builder, op->getLoc(), "writes to constant memory", ValueRange(), IntegerAttr());
    for (Value result : op->getResults())
      result.replaceAllUsesWith(
          arith::ConstantOp::create(builder, op->getLoc(), builder.getZeroAttr(result.getType())).getResult());
    op->erase();
  }
}

/// Globals of workgroup memory are allocated per kernel; the others move to the host module, with the device module's
/// name as a prefix.
LogicalResult ConvertGpuToSim::convertGlobals(gpu::GPUModuleOp module, func::FuncOp function) {
  SmallVector<memref::GetGlobalOp> uses;
  function.walk([&](memref::GetGlobalOp op) { uses.push_back(op); });
  llvm::StringMap<Value> placed;
  for (memref::GetGlobalOp use : uses) {
    auto global = module.lookupSymbol<memref::GlobalOp>(use.getName());
    if (!global)
      return use.emitError() << "unknown global '" << use.getName() << "'";
    if (auto type = cast<MemRefType>(use.getType()); type.getMemorySpaceAsInt() == sim::kWorkgroupSpace) {
      Value &memory = placed[use.getName()];
      if (!memory) {
        OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
        // An array without elements is where dynamic memory begins, as `extern __shared__` is in CUDA.
        if (type.getNumElements() == 0)
          memory = sim::bufferAtAddress(builder, global.getLoc(), type,
                                        markers->uniform(builder, global.getLoc(), MICA_SIM_DYNAMIC), {});
        else
          memory = sim::placeInWorkgroup(builder, global.getLoc(), function, type, *markers,
                                         int64_t(global.getAlignment().value_or(1)));
      }
      use.replaceAllUsesWith(memory);
      use.erase();
      continue;
    }
    std::string symbol = ("mica_sim_global_" + module.getName() + "_" + global.getName()).str();
    if (!program.lookupSymbol(symbol)) {
      OpBuilder builder(module);
      auto copy = cast<memref::GlobalOp>(builder.clone(*global));
      copy.setSymName(symbol);
      copy.setPrivate();
    }
    use.setName(symbol);
    if (global.getConstant())
      dropWrites(use.getResult());
  }
  return success();
}
