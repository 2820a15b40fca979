//===- LowerDeviceChecks.cpp - lowering checks on a device -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   mica_check.out_of_bounds load %a[%i, %j] {site = 3}
//   ->
//   %before = atomicrmw add %log[record 3].count, 1
//   if %before == 0: order, block, thread, %i, 1, %extent0, %j, 1, %extent1 into the record
//
// Emitted inline, because the simulator does not support calls. Only the thread that reads a count of 0 writes the
// record; the host reads it after the launch.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Passes.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "mica/ABI/Gpu.h"
#include "passes/Check/MemoryAccess.h"
#include "passes/Check/Passes.h"
#include "passes/Check/StopLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cstddef>

namespace mica {
#define GEN_PASS_DEF_LOWERDEVICECHECKSPASS
#include "passes/Codegen/GPU/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

/// Writes one report into its record.
class RecordWriter {
public:
  /// `log`: the address of the launch's log, as an integer.
  RecordWriter(Operation *report, Value log, uint64_t site)
      : builder(report), loc(report->getLoc()), i64(builder.getI64Type()),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())), log(log),
        record(sizeof(mica_gpu_check_log_v1) + site * sizeof(mica_gpu_check_record_v1)) {}

  /// `counter`: the log's counter of sites, whose value is the order of this one.
  void write(ValueRange values, size_t counter) {
    Value one = number(1);
    Value before = add(record + offsetof(mica_gpu_check_record_v1, count), one);
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, before, number(0));
    auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
    store(offsetof(mica_gpu_check_record_v1, order), add(counter, one));
    constexpr gpu::Dimension kDimensions[] = {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};
    for (auto [i, dim] : llvm::enumerate(kDimensions)) {
      Type index = builder.getIndexType();
      store(offsetof(mica_gpu_check_record_v1, block) + i * sizeof(int64_t),
            gpu::BlockIdOp::create(builder, loc, index, dim));
      store(offsetof(mica_gpu_check_record_v1, thread) + i * sizeof(int64_t),
            gpu::ThreadIdOp::create(builder, loc, index, dim));
    }
    const size_t count = std::min<size_t>(values.size(), MICA_CHECK_VALUES);
    store(offsetof(mica_gpu_check_record_v1, num_values), number(static_cast<int64_t>(count)));
    for (auto [i, value] : llvm::enumerate(values.take_front(count)))
      store(offsetof(mica_gpu_check_record_v1, values) + i * sizeof(int64_t), value);
  }

private:
  Value number(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 64); }
  Value address(size_t offset) {
    Value sum = arith::AddIOp::create(builder, loc, log, number(static_cast<int64_t>(offset)));
    return LLVM::IntToPtrOp::create(builder, loc, pointer, sum);
  }
  Value add(size_t offset, Value amount) {
    return LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, address(offset), amount,
                                     LLVM::AtomicOrdering::monotonic);
  }
  /// Stores `value`, extended to 64 bits, to the field at `offset` of the record.
  void store(size_t offset, Value value) {
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, i64, value);
    else if (unsigned bits = value.getType().getIntOrFloatBitWidth(); bits > 64)
      value = arith::TruncIOp::create(builder, loc, i64, value);
    else if (bits < 64)
      value = arith::ExtSIOp::create(builder, loc, i64, value);
    LLVM::StoreOp::create(builder, loc, value, address(record + offset));
  }

  OpBuilder builder;
  const Location loc;
  const Type i64, pointer;
  const Value log;
  const size_t record;
};

struct LowerDeviceChecksPass : mica::impl::LowerDeviceChecksPassBase<LowerDeviceChecksPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto device = module.lookupSymbol<gpu::GPUModuleOp>(kGpuModuleName);
    if (!device)
      return;
    RewritePatternSet patterns(&getContext());
    populateLowerPredicatesPatterns(patterns);
    const FrozenRewritePatternSet predicates(std::move(patterns));
    GreedyRewriteConfig config;
    config.setMaxIterations(10);
    llvm::StringMap<gpu::GPUFuncOp> logged;
    const bool stopsLoops = llvm::none_of(module.getOps<func::FuncOp>(), [](func::FuncOp function) {
      auto level = function->getAttrOfType<StringAttr>(check::kLevelAttr);
      return level && level == "warn";
    });
    for (auto kernel : device.getOps<gpu::GPUFuncOp>()) {
      FailureOr<bool> reports = lowerKernel(kernel, stopsLoops);
      if (failed(reports) || failed(applyPatternsGreedily(kernel, predicates, config)))
        return signalPassFailure();
      if (*reports)
        logged[kernel.getName()] = kernel;
    }
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(passLog(module, function, logged)))
        return signalPassFailure();
  }

private:
  /// Whether `kernel` has reports: then the address of the log becomes its last argument.
  static FailureOr<bool> lowerKernel(gpu::GPUFuncOp kernel, bool stopsLoops) {
    SmallVector<Operation *> reports;
    kernel.walk([&](Operation *op) {
      if (isa<check::OutOfBoundsOp, check::FailedOp, check::NotFiniteOp>(op))
        reports.push_back(op);
    });
    if (reports.empty())
      return false;
    if (stopsLoops)
      stopLoopsAfterFailures(kernel.getBody().front(), reports);
    const unsigned last = kernel.getNumArguments();
    if (failed(kernel.insertArgument(last, IntegerType::get(kernel.getContext(), 64), {}, kernel.getLoc())))
      return failure();
    Value log = kernel.getArgument(last);
    for (Operation *op : reports) {
      OpBuilder builder(op);
      SmallVector<Value> values;
      std::optional<uint64_t> site;
      size_t counter = offsetof(mica_gpu_check_log_v1, failed);
      if (auto found = dyn_cast<check::NotFiniteOp>(op)) {
        site = found.getSite();
        counter = offsetof(mica_gpu_check_log_v1, found);
        if (!found.getIndices().empty())
          values = reportedValues(builder, op->getLoc(), found.getBuffer(), found.getIndices(), {});
      } else if (auto other = dyn_cast<check::FailedOp>(op)) {
        site = other.getSite();
        values = other.getValues();
      } else {
        auto access = cast<check::OutOfBoundsOp>(op);
        site = access.getSite();
        values = reportedValues(builder, op->getLoc(), access.getBuffer(), access.getIndices(), access.getSizes());
      }
      if (!site)
        return op->emitOpError("has no site: mica-check-number gives it one");
      RecordWriter(op, log, *site).write(values, counter);
      op->erase();
    }
    return true;
  }

  /// Adds the log to the wrapper's arguments, and passes its address to the kernels in `logged`.
  static LogicalResult passLog(ModuleOp module, func::FuncOp function, const llvm::StringMap<gpu::GPUFuncOp> &logged) {
    SmallVector<gpu::LaunchFuncOp> launches;
    bool launchesAny = false;
    function.walk([&](gpu::LaunchFuncOp launch) {
      launchesAny = true;
      if (logged.contains(launch.getKernelName()))
        launches.push_back(launch);
    });
    OpBuilder builder(function.getContext());
    // The remaining checks are lowered: mica-check-lower has nothing to do here.
    if (launchesAny && function->hasAttr(check::kSitesAttr))
      function->setAttr(check::kSitesAttr, builder.getI64IntegerAttr(0));
    if (launches.empty())
      return success();
    const unsigned last = function.getNumArguments();
    Type pointer = LLVM::LLVMPointerType::get(function.getContext());
    if (failed(function.insertArgument(last, pointer, {}, function.getLoc())))
      return failure();
    builder.setInsertionPointToStart(&function.getBody().front());
    Value address =
        LLVM::PtrToIntOp::create(builder, function.getLoc(), builder.getI64Type(), function.getArgument(last));
    for (gpu::LaunchFuncOp launch : launches)
      launch.getKernelOperandsMutable().append(address);
    Attribute level = function->getAttr(check::kLevelAttr);
    module->setAttr(mica::codegen::kDeviceChecksAttr, level ? level : builder.getStringAttr("all"));
    return success();
  }
};

} // namespace
