//===- CheckAccesses.cpp - inserting checks into the simulator's kernels ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Inserts bounds checks, while buffers have shapes; checks of addresses are inserted in the LLVM dialect
// (Instrument.cpp).
//
//   mica_check.out_of_bounds load %a[%i]   ->   call @mica_sim_report_N(%i, %c1, %extent)
//   mica_check.failed "..." (%x)           ->   call @mica_sim_report_N(%x)
//   gpu.thread_id x                        ->   call @mica_sim_lane_0()
//   cf.assert %ok, "..."                   ->   scf.if %not_ok { call @mica_sim_report_N() }
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Passes.h"

#include "dialects/AttributeRules.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "mica/Support/Text.h"
#include "passes/Check/Passes.h"
#include "passes/Codegen/Sim/Convert.h"
#include "passes/Pipelines/Canonicalize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/GlobPattern.h"

namespace mica {
#define GEN_PASS_DEF_CHECKACCESSES
#include "passes/Codegen/Sim/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace {

struct CheckName {
  llvm::StringLiteral name;
  int32_t bits;
};

constexpr int32_t kFaults = MICA_SIM_CHECK_BOUNDS | MICA_SIM_CHECK_RACE | MICA_SIM_CHECK_INIT | MICA_SIM_CHECK_BARRIER |
                            MICA_SIM_CHECK_ASYNC | MICA_SIM_CHECK_ALIGNMENT;

constexpr CheckName kChecks[] = {
    {"none", 0},
    {"all", kFaults},
    {"bounds", MICA_SIM_CHECK_BOUNDS},
    {"race", MICA_SIM_CHECK_RACE},
    {"init", MICA_SIM_CHECK_INIT},
    {"barrier", MICA_SIM_CHECK_BARRIER},
    {"async", MICA_SIM_CHECK_ASYNC},
    {"alignment", MICA_SIM_CHECK_ALIGNMENT},
    {"bank", MICA_SIM_CHECK_BANK},
    {"coalescing", MICA_SIM_CHECK_COALESCING},
    {"barrier-use", MICA_SIM_CHECK_BARRIER_USE},
};

class CheckAccesses : public mica::impl::CheckAccessesBase<CheckAccesses> {
public:
  using CheckAccessesBase::CheckAccessesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Markers markers(module);
    FailureOr<int32_t> bits = parseChecks();
    if (failed(bits))
      return signalPassFailure();
    SmallVector<func::FuncOp> functions;
    int32_t granule = 4;
    for (auto function : module.getOps<func::FuncOp>())
      if (auto name = function->getAttrOfType<StringAttr>(kKernelAttr)) {
        functions.push_back(function);
        granule = std::min(granule, granuleOf(function));
      }
    // A kernel compiled with its own checks reports more about an access.
    auto own = module->getAttrOfType<StringAttr>(mica::codegen::kDeviceChecksAttr);
    const bool checksItself = own && !mica::isOneOf(own, {"none", "divisions", "safe"});
    Builder builder(&getContext());
    for (func::FuncOp function : functions) {
      bool isChecked = matches(function->getAttrOfType<StringAttr>(kKernelAttr).getValue());
      function->setAttr(kChecksAttr, builder.getI32IntegerAttr(isChecked ? *bits : 0));
      function->setAttr(kGranuleAttr, builder.getI32IntegerAttr(granule));
      if (isChecked && !checksItself && (*bits & MICA_SIM_CHECK_BOUNDS))
        if (failed(checkBounds(function)))
          return signalPassFailure();
      if (!isChecked || !(*bits & MICA_SIM_CHECK_BOUNDS))
        function.walk([](check::OutOfBoundsOp op) { op.erase(); });
      lowerReports(function, markers);
      lowerIds(function, markers);
    }
  }

private:
  FailureOr<int32_t> parseChecks() {
    int32_t bits = 0;
    for (StringRef name : llvm::split(checks, '+')) {
      auto known = llvm::find_if(kChecks, [&](const CheckName &check) { return check.name == name; });
      if (known == std::end(kChecks)) {
        std::vector<std::string> names;
        for (const CheckName &check : kChecks)
          names.push_back(check.name.str());
        return getOperation().emitError()
               << "mica-sim-check-accesses: unknown check '" << name << "'; " << unknownNameHint(name.str(), names);
      }
      bits |= known->bits;
    }
    return bits;
  }

  bool matches(StringRef name) {
    return llvm::any_of(llvm::split(kernels, '+'), [&](StringRef pattern) {
      llvm::Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(pattern);
      if (glob)
        return glob->match(name);
      llvm::consumeError(glob.takeError());
      return pattern == name;
    });
  }

  /// Bytes of the smallest elements that threads access individually.
  static int32_t granuleOf(func::FuncOp function) {
    int64_t least = 4;
    function.walk([&](Operation *op) {
      for (Value value : op->getOperands())
        if (auto type = dyn_cast<MemRefType>(value.getType());
            type && isa<MemoryEffectOpInterface>(op) && !isMemoryEffectFree(op)) {
          Type element = getElementTypeOrSelf(type.getElementType());
          int64_t bytes = elementBytesOf(element);
          if (bytes == 0 && element.isIntOrFloat() && element.getIntOrFloatBitWidth() < 8)
            bytes = 1; // elements are bytes in memory
          if (bytes > 0)
            least = std::min(least, bytes);
        }
    });
    return static_cast<int32_t>(least == 3 ? 1 : least);
  }

  LogicalResult checkBounds(func::FuncOp function) {
    OpPassManager pm("func.func");
    pm.addPass(createLowerAffineAccessesPass());
    pm.addPass(createInsertChecksPass());
    pm.addPass(createProveChecksPass());
    pm.addPass(createCanonicalize());
    return runPipeline(pm, function);
  }

  void lowerIds(func::FuncOp function, Markers &markers) {
    function.walk([&](Operation *op) {
      OpBuilder builder(op);
      auto replace = [&](Value value) {
        op->getResult(0).replaceAllUsesWith(value);
        op->erase();
      };
      auto uniform = [&](mica_sim_uniform first, gpu::Dimension dim) {
        replace(markers.uniform(builder, op->getLoc(), mica_sim_uniform(int(first) + int(dim))));
      };
      if (auto id = dyn_cast<gpu::ThreadIdOp>(op))
        replace(markers.lane(builder, op->getLoc(), int32_t(id.getDimension())));
      else if (auto id = dyn_cast<gpu::BlockIdOp>(op))
        uniform(MICA_SIM_BLOCK_ID_X, id.getDimension());
      else if (auto id = dyn_cast<gpu::BlockDimOp>(op))
        uniform(MICA_SIM_BLOCK_DIM_X, id.getDimension());
      else if (auto id = dyn_cast<gpu::GridDimOp>(op))
        uniform(MICA_SIM_GRID_DIM_X, id.getDimension());
    });
    for (StringRef name : {"gpu.known_block_size", "gpu.known_grid_size"})
      function->removeAttr(name);
  }

  void lowerReports(func::FuncOp function, Markers &markers) {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (isa<check::OutOfBoundsOp, check::FailedOp, cf::AssertOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      Location loc = op->getLoc();
      std::string message;
      SmallVector<Value> values;
      if (auto access = dyn_cast<check::OutOfBoundsOp>(op)) {
        message = "outside";
        for (auto [dim, index] : llvm::enumerate(access.getIndices())) {
          values.push_back(index);
          values.push_back(access.getSizes().empty() ? arith::ConstantIndexOp::create(builder, loc, 1).getResult()
                                                     : access.getSizes()[dim]);
          values.push_back(builder.createOrFold<memref::DimOp>(loc, access.getBuffer(), dim));
        }
      } else if (auto other = dyn_cast<check::FailedOp>(op)) {
        message = other.getMessage().str();
        for (Value value : other.getValues())
          values.push_back(value.getType().isIndex()
                               ? value
                               : arith::IndexCastOp::create(builder, loc, builder.getIndexType(), value).getResult());
      } else {
        auto assertion = cast<cf::AssertOp>(op);
        message = "assertion failed: " + assertion.getMsg().str();
        Value on = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
        Value broken = arith::XOrIOp::create(builder, loc, assertion.getArg(), on);
        auto branch = scf::IfOp::create(builder, loc, broken, /*withElseRegion=*/false);
        builder.setInsertionPointToStart(branch.thenBlock());
      }
      markers.service(builder, loc, "report",
                      {builder.getI32IntegerAttr(siteOf(function, siteText(loc))), builder.getStringAttr(message)},
                      values);
      op->erase();
    }
    RewritePatternSet patterns(&getContext());
    populateLowerPredicatesPatterns(patterns);
    GreedyRewriteConfig config;
    config.setMaxIterations(10);
    (void)applyPatternsGreedily(function, std::move(patterns), config);
  }
};

} // namespace
