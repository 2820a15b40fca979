//===- HostCalls.h - calls of runtime services ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Emits calls through the table of include/mica/ABI/Host.h in host functions. Internal to ConvertMicaSchedToLLVM.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SCHEDULE_HOSTCALLS_H
#define MICA_PASSES_SCHEDULE_HOSTCALLS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mica {

/// Fields of mica_host_api_v1, in order.
enum class HostService {
  Version,
  Alloc,
  Result,
  Constant,
  Submit,
  Wait,
  Fail,
  Report,
  Allocate,
  Bytes,
  AllocateAligned,
  ResultOf,
  Reshape,
  Mark,
  Release
};

/// Emits calls of services into one host function. Arguments 0 and 1 of the function are the table and the context; its
/// last block takes an i32 and returns it.
class HostCalls {
public:
  HostCalls(mlir::OpBuilder &builder, mlir::Operation *inside) : HostCalls(builder, inside, inside->getLoc()) {}
  HostCalls(mlir::OpBuilder &builder, mlir::Operation *inside, mlir::Location loc)
      : builder(builder), loc(loc), function(inside->getParentOfType<mlir::LLVM::LLVMFuncOp>()) {}

  mlir::Type pointer() const { return mlir::LLVM::LLVMPointerType::get(builder.getContext()); }
  mlir::Value integer(int64_t value, unsigned bits = 64) const {
    return mlir::LLVM::ConstantOp::create(builder, loc, builder.getIntegerType(bits), value);
  }

  /// api-><service>(ctx, arguments...); null if `result` is void.
  mlir::Value call(HostService service, mlir::Type result, llvm::ArrayRef<mlir::Value> arguments) const;

  /// Stores `values` in memory, as an array of `element`; a null pointer if there are none. The memory is allocated
  /// once per function, so that loops do not grow the stack.
  mlir::Value array(mlir::Type element, llvm::ArrayRef<mlir::Value> values) const;

  /// Returns from the function with `code` if `bad` holds; the builder continues after it.
  void leaveIf(mlir::ConversionPatternRewriter &rewriter, mlir::Value bad, mlir::Value code) const;
  /// The same with 1 if `memory` is null, and with `code` if that is not 0.
  void leaveIfNull(mlir::ConversionPatternRewriter &rewriter, mlir::Value memory) const;
  void leaveIfNotZero(mlir::ConversionPatternRewriter &rewriter, mlir::Value code) const;

  /// The sizes of a buffer of `type`, with the dynamic ones from `dynamic`.
  llvm::SmallVector<mlir::Value> sizes(mlir::MemRefType type, mlir::ValueRange dynamic) const;

  /// The descriptor of a buffer of `type` at `memory`, row-major without gaps.
  mlir::Value descriptor(const mlir::LLVMTypeConverter &converter, mlir::MemRefType type, mlir::Value memory,
                         llvm::ArrayRef<mlir::Value> sizes) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mutable mlir::LLVM::LLVMFuncOp function; // op handles have no const accessors
};

} // namespace mica

#endif // MICA_PASSES_SCHEDULE_HOSTCALLS_H
