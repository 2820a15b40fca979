//===- Lower.cpp - lowering predicates to arithmetic, and reports to log records --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   mica_check.out_of_bounds load %a[%i, %j] {site = 3}
//   ->
//   call @mica_check_record_6(%log, 3, %part, 1, %i, 1, %extent0, %j, 1, %extent1)
//
// The function increments the site's count, and on the first failure writes the values into its record:
// include/mica/ABI/Checks.h. It is never inlined, because it is rarely executed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/ContiguousDescriptor.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "mica/ABI/Checks.h"
#include "passes/Check/MemoryAccess.h"
#include "passes/Check/Passes.h"
#include "passes/Check/StopLoops.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cstddef>

namespace mica {
#define GEN_PASS_DEF_LOWERCHECKSPASS
#include "passes/Check/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

//===------------------------------------------------------------------------------------------------------------===//
// Predicates
//===------------------------------------------------------------------------------------------------------------===//

namespace {

struct LowerInBounds : OpRewritePattern<check::InBoundsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(check::InBoundsOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, buildInBounds(rewriter, op.getLoc(), op.getBuffer(), op.getIndices(), op.getSizes()));
    return success();
  }
};

/// Whether all lanes of a vector of i1 are true.
Value allOf(OpBuilder &builder, Location loc, Value truths) {
  auto type = dyn_cast<VectorType>(truths.getType());
  if (!type)
    return truths;
  if (type.getRank() != 1)
    truths = vector::ShapeCastOp::create(builder, loc, VectorType::get({type.getNumElements()}, builder.getI1Type()),
                                         truths);
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::AND, truths);
}

/// `value` in every lane of `type`.
Value constantOf(OpBuilder &builder, Location loc, Type type, const APInt &value) {
  auto number = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(vector, number));
  return arith::ConstantOp::create(builder, loc, number);
}

unsigned widthOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

struct LowerDivisible : OpRewritePattern<check::DivisibleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(check::DivisibleOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getRhs().getType();
    const unsigned width = widthOf(type);
    auto differs = [&](Value value, const APInt &from) -> Value {
      return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne, value,
                                   constantOf(rewriter, loc, type, from));
    };
    Value ok = differs(op.getRhs(), APInt::getZero(width));
    if (op.getIsSigned()) {
      Value fits = arith::OrIOp::create(rewriter, loc, differs(op.getLhs(), APInt::getSignedMinValue(width)),
                                        differs(op.getRhs(), APInt::getAllOnes(width)));
      ok = arith::AndIOp::create(rewriter, loc, ok, fits);
    }
    rewriter.replaceOp(op, allOf(rewriter, loc, ok));
    return success();
  }
};

struct LowerShiftable : OpRewritePattern<check::ShiftableOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(check::ShiftableOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getAmount().getType();
    const unsigned width = widthOf(type);
    // For i1, the width itself is not representable.
    if (width == 1) {
      rewriter.replaceOp(op, allOf(rewriter, loc,
                                   arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, op.getAmount(),
                                                         constantOf(rewriter, loc, type, APInt::getZero(1)))));
      return success();
    }
    Value ok = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, op.getAmount(),
                                     constantOf(rewriter, loc, type, APInt(width, width)));
    rewriter.replaceOp(op, allOf(rewriter, loc, ok));
    return success();
  }
};

struct LowerInitialized : OpRewritePattern<check::InitializedOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(check::InitializedOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value written = constantOf(rewriter, loc, op.getOrigins().getType(), APInt::getZero(16));
    rewriter.replaceOp(
        op,
        allOf(rewriter, loc, arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, op.getOrigins(), written)));
    return success();
  }
};

//===------------------------------------------------------------------------------------------------------------===//
// Reading the log
//===------------------------------------------------------------------------------------------------------------===//

/// The word of `type` at `offset` bytes from `base`.
Value wordAt(OpBuilder &builder, Location loc, Value base, size_t offset, Type type) {
  Type ptr = LLVM::LLVMPointerType::get(builder.getContext());
  Value address = LLVM::GEPOp::create(builder, loc, ptr, builder.getI8Type(), base,
                                      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
  return LLVM::LoadOp::create(builder, loc, type, address);
}

/// The shadow of `argument`, whose address is in a table of the log, as a buffer of its sizes.
Value shadowInLog(OpBuilder &builder, BlockArgument argument, Value log) {
  Location loc = argument.getLoc();
  Type ptr = LLVM::LLVMPointerType::get(builder.getContext());
  auto type = cast<MemRefType>(argument.getType());
  Value table = wordAt(builder, loc, log, offsetof(mica_check_log_v1, shadows), ptr);
  Value address = wordAt(builder, loc, table, argument.getArgNumber() * sizeof(void *), ptr);
  LLVMTypeConverter converter(builder.getContext());
  MemRefType shadow = check::ShadowOp::typeFor(type);
  SmallVector<Value> sizes;
  auto constant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim)) {
      sizes.push_back(constant(type.getDimSize(dim)));
      continue;
    }
    Value size = memref::DimOp::create(builder, loc, argument, dim);
    sizes.push_back(arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size));
  }
  Value descriptor = contiguousDescriptor(builder, loc, converter, shadow, address, sizes);
  return UnrealizedConversionCastOp::create(builder, loc, shadow, descriptor).getResult(0);
}

/// Lowers shadows of arguments and the properties that the runtime passes.
void lowerShadows(func::FuncOp function, Value log) {
  function.walk([&](Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value value;
    if (auto shadow = dyn_cast<check::ShadowOp>(op)) {
      value =
          shadow.getMemory() ? shadow.getMemory() : shadowInLog(builder, cast<BlockArgument>(shadow.getBuffer()), log);
    } else if (auto origin = dyn_cast<check::OriginOp>(op)) {
      Value first = wordAt(builder, loc, log, offsetof(mica_check_log_v1, origin), builder.getI64Type());
      Value number = LLVM::AddOp::create(
          builder, loc, first, LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(origin.getLocal())));
      value = LLVM::TruncOp::create(builder, loc, builder.getI16Type(), number);
    } else if (isa<check::PartlyOp>(op)) {
      Value partly = wordAt(builder, loc, log, offsetof(mica_check_log_v1, partly), builder.getI64Type());
      Value none = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
      value = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, partly, none);
    } else {
      return;
    }
    op->replaceAllUsesWith(ValueRange{value});
    op->erase();
  });
}

//===------------------------------------------------------------------------------------------------------------===//
// Reports
//===------------------------------------------------------------------------------------------------------------===//

/// A function of the kernel's module that writes the record of a site: its first two arguments are log and site.
class RecordFunction {
public:
  /// `types`: the types of its further arguments.
  RecordFunction(ModuleOp module, const std::string &name, ArrayRef<Type> types)
      : loc(module.getLoc()), builder(module.getContext()), ptr(LLVM::LLVMPointerType::get(module.getContext())) {
    builder.setInsertionPointToEnd(module.getBody());
    SmallVector<Type> all{ptr, builder.getI64Type()};
    llvm::append_range(all, types);
    function = func::FuncOp::create(builder, loc, name, builder.getFunctionType(all, {}));
    function.setPrivate();
    function->setAttr("llvm.linkage", LLVM::LinkageAttr::get(builder.getContext(), LLVM::Linkage::Internal));
    function->setAttr("passthrough", builder.getStrArrayAttr({"noinline", "nounwind", "cold"}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    Value records = LLVM::LoadOp::create(builder, loc, ptr, at(log(), offsetof(mica_check_log_v1, records)));
    record = LLVM::GEPOp::create(
        builder, loc, ptr, builder.getI8Type(), records,
        ArrayRef<LLVM::GEPArg>{
            LLVM::MulOp::create(builder, loc, argument(1), constant(sizeof(mica_check_record_v1))).getResult()});
  }

  Value constant(int64_t value) { return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)); }
  Value at(Value base, size_t offset) {
    return LLVM::GEPOp::create(builder, loc, ptr, builder.getI8Type(), base,
                               ArrayRef<LLVM::GEPArg>{constant(static_cast<int64_t>(offset))});
  }
  Value log() { return argument(0); }
  Value argument(unsigned number) { return function.getArgument(number); }
  /// Atomically adds to a counter of log or record, and returns the previous value.
  Value plus(Value counter, Value amount) {
    return LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::add, counter, amount,
                                     LLVM::AtomicOrdering::monotonic);
  }
  /// `isRead`: another thread may read it concurrently.
  void write(size_t offset, Value value, bool isRead = false) {
    LLVM::StoreOp::create(builder, loc, value, at(record, offset), /*alignment=*/8, /*isVolatile=*/isRead);
  }
  /// Writes the arguments from `first` on as the record's values.
  void writeValues(unsigned first, unsigned count, bool isRead = false) {
    for (unsigned i = 0; i < count; ++i)
      write(offsetof(mica_check_record_v1, values) + i * sizeof(int64_t), argument(first + i), isRead);
    write(offsetof(mica_check_record_v1, num_values), constant(count), isRead);
  }

  Location loc;
  OpBuilder builder;
  Type ptr;
  func::FuncOp function;
  Value record; ///< its address
};

/// The function that writes records of `count` values, created on first use.
func::FuncOp recordFunction(ModuleOp module, unsigned count) {
  std::string name = "mica_check_record_" + std::to_string(count);
  if (auto found = module.lookupSymbol<func::FuncOp>(name))
    return found;
  // Work partition, number of values, and the values.
  RecordFunction make(module, name, SmallVector<Type>(2 + count, Builder(module.getContext()).getI64Type()));
  Value before = make.plus(make.at(make.record, offsetof(mica_check_record_v1, count)), make.argument(3));
  Value isFirst = LLVM::ICmpOp::create(make.builder, make.loc, LLVM::ICmpPredicate::eq, before, make.constant(0));
  Region &body = make.function.getBody();
  Block *entry = make.builder.getInsertionBlock(), *first = make.builder.createBlock(&body, body.end()),
        *done = make.builder.createBlock(&body, body.end());
  make.builder.setInsertionPointToEnd(entry);
  cf::CondBranchOp::create(make.builder, make.loc, isFirst, first, ValueRange(), done, ValueRange());
  make.builder.setInsertionPointToStart(first);
  make.write(offsetof(mica_check_record_v1, order),
             make.plus(make.at(make.log(), offsetof(mica_check_log_v1, failed)), make.constant(1)));
  make.write(offsetof(mica_check_record_v1, share), make.argument(2));
  make.writeValues(/*first=*/4, count);
  cf::BranchOp::create(make.builder, make.loc, done);
  make.builder.setInsertionPointToStart(done);
  func::ReturnOp::create(make.builder, make.loc);
  return make.function;
}

Value widened(OpBuilder &builder, Location loc, Value value) {
  Type i64 = builder.getI64Type();
  if (value.getType() == i64)
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, i64, value);
  if (value.getType().getIntOrFloatBitWidth() > 64)
    return arith::TruncIOp::create(builder, loc, i64, value);
  return arith::ExtSIOp::create(builder, loc, i64, value);
}

/// The function by which a loop reports its progress: the record of its site holds the latest values, of some work
/// partition.
func::FuncOp loopFunction(ModuleOp module, unsigned count) {
  std::string name = "mica_check_loop_" + std::to_string(count);
  if (auto found = module.lookupSymbol<func::FuncOp>(name))
    return found;
  RecordFunction make(module, name, SmallVector<Type>(count, Builder(module.getContext()).getI64Type()));
  make.writeValues(/*first=*/2, count, /*isRead=*/true);
  func::ReturnOp::create(make.builder, make.loc);
  return make.function;
}

LogicalResult lowerLoopReport(ModuleOp module, check::FailedOp op, Value log) {
  if (!op.getSite())
    return op->emitOpError("has no site: mica-check-number gives it one");
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Value> operands{log, arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(*op.getSite()))};
  for (Value value : op.getValues())
    operands.push_back(widened(builder, loc, value));
  func::CallOp::create(builder, loc, loopFunction(module, op.getValues().size()), operands);
  op->erase();
  return success();
}

/// `amount`: the increment of the site's count; 1 if it is null.
LogicalResult lowerReport(ModuleOp module, Operation *op, std::optional<uint64_t> site, ArrayRef<Value> values,
                          Value log, Value share, Value amount = {}) {
  if (!site)
    return op->emitOpError("has no site: mica-check-number gives it one");
  OpBuilder builder(op);
  Location loc = op->getLoc();
  const size_t count = std::min<size_t>(values.size(), MICA_CHECK_VALUES);
  func::FuncOp record = recordFunction(module, count);
  SmallVector<Value> operands{log, arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(*site)),
                              widened(builder, loc, share)};
  operands.push_back(amount ? amount
                            : arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1)).getResult());
  for (Value value : values.take_front(count))
    operands.push_back(widened(builder, loc, value));
  func::CallOp::create(builder, loc, record, operands);
  op->erase();
  return success();
}

struct LowerChecksPass : mica::impl::LowerChecksPassBase<LowerChecksPass> {
  using LowerChecksPassBase::LowerChecksPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> functions;
    for (func::FuncOp function : module.getOps<func::FuncOp>())
      if (holdsChecks(function))
        functions.push_back(function);
    for (func::FuncOp function : functions)
      if (function->hasAttr(check::kSitesAttr) && failed(lowerFunction(module, function)))
        return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    mica::populateLowerPredicatesPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    GreedyRewriteConfig config;
    config.setMaxIterations(10);
    for (func::FuncOp function : functions)
      if (failed(applyPatternsGreedily(function, frozen, config)))
        return signalPassFailure();
  }

private:
  static bool holdsChecks(func::FuncOp function) {
    return function
        .walk([](Operation *op) {
          return isa_and_present<check::MicaCheckDialect>(op->getDialect()) ? WalkResult::interrupt()
                                                                            : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static bool hasShadows(func::FuncOp function) {
    return function
        .walk([](Operation *op) {
          return isa<check::ShadowOp, check::OriginOp, check::PartlyOp>(op) ? WalkResult::interrupt()
                                                                            : WalkResult::advance();
        })
        .wasInterrupted();
  }

  LogicalResult lowerFunction(ModuleOp module, func::FuncOp function) {
    if (function->getAttrOfType<IntegerAttr>(check::kSitesAttr).getInt() == 0 && !hasShadows(function))
      return success();
    const unsigned count = function.getNumArguments();
    if (!function->hasAttr("mica_sched.grid") || count < 2)
      return function.emitOpError("has checks, but not the arguments part and parts: it is no kernel");
    if (failed(function.insertArgument(count, LLVM::LLVMPointerType::get(&getContext()), DictionaryAttr(),
                                       function.getLoc())))
      return failure();
    Value share = function.getArgument(count - 2), log = function.getArgument(count);
    SmallVector<Operation *> reports;
    function.walk([&](Operation *op) {
      if (isa<check::OutOfBoundsOp, check::FailedOp, check::UninitializedOp>(op))
        reports.push_back(op);
    });
    if (stopLoops)
      stopLoopsAfterFailures(function.getBody().front(), reports);
    for (Operation *op : reports) {
      SmallVector<Value> values;
      if (auto other = dyn_cast<check::FailedOp>(op)) {
        if (other->hasAttr(check::kReportAttr)) {
          if (failed(lowerLoopReport(module, other, log)))
            return failure();
          continue;
        }
        values = other.getValues();
        if (failed(lowerReport(module, op, other.getSite(), values, log, share)))
          return failure();
        continue;
      }
      OpBuilder builder(op);
      if (auto read = dyn_cast<check::UninitializedOp>(op)) {
        values.push_back(arith::ExtUIOp::create(builder, op->getLoc(), builder.getI64Type(), read.getOrigin()));
        values.append(reportedValues(builder, op->getLoc(), read.getBuffer(), read.getIndices(), {}));
        if (failed(lowerReport(module, op, read.getSite(), values, log, share, read.getCount())))
          return failure();
        continue;
      }
      auto access = cast<check::OutOfBoundsOp>(op);
      values = reportedValues(builder, op->getLoc(), access.getBuffer(), access.getIndices(), access.getSizes());
      if (failed(lowerReport(module, op, access.getSite(), values, log, share)))
        return failure();
    }
    lowerShadows(function, log);
    return success();
  }
};

} // namespace

void mica::populateLowerPredicatesPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerInBounds, LowerDivisible, LowerShiftable, LowerInitialized>(patterns.getContext());
}
