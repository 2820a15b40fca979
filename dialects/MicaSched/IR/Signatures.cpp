//===- Signatures.cpp - what compiled code takes for granted ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Signatures.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/Signatures.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/ABI/Memory.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mica;

void sched::appendSignature(SmallVectorImpl<int64_t> &numbers, Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  Type element = shaped ? shaped.getElementType() : type;
  numbers.push_back(elementBytes(element).value_or(-1));
  const bool hasShape = shaped && shaped.hasRank();
  numbers.push_back(hasShape ? shaped.getRank() : 0);
  for (int64_t size : hasShape ? shaped.getShape() : ArrayRef<int64_t>())
    numbers.push_back(ShapedType::isDynamic(size) ? -1 : size);
}

void sched::makeSignature(ModuleOp module, Location loc, const Twine &name, ArrayRef<int64_t> numbers) {
  const std::string symbol = name.str();
  if (module.lookupSymbol(symbol))
    return;
  SmallVector<int64_t> all{MICA_SIGNATURE_VERSION};
  llvm::append_range(all, numbers);
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto values =
      DenseElementsAttr::get(RankedTensorType::get({int64_t(all.size())}, builder.getI64Type()), ArrayRef(all));
  LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(builder.getI64Type(), all.size()), /*isConstant=*/true,
                         LLVM::Linkage::External, symbol, values, /*alignment=*/8);
}

bool sched::hasMemoryApi(ModuleOp module) { return module.lookupSymbol(MICA_MEMORY_API_SYMBOL) != nullptr; }

void sched::makeMemoryApi(ModuleOp module) {
  if (hasMemoryApi(module))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  Location loc = module.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  // Each kernel has one; in the program they are the same.
  auto slot = LLVM::GlobalOp::create(builder, loc, pointer, /*isConstant=*/false, LLVM::Linkage::Weak,
                                     MICA_MEMORY_API_SYMBOL, Attribute());
  builder.createBlock(&slot.getInitializerRegion());
  LLVM::ReturnOp::create(builder, loc, LLVM::ZeroOp::create(builder, loc, pointer).getResult());
}

std::string sched::sizedText(Location loc, Type element) {
  SmallVector<StringRef> ids = getOpIds(loc);
  std::string text = (ids.empty() ? std::string(kOpIdLength, ' ') : ids.front().str()) + " ";
  llvm::raw_string_ostream stream(text);
  stream << element;
  if (SmallVector<FileLineColLoc> at = getSourcePositions(loc); ids.empty() && !at.empty())
    stream << " " << at.back().getFilename().getValue() << ":" << at.back().getLine() << ":" << at.back().getColumn();
  return text;
}
