//===- KernelOps.cpp - converting device ops in kernels ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   gpu.lane_id                              -> call @mica_sim_lane_3()
//   gpu.barrier                              -> call @mica_sim_point_N()
//   gpu.shuffle xor %v, %offset, %width      -> call @mica_sim_point_N(%v, %offset, %width)
//   nvgpu.device_async_copy ...              -> call @mica_sim_async_copy_N(%to, %from, %bytes, %read)
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "passes/Codegen/Sim/Convert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace {

class KernelOps {
public:
  KernelOps(func::FuncOp function, Markers &markers)
      : function(function), markers(markers), builder(function.getContext()) {}

  LogicalResult convert(Operation *op);

private:
  LogicalResult unknown(Operation *op, const Twine &why = "") {
    return op->emitOpError() << "is not simulated" << (why.isTriviallyEmpty() ? "" : ": ") << why
                             << "; the simulator knows ids, barriers, shuffles, votes, reductions, atomics, "
                                "asynchronous and bulk copies, mbarriers, ldmatrix, mma.sync, wgmma and matrices of a "
                                "subgroup";
  }
  LogicalResult replace(Operation *op, Value value) {
    if (value.getType() != op->getResult(0).getType())
      value = arith::IndexCastOp::create(builder, op->getLoc(), op->getResult(0).getType(), value);
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return success();
  }
  LogicalResult replaceByPoint(Operation *op, mica_sim_point_kind kind, ArrayRef<int32_t> imm, ValueRange operands) {
    auto results =
        markers.point(builder, op->getLoc(), kind, siteFor(op), imm, TypeRange(op->getResultTypes()), operands);
    op->replaceAllUsesWith(results);
    op->erase();
    return success();
  }
  int32_t siteFor(Operation *op) { return siteOf(function, siteText(op->getLoc())); }
  Value constant(Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value i32(Location loc, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }
  Value addressOfElement(Location loc, Value buffer, ValueRange indices);
  /// Whether `count` elements of `buffer` from `indices` on are in bounds, or `exempt` holds; reports where not.
  Value checkBounds(Location loc, check::Access access, Value buffer, ValueRange indices, Value count,
                    Value exempt = {});

  LogicalResult shuffle(gpu::ShuffleOp op);
  LogicalResult broadcast(gpu::SubgroupBroadcastOp op);
  LogicalResult rotate(gpu::RotateOp op);
  LogicalResult vote(NVVM::VoteSyncOp op);
  LogicalResult match(NVVM::MatchSyncOp op);
  LogicalResult barrier(NVVM::BarrierOp op);
  LogicalResult print(gpu::PrintfOp op);
  LogicalResult asyncCopy(nvgpu::DeviceAsyncCopyOp op);
  LogicalResult loadMatrix(nvgpu::LdMatrixOp op);
  LogicalResult mma(nvgpu::MmaSyncOp op);
  LogicalResult roundToTf32(NVVM::ConvertFloatToTF32Op op);

  func::FuncOp function;
  Markers &markers;
  OpBuilder builder;
};

} // namespace

LogicalResult KernelOps::convert(Operation *op) {
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  StringRef space = op->getName().getDialectNamespace();
  if (space != "gpu" && space != "nvgpu" && space != "nvvm") {
    if (auto alloc = dyn_cast<memref::AllocOp>(op); alloc && alloc.getType().getMemorySpaceAsInt() == kWorkgroupSpace) {
      if (!alloc.getType().hasStaticShape() || elementBytesOf(alloc.getType().getElementType()) == 0)
        return op->emitOpError() << "has no size that is known; workgroup memory of sizes known at run time is "
                                    "gpu.dynamic_shared_memory";
      return replace(op, placeInWorkgroup(builder, loc, function, alloc.getType(), markers));
    }
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op);
        dealloc && cast<BaseMemRefType>(dealloc.getMemref().getType()).getMemorySpaceAsInt() == kWorkgroupSpace)
      op->erase();
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      // Not converted yet, since proofs use their value ranges: mica-sim-check-accesses converts them.
      .Case<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>([](Operation *) { return success(); })
      .Case([&](gpu::LaneIdOp id) { return replace(id, markers.lane(builder, loc, 3)); })
      .Case([&](gpu::SubgroupIdOp id) { return replace(id, markers.uniform(builder, loc, MICA_SIM_SUBGROUP_ID)); })
      .Case([&](gpu::NumSubgroupsOp id) { return replace(id, markers.uniform(builder, loc, MICA_SIM_NUM_SUBGROUPS)); })
      .Case([&](gpu::SubgroupSizeOp id) { return replace(id, constant(loc, MICA_SIM_LANES)); })
      .Case([&](gpu::BarrierOp) { return replaceByPoint(op, MICA_SIM_BARRIER, {}, {}); })
      .Case([&](NVVM::Barrier0Op) { return replaceByPoint(op, MICA_SIM_BARRIER, {}, {}); })
      .Case([&](NVVM::BarrierOp op) { return barrier(op); })
      .Case([&](NVVM::BarrierArriveOp op) {
        Value number = op.getBarrierId() ? op.getBarrierId() : i32(loc, 0);
        notePartialBarriers(function);
        return replaceByPoint(op, MICA_SIM_ARRIVE, {}, number);
      })
      .Case([&](NVVM::SyncWarpOp op) {
        notePartialBarriers(function);
        return replaceByPoint(op, MICA_SIM_WARP_BARRIER, {}, op.getMask());
      })
      .Case([&](gpu::DynamicSharedMemoryOp) {
        Value address = markers.uniform(builder, loc, MICA_SIM_DYNAMIC);
        Value bytes = markers.uniform(builder, loc, MICA_SIM_DYNAMIC_BYTES);
        return replace(op, bufferAtAddress(builder, loc, cast<MemRefType>(op->getResult(0).getType()), address, bytes));
      })
      .Case([&](gpu::ShuffleOp op) { return shuffle(op); })
      .Case([&](gpu::SubgroupBroadcastOp op) { return broadcast(op); })
      .Case([&](gpu::RotateOp op) { return rotate(op); })
      .Case([&](NVVM::VoteSyncOp op) { return vote(op); })
      .Case([&](gpu::PrintfOp op) { return print(op); })
      .Case([&](nvgpu::DeviceAsyncCopyOp op) { return asyncCopy(op); })
      .Case([&](nvgpu::DeviceAsyncCreateGroupOp) {
        markers.service(builder, loc, "async_group", {builder.getI32IntegerAttr(siteFor(op))}, {});
        return replace(op, arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false)));
      })
      .Case([&](nvgpu::DeviceAsyncWaitOp wait) {
        Value pending = constant(loc, wait.getNumGroups().value_or(0));
        markers.service(builder, loc, "async_wait", {builder.getI32IntegerAttr(siteFor(op))}, pending);
        op->erase();
        return success();
      })
      .Case([&](NVVM::CpAsyncCommitGroupOp) {
        markers.service(builder, loc, "async_group", {builder.getI32IntegerAttr(siteFor(op))}, {});
        op->erase();
        return success();
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp wait) {
        markers.service(builder, loc, "async_wait", {builder.getI32IntegerAttr(siteFor(op))},
                        constant(loc, wait.getN()));
        op->erase();
        return success();
      })
      .Case([&](NVVM::MatchSyncOp op) { return match(op); })
      .Case([&](nvgpu::LdMatrixOp op) { return loadMatrix(op); })
      .Case([&](nvgpu::MmaSyncOp op) { return mma(op); })
      .Case([&](NVVM::ConvertFloatToTF32Op op) { return roundToTf32(op); })
      .Default([&](Operation *op) { return unknown(op); });
}

/// The address, an index, of an element of `buffer`.
Value KernelOps::addressOfElement(Location loc, Value buffer, ValueRange indices) {
  auto type = cast<MemRefType>(buffer.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  Value element = metadata.getOffset();
  for (auto [index, stride] : llvm::zip_equal(indices, metadata.getStrides()))
    element = arith::AddIOp::create(builder, loc, element, arith::MulIOp::create(builder, loc, index, stride));
  Value bytes = arith::MulIOp::create(builder, loc, element, constant(loc, elementBytesOf(type.getElementType())));
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  return arith::AddIOp::create(builder, loc, base, bytes);
}

Value KernelOps::checkBounds(Location loc, check::Access access, Value buffer, ValueRange indices, Value count,
                             Value exempt) {
  SmallVector<Value> sizes(indices.size(), constant(loc, 1));
  if (!sizes.empty())
    sizes.back() = count;
  Value ok = check::InBoundsOp::create(builder, loc, builder.getI1Type(), buffer, indices, sizes);
  if (exempt)
    ok = arith::OrIOp::create(builder, loc, ok, exempt);
  Value yes = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  auto branch = scf::IfOp::create(builder, loc, arith::XOrIOp::create(builder, loc, ok, yes), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  check::OutOfBoundsOp::create(builder, loc, access, buffer, indices, sizes, IntegerAttr());
  return ok;
}

LogicalResult KernelOps::shuffle(gpu::ShuffleOp op) {
  int64_t bytes = elementBytesOf(op.getValue().getType());
  if (bytes == 0 || bytes > 16)
    return unknown(op, "its value has no 1 to 16 bytes");
  mica_sim_shuffle_mode mode = MICA_SIM_XOR;
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    mode = MICA_SIM_XOR;
    break;
  case gpu::ShuffleMode::DOWN:
    mode = MICA_SIM_DOWN;
    break;
  case gpu::ShuffleMode::UP:
    mode = MICA_SIM_UP;
    break;
  case gpu::ShuffleMode::IDX:
    mode = MICA_SIM_IDX;
    break;
  }
  return replaceByPoint(op, MICA_SIM_SHUFFLE, {mode, int32_t(bytes), op.getShuffleResult().use_empty() ? 0 : 1},
                        {op.getValue(), op.getOffset(), op.getWidth()});
}

LogicalResult KernelOps::broadcast(gpu::SubgroupBroadcastOp op) {
  int64_t bytes = elementBytesOf(op.getSrc().getType());
  if (bytes == 0 || bytes > 16)
    return unknown(op, "its value has no 1 to 16 bytes");
  bool isFirst = op.getBroadcastType() == gpu::BroadcastType::first_active_lane;
  Value lane = isFirst ? i32(op.getLoc(), 0) : op.getLane();
  return replaceByPoint(op, MICA_SIM_BROADCAST, {isFirst, int32_t(bytes)}, {op.getSrc(), lane});
}

LogicalResult KernelOps::rotate(gpu::RotateOp op) {
  Location loc = op.getLoc();
  int64_t bytes = elementBytesOf(op.getValue().getType());
  if (bytes == 0 || bytes > 16)
    return unknown(op, "its value has no 1 to 16 bytes");
  int64_t width = op.getWidth();
  Value lane = arith::IndexCastOp::create(builder, loc, builder.getI32Type(), markers.lane(builder, loc, 3));
  Value sum = arith::AddIOp::create(builder, loc, lane, i32(loc, op.getOffset()));
  Value source = arith::AndIOp::create(builder, loc, sum, i32(loc, width - 1));
  return replaceByPoint(op, MICA_SIM_SHUFFLE, {MICA_SIM_IDX, int32_t(bytes), 1},
                        {op.getValue(), source, i32(loc, width)});
}

LogicalResult KernelOps::vote(NVVM::VoteSyncOp op) {
  switch (op.getKind()) {
  case NVVM::VoteSyncKind::ballot:
    return replaceByPoint(op, MICA_SIM_BALLOT, {4}, op.getPred());
  case NVVM::VoteSyncKind::all:
    return replaceByPoint(op, MICA_SIM_ALL, {0}, op.getPred());
  case NVVM::VoteSyncKind::any:
    return replaceByPoint(op, MICA_SIM_ALL, {1}, op.getPred());
  default:
    return unknown(op, "of votes, any, all and ballot are");
  }
}

LogicalResult KernelOps::match(NVVM::MatchSyncOp op) {
  Location loc = op.getLoc();
  const bool isAll = op.getKind() == NVVM::MatchSyncKind::all;
  auto results =
      markers.point(builder, loc, MICA_SIM_MATCH, siteFor(op), {isAll, int32_t(elementBytesOf(op.getVal().getType()))},
                    {builder.getI32Type(), builder.getI1Type()}, op.getVal());
  Value value = results[0];
  if (isa<LLVM::LLVMStructType>(op.getType())) {
    Value both = LLVM::PoisonOp::create(builder, loc, op.getType());
    both = LLVM::InsertValueOp::create(builder, loc, both, results[0], ArrayRef<int64_t>{0});
    value = LLVM::InsertValueOp::create(builder, loc, both, results[1], ArrayRef<int64_t>{1});
  }
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return success();
}

void sim::notePartialBarriers(func::FuncOp function) {
  auto flags = function->getAttrOfType<IntegerAttr>(kFlagsAttr);
  const auto before = flags ? int32_t(flags.getInt()) : 0;
  function->setAttr(kFlagsAttr, Builder(function.getContext()).getI32IntegerAttr(before | MICA_SIM_PARTIAL_BARRIERS));
}

LogicalResult KernelOps::barrier(NVVM::BarrierOp op) {
  if (op.getReductionOp())
    return unknown(op, "of barriers, those that reduce nothing are");
  if (!op.getBarrierId() && !op.getNumberOfThreads())
    return replaceByPoint(op, MICA_SIM_BARRIER, {}, {});
  notePartialBarriers(function);
  Location loc = op.getLoc();
  Value number = op.getBarrierId() ? op.getBarrierId() : i32(loc, 0);
  Value threads = op.getNumberOfThreads() ? op.getNumberOfThreads() : i32(loc, 0);
  return replaceByPoint(op, MICA_SIM_NAMED_BARRIER, {}, {number, threads});
}

LogicalResult KernelOps::print(gpu::PrintfOp op) {
  Location loc = op.getLoc();
  std::string kinds;
  SmallVector<Value> values;
  Type i64 = builder.getI64Type();
  for (Value value : op.getArgs()) {
    Type type = value.getType();
    if (isa<FloatType>(type)) {
      if (!type.isF64())
        value = arith::ExtFOp::create(builder, loc, builder.getF64Type(), value);
      values.push_back(arith::BitcastOp::create(builder, loc, i64, value));
      kinds += 'f';
    } else if (type.isIndex()) {
      values.push_back(arith::IndexCastOp::create(builder, loc, i64, value));
      kinds += 'i';
    } else if (type.isInteger()) {
      unsigned width = type.getIntOrFloatBitWidth();
      if (width > 64)
        return unknown(op, "integers have up to 64 bits");
      values.push_back(width == 64  ? value
                       : width == 1 ? arith::ExtUIOp::create(builder, loc, i64, value).getResult()
                                    : arith::ExtSIOp::create(builder, loc, i64, value).getResult());
      kinds += 'i';
    } else {
      return unknown(op, "it prints integers and floats");
    }
  }
  markers.service(builder, loc, "print", {op.getFormatAttr(), builder.getStringAttr(kinds)}, values);
  op->erase();
  return success();
}

LogicalResult KernelOps::asyncCopy(nvgpu::DeviceAsyncCopyOp op) {
  Location loc = op.getLoc();
  int64_t element = elementBytesOf(cast<MemRefType>(op.getDst().getType()).getElementType());
  if (element == 0)
    return unknown(op, "its elements have no whole bytes");
  Value to = addressOfElement(loc, op.getDst(), op.getDstIndices());
  Value from = addressOfElement(loc, op.getSrc(), op.getSrcIndices());
  Value bytes = constant(loc, element * op.getDstElements().getSExtValue());
  Value read = bytes;
  Value readCount = constant(loc, op.getDstElements().getSExtValue());
  if (op.getSrcElements()) {
    read = arith::MulIOp::create(builder, loc, op.getSrcElements(), constant(loc, element));
    // More than the destination holds is not read.
    readCount = arith::MinUIOp::create(builder, loc, op.getSrcElements(), readCount);
  }
  // What is outside is not copied; what it would have been copied to becomes 0.
  Value none = constant(loc, 0);
  Value isFrom = checkBounds(loc, check::Access::Load, op.getSrc(), op.getSrcIndices(), readCount);
  Value isTo = checkBounds(loc, check::Access::Store, op.getDst(), op.getDstIndices(),
                           constant(loc, op.getDstElements().getSExtValue()));
  read = arith::SelectOp::create(builder, loc, isFrom, read, none);
  bytes = arith::SelectOp::create(builder, loc, isTo, bytes, none);
  markers.service(builder, loc, "async_copy", {builder.getI32IntegerAttr(siteFor(op))}, {to, from, bytes, read});
  return replace(op, arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false)));
}

LogicalResult KernelOps::loadMatrix(nvgpu::LdMatrixOp op) {
  if (elementBytesOf(cast<MemRefType>(op.getSrcMemref().getType()).getElementType()) == 0)
    return unknown(op, "its elements have no whole bytes");
  Location loc = op.getLoc();
  constexpr int64_t kRowBytes = 16, kRowsOfTile = 8;
  const auto tiles = int64_t(op.getNumTiles());
  Value address = addressOfElement(loc, op.getSrcMemref(), op.getIndices());
  Value lane = markers.lane(builder, loc, 3);
  Value hasNoRow =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, lane, constant(loc, tiles * kRowsOfTile));
  const int64_t element = elementBytesOf(cast<MemRefType>(op.getSrcMemref().getType()).getElementType());
  Value ok = checkBounds(loc, check::Access::Load, op.getSrcMemref(), op.getIndices(),
                         constant(loc, std::max<int64_t>(kRowBytes / element, 1)), hasNoRow);
  address = arith::SelectOp::create(builder, loc, ok, address, constant(loc, MICA_SIM_NO_ADDRESS));
  return replaceByPoint(op, MICA_SIM_LDMATRIX, {int32_t(tiles), op.getTranspose()}, address);
}

LogicalResult KernelOps::mma(nvgpu::MmaSyncOp op) {
  auto a = cast<VectorType>(op.getMatrixA().getType()).getElementType();
  auto c = cast<VectorType>(op.getMatrixC().getType()).getElementType();
  auto [m, n, k] = op.getMmaShapeAsArray();
  int32_t type;
  if (a.isF16())
    type = c.isF16() ? MICA_SIM_MMA_F16_F16 : MICA_SIM_MMA_F16;
  else if (a.isBF16())
    type = MICA_SIM_MMA_BF16;
  else if (a.isF32())
    type = MICA_SIM_MMA_TF32;
  else if (a.isInteger(8))
    type = MICA_SIM_MMA_I8;
  else if (a.isF64())
    type = MICA_SIM_MMA_F64;
  else
    return unknown(op, "inputs are f16, bf16, f32 (tf32), i8 or f64");
  return replaceByPoint(op, MICA_SIM_MMA, {int32_t(m), int32_t(n), int32_t(k), type},
                        {op.getMatrixA(), op.getMatrixB(), op.getMatrixC()});
}

LogicalResult KernelOps::roundToTf32(NVVM::ConvertFloatToTF32Op op) {
  if (op.getRnd() != NVVM::FPRoundingMode::RNA || op.getSat() != NVVM::SaturationMode::NONE || op.getRelu())
    return unknown(op, "of roundings to tf32, that to nearest, ties away from zero, is");
  Location loc = op.getLoc();
  // Add half a unit of the last kept digit, as floats are ordered like the integers of their bits; NaN must stay NaN.
  Value bits = arith::BitcastOp::create(builder, loc, builder.getI32Type(), op.getSrc());
  Value sum = arith::AddIOp::create(builder, loc, bits, i32(loc, 0x1000));
  Value number = arith::AndIOp::create(builder, loc, sum, i32(loc, int32_t(0xFFFFE000)));
  Value isNan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, op.getSrc(), op.getSrc());
  return replace(op, arith::SelectOp::create(builder, loc, isNan, i32(loc, 0x7FFFE000), number));
}

LogicalResult sim::convertKernelOps(func::FuncOp function, Markers &markers) {
  const bool hasTensorCopies =
      function
          .walk([](Operation *op) {
            return isa<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp, NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (failed(convertSubgroupMatrices(function, markers)) || failed(convertBulkOps(function, markers)))
    return failure();
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });
  KernelOps kernel(function, markers);
  bool failed = false;
  for (Operation *op : ops)
    failed |= llvm::failed(kernel.convert(op));
  // Dynamic memory begins where the pattern of each swizzle does.
  constexpr int64_t kSwizzleBytes = 1024;
  if (hasTensorCopies) {
    const int64_t bytes = function->getAttrOfType<IntegerAttr>(kWorkgroupBytesAttr).getInt();
    function->setAttr(kWorkgroupBytesAttr, IntegerAttr::get(IntegerType::get(function.getContext(), 64),
                                                            llvm::alignTo(bytes, kSwizzleBytes)));
  }
  return failure(failed);
}
