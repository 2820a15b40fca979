//===- HostMemory.cpp - lowering the memory of host functions ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Allocations, marks and releases, the memory of results, and checks of sizes become calls of the runtime's services.
// Part of convert-mica-sched-to-llvm.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/ABI/Memory.h"
#include "passes/Schedule/HostCalls.h"
#include "passes/Schedule/HostPatterns.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mica;

namespace {
/// The common arguments of services that check sizes: a name, the bytes of an element, the sizes and their number.
SmallVector<Value> sizeArguments(HostTexts &texts, HostCalls &host, OpBuilder &builder, Operation *op, MemRefType type,
                                 int64_t element, ArrayRef<Value> sizes) {
  return {texts.sized(builder, op, type), host.integer(element), host.array(builder.getI64Type(), sizes),
          host.integer(type.getRank())};
}

/// From this size on an allocation may fail, so the operation is named.
constexpr int64_t kMostUnnamedBytes = int64_t(1) << 20;

/// Memory of the host function. If all sizes are static and small, no checks are needed.
template <typename Op> struct AllocLowering : public NamingPattern<Op> {
  using NamingPattern<Op>::NamingPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getType());
    std::optional<int64_t> element = sched::elementBytes(type.getElementType());
    if (!element || !type.getLayout().isIdentity())
      return rewriter.notifyMatchFailure(op, "elements have no fixed size, or there are gaps between them");
    HostCalls host(rewriter, op);
    ValueRange dynamic;
    if constexpr (std::is_same_v<Op, sched::AllocOp>)
      dynamic = adaptor.getSizes();
    else
      dynamic = adaptor.getDynamicSizes();
    SmallVector<Value> sizes = host.sizes(type, dynamic);
    std::optional<int64_t> bytes = sched::bufferBytes(type);
    auto alignment = op->template getAttrOfType<IntegerAttr>("alignment");
    const bool isAligned = alignment && alignment.getInt() > sched::kBufferAlignment;
    Value memory;
    if (std::is_same_v<Op, memref::AllocaOp> && bytes && *bytes <= kMostOnStack) {
      memory = LLVM::AllocaOp::create(rewriter, op.getLoc(), host.pointer(), rewriter.getI8Type(), host.integer(*bytes),
                                      alignment ? alignment.getInt() : sched::kBufferAlignment);
    } else if (bytes && *bytes <= kMostUnnamedBytes && !isAligned) {
      memory = host.call(HostService::Alloc, host.pointer(), host.integer(*bytes));
    } else {
      SmallVector<Value> arguments = sizeArguments(this->texts, host, rewriter, op, type, *element, sizes);
      if (isAligned)
        arguments.push_back(host.integer(alignment.getInt()));
      memory = host.call(isAligned ? HostService::AllocateAligned : HostService::Allocate, host.pointer(), arguments);
    }
    if (!memory.getDefiningOp<LLVM::AllocaOp>())
      host.leaveIfNull(rewriter, memory);
    if constexpr (!std::is_same_v<Op, sched::AllocOp>)
      setToZero(host, rewriter, op.getLoc(), memory, *element, sizes);
    rewriter.replaceOp(op, host.descriptor(*this->getTypeConverter(), type, memory, sizes));
    return success();
  }

  /// Buffers of the program: memory that is read before it is written is 0, as in the reference evaluator. The sizes
  /// are known not to overflow.
  static void setToZero(HostCalls &host, OpBuilder &builder, Location loc, Value memory, int64_t element,
                        ArrayRef<Value> sizes) {
    Value bytes = host.integer(element);
    for (Value size : sizes)
      bytes = LLVM::MulOp::create(builder, loc, bytes, size);
    LLVM::MemsetOp::create(builder, loc, memory, host.integer(0, 8), bytes, /*isVolatile=*/false);
  }

  /// Larger buffers could overflow the stack, in particular in loops.
  static constexpr int64_t kMostOnStack = 1024;
};

struct MarkLowering : public ConvertOpToLLVMPattern<sched::MarkOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sched::MarkOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    HostCalls host(rewriter, op);
    rewriter.replaceOp(op, host.call(HostService::Mark, rewriter.getI64Type(), {}));
    return success();
  }
};

struct ReleaseLowering : public ConvertOpToLLVMPattern<sched::ReleaseOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sched::ReleaseOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    HostCalls host(rewriter, op);
    SmallVector<Value> kept = llvm::map_to_vector(adaptor.getKeep(), [&](Value descriptor) {
      return MemRefDescriptor(descriptor).alignedPtr(rewriter, op.getLoc());
    });
    Value memory = host.array(host.pointer(), kept);
    host.call(HostService::Release, LLVM::LLVMVoidType::get(op.getContext()),
              {adaptor.getMark(), memory, host.integer(kept.size())});
    rewriter.eraseOp(op);
    return success();
  }
};

/// Memory of the host function is released at the end of an iteration (mica-schedule-release-memory), or when the
/// function returns.
struct DeallocLowering : public ConvertOpToLLVMPattern<memref::DeallocOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(memref::DeallocOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

struct ByteSizeLowering : public NamingPattern<sched::ByteSizeOp> {
  using NamingPattern::NamingPattern;
  LogicalResult matchAndRewrite(sched::ByteSizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getType());
    HostCalls host(rewriter, op);
    Value bytes = host.call(HostService::Bytes, rewriter.getI64Type(),
                            sizeArguments(texts, host, rewriter, op, type, *sched::elementBytes(type.getElementType()),
                                          host.sizes(type, adaptor.getSizes())));
    Value bad = LLVM::ICmpOp::create(rewriter, op.getLoc(), LLVM::ICmpPredicate::slt, bytes, host.integer(0));
    host.leaveIf(rewriter, bad, host.integer(1, 32));
    rewriter.replaceOp(op, bytes);
    return success();
  }
};

/// Calls the runtime to compare the sizes `from` with `to` by `rule` (MICA_RESHAPE_*).
void compareSizes(HostCalls &host, ConversionPatternRewriter &rewriter, Value what, int32_t rule, ArrayRef<Value> from,
                  ArrayRef<Value> to) {
  Type i64 = rewriter.getI64Type();
  host.leaveIfNotZero(rewriter, host.call(HostService::Reshape, rewriter.getI32Type(),
                                          {what, host.integer(rule, 32), host.array(i64, from),
                                           host.integer(from.size()), host.array(i64, to), host.integer(to.size())}));
}

struct CheckReshapeLowering : public NamingPattern<sched::CheckReshapeOp> {
  using NamingPattern::NamingPattern;
  LogicalResult matchAndRewrite(sched::CheckReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    HostCalls host(rewriter, op);
    auto bufferOf = [](Type tensor) {
      auto type = cast<RankedTensorType>(tensor);
      return MemRefType::get(type.getShape(), type.getElementType());
    };
    MemRefType from = bufferOf(op.getFrom()), to = bufferOf(op.getTo());
    compareSizes(host, rewriter, texts.sized(rewriter, op, from),
                 op.getSameSizes() ? MICA_RESHAPE_SIZES : MICA_RESHAPE_ELEMENTS,
                 host.sizes(from, adaptor.getFromSizes()), host.sizes(to, adaptor.getToSizes()));
    rewriter.eraseOp(op);
    return success();
  }
};

struct CheckSumLowering : public NamingPattern<sched::CheckSumOp> {
  using NamingPattern::NamingPattern;
  LogicalResult matchAndRewrite(sched::CheckSumOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    HostCalls host(rewriter, op);
    compareSizes(host, rewriter, texts.sized(rewriter, op, MemRefType::get({}, op.getType())), MICA_RESHAPE_SUM,
                 llvm::to_vector(adaptor.getSizes()), {});
    rewriter.eraseOp(op);
    return success();
  }
};

struct ResultLowering : public NamingPattern<sched::ResultOp> {
  using NamingPattern::NamingPattern;
  LogicalResult matchAndRewrite(sched::ResultOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<MemRefType>(op.getType());
    HostCalls host(rewriter, op);
    SmallVector<Value> sizes = host.sizes(type, adaptor.getSizes());
    SmallVector<Value> arguments{host.integer(op.getIndex()), host.array(rewriter.getI64Type(), sizes),
                                 host.integer(type.getRank())};
    // The operation that writes it is named if the allocation may fail.
    std::optional<int64_t> bytes = sched::bufferBytes(type);
    const bool isNamed = !bytes || *bytes > kMostUnnamedBytes;
    if (isNamed)
      arguments.insert(arguments.begin(), texts.sized(rewriter, op, type));
    Value memory = host.call(isNamed ? HostService::ResultOf : HostService::Result, host.pointer(), arguments);
    host.leaveIfNull(rewriter, memory);
    rewriter.replaceOp(op, host.descriptor(*getTypeConverter(), type, memory, sizes));
    return success();
  }
};
} // namespace

void mica::populateHostMemoryPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns,
                                      HostTexts &texts) {
  patterns.add<AllocLowering<sched::AllocOp>, ByteSizeLowering, CheckReshapeLowering, CheckSumLowering, ResultLowering>(
      converter, texts);
  patterns.add<MarkLowering, ReleaseLowering>(converter);
  // Before upstream's, which call malloc and free.
  patterns.add<AllocLowering<memref::AllocOp>, AllocLowering<memref::AllocaOp>>(converter, texts, /*benefit=*/10);
  patterns.add<DeallocLowering>(converter, /*benefit=*/10);
}
