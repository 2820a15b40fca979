//===- HostTexts.cpp - string constants of host functions -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See HostTexts.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/HostTexts.h"

#include "dialects/MicaSched/IR/Signatures.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mica;

HostTexts::HostTexts(ModuleOp program) : program(program) {
  for (Operation &op : *program.getBody())
    if (auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      names.insert(name.getValue());
}

static Value addressOfText(OpBuilder &builder, Location loc, StringRef name) {
  return LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), name);
}

Value HostTexts::sized(OpBuilder &builder, Operation *op, MemRefType type) {
  std::string text = sched::sizedText(op->getLoc(), type.getElementType());
  std::string name = "mica_sized_";
  for (char c : text)
    name += llvm::isAlnum(c) ? c : '_';
  if (names.insert(name).second)
    made.push_back({op->getLoc(), name, std::move(text)});
  return addressOfText(builder, op->getLoc(), name);
}

Value HostTexts::message(OpBuilder &builder, Location loc, std::string text) {
  std::string name;
  do
    name = "mica_message_" + std::to_string(next++);
  while (!names.insert(name).second);
  made.push_back({loc, name, std::move(text)});
  return addressOfText(builder, loc, name);
}

void HostTexts::define() {
  for (Text &each : made) {
    OpBuilder builder = OpBuilder::atBlockBegin(program.getBody());
    each.text.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), each.text.size());
    LLVM::GlobalOp::create(builder, each.loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, each.name,
                           builder.getStringAttr(each.text));
  }
  made.clear();
}
