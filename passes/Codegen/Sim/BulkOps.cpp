//===- BulkOps.cpp - converting mbarriers, bulk copies and products of a warpgroup --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   nvvm.mbarrier.arrive.expect_tx %b, %n                 -> call @mica_sim_point_N(address, 1, %n, true)
//   nvvm.mbarrier.try_wait.parity %b, %p, %ticks          -> call @mica_sim_point_N(address, %p)
//   nvvm.cp.async.bulk.tensor.shared.cluster.global ...   -> call @mica_sim_point_N(map, address, mbarrier, true, ..)
//   nvvm.wgmma.mma_async %a, %b, %c                       -> call @mica_sim_point_N(%a, %b, registers of %c)
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Convert.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace {

class BulkOps {
public:
  BulkOps(func::FuncOp function, Markers &markers)
      : function(function), markers(markers), builder(function.getContext()) {}

  LogicalResult convert(Operation *op);

private:
  LogicalResult refuse(Operation *op, const Twine &why) { return op->emitOpError() << "is not simulated: " << why; }
  Value i32(Location loc, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }
  Value address(Location loc, Value pointer) {
    return LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), pointer);
  }
  Value orYes(Location loc, Value predicate) {
    return predicate ? predicate : arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)).getResult();
  }
  Operation::result_range point(Operation *op, mica_sim_point_kind kind, ArrayRef<int32_t> imm, TypeRange results,
                                ValueRange operands) {
    notePartialBarriers(function);
    return markers.point(builder, op->getLoc(), kind, siteOf(function, siteText(op->getLoc())), imm, results, operands);
  }
  /// `count` and `bytes`: 1 and 0 if there are none.
  LogicalResult mbarrier(Operation *op, mica_sim_mbarrier_action action, Value pointer, Value count, Value bytes,
                         Value predicate = {}, bool mayNotComplete = false);
  LogicalResult wait(Operation *op, Value pointer, Value phase, bool isBlocking);
  /// `from`: the tensor map, or a pointer to global memory, of which `coordinates` is the number of bytes.
  LogicalResult copy(Operation *op, mica_sim_bulk_direction direction, Value from, Value workgroup, Value barrier,
                     ValueRange coordinates, bool isTensor, Value predicate);
  LogicalResult group(Operation *op, int32_t action, int32_t pending);
  LogicalResult product(NVVM::WgmmaMmaAsyncOp op);

  func::FuncOp function;
  Markers &markers;
  OpBuilder builder;
};

} // namespace

LogicalResult BulkOps::mbarrier(Operation *op, mica_sim_mbarrier_action action, Value pointer, Value count, Value bytes,
                                Value predicate, bool mayNotComplete) {
  Location loc = op->getLoc();
  auto phase =
      point(op, MICA_SIM_MBARRIER, {action, mayNotComplete}, builder.getI64Type(),
            {address(loc, pointer), count ? count : i32(loc, 1), bytes ? bytes : i32(loc, 0), orYes(loc, predicate)});
  if (op->getNumResults() > 0)
    op->getResult(0).replaceAllUsesWith(phase[0]);
  op->erase();
  return success();
}

LogicalResult BulkOps::wait(Operation *op, Value pointer, Value phase, bool isBlocking) {
  Location loc = op->getLoc();
  const bool isParity = phase.getType().isInteger(32);
  if (isParity)
    phase = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), phase);
  auto isComplete =
      point(op, MICA_SIM_MBARRIER_WAIT, {isParity, isBlocking}, builder.getI1Type(), {address(loc, pointer), phase});
  if (op->getNumResults() > 0)
    op->getResult(0).replaceAllUsesWith(isComplete[0]);
  op->erase();
  return success();
}

LogicalResult BulkOps::copy(Operation *op, mica_sim_bulk_direction direction, Value from, Value workgroup,
                            Value barrier, ValueRange coordinates, bool isTensor, Value predicate) {
  Location loc = op->getLoc();
  if (coordinates.empty() || coordinates.size() > 5)
    return refuse(op, "a tensor map has 1 to 5 dimensions");
  Value none = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  SmallVector<Value> operands{address(loc, from), address(loc, workgroup), barrier ? address(loc, barrier) : none,
                              orYes(loc, predicate)};
  llvm::append_range(operands, coordinates);
  point(op, MICA_SIM_BULK_COPY, {direction, isTensor ? int32_t(coordinates.size()) : 0}, {}, operands);
  op->erase();
  return success();
}

LogicalResult BulkOps::group(Operation *op, int32_t action, int32_t pending) {
  point(op, MICA_SIM_BULK_GROUP, {action, pending}, {}, {});
  op->erase();
  return success();
}

static std::optional<mica_sim_wgmma_type> typeOf(NVVM::WGMMATypes type) {
  switch (type) {
  case NVVM::WGMMATypes::f16:
    return MICA_SIM_WGMMA_F16;
  case NVVM::WGMMATypes::bf16:
    return MICA_SIM_WGMMA_BF16;
  case NVVM::WGMMATypes::tf32:
    return MICA_SIM_WGMMA_TF32;
  case NVVM::WGMMATypes::e4m3:
    return MICA_SIM_WGMMA_E4M3;
  case NVVM::WGMMATypes::e5m2:
    return MICA_SIM_WGMMA_E5M2;
  case NVVM::WGMMATypes::s8:
    return MICA_SIM_WGMMA_S8;
  case NVVM::WGMMATypes::u8:
    return MICA_SIM_WGMMA_U8;
  default:
    return std::nullopt;
  }
}

LogicalResult BulkOps::product(NVVM::WgmmaMmaAsyncOp op) {
  Location loc = op.getLoc();
  const std::optional<mica_sim_wgmma_type> a = typeOf(op.getTypeA()), b = typeOf(op.getTypeB());
  if (!a || !b)
    return refuse(op, "inputs are f16, bf16, tf32, e4m3, e5m2, s8 or u8");
  const bool hasHalfSums = op.getTypeD() == NVVM::WGMMATypes::f16;
  auto registers = cast<LLVM::LLVMStructType>(op.getInouts().getType());
  const int64_t n = op.getShape().getN(), count = hasHalfSums ? n / 4 : n / 2;
  Type element = registers.getBody().empty() ? Type() : registers.getBody()[0];
  if (int64_t(registers.getBody().size()) != count || !llvm::all_equal(registers.getBody()) ||
      !element.isIntOrFloat() || element.getIntOrFloatBitWidth() != 32)
    return refuse(op, "a thread has " + Twine(count) + " registers of 32 bits of the result");
  int32_t flags = 0;
  auto set = [&](bool isSet, mica_sim_wgmma_flag flag) { flags |= isSet ? flag : 0; };
  set(op.getLayoutA() == NVVM::MMALayout::col, MICA_SIM_WGMMA_A_BY_COLUMNS);
  set(op.getLayoutB() == NVVM::MMALayout::row, MICA_SIM_WGMMA_B_BY_ROWS);
  set(op.getScaleD() == NVVM::WGMMAScaleOut::zero, MICA_SIM_WGMMA_NO_SUM);
  set(op.getScaleA() == NVVM::WGMMAScaleIn::neg, MICA_SIM_WGMMA_NEGATE_A);
  set(op.getScaleB() == NVVM::WGMMAScaleIn::neg, MICA_SIM_WGMMA_NEGATE_B);
  set(op.getSatfinite() == NVVM::MMAIntOverflow::satfinite, MICA_SIM_WGMMA_SATURATE);
  if ((flags & (MICA_SIM_WGMMA_A_BY_COLUMNS | MICA_SIM_WGMMA_B_BY_ROWS)) && *a != MICA_SIM_WGMMA_F16 &&
      *a != MICA_SIM_WGMMA_BF16)
    return refuse(op, "matrices of other elements than f16 and bf16 lie along k");

  auto type = VectorType::get({count}, element);
  Value sums = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t i = 0; i < count; ++i)
    sums = LLVM::InsertElementOp::create(builder, loc, sums,
                                         LLVM::ExtractValueOp::create(builder, loc, op.getInouts(), i), i32(loc, i));
  Value made = point(op, MICA_SIM_WGMMA, {int32_t(n), *a | *b << 8 | hasHalfSums << 16, flags}, type,
                     {op.getDescriptorA(), op.getDescriptorB(), sums})[0];
  Value result = LLVM::PoisonOp::create(builder, loc, registers);
  for (int64_t i = 0; i < count; ++i)
    result = LLVM::InsertValueOp::create(builder, loc, result,
                                         LLVM::ExtractElementOp::create(builder, loc, made, i32(loc, i)), i);
  op.getResult().replaceAllUsesWith(result);
  op.erase();
  return success();
}

LogicalResult BulkOps::convert(Operation *any) {
  builder.setInsertionPoint(any);
  return llvm::TypeSwitch<Operation *, LogicalResult>(any)
      .Case([&](NVVM::MBarrierInitOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_INIT, op.getAddr(), op.getCount(), {}, op.getPredicate());
      })
      .Case([&](NVVM::MBarrierInvalOp op) { return mbarrier(op, MICA_SIM_MBARRIER_INVALIDATE, op.getAddr(), {}, {}); })
      .Case([&](NVVM::MBarrierExpectTxOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_ARRIVE, op.getAddr(), i32(op.getLoc(), 0), op.getTxcount());
      })
      .Case([&](NVVM::MBarrierCompleteTxOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_COMPLETE, op.getAddr(), i32(op.getLoc(), 0), op.getTxcount());
      })
      .Case([&](NVVM::MBarrierArriveOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_ARRIVE, op.getAddr(), op.getCount(), {});
      })
      .Case([&](NVVM::MBarrierArriveDropOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_DROP, op.getAddr(), op.getCount(), {});
      })
      .Case([&](NVVM::MBarrierArriveNocompleteOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_ARRIVE, op.getAddr(), op.getCount(), {}, {}, /*mayNotComplete=*/true);
      })
      .Case([&](NVVM::MBarrierArriveDropNocompleteOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_DROP, op.getAddr(), op.getCount(), {}, {}, /*mayNotComplete=*/true);
      })
      .Case([&](NVVM::MBarrierArriveExpectTxOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_ARRIVE, op.getAddr(), {}, op.getTxcount(), op.getPredicate());
      })
      .Case([&](NVVM::MBarrierArriveDropExpectTxOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_DROP, op.getAddr(), {}, op.getTxcount());
      })
      .Case([&](NVVM::CpAsyncMBarrierArriveOp op) {
        return mbarrier(op, MICA_SIM_MBARRIER_COPIED, op.getAddr(), i32(op.getLoc(), op.getNoinc() ? 0 : 1), {});
      })
      .Case([&](NVVM::MBarrierTryWaitParityOp op) { return wait(op, op.getAddr(), op.getPhase(), true); })
      .Case([&](NVVM::MBarrierTestWaitOp op) { return wait(op, op.getAddr(), op.getStateOrPhase(), false); })
      .Case([&](NVVM::MBarrierTryWaitOp op) { return wait(op, op.getAddr(), op.getStateOrPhase(), false); })
      .Case([&](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp op) {
        if (op.getMulticastMask() || op.getMode() != NVVM::TMALoadMode::TILE)
          return refuse(op, "of loads of tensors, those of tiles to the block's own memory are");
        return copy(op, MICA_SIM_BULK_LOAD, op.getTmaDescriptor(), op.getDstMem(), op.getMbar(), op.getCoordinates(),
                    /*isTensor=*/true, op.getPredicate());
      })
      .Case([&](NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp op) {
        if (op.getMode() != NVVM::TMAStoreMode::TILE)
          return refuse(op, "of stores of tensors, those of tiles are");
        return copy(op, MICA_SIM_BULK_STORE, op.getTmaDescriptor(), op.getSrcMem(), {}, op.getCoordinates(),
                    /*isTensor=*/true, op.getPredicate());
      })
      .Case([&](NVVM::CpAsyncBulkGlobalToSharedClusterOp op) {
        if (op.getMulticastMask())
          return refuse(op, "of bulk copies, those to the block's own memory are");
        return copy(op, MICA_SIM_BULK_LOAD, op.getSrcMem(), op.getDstMem(), op.getMbar(), op.getSize(),
                    /*isTensor=*/false, {});
      })
      .Case([&](NVVM::CpAsyncBulkSharedCTAToGlobalOp op) {
        if (op.getByteMask())
          return refuse(op, "of bulk copies, those without a mask are");
        return copy(op, MICA_SIM_BULK_STORE, op.getDstMem(), op.getSrcMem(), {}, op.getSize(), /*isTensor=*/false, {});
      })
      .Case([&](NVVM::CpAsyncBulkCommitGroupOp op) { return group(op, 0, 0); })
      .Case([&](NVVM::CpAsyncBulkWaitGroupOp op) { return group(op, op.getRead() ? 2 : 1, int32_t(op.getGroup())); })
      .Case([&](NVVM::WgmmaMmaAsyncOp op) { return product(op); })
      .Default([](Operation *) { return success(); });
}

LogicalResult sim::convertBulkOps(func::FuncOp function, Markers &markers) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa_and_present<NVVM::NVVMDialect>(op->getDialect()))
      ops.push_back(op);
  });
  BulkOps bulk(function, markers);
  bool failed = false;
  for (Operation *op : ops)
    failed |= llvm::failed(bulk.convert(op));
  return failure(failed);
}
