//===- BuildFaultReplay.cpp - building a fault replay of a kernel -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-codegen-build-fault-replay. The kernel counts failures and stores the operands of the first, but it is tiled
// and vectorized, so it does not know the element. The replay is neither.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/EndlessLoops.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Check/FloatProbes.h"
#include "passes/Check/IntegerPowers.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/Common/ReplayProbes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace mica {
#define GEN_PASS_DEF_BUILDFAULTREPLAYPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

static bool isShift(Operation *op) {
  return isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, index::ShlOp, index::ShrSOp, index::ShrUOp>(op);
}

static bool isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp, index::DivSOp, index::RemSOp,
             index::CeilDivSOp, index::FloorDivSOp>(op);
}

static bool isUnsignedDivision(Operation *op) {
  return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, index::DivUOp, index::RemUOp, index::CeilDivUOp>(op);
}

/// Scalars that are not computed are replaced by 0.
static bool hasZero(Operation *op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndexOrFloat(); });
}

static bool mayFail(Operation *op) {
  if (check::reportsEndless(op))
    return true;
  if (isa<cf::AssertOp, tensor::ExtractOp>(op))
    return hasZero(op);
  if (mayInvertZero(op))
    return hasZero(op);
  if (!isShift(op) && !isSignedDivision(op) && !isUnsignedDivision(op))
    return false;
  APInt divisor;
  const bool isKnown = matchPattern(op->getOperand(1), m_ConstantInt(&divisor));
  return hasZero(op) &&
         !(isKnown && (isShift(op) ? divisor.ult(divisor.getBitWidth()) : !divisor.isZero() && !divisor.isAllOnes()));
}

namespace {
/// Guards one operation by its precondition.
class Prober {
public:
  explicit Prober(Operation *op) : op(op), b(op), loc(op->getLoc()) {}

  void probe() {
    if (auto report = dyn_cast<check::FailedOp>(op)) {
      report.getValuesMutable().assign(elementComputedBy(op, kReportValues));
      report.setMessage("scf.while 0");
      return;
    }
    Value ok = requirement();
    SmallVector<Value> shown = operands();
    SmallVector<Value> element = elementComputedBy(op, kReportValues - shown.size());
    const size_t given = shown.size();
    shown.append(element);
    auto branch = scf::IfOp::create(b, loc, op->getResultTypes(), ok, /*withElseRegion=*/true);
    op->replaceAllUsesWith(branch.getResults());
    b.setInsertionPointToStart(branch.elseBlock());
    check::FailedOp::create(b, loc, (op->getName().getStringRef() + " " + Twine(given)).str(), shown, IntegerAttr());
    if (isa<cf::AssertOp>(op))
      return op->erase();
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
    b.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(b, loc, op->getResults());
    b.setInsertionPointToEnd(branch.elseBlock());
    SmallVector<Value> zeros;
    for (Type type : op->getResultTypes())
      zeros.push_back(arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
    scf::YieldOp::create(b, loc, zeros);
  }

private:
  Value requirement() {
    if (auto assertion = dyn_cast<cf::AssertOp>(op))
      return assertion.getArg();
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      Value ok = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
      for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
        Value size = tensor::DimOp::create(b, loc, extract.getTensor(), dim);
        ok = arith::AndIOp::create(b, loc, ok, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index, size));
      }
      return ok;
    }
    if (auto power = dyn_cast<math::IPowIOp>(op)) {
      auto number = [&](int64_t value) {
        return arith::ConstantOp::create(b, loc, b.getIntegerAttr(power.getType(), value)).getResult();
      };
      return check::DivisibleOp::create(b, loc, b.getI1Type(), power.getLhs(),
                                        invertedBase(b, power, number(0), number(1)), UnitAttr());
    }
    if (isShift(op))
      return check::ShiftableOp::create(b, loc, b.getI1Type(), op->getOperand(1));
    return check::DivisibleOp::create(b, loc, b.getI1Type(), op->getOperand(0), op->getOperand(1),
                                      isSignedDivision(op) ? b.getUnitAttr() : UnitAttr());
  }

  SmallVector<Value> operands() {
    if (isa<cf::AssertOp>(op))
      return {};
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      return llvm::to_vector(extract.getIndices().take_front(kReportValues / 2));
    SmallVector<Value> values = llvm::to_vector(op->getOperands());
    // A report prints signed integers.
    for (Value &value : values)
      if (isUnsignedDivision(op) && !value.getType().isIndex() && value.getType().getIntOrFloatBitWidth() < 64)
        value = arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
    return values;
  }

  Operation *op;
  OpBuilder b;
  Location loc;
};

struct BuildFaultReplayPass : mica::impl::BuildFaultReplayPassBase<BuildFaultReplayPass> {
  using BuildFaultReplayPassBase::BuildFaultReplayPassBase;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    SmallVector<Operation *> probed, computing;
    kernel.walk([&](Operation *op) {
      if (mayFail(op))
        probed.push_back(op);
      else if (floats && computesFloat(op))
        computing.push_back(op);
    });
    SmallVector<bufferization::MaterializeInDestinationOp> results(
        kernel.getOps<bufferization::MaterializeInDestinationOp>());
    if (results.empty() || (probed.empty() && computing.empty()))
      return;
    for (Operation *op : probed)
      Prober(op).probe();
    for (Operation *op : computing) {
      check::FailedOp report = probeFloat(op, [&](size_t most) { return elementComputedBy(op, most); });
      report.setMessage(("float " + report.getMessage()).str());
    }
    keepArgumentsUnchanged(kernel);
    const bool onBuffers = kernel.walk([](sched::BufferRegionOp) { return WalkResult::interrupt(); }).wasInterrupted();
    for (bufferization::MaterializeInDestinationOp result : results) {
      if (onBuffers)
        writeElsewhere(result);
      else
        result.erase();
    }
    describeProbes(kernel, static_cast<int64_t>(probed.size() + computing.size()));
  }

private:
  /// Code on buffers is erased, with its probes, if nothing uses its results.
  static void writeElsewhere(bufferization::MaterializeInDestinationOp result) {
    OpBuilder b(result);
    Location loc = result.getLoc();
    auto type = cast<MemRefType>(result.getDest().getType());
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(memref::DimOp::create(b, loc, result.getDest(), dim));
    Value memory = memref::AllocOp::create(b, loc, type, sizes);
    result.getDestMutable().assign(memory);
  }
};
} // namespace
