//===- LowerDynamicAllocs.cpp - lowering dynamic allocations to calls of the runtime -----------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %t = memref.alloc(%n) : memref<?x8xf32>
//   // becomes
//   %sizes = llvm.alloca 2 x i64 (at the function's start); store %n, 8
//   %p = llvm.call mica_memory_api->allocate("f32", 4, %sizes, 2)
//   %t = <the memref of %p>
//
// The service checks the sizes and does not return if it fails (include/mica/ABI/Memory.h), so the code that follows
// has no error handling.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/BufferLayouts.h"
#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/Signatures.h"
#include "mica/ABI/Memory.h"
#include "mica/Support/Checked.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/Format.h"

namespace mica {
#define GEN_PASS_DEF_LOWERDYNAMICALLOCSPASS
#include "passes/Codegen/Common/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// Positions in mica_memory_api_v1.
enum ApiField { Version, Allocate, Release, AllocateAligned, Reshape };

class AllocLowering {
public:
  AllocLowering(ModuleOp module, int64_t stackBytes, bool keepsAll)
      : program(module), context(module.getContext()), stackBytes(stackBytes), keepsAll(keepsAll) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    for (auto function : program.getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        if (isa<memref::AllocOp, memref::DeallocOp, mica::sched::CheckReshapeOp, mica::sched::CheckSumOp>(op) ||
            isLargeAlloca(op))
          ops.push_back(op);
      });
    for (Operation *op : ops) {
      if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
        release(dealloc);
      else if (auto check = dyn_cast<mica::sched::CheckReshapeOp>(op))
        checkReshape(check);
      else if (auto check = dyn_cast<mica::sched::CheckSumOp>(op))
        checkSum(check);
      else if (failed(allocate(op)))
        return failure();
    }
    return success();
  }

private:
  /// Stack memory of unknown size, or too large for the stack.
  bool isLargeAlloca(Operation *op) {
    auto alloca = dyn_cast<memref::AllocaOp>(op);
    if (!alloca)
      return false;
    MemRefType type = alloca.getType();
    std::optional<int64_t> bytes =
        type.hasStaticShape() ? mica::checkedBytes(type.getShape(), mica::temporaryElementBytes(type.getElementType()))
                              : std::nullopt;
    return !bytes || *bytes > stackBytes;
  }

  Value integer(OpBuilder &builder, Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  }

  /// mica_memory_api-><field>
  Value service(OpBuilder &builder, Location loc, ApiField field) {
    Type pointer = LLVM::LLVMPointerType::get(context);
    mica::sched::makeMemoryApi(program);
    Value slot = LLVM::AddressOfOp::create(builder, loc, pointer, MICA_MEMORY_API_SYMBOL);
    Value table = LLVM::LoadOp::create(builder, loc, pointer, slot);
    SmallVector<Type> fields(std::max<size_t>(field, Release) + 1, pointer);
    fields.front() = builder.getI32Type();
    auto layout = LLVM::LLVMStructType::getLiteral(context, fields);
    Value address = LLVM::GEPOp::create(builder, loc, pointer, layout, table,
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(field)});
    return LLVM::LoadOp::create(builder, loc, pointer, address);
  }

  /// The address of a constant string with the element type `element`, preceded by what names `op`.
  Value nameOf(OpBuilder &builder, Operation *op, Type element) {
    Location loc = op->getLoc();
    std::string text = keepsAll ? mica::sched::sizedText(loc, element) : numberedText(op, element);
    std::string name = "mica_type_";
    for (char c : text)
      name += llvm::isAlnum(c) ? c : '_';
    text.push_back('\0');
    ModuleOp module = program;
    if (!module.lookupSymbol(name)) {
      OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
      auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), text.size());
      LLVM::GlobalOp::create(top, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                             builder.getStringAttr(text));
    }
    return LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(context), name);
  }

  /// `element`, preceded by the position of `op` among the operations of its kernel, as wide as an id. Ids themselves
  /// would be wrong, because dispatches share kernels.
  static std::string numberedText(Operation *op, Type element) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    SmallVector<StringRef> all;
    if (auto ids = op->getParentOfType<ModuleOp>()->getAttrOfType<ArrayAttr>(mica::sched::kOpIdsAttr))
      llvm::append_range(all, ids.getAsValueRange<StringAttr>());
    if (all.empty())
      all = mica::getOpIds(op->getParentOfType<func::FuncOp>());
    for (StringRef id : mica::getOpIds(op))
      if (auto it = llvm::find(all, id); it != all.end() && text.empty())
        stream << llvm::format("#%0*d ", int(mica::kOpIdLength) - 1, int(it - all.begin()));
    const bool isNumbered = !text.empty();
    stream << element;
    // Nested operations have the number of their parent, and a position of their own.
    if (SmallVector<FileLineColLoc> at = mica::getSourcePositions(op->getLoc()); isNumbered && !at.empty())
      stream << " " << at.back().getLine() << ":" << at.back().getColumn();
    return text;
  }

  /// Stores the sizes of `shape`, dynamic ones from `dynamic`, in stack memory; also returns them as values.
  std::pair<Value, SmallVector<Value>> sizeList(OpBuilder &builder, Operation *op, ArrayRef<int64_t> shape,
                                                ValueRange dynamic) {
    Location loc = op->getLoc();
    Type i64 = builder.getI64Type(), pointer = LLVM::LLVMPointerType::get(context);
    SmallVector<Value> sizes;
    for (int64_t size : shape) {
      if (!ShapedType::isDynamic(size)) {
        sizes.push_back(integer(builder, loc, size));
        continue;
      }
      sizes.push_back(arith::IndexCastOp::create(builder, loc, i64, dynamic.front()));
      dynamic = dynamic.drop_front();
    }
    if (sizes.empty())
      return {LLVM::ZeroOp::create(builder, loc, pointer), sizes};
    OpBuilder atStart = OpBuilder::atBlockBegin(&op->getParentOfType<func::FuncOp>().getBody().front());
    Value list = LLVM::AllocaOp::create(atStart, loc, pointer, i64, integer(atStart, loc, sizes.size()));
    for (auto [index, size] : llvm::enumerate(sizes))
      LLVM::StoreOp::create(
          builder, loc, size,
          LLVM::GEPOp::create(builder, loc, pointer, i64, list, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)}));
    return {list, sizes};
  }

  /// mica_memory_api->reshape("f32", rule, from, 1, to, 2)
  void checkShapes(Operation *op, int32_t rule, Type element, ArrayRef<int64_t> from, ValueRange fromSizes,
                   ArrayRef<int64_t> to, ValueRange toSizes) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type i32 = builder.getI32Type(), i64 = builder.getI64Type(), pointer = LLVM::LLVMPointerType::get(context);
    SmallVector<Value> operands{service(builder, loc, Reshape),
                                nameOf(builder, op, element),
                                LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(rule)),
                                sizeList(builder, op, from, fromSizes).first,
                                integer(builder, loc, from.size()),
                                sizeList(builder, op, to, toSizes).first,
                                integer(builder, loc, to.size())};
    auto callee =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer, i32, pointer, i64, pointer, i64});
    LLVM::CallOp::create(builder, loc, callee, operands);
    op->erase();
  }

  void checkReshape(mica::sched::CheckReshapeOp op) {
    auto from = cast<RankedTensorType>(op.getFrom()), to = cast<RankedTensorType>(op.getTo());
    checkShapes(op, op.getSameSizes() ? MICA_RESHAPE_SIZES : MICA_RESHAPE_ELEMENTS, from.getElementType(),
                from.getShape(), op.getFromSizes(), to.getShape(), op.getToSizes());
  }

  void checkSum(mica::sched::CheckSumOp op) {
    SmallVector<int64_t> shape(op.getSizes().size(), ShapedType::kDynamic);
    checkShapes(op, MICA_RESHAPE_SUM, op.getType(), shape, op.getSizes(), {}, {});
  }

  LogicalResult allocate(Operation *op) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    if (!type.getLayout().isIdentity())
      return op->emitOpError() << "of type " << type << " has a layout; memory is allocated without gaps";
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type i64 = builder.getI64Type(), pointer = LLVM::LLVMPointerType::get(context);
    auto [list, sizes] = sizeList(builder, op, type.getShape(), op->getOperands());
    auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
    const bool isAligned = alignment && alignment.getInt() > mica::sched::kBufferAlignment;
    SmallVector<Value> operands{service(builder, loc, isAligned ? AllocateAligned : Allocate),
                                nameOf(builder, op, type.getElementType()),
                                integer(builder, loc, mica::temporaryElementBytes(type.getElementType())), list,
                                integer(builder, loc, type.getRank())};
    SmallVector<Type> types{pointer, i64, pointer, i64};
    if (isAligned) {
      operands.push_back(integer(builder, loc, alignment.getInt()));
      types.push_back(i64);
    }
    Value memory =
        LLVM::CallOp::create(builder, loc, LLVM::LLVMFunctionType::get(pointer, types), operands).getResult();

    LLVMTypeConverter converter(context);
    auto descriptor = MemRefDescriptor::poison(builder, loc, converter.convertType(type));
    descriptor.setAllocatedPtr(builder, loc, memory);
    descriptor.setAlignedPtr(builder, loc, memory);
    descriptor.setConstantOffset(builder, loc, 0);
    Value stride = integer(builder, loc, 1);
    for (int64_t d = type.getRank() - 1; d >= 0; --d) {
      descriptor.setSize(builder, loc, d, sizes[d]);
      descriptor.setStride(builder, loc, d, stride);
      if (d > 0)
        stride = LLVM::MulOp::create(builder, loc, stride, sizes[d]);
    }
    op->getResult(0).replaceAllUsesWith(
        UnrealizedConversionCastOp::create(builder, loc, type, Value(descriptor)).getResult(0));
    op->erase();
    return success();
  }

  void release(memref::DeallocOp op) {
    if (!keepsAll && isa<MemRefType>(op.getMemref().getType())) {
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Value address = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, op.getMemref());
      Value number = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
      Type pointer = LLVM::LLVMPointerType::get(context);
      Value memory = LLVM::IntToPtrOp::create(builder, loc, pointer, number);
      auto callee = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), {pointer});
      LLVM::CallOp::create(builder, loc, callee, ValueRange{service(builder, loc, Release), memory});
    }
    op.erase();
  }

  ModuleOp program;
  MLIRContext *context;
  const int64_t stackBytes;
  const bool keepsAll;
};

struct LowerDynamicAllocsPass : mica::impl::LowerDynamicAllocsPassBase<LowerDynamicAllocsPass> {
  using LowerDynamicAllocsPassBase::LowerDynamicAllocsPassBase;

  void runOnOperation() override {
    if (failed(mica::lowerDynamicAllocs(getOperation(), stackBytes, keepsAll)))
      signalPassFailure();
  }
};

} // namespace

LogicalResult mica::lowerDynamicAllocs(ModuleOp module, int64_t stackBytes, bool keepsAll) {
  if (failed(dropAllocatedLayouts(module)))
    return failure();
  return AllocLowering(module, stackBytes, keepsAll).run();
}
