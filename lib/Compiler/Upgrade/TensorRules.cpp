//===- TensorRules.cpp - older spellings of tensor, memref and linalg --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   tensor.expand_shape %x [[0, 1]] : tensor<6xf32> into tensor<2x3xf32>
//   // becomes
//   tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Upgrade/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mica;
using namespace mica::compiler;

/// Replaces the name at the cursor, with or without quotes, by `to`.
static std::string rename(TextCursor &cursor, llvm::StringRef to) {
  if (!cursor.rest().starts_with("\"")) {
    cursor.word();
    return to.str();
  }
  cursor.quoted();
  return "\"" + to.str() + "\"";
}

static std::optional<std::string> upgradePack(TextCursor &cursor, UpgradeContext &context) {
  context.note("'tensor.pack' is 'linalg.pack'");
  return rename(cursor, "linalg.pack");
}

static std::optional<std::string> upgradeUnpack(TextCursor &cursor, UpgradeContext &context) {
  context.note("'tensor.unpack' is 'linalg.unpack'");
  return rename(cursor, "linalg.unpack");
}

//===------------------------------------------------------------------------------------------------------------===//
// Matmuls with one transposed operand
//===------------------------------------------------------------------------------------------------------------===//

/// "affine_map<(d0, d1, d2) -> (d0, d2)>".
static std::string map(bool batch, llvm::StringRef results) {
  std::string text = batch ? "affine_map<(b, m, n, k) -> (b" : "affine_map<(m, n, k) -> (";
  for (auto [index, c] : llvm::enumerate(results))
    text += std::string(index || batch ? ", " : "") + c;
  return text + ")>";
}

static std::optional<std::string> upgradeTransposed(TextCursor &cursor, UpgradeContext &context) {
  if (cursor.rest().starts_with("\""))
    return std::nullopt; // the generic form has a region
  llvm::StringRef name = cursor.word();
  bool batch = name.contains("batch");
  bool a = name.ends_with("_a");
  llvm::StringRef base = name.drop_back(llvm::StringRef("_transpose_a").size());
  context.note(("'" + name + "' is '" + base + "' with indexing_maps").str());
  return (base + " indexing_maps = [").str() + map(batch, a ? "km" : "mk") + ", " + map(batch, a ? "kn" : "nk") + ", " +
         map(batch, "mn") + "]";
}

//===------------------------------------------------------------------------------------------------------------===//
// expand_shape
//===------------------------------------------------------------------------------------------------------------===//

/// The size of result dimension `dim`, one of `group`, as printed in the list: a number, or the name of a value.
static std::optional<std::string> resultSize(const TensorText &result, llvm::StringRef source,
                                             llvm::StringRef sourceType, size_t groupNumber,
                                             llvm::ArrayRef<int64_t> group, int64_t dim, UpgradeContext &context) {
  if (result.sizes[size_t(dim)] >= 0)
    return std::to_string(result.sizes[size_t(dim)]);
  int64_t others = 1;
  for (int64_t other : group) {
    int64_t size = result.sizes[size_t(other)];
    if (other != dim && size < 0)
      return std::nullopt;
    others *= other == dim ? 1 : size;
  }
  std::string container = sourceType.take_until([](char c) { return c == '<'; }).str();
  std::string position = context.define("arith.constant " + std::to_string(groupNumber) + " : index");
  std::string whole = context.define(container + ".dim " + source.str() + ", " + position + " : " + sourceType.str());
  if (others == 1)
    return whole;
  std::string divisor = context.define("arith.constant " + std::to_string(others) + " : index");
  return context.define("arith.divsi " + whole + ", " + divisor + " : index");
}

static std::optional<std::string> upgradeExpandShape(TextCursor &cursor, UpgradeContext &context) {
  TextCursor ahead = cursor;
  llvm::StringRef name = ahead.word(); // the generic form has a name for its sizes
  std::optional<llvm::StringRef> source = ahead.value();
  ahead.skipSpace();
  size_t groupsBegin = ahead.position();
  std::optional<llvm::StringRef> groups = ahead.rest().starts_with("[") ? ahead.balanced() : std::nullopt;
  if (name.empty() || !source || !groups || ahead.consume("output_shape"))
    return std::nullopt;
  (void)groupsBegin;
  std::string attributes;
  ahead.skipSpace();
  if (ahead.rest().starts_with("{")) {
    std::optional<llvm::StringRef> inside = ahead.balanced();
    if (!inside)
      return std::nullopt;
    attributes = " {" + inside->str() + "}";
  }
  if (!ahead.consume(":"))
    return std::nullopt;
  std::optional<llvm::StringRef> sourceType = ahead.type();
  if (!sourceType || !ahead.consume("into"))
    return std::nullopt;
  std::optional<llvm::StringRef> resultType = ahead.type();
  std::optional<TensorText> result = resultType ? readTensorType(*resultType) : std::nullopt;
  if (!result)
    return std::nullopt;

  llvm::SmallVector<std::string> sizes;
  for (auto [number, part] : llvm::enumerate(splitList(*groups))) {
    std::optional<llvm::SmallVector<int64_t>> group = readIntegers(part);
    if (!group)
      return std::nullopt;
    for (int64_t dim : *group) {
      if (dim < 0 || size_t(dim) >= result->sizes.size())
        return std::nullopt;
      std::optional<std::string> size = resultSize(*result, *source, *sourceType, number, *group, dim, context);
      if (!size)
        return std::nullopt;
      sizes.push_back(*size);
    }
  }
  // A result with only sizes of 1 has no groups.
  for (size_t dim = sizes.size(); dim < result->sizes.size(); ++dim)
    sizes.push_back(std::to_string(result->sizes[dim]));
  cursor = ahead;
  context.note(("'" + name + "' names its 'output_shape'").str());
  return (name + " " + *source + " [" + *groups + "] output_shape [" + llvm::join(sizes, ", ") + "]" + attributes +
          " : " + *sourceType + " into " + *resultType)
      .str();
}

void compiler::addTensorRules(llvm::StringMap<UpgradeRule> &rules) {
  rules["tensor.pack"] = upgradePack;
  rules["tensor.unpack"] = upgradeUnpack;
  for (llvm::StringRef name : {"linalg.matmul_transpose_a", "linalg.matmul_transpose_b",
                               "linalg.batch_matmul_transpose_a", "linalg.batch_matmul_transpose_b"})
    rules[name] = upgradeTransposed;
  rules["tensor.expand_shape"] = rules["memref.expand_shape"] = upgradeExpandShape;
}
