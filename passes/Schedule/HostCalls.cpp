//===- HostCalls.cpp - calls of runtime services ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See HostCalls.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/HostCalls.h"

#include "dialects/ContiguousDescriptor.h"

using namespace mlir;
using namespace mica;

Value HostCalls::call(HostService service, Type result, ArrayRef<Value> arguments) const {
  SmallVector<Type> fields(std::max<size_t>(7, static_cast<size_t>(service) + 1), pointer());
  fields.front() = builder.getI32Type();
  auto table = LLVM::LLVMStructType::getLiteral(builder.getContext(), fields);
  Value field = LLVM::GEPOp::create(builder, loc, pointer(), table, function.getArgument(0),
                                    ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(service)});
  SmallVector<Value> operands{LLVM::LoadOp::create(builder, loc, pointer(), field), function.getArgument(1)};
  llvm::append_range(operands, arguments);
  SmallVector<Type> types =
      llvm::map_to_vector(ArrayRef<Value>(operands).drop_front(), [](Value operand) { return operand.getType(); });
  auto called = LLVM::CallOp::create(builder, loc, LLVM::LLVMFunctionType::get(result, types), operands);
  return called->getNumResults() == 0 ? Value() : called.getResult();
}

Value HostCalls::array(Type element, ArrayRef<Value> values) const {
  if (values.empty())
    return LLVM::ZeroOp::create(builder, loc, pointer());
  Value memory;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.getBody().front());
    memory = LLVM::AllocaOp::create(builder, loc, pointer(), element, integer(values.size()));
  }
  for (auto [index, value] : llvm::enumerate(values)) {
    Value slot = LLVM::GEPOp::create(builder, loc, pointer(), element, memory,
                                     ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    LLVM::StoreOp::create(builder, loc, value, slot);
  }
  return memory;
}

void HostCalls::leaveIf(ConversionPatternRewriter &rewriter, Value bad, Value code) const {
  Block *current = rewriter.getInsertionBlock();
  Block *rest = rewriter.splitBlock(current, rewriter.getInsertionPoint());
  rewriter.setInsertionPointToEnd(current);
  LLVM::CondBrOp::create(rewriter, loc, bad, &function.getBody().back(), ValueRange(code), rest, ValueRange());
  rewriter.setInsertionPointToStart(rest);
}

void HostCalls::leaveIfNull(ConversionPatternRewriter &rewriter, Value memory) const {
  Value null = LLVM::ZeroOp::create(builder, loc, pointer());
  Value bad = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, memory, null);
  leaveIf(rewriter, bad, integer(1, 32));
}

void HostCalls::leaveIfNotZero(ConversionPatternRewriter &rewriter, Value code) const {
  Value bad = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, code, integer(0, 32));
  leaveIf(rewriter, bad, code);
}

SmallVector<Value> HostCalls::sizes(MemRefType type, ValueRange dynamic) const {
  SmallVector<Value> all;
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size)) {
      all.push_back(dynamic.front());
      dynamic = dynamic.drop_front();
    } else {
      all.push_back(integer(size));
    }
  }
  return all;
}

Value HostCalls::descriptor(const LLVMTypeConverter &converter, MemRefType type, Value memory,
                            ArrayRef<Value> sizes) const {
  return contiguousDescriptor(builder, loc, converter, type, memory, sizes);
}
