//===- HostOps.cpp - converting device ops in host functions ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   gpu.launch_func @m::@k blocks in (..) threads in (..) args(..)  -> call @mica_sim_launch_N(sizes, bytes, args)
//   gpu.alloc                                                       -> memory of the simulator
//   mgpuTensorMapEncodeTiledMemref                                  -> a tensor map of the simulator
//   gpu.memcpy, gpu.memset                                          -> memref.copy, linalg.fill, and a notification
//   gpu.host_register, gpu.wait, gpu.set_default_device             -> erased: memory is shared, execution sequential
//   memref.alloc, memref.dealloc, buffers that a launch passes      -> kept, and the simulator is told of their memory
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Convert.h"

#include "passes/Codegen/Reference/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::sim;

/// The function of upstream's runtime that makes a tensor map.
static constexpr llvm::StringLiteral kEncodeTensorMap = "mgpuTensorMapEncodeTiledMemref";

namespace {

class HostOps {
public:
  HostOps(ModuleOp module, const llvm::StringMap<func::FuncOp> &kernels, Markers &markers)
      : module(module), kernels(kernels), markers(markers), builder(module.getContext()) {}

  LogicalResult convert(Operation *op);

private:
  LogicalResult launch(gpu::LaunchFuncOp op);
  LogicalResult alloc(gpu::AllocOp op);
  /// Size in bytes of the elements of `buffer`, as an index.
  Value bytesOf(Location loc, Value buffer);
  /// Kernels may access the elements of `buffer` from here on.
  void makeKnown(Location loc, Value buffer);
  void makeKnown(Location loc, Value begin, Value bytes, mica_sim_host_memory state);
  Value addressOf(Location loc, Value buffer) {
    return memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  }
  Value call(Location loc, StringRef name, TypeRange results, ValueRange operands) {
    auto type = builder.getFunctionType(operands.getTypes(), results);
    auto function = markers.declare(("host_" + name).str(), type, kHostServiceAttr, builder.getStringAttr(name), true);
    auto call = func::CallOp::create(builder, loc, function, operands);
    return call.getNumResults() ? call.getResult(0) : Value();
  }
  /// Erases `op`; its token, if it has one, is complete.
  LogicalResult finish(Operation *op, Value token) {
    if (token) {
      builder.setInsertionPoint(op);
      token.replaceAllUsesWith(arith::ConstantOp::create(builder, op->getLoc(), builder.getBoolAttr(true)));
    }
    op->erase();
    return success();
  }

  ModuleOp module;
  const llvm::StringMap<func::FuncOp> &kernels;
  Markers &markers;
  OpBuilder builder;
};

} // namespace

Value HostOps::bytesOf(Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Value bytes = arith::ConstantIndexOp::create(builder, loc, elementBytesOf(type.getElementType()));
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    bytes = arith::MulIOp::create(builder, loc, bytes, memref::DimOp::create(builder, loc, buffer, dim));
  return bytes;
}

void HostOps::makeKnown(Location loc, Value begin, Value bytes, mica_sim_host_memory state) {
  Value number = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(state));
  call(loc, "host_memory", {}, {begin, bytes, number});
}

void HostOps::makeKnown(Location loc, Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  const int64_t element = type ? elementBytesOf(type.getElementType()) : 0;
  if (element == 0 || type.getMemorySpaceAsInt() == kWorkgroupSpace)
    return;
  Value begin = addressOf(loc, buffer);
  if (type.getLayout().isIdentity())
    return makeKnown(loc, begin, bytesOf(loc, buffer), MICA_SIM_HOST_KNOWN);
  // From the lowest element to the highest; strides may be negative.
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value low = metadata.getOffset(), high = metadata.getOffset(), some = constant(1), zero = constant(0);
  for (auto [size, stride] : llvm::zip_equal(metadata.getSizes(), metadata.getStrides())) {
    Value last = arith::MulIOp::create(builder, loc, arith::SubIOp::create(builder, loc, size, constant(1)), stride);
    low = arith::AddIOp::create(builder, loc, low, arith::MinSIOp::create(builder, loc, last, zero));
    high = arith::AddIOp::create(builder, loc, high, arith::MaxSIOp::create(builder, loc, last, zero));
    some = arith::MinSIOp::create(builder, loc, some, size);
  }
  Value first = arith::AddIOp::create(builder, loc, begin, arith::MulIOp::create(builder, loc, low, constant(element)));
  Value count = arith::AddIOp::create(builder, loc, arith::SubIOp::create(builder, loc, high, low), constant(1));
  Value bytes =
      arith::MulIOp::create(builder, loc, arith::MulIOp::create(builder, loc, count, constant(element)), some);
  makeKnown(loc, first, bytes, MICA_SIM_HOST_KNOWN);
}

LogicalResult HostOps::launch(gpu::LaunchFuncOp op) {
  Location loc = op.getLoc();
  std::string key = (op.getKernelModuleName().getValue() + "::" + op.getKernelName().getValue()).str();
  auto found = kernels.find(key);
  if (found == kernels.end())
    return op.emitOpError() << "launches '" << key << "', which no gpu.module of the program has";
  // The blocks of a cluster run one after the other, as all do: what they would wait for is refused in the kernel.
  if (op.hasClusterSize()) {
    const gpu::KernelDim3 clusters = op.getClusterSizeOperandValues(), grid = op.getGridSizeOperandValues();
    for (auto [size, blocks] : {std::pair(clusters.x, grid.x), {clusters.y, grid.y}, {clusters.z, grid.z}}) {
      const std::optional<int64_t> inCluster = getConstantIntValue(size), inGrid = getConstantIntValue(blocks);
      if (inCluster && inGrid && (*inCluster < 1 || *inGrid % *inCluster != 0))
        return op.emitOpError() << "launches a grid of " << *inGrid << " blocks in clusters of " << *inCluster
                                << "; a grid has whole clusters";
    }
  }
  func::FuncOp kernel = found->second;
  for (Value operand : op.getKernelOperands())
    makeKnown(loc, operand);
  llvm::SetVector<StringRef> globals;
  SmallVector<memref::GetGlobalOp> uses;
  kernel.walk([&](memref::GetGlobalOp use) {
    if (globals.insert(use.getName()))
      uses.push_back(use);
  });
  for (memref::GetGlobalOp use : uses)
    makeKnown(loc, memref::GetGlobalOp::create(builder, loc, use.getType(), use.getName()));
  SmallVector<Value> operands;
  auto push = [&](Value value) {
    if (!value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value);
    operands.push_back(value);
  };
  for (gpu::KernelDim3 dims : {op.getGridSizeOperandValues(), op.getBlockSizeOperandValues()})
    for (Value size : {dims.x, dims.y, dims.z})
      push(size);
  if (Value bytes = op.getDynamicSharedMemorySize())
    push(bytes);
  else
    operands.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  llvm::append_range(operands, op.getKernelOperands());
  auto type = builder.getFunctionType(ValueRange(operands).getTypes(), {});
  auto stub = markers.declare("launch_" + key.substr(key.find("::") + 2), type, kLaunchAttr,
                              FlatSymbolRefAttr::get(kernel.getNameAttr()), false);
  stub->setAttr(kLaunchSiteAttr, builder.getStringAttr(siteText(nameSite(op))));
  func::CallOp::create(builder, loc, stub, operands);
  return finish(op, op.getAsyncToken());
}

LogicalResult HostOps::alloc(gpu::AllocOp op) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getMemref().getType());
  int64_t element = elementBytesOf(type.getElementType());
  if (element == 0 || !type.getLayout().isIdentity() || !op.getSymbolOperands().empty())
    return op.emitOpError() << "allocates " << type
                            << ", which is not simulated; elements of whole bytes in row-major order are";
  Value bytes = bytesOrMost(builder, loc, type, op.getDynamicSizes(), element);
  Value shared = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(op.getHostShared()));
  Value address = call(loc, "alloc", builder.getIndexType(), {bytes, shared});
  op.getMemref().replaceAllUsesWith(bufferAtAddress(builder, loc, type, address, op.getDynamicSizes()));
  return finish(op, op.getAsyncToken());
}

LogicalResult HostOps::convert(Operation *op) {
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  if (auto callee = dyn_cast<func::CallOp>(op)) {
    // Calls of upstream's runner library for one device.
    StringRef name = callee.getCallee();
    if (name.starts_with("mgpuMemHostRegister") || name.starts_with("mgpuMemHostUnregister") ||
        name.starts_with("mgpuSetDefaultDevice"))
      return finish(op, {});
    if (name.starts_with("mgpuMemGetDeviceMemRef")) {
      callee.getResult(0).replaceAllUsesWith(callee.getOperand(0));
      return finish(op, {});
    }
    return success();
  }
  if (auto made = dyn_cast<memref::AllocOp>(op)) {
    builder.setInsertionPointAfter(op);
    makeKnown(loc, made.getMemref());
    return success();
  }
  if (auto freed = dyn_cast<memref::DeallocOp>(op); freed && isa<MemRefType>(freed.getMemref().getType())) {
    makeKnown(loc, addressOf(loc, freed.getMemref()), arith::ConstantIndexOp::create(builder, loc, 0),
              MICA_SIM_HOST_FREED);
    return success();
  }
  if (auto called = dyn_cast<LLVM::CallOp>(op);
      called && called.getCallee() == StringRef(kEncodeTensorMap) && called.getNumResults() == 1) {
    called.getResult().replaceAllUsesWith(call(loc, "tensor_map", called.getResultTypes(), called.getArgOperands()));
    called.erase();
    return success();
  }
  if (!isa_and_present<gpu::GPUDialect>(op->getDialect())) {
    StringRef space = op->getName().getDialectNamespace();
    if (space == "nvgpu" || space == "nvvm")
      return op->emitOpError() << "stands in a host function, and is not simulated there";
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](gpu::LaunchFuncOp op) { return launch(op); })
      .Case([&](gpu::AllocOp op) { return alloc(op); })
      .Case([&](gpu::DeallocOp op) {
        call(loc, "dealloc", {}, addressOf(loc, op.getMemref()));
        return finish(op, op.getAsyncToken());
      })
      .Case([&](gpu::MemcpyOp op) {
        memref::CopyOp::create(builder, loc, op.getSrc(), op.getDst());
        call(loc, "copied", {}, {addressOf(loc, op.getDst()), addressOf(loc, op.getSrc()), bytesOf(loc, op.getDst())});
        return finish(op, op.getAsyncToken());
      })
      .Case([&](gpu::MemsetOp op) {
        linalg::FillOp::create(builder, loc, op.getValue(), op.getDst());
        Value none = arith::ConstantIndexOp::create(builder, loc, 0);
        call(loc, "copied", {}, {addressOf(loc, op.getDst()), none, bytesOf(loc, op.getDst())});
        return finish(op, op.getAsyncToken());
      })
      .Case([&](gpu::WaitOp op) { return finish(op, op.getAsyncToken()); })
      .Case<gpu::HostRegisterOp, gpu::HostUnregisterOp, gpu::SetDefaultDeviceOp>(
          [&](Operation *op) { return finish(op, {}); })
      .Default(
          [&](Operation *op) { return op->emitOpError() << "stands in a host function, and is not simulated there"; });
}

LogicalResult sim::convertHostOps(ModuleOp module, const llvm::StringMap<func::FuncOp> &kernels, Markers &markers) {
  SmallVector<Operation *> ops;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function->hasAttr(kKernelAttr))
      function.walk([&](Operation *op) {
        if (op != function.getOperation())
          ops.push_back(op);
      });
  HostOps host(module, kernels, markers);
  bool failed = false;
  for (Operation *op : ops)
    failed |= llvm::failed(host.convert(op));
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function.isExternal() && function.getName().starts_with("mgpu"))
      function.erase();
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kEncodeTensorMap); function && function.isExternal())
    function.erase();
  // Runtime helpers take buffer descriptors by pointer.
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal() && !function.getName().starts_with("mica_sim_") &&
        llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<BaseMemRefType>))
      function->setAttr("llvm.emit_c_interface", UnitAttr::get(module.getContext()));
  return failure(failed);
}
