//===- DetailText.cpp - describing differences ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See DetailText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/DetailText.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Maximum length of an attribute or type in a detail, and of a constant in the description of a value.
static constexpr size_t kLongestText = 160, kLongestConstant = 40;
/// Maximum number of elements of a tensor that are printed as in the text.
static constexpr int64_t kMostElements = 8;

static std::string shorten(std::string text, size_t longest = kLongestText) {
  if (text.size() > longest)
    text = text.substr(0, longest) + "...";
  return text;
}

/// The first difference is more important than the beginning of the texts.
static Detail textDetail(std::string what, std::string before, std::string after) {
  size_t common = 0;
  while (common < before.size() && common < after.size() && before[common] == after[common])
    ++common;
  if (!before.empty() && !after.empty() && common > kLongestText / 2) {
    size_t from = common - kLongestText / 4;
    before = "..." + before.substr(from);
    after = "..." + after.substr(from);
  }
  return {std::move(what), shorten(std::move(before)), shorten(std::move(after))};
}

static std::string printed(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(attr);
  const AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!attr) {
    return "";
  } else if (auto dense = dyn_cast<DenseElementsAttr>(attr);
             dense && !dense.isSplat() && dense.getNumElements() > kMostElements) {
    os << "dense<" << dense.getNumElements() << " elements> : " << dense.getType();
  } else if (blob) {
    llvm::ArrayRef<char> bytes = blob->getData();
    auto hash = llvm::xxh3_64bits(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
    os << "dense_resource<" << resourceName(resource) << ">, " << bytes.size() << " bytes with the hash "
       << llvm::utohexstr(hash, /*LowerCase=*/true) << ", : " << resource.getType();
  } else if (resource) {
    os << "dense_resource<" << resourceName(resource) << "> : " << resource.getType();
  } else {
    os << attr;
  }
  return text;
}

/// For two tensors of one type, the first element that differs.
static bool elementDetail(Detail &detail, DenseElementsAttr before, DenseElementsAttr after) {
  if (!before || !after || before.getType() != after.getType() || before.getNumElements() <= kMostElements)
    return false;
  auto left = before.tryGetValues<Attribute>(), right = after.tryGetValues<Attribute>();
  if (failed(left) || failed(right))
    return false;
  int64_t count = 0, first = -1, at = 0;
  Attribute x, y;
  for (auto [a, b] : llvm::zip(*left, *right)) {
    if (a != b && count++ == 0) {
      first = at;
      x = a;
      y = b;
    }
    ++at;
  }
  if (first < 0)
    return false;
  // The row-major position as indices.
  std::string index;
  ArrayRef<int64_t> shape = before.getType().getShape();
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 1, rest = first; dim >= 0; rest /= shape[dim--])
    index = std::to_string(rest % shape[dim]) + (index.empty() ? "" : ", ") + index;
  detail.what += ", " + std::to_string(count) + " of " + std::to_string(before.getNumElements()) +
                 " elements, the first at [" + index + "]";
  detail.before = shorten(printed(x));
  detail.after = shorten(printed(y));
  return true;
}

Detail irtools::attributeDetail(std::string what, Attribute before, Attribute after) {
  Detail detail{what, "", ""};
  if (elementDetail(detail, dyn_cast_or_null<DenseElementsAttr>(before), dyn_cast_or_null<DenseElementsAttr>(after)))
    return detail;
  return textDetail(std::move(what), printed(before), printed(after));
}

Detail irtools::typeDetail(std::string what, Type before, Type after) {
  std::string a, b;
  if (before)
    llvm::raw_string_ostream(a) << before;
  if (after)
    llvm::raw_string_ostream(b) << after;
  return textDetail(std::move(what), std::move(a), std::move(b));
}

std::string irtools::describeValue(Value value, const Document &document) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    os << "argument " << argument.getArgNumber();
    if (Operation *owner = argument.getOwner()->getParentOp()) {
      os << " of " << owner->getName();
      if (!argument.getOwner()->isEntryBlock())
        os << ", " << describeBlock(argument.getOwner(), document);
      else if (int64_t line = document.line(owner))
        os << " of line " << line;
    }
    return text;
  }
  auto result = cast<OpResult>(value);
  Operation *maker = result.getOwner();
  if (maker->getNumResults() > 1)
    os << "result " << result.getResultNumber() << " of ";
  os << maker->getName();
  if (Attribute constant; matchPattern(maker, m_Constant(&constant)))
    os << " " << shorten(printed(constant), kLongestConstant);
  if (int64_t line = document.line(maker))
    os << " of line " << line;
  return text;
}

std::string irtools::describeBlock(Block *block, const Document &document) {
  size_t number = 0;
  for (Block &other : *block->getParent()) {
    if (&other == block)
      break;
    ++number;
  }
  std::string text = "block " + std::to_string(number);
  if (int64_t line = block->empty() ? 0 : document.line(&block->front()))
    text += ", at line " + std::to_string(line);
  return text;
}
