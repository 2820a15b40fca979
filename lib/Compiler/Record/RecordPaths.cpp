//===- RecordPaths.cpp - paths of ops in a record -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RecordPaths.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Record/RecordPaths.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

static StringAttr symbolOf(Operation *op) { return op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()); }

static std::string placeOf(Operation *op) {
  if (!op->getBlock())
    return "0";
  return std::to_string(std::distance(op->getBlock()->begin(), Block::iterator(op)));
}

std::string compiler::pathPart(Operation *op) {
  StringAttr symbol = symbolOf(op);
  if (!symbol)
    return "#" + placeOf(op);
  std::string part;
  for (char c : symbol.getValue()) {
    if (c == '.' || c == '\\' || c == '#')
      part += '\\';
    part += c;
  }
  return part;
}

std::string compiler::pathOf(Operation *root, Operation *op) {
  llvm::SmallVector<std::string> parts;
  for (Operation *at = op; at && at != root; at = at->getParentOp())
    parts.push_back(pathPart(at));
  return llvm::join(llvm::reverse(parts), ".");
}

std::string compiler::shortPathOf(Operation *root, Operation *op) {
  llvm::SmallVector<std::string> parts;
  for (Operation *at = op; at && at != root; at = at->getParentOp()) {
    StringAttr symbol = symbolOf(at);
    std::string part = symbol ? symbol.getValue().str() : placeOf(at);
    if (parts.empty() || parts.back() != part)
      parts.push_back(part);
  }
  return llvm::join(llvm::reverse(parts), ".");
}

Operation *compiler::opAt(Operation *root, llvm::StringRef path) {
  if (path.empty())
    return root;
  for (Region &region : root->getRegions())
    for (Block &block : region)
      for (Operation &op : block) {
        llvm::StringRef rest = path;
        if (!rest.consume_front(pathPart(&op)) || (!rest.empty() && !rest.consume_front(".")))
          continue;
        if (Operation *found = opAt(&op, rest))
          return found;
      }
  return nullptr;
}

static std::string fileSafe(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  // File systems limit names to 255 bytes.
  if (result.size() > 120)
    result = result.substr(0, 100) + "_" + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
  return result;
}

std::string compiler::snapshotStem(int position, llvm::StringRef pass, llvm::StringRef shortPath) {
  std::string stem;
  llvm::raw_string_ostream os(stem);
  os << llvm::format("%04d_", position) << fileSafe(pass);
  if (!shortPath.empty())
    os << "@" << fileSafe(shortPath);
  return stem;
}
