//===- ConvertMicaSchedToLLVM.cpp - lowering host functions to the LLVM dialect ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A host function becomes `mica_entry_<name>` of include/mica/ABI/Host.h: its arguments are the runtime's table of
// services and the addresses and sizes of its tensors, and it calls the services for memory, submits and waits. It
// returns when a service fails.
//
//   func.func @forward(%x: memref<4xf32>) -> memref<4xf32> attributes {mica_sched.entry} {
//     %r = mica_sched.result 0 : memref<4xf32>
//     mica_sched.submit @forward_0(%x, %r)
//     return %r
//   }
//   =>
//   llvm.func @mica_entry_forward(%api: !llvm.ptr, %ctx: !llvm.ptr, %args: !llvm.ptr, %dims: !llvm.ptr) -> i32 {
//     %r = api->result(%ctx, 0, sizes, 1); if null: return 1
//     %c = api->submit(%ctx, 0, buffers, scalars); if not 0: return %c
//     return 0
//   }
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/LaunchAttr.h"
#include "dialects/MicaSched/IR/Signatures.h"
#include "dialects/RootBuffer.h"
#include "mica/ABI/Host.h"
#include "mica/ABI/Memory.h"
#include "passes/Schedule/EntryFunction.h"
#include "passes/Schedule/HostCalls.h"
#include "passes/Schedule/HostPatterns.h"
#include "passes/Schedule/HostTexts.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/RuntimeHelpers.h"
#include "passes/Schedule/TaskLists.h"
#include "passes/Tensor/ArgumentNames.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTMICASCHEDTOLLVM
#include "passes/Schedule/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

//===------------------------------------------------------------------------------------------------------------===//
// Patterns
//===------------------------------------------------------------------------------------------------------------===//

namespace {
struct ConstantLowering : public ConvertOpToLLVMPattern<sched::ConstantOp> {
  ConstantLowering(const LLVMTypeConverter &converter, const llvm::DenseMap<Attribute, int64_t> &positions)
      : ConvertOpToLLVMPattern(converter), positions(positions) {}
  LogicalResult matchAndRewrite(sched::ConstantOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getType());
    HostCalls host(rewriter, op);
    Value memory = host.call(HostService::Constant, host.pointer(), host.integer(positions.lookup(op.getValueAttr())));
    host.leaveIfNull(rewriter, memory);
    rewriter.replaceOp(op, host.descriptor(*getTypeConverter(), type, memory, host.sizes(type, {})));
    return success();
  }
  const llvm::DenseMap<Attribute, int64_t> &positions;
};

struct ViewLowering : public ConvertOpToLLVMPattern<sched::ViewOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sched::ViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getType());
    HostCalls host(rewriter, op);
    Value memory = MemRefDescriptor(adaptor.getSource()).alignedPtr(rewriter, op.getLoc());
    if (op.getOffset() > 0)
      memory = LLVM::GEPOp::create(rewriter, op.getLoc(), host.pointer(), rewriter.getI8Type(), memory,
                                   host.integer(op.getOffset()));
    rewriter.replaceOp(op, host.descriptor(*getTypeConverter(), type, memory, host.sizes(type, adaptor.getSizes())));
    return success();
  }
};

struct SubmitLowering : public ConvertOpToLLVMPattern<sched::SubmitOp> {
  SubmitLowering(const LLVMTypeConverter &converter, const llvm::StringMap<int64_t> &positions)
      : ConvertOpToLLVMPattern(converter), positions(positions) {}
  LogicalResult matchAndRewrite(sched::SubmitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    HostCalls host(rewriter, op);
    SmallVector<Value> buffers = llvm::map_to_vector(
        adaptor.getBuffers(), [&](Value buffer) { return MemRefDescriptor(buffer).alignedPtr(rewriter, op.getLoc()); });
    SmallVector<Value> scalars(adaptor.getScalars());
    Value code = host.call(HostService::Submit, rewriter.getI32Type(),
                           {host.integer(positions.lookup(op.getList())), host.array(host.pointer(), buffers),
                            host.array(rewriter.getI64Type(), scalars)});
    host.leaveIfNotZero(rewriter, code);
    rewriter.eraseOp(op);
    return success();
  }
  const llvm::StringMap<int64_t> &positions;
};

struct WaitLowering : public ConvertOpToLLVMPattern<sched::WaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sched::WaitOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    HostCalls host(rewriter, op);
    host.leaveIfNotZero(rewriter, host.call(HostService::Wait, rewriter.getI32Type(), {}));
    rewriter.eraseOp(op);
    return success();
  }
};

/// "cf.assert [3f2a91c07b1e] at m.mlir:3:8", for an operation of kind `kind`.
std::string placeOf(Location loc, StringRef kind) {
  std::string text = kind.str();
  if (SmallVector<StringRef> ids = getOpIds(loc); !ids.empty())
    text += " [" + ids.front().str() + "]";
  if (SmallVector<FileLineColLoc> at = getSourcePositions(loc); !at.empty())
    text += " at " + at.back().getFilename().str() + ":" + std::to_string(at.back().getLine()) + ":" +
            std::to_string(at.back().getColumn());
  return text + callPathText(loc);
}

/// The name of the buffer in a report of an access, if it is an argument or the result of an operation, whose names in
/// the source the runtime knows.
constexpr StringLiteral kBufferNameAttr = "buffer_name";

/// "argument 2", if `buffer` is an argument of `function`.
std::string argumentName(func::FuncOp function, Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  const bool isOfFunction = argument && argument.getOwner() == &function.getBody().front();
  return isOfFunction ? "argument " + std::to_string(argument.getArgNumber()) : "";
}

void nameCheckedBuffers(func::FuncOp function) {
  function.walk([&](check::OutOfBoundsOp op) {
    Value root = rootBuffer(op.getBuffer());
    std::string name = argumentName(function, root);
    if (SmallVector<StringRef> ids = getOpIds(root.getLoc()); !isa<BlockArgument>(root) && !ids.empty()) {
      name = "result " + ids.front().str();
      // The program's name of a copy, if the operation that made it has none.
      for (Operation *user : root.getUsers())
        if (auto copy = dyn_cast<memref::CopyOp>(user); copy && copy.getTarget() == root)
          if (std::string source = argumentName(function, rootBuffer(copy.getSource())); !source.empty()) {
            name += " or " + source;
            break;
          }
    }
    if (!name.empty())
      op->setAttr(kBufferNameAttr, StringAttr::get(op.getContext(), name));
  });
}

/// Reports of checks: the runtime gets operation, position and values, and returns whether the function must end.
template <typename Op> struct ReportLowering : public NamingPattern<Op> {
  ReportLowering(const LLVMTypeConverter &converter, HostTexts &texts, bool warns)
      : NamingPattern<Op>(converter, texts), warns(warns) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    HostCalls host(rewriter, op);
    std::string text;
    SmallVector<Value> values;
    int32_t flags = warns ? MICA_REPORT_WARN : 0;
    if constexpr (std::is_same_v<Op, check::OutOfBoundsOp>) {
      flags |= MICA_REPORT_ACCESS;
      auto name = op->template getAttrOfType<StringAttr>(kBufferNameAttr);
      text = " " + check::stringifyAccess(op.getAccess()).str() + "s outside " +
             (name ? name.getValue() : StringRef("its buffer")).str();
      MemRefDescriptor descriptor(adaptor.getBuffer());
      for (auto [dim, index] : llvm::enumerate(adaptor.getIndices())) {
        values.push_back(index);
        values.push_back(adaptor.getSizes().empty() ? host.integer(1) : adaptor.getSizes()[dim]);
        values.push_back(descriptor.size(rewriter, loc, dim));
      }
    } else {
      text = ": " + op.getMessage().str();
      if (auto report = op->template getAttrOfType<StringAttr>(check::kReportAttr)) {
        op->template getParentOfType<ModuleOp>()->setAttr(check::kReportsAttr, rewriter.getUnitAttr());
        flags = report.getValue() == check::kFloatReport ? MICA_REPORT_FLOATS : MICA_REPORT_LOOP;
      }
      for (Value value : adaptor.getValues())
        values.push_back(value.getType().isInteger(64)
                             ? value
                             : LLVM::SExtOp::create(rewriter, loc, rewriter.getI64Type(), value).getResult());
    }
    Value message = this->texts.message(rewriter, loc, opIdsText(loc) + text);
    Value memory = host.array(rewriter.getI64Type(), values);
    host.leaveIfNotZero(rewriter, host.call(HostService::Report, rewriter.getI32Type(),
                                            {message, memory, host.integer(values.size()), host.integer(flags, 32)}));
    rewriter.eraseOp(op);
    return success();
  }

  const bool warns;
};

/// The common case is a branch; the runtime is only called if the requirement is violated.
struct CheckSizesLowering : public NamingPattern<sched::CheckSizesOp> {
  using NamingPattern::NamingPattern;
  LogicalResult matchAndRewrite(sched::CheckSizesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    HostCalls host(rewriter, op);
    Location loc = op.getLoc();
    Value message = texts.message(rewriter, op->getLoc(), opIdsText(loc) + ": " + op.getMessage().str());
    Block *current = rewriter.getInsertionBlock();
    Block *rest = rewriter.splitBlock(current, rewriter.getInsertionPoint());
    Block *failed = rewriter.createBlock(rest);
    rewriter.setInsertionPointToEnd(current);
    LLVM::CondBrOp::create(rewriter, loc, adaptor.getOk(), rest, ValueRange(), failed, ValueRange());
    rewriter.setInsertionPointToStart(failed);
    Value values = host.array(rewriter.getI64Type(), llvm::to_vector(adaptor.getValues()));
    // A loop that does not end is no fault of sizes.
    const int32_t flags = op->hasAttr(check::kReportAttr) ? 0 : MICA_REPORT_SIZES;
    Value code = host.call(HostService::Report, rewriter.getI32Type(),
                           {message, values, host.integer(adaptor.getValues().size()), host.integer(flags, 32)});
    Block *last = &op->getParentOfType<LLVM::LLVMFuncOp>().getBody().back();
    LLVM::BrOp::create(rewriter, loc, code, last);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Whether a loaded value is used other than by storing it.
bool isUsed(memref::LoadOp load) {
  return llvm::any_of(load->getUsers(), [&](Operation *user) {
    auto store = dyn_cast<memref::StoreOp>(user);
    return !store || llvm::is_contained(store.getIndices(), load.getResult());
  });
}

/// Reports to the runtime that `op` reads or writes the element of type `element` at `address`; the function ends if
/// the runtime returns an error.
static void reportAccess(HostTexts &texts, HostCalls &host, ConversionPatternRewriter &rewriter, Operation *op,
                         Type element, Value address, int32_t flags) {
  Value message = texts.message(rewriter, op->getLoc(), opIdsText(op->getLoc()) + " reads an uninitialized element");
  const int64_t bytes = std::max<int64_t>(1, (element.getIntOrFloatBitWidth() + 7) / 8);
  Value number = LLVM::PtrToIntOp::create(rewriter, op->getLoc(), rewriter.getI64Type(), address);
  Value values = host.array(rewriter.getI64Type(), {number, host.integer(bytes)});
  host.leaveIfNotZero(rewriter, host.call(HostService::Report, rewriter.getI32Type(),
                                          {message, values, host.integer(2), host.integer(flags, 32)}));
}

/// A load or store of an element that is reported to the runtime first: `kUsedAttr` marks the loads that count as uses.
template <typename Op> struct TrackedAccess : public NamingPattern<Op> {
  TrackedAccess(const LLVMTypeConverter &converter, HostTexts &texts, bool warns)
      : NamingPattern<Op>(converter, texts, /*benefit=*/5), warns(warns) {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr bool kLoads = std::is_same_v<Op, memref::LoadOp>;
    Location loc = op.getLoc();
    MemRefType type = op.getMemRefType();
    if (!type.getElementType().isIntOrIndexOrFloat())
      return failure();
    HostCalls host(rewriter, op);
    Value address = this->getStridedElementPtr(rewriter, loc, type, adaptor.getMemref(), adaptor.getIndices());
    Type element = this->getTypeConverter()->convertType(type.getElementType());
    const bool used = kLoads && op->hasAttr(kUsedAttr);
    if (used || !kLoads) {
      const int32_t flags = (kLoads ? MICA_REPORT_READ : MICA_REPORT_WRITE) | (warns ? MICA_REPORT_WARN : 0);
      reportAccess(this->texts, host, rewriter, op, element, address, flags);
    }
    if constexpr (kLoads)
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, element, address);
    else
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(), address);
    return success();
  }

  const bool warns;
};

/// A copy; the runtime is told that all of its target is initialized. The copy itself is lowered as any other.
struct TrackedCopy : public NamingPattern<memref::CopyOp> {
  TrackedCopy(const LLVMTypeConverter &converter, HostTexts &texts) : NamingPattern(converter, texts, /*benefit=*/5) {}

  LogicalResult matchAndRewrite(memref::CopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<MemRefType>(op.getTarget().getType());
    std::optional<int64_t> bytes = type ? sched::elementBytes(type.getElementType()) : std::nullopt;
    if (op->hasAttr(kUsedAttr) || !bytes || !type.getLayout().isIdentity())
      return failure();
    HostCalls host(rewriter, op);
    Location loc = op.getLoc();
    MemRefDescriptor target(adaptor.getTarget());
    Value size = host.integer(*bytes);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      size = LLVM::MulOp::create(rewriter, loc, size, target.size(rewriter, loc, dim));
    Value address = LLVM::PtrToIntOp::create(rewriter, loc, rewriter.getI64Type(), target.alignedPtr(rewriter, loc));
    Value message = texts.message(rewriter, op->getLoc(), std::string(kOpIdLength, ' '));
    host.leaveIfNotZero(rewriter, host.call(HostService::Report, rewriter.getI32Type(),
                                            {message, host.array(rewriter.getI64Type(), {address, size}),
                                             host.integer(2), host.integer(MICA_REPORT_WRITE, 32)}));
    rewriter.modifyOpInPlace(op, [&] { op->setAttr(kUsedAttr, rewriter.getUnitAttr()); });
    return success();
  }
};

/// cf.assert: passes the message to the runtime and ends the function.
struct AssertLowering : public NamingPattern<cf::AssertOp> {
  using NamingPattern::NamingPattern;
  LogicalResult matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::string text = "assertion failed: " + op.getMsg().str() + "; " + placeOf(op.getLoc(), "cf.assert");
    HostCalls host(rewriter, op);
    Block *current = rewriter.getInsertionBlock();
    Block *rest = rewriter.splitBlock(current, rewriter.getInsertionPoint());
    Block *broken = rewriter.createBlock(rest);
    rewriter.setInsertionPointToEnd(current);
    LLVM::CondBrOp::create(rewriter, op.getLoc(), adaptor.getArg(), rest, ValueRange(), broken, ValueRange());
    rewriter.setInsertionPointToEnd(broken);
    host.call(HostService::Fail, rewriter.getI32Type(), texts.message(rewriter, op->getLoc(), text));
    LLVM::ReturnOp::create(rewriter, op.getLoc(), host.integer(1, 32));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Buffers are written already; scalars are stored to the memory of their result.
struct ReturnLowering : public NamingPattern<func::ReturnOp> {
  ReturnLowering(const LLVMTypeConverter &converter, HostTexts &texts, bool tracks)
      : NamingPattern(converter, texts, /*benefit=*/10), tracks(tracks) {}

  LogicalResult matchAndRewrite(func::ReturnOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    HostCalls host(rewriter, op);
    for (auto [index, value] : llvm::enumerate(adaptor.getOperands())) {
      Type type = op.getOperand(index).getType();
      if (isa<MemRefType>(type))
        continue;
      Value memory = host.call(HostService::Result, host.pointer(),
                               {host.integer(index), host.array(rewriter.getI64Type(), {}), host.integer(0)});
      host.leaveIfNull(rewriter, memory);
      Value stored = value;
      if (type.isInteger(1))
        stored = LLVM::ZExtOp::create(rewriter, op.getLoc(), rewriter.getI8Type(), value);
      // The operands of a scalar were checked when they were loaded.
      if (tracks)
        reportAccess(texts, host, rewriter, op, stored.getType(), memory, MICA_REPORT_WRITE);
      LLVM::StoreOp::create(rewriter, op.getLoc(), stored, memory);
    }
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, host.integer(0, 32));
    return success();
  }

  const bool tracks;
};
} // namespace

/// Tells the function of each such call which context it works for, and leaves `entry` if it failed. The runtime
/// measures it.
static void guardHostOps(ModuleOp program, LLVM::LLVMFuncOp entry, HostTexts &texts) {
  SmallVector<func::CallOp> calls;
  entry.walk([&](func::CallOp call) {
    Operation *callee = SymbolTable::lookupSymbolIn(program, call.getCallee());
    if (callee && callee->hasAttr(sched::kHostOpAttr))
      calls.push_back(call);
  });
  if (calls.empty())
    return;
  Location loc = entry.getLoc();
  OpBuilder builder(program.getContext());
  auto pointer = LLVM::LLVMPointerType::get(program.getContext());
  Type i32 = builder.getI32Type();
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> arguments) {
    builder.setInsertionPointToStart(program.getBody());
    auto known = program.lookupSymbol<LLVM::LLVMFuncOp>(name);
    return known ? known : LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(result, arguments));
  };
  LLVM::LLVMFuncOp begin =
      declare(sched::kHostOpBegin, LLVM::LLVMVoidType::get(program.getContext()), {pointer, pointer});
  LLVM::LLVMFuncOp end = declare(sched::kHostOpStatus, i32, {});
  for (func::CallOp call : calls) {
    SmallVector<StringRef> ids = getOpIds(call.getLoc());
    builder.setInsertionPoint(call);
    Value message = texts.message(builder, call.getLoc(),
                                  (ids.empty() ? std::string(kOpIdLength, ' ') : ids.front().str()) + ": " +
                                      call.getCallee().str());
    auto report = [&](int64_t state) {
      HostCalls host(builder, call);
      host.call(HostService::Report, i32,
                {message, host.array(builder.getI64Type(), {host.integer(state)}), host.integer(1),
                 host.integer(MICA_REPORT_HOST_OP, 32)});
    };
    report(0);
    LLVM::CallOp::create(builder, call.getLoc(), begin, ValueRange{entry.getArgument(0), entry.getArgument(1)});
    Block *block = call->getBlock();
    Block *rest = block->splitBlock(std::next(call->getIterator()));
    builder.setInsertionPointToEnd(block);
    report(1);
    Value status = LLVM::CallOp::create(builder, call.getLoc(), end, ValueRange()).getResult();
    Value none = LLVM::ConstantOp::create(builder, call.getLoc(), builder.getI32IntegerAttr(0));
    Value bad = LLVM::ICmpOp::create(builder, call.getLoc(), LLVM::ICmpPredicate::ne, status, none);
    LLVM::CondBrOp::create(builder, call.getLoc(), bad, &entry.getBody().back(), ValueRange(status), rest,
                           ValueRange());
  }
}

namespace {
class ConvertMicaSchedToLLVM : public mica::impl::ConvertMicaSchedToLLVMBase<ConvertMicaSchedToLLVM> {
public:
  using ConvertMicaSchedToLLVMBase::ConvertMicaSchedToLLVMBase;

  void runOnOperation() override {
    ModuleOp program = getOperation();
    llvm::DenseMap<Attribute, int64_t> constants;
    SmallVector<Attribute> numbered;
    for (auto [index, value] : llvm::enumerate(collectConstants(program))) {
      constants[value] = index;
      numbered.push_back(value);
    }
    // Constants of host functions are represented by their numbers from here on.
    if (!numbered.empty())
      program->setAttr(sched::kConstantsAttr, ArrayAttr::get(&getContext(), numbered));
    llvm::StringMap<int64_t> lists;
    for (auto [index, list] : llvm::enumerate(program.getOps<sched::TaskListOp>()))
      lists[list.getSymName()] = index;

    LLVMTypeConverter converter(&getContext());
    HostTexts texts(program);
    RewritePatternSet patterns(&getContext());
    // Not all of upstream's expansion of arith: its maximumf does not distinguish -0 and +0.
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateMathToLibmConversionPatterns(patterns, /*benefit=*/0);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    populateHostMemoryPatterns(converter, patterns, texts);
    patterns.add<CheckSizesLowering>(converter, texts);
    patterns.add<ViewLowering, WaitLowering>(converter);
    patterns.add<ReturnLowering>(converter, texts, trackReads);
    patterns.add<AssertLowering>(converter, texts, /*benefit=*/10);
    bool warns = false;
    for (auto function : program.getOps<func::FuncOp>())
      if (auto level = function->getAttrOfType<StringAttr>(check::kLevelAttr))
        warns |= level == "warn";
    patterns.add<ReportLowering<check::OutOfBoundsOp>, ReportLowering<check::FailedOp>>(converter, texts, warns);
    if (trackReads) {
      program.walk([](memref::LoadOp load) {
        if (isUsed(load))
          load->setAttr(kUsedAttr, UnitAttr::get(load.getContext()));
      });
      patterns.add<TrackedAccess<memref::LoadOp>, TrackedAccess<memref::StoreOp>>(converter, texts, warns);
      patterns.add<TrackedCopy>(converter, texts);
    }
    patterns.add<ConstantLowering>(converter, constants);
    patterns.add<SubmitLowering>(converter, lists);
    FrozenRewritePatternSet frozen(std::move(patterns));
    ConversionTarget target(getContext());
    target.addLegalDialect<LLVM::LLVMDialect>();
    target.addLegalOp<UnrealizedConversionCastOp>();

    if (failed(declareHelpers(program, converter)))
      return signalPassFailure();
    for (func::FuncOp function : llvm::make_early_inc_range(program.getOps<func::FuncOp>())) {
      if (!function->hasAttr(sched::kEntryAttr) || function.isExternal())
        continue;
      for (Type type : function.getFunctionType().getInputs())
        if (!isa<MemRefType>(type) && !type.isIntOrIndexOrFloat()) {
          function.emitOpError() << "takes an argument of type " << type
                                 << "; an entry takes tensors, integers, index and floats";
          return signalPassFailure();
        }
      if (failed(lowerHostVectors(function)))
        return signalPassFailure();
      nameArguments(function);
      nameCheckedBuffers(function);
      LLVM::LLVMFuncOp entry = sched::makeEntry(function, converter);
      // A declaration that keeps the signature of the entry.
      function.setPrivate();
      guardHostOps(program, entry, texts);
      if (failed(applyFullConversion(entry, target, frozen)))
        return signalPassFailure();
      SmallVector<UnrealizedConversionCastOp> casts;
      entry.walk([&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
      reconcileUnrealizedCasts(casts);
    }
    texts.define();
    SmallVector<int64_t> signature{static_cast<int64_t>(lists.size())};
    for (const TaskListInfo &list : collectTaskLists(program)) {
      signature.append({list.parameters, list.scalars, static_cast<int64_t>(list.tasks.size())});
      for (const TaskListInfo::Task &task : list.tasks) {
        signature.append({mica_name_hash(task.kernel.data(), static_cast<int64_t>(task.kernel.size())),
                          static_cast<int64_t>(task.scalars.size())});
        signature.append(task.scalars.begin(), task.scalars.end());
      }
    }
    if (!lists.empty())
      sched::makeSignature(program, program.getLoc(), MICA_LIST_SIGNATURES_SYMBOL, signature);
    // Functions of libm that the conversion declared.
    if (failed(declareHelpers(program, converter)))
      return signalPassFailure();
    connectHelpers(program);
  }
};
} // namespace
