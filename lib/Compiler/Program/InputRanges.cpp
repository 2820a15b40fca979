//===- InputRanges.cpp - valid ranges of integer inputs -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Follows an argument through data movement, bodies of linalg ops and calls to the ops that restrict its value.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Program/InputRanges.h"

#include "mica/Support/Schemas.h"

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <optional>

using namespace mlir;
using namespace mica;

/// Whether the op called `name` only moves elements.
static bool movesElements(llvm::StringRef name) {
  static const llvm::StringSet<> movers{"arith.index_cast",
                                        "arith.index_castui",
                                        "arith.extsi",
                                        "arith.extui",
                                        "arith.trunci",
                                        "tensor.cast",
                                        "tensor.extract",
                                        "tensor.extract_slice",
                                        "tensor.expand_shape",
                                        "tensor.collapse_shape",
                                        "tensor.reshape",
                                        "tensor.splat",
                                        "tensor.from_elements",
                                        "mica.reshape",
                                        "mica.transpose",
                                        "mica.slice",
                                        "mica.broadcast",
                                        "mica.concat",
                                        "mica.tile",
                                        "mica.flip",
                                        "mica.cast",
                                        "tosa.reshape",
                                        "tosa.transpose",
                                        "tosa.slice",
                                        "tosa.tile",
                                        "tosa.reverse",
                                        "tosa.identity",
                                        "tosa.concat",
                                        "tosa.cast",
                                        "memref.load",
                                        "memref.cast",
                                        "memref.subview",
                                        "bufferization.to_tensor",
                                        "bufferization.to_buffer",
                                        "vector.load",
                                        "vector.broadcast",
                                        "vector.transfer_read",
                                        "affine.load",
                                        "index.casts",
                                        "index.castu"};
  return movers.contains(name);
}

/// The extent that operand `k` of `op` indexes, dynamic if unknown; nothing if it is not an index.
static std::optional<int64_t> indexedExtent(Operation *op, unsigned k) {
  const llvm::StringRef name = op->getName().getStringRef();
  auto extentOf = [&](unsigned operand, int64_t dim) {
    auto type = dyn_cast<ShapedType>(op->getOperand(operand).getType());
    return type && type.hasRank() && dim < type.getRank() ? type.getDimSize(dim) : ShapedType::kDynamic;
  };
  auto axis = [&] {
    auto attribute = op->getAttrOfType<IntegerAttr>("axis");
    return attribute ? attribute.getInt() : 0;
  };
  if ((name == "mica.gather" || name == "mica.scatter") && k == 1)
    return extentOf(0, axis());
  if ((name == "mica.embedding" || name == "tensor.gather" || name == "tensor.scatter") && k == 1)
    return extentOf(0, 0);
  if ((name == "tosa.gather" || name == "tosa.scatter") && k == 1)
    return extentOf(0, 1);
  if (name == "mica.cache_update" && k == 2) {
    const int64_t whole = extentOf(0, axis()), part = extentOf(1, axis());
    const bool isKnown = !ShapedType::isDynamic(whole) && !ShapedType::isDynamic(part);
    return isKnown ? whole - part + 1 : ShapedType::kDynamic;
  }
  if (name == "mica.one_hot") {
    auto type = cast<ShapedType>(op->getResult(0).getType());
    return axis() >= 0 && axis() < type.getRank() ? type.getDimSize(axis()) : ShapedType::kDynamic;
  }
  // Ops that access elements; the indices follow the accessed operands.
  static const llvm::StringSet<> readers{"tensor.extract", "memref.load", "vector.extract"},
      writers{"tensor.insert", "memref.store", "vector.insert"};
  if (readers.contains(name) && k >= 1)
    return extentOf(0, k - 1);
  if (writers.contains(name) && k >= 2)
    return extentOf(1, k - 2);
  return std::nullopt;
}

namespace {
struct KnownRange {
  std::optional<int64_t> low, high;
  std::string use;

  void limit(llvm::StringRef what, int64_t from, int64_t to) {
    low = std::max(low.value_or(from), from);
    high = std::min(high.value_or(to), to);
    if (use.empty() || what == "size")
      use = what.str();
  }
  void divide() {
    if (use.empty())
      use = "divisor";
    else if (use != "size") // several uses: 1 is valid for each
      limit(use, 1, std::max<int64_t>(1, high.value_or(1)));
  }
};

/// Follows the uses of one argument.
class Follower {
public:
  KnownRange range;

  /// `isChanged`: there is arithmetic between the argument and `value`.
  void follow(Value value, bool isChanged) {
    if (!seen.insert(value).second)
      return;
    for (OpOperand &use : value.getUses())
      take(use, isChanged);
  }

private:
  static bool isDivision(llvm::StringRef name) {
    return name.contains("div") || name.contains("rem") || name == "index.mods" || name == "index.modu";
  }

  void index(int64_t extent, bool isChanged) {
    // With an unknown size, only index 0 is safe.
    range.limit("index", 0, isChanged || ShapedType::isDynamic(extent) ? 0 : std::max<int64_t>(extent - 1, 0));
  }

  void take(OpOperand &use, bool isChanged) {
    Operation *op = use.getOwner();
    const unsigned k = use.getOperandNumber();
    const llvm::StringRef name = op->getName().getStringRef(), dialect = op->getName().getDialectNamespace();
    const bool isArithmetic =
        dialect == "arith" || dialect == "index" || dialect == "mica" || dialect == "tosa" || dialect == "linalg";
    if (isArithmetic && k == 1 && isDivision(name)) {
      if (isChanged)
        range.limit("size", 1, 1);
      else
        range.divide();
      return;
    }
    if (isArithmetic && k == 1 && (name.contains(".sh") || name.contains("shift"))) {
      Type element = getElementTypeOrSelf(op->getOperand(0).getType());
      const int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
      range.limit("shift", 0, isChanged ? 0 : bits - 1);
      follow(op->getResult(0), true);
      return;
    }
    if (std::optional<int64_t> extent = indexedExtent(op, k))
      return index(*extent, isChanged);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (BlockArgument argument = linalgOp.getMatchingBlockArgument(&use))
        follow(argument, isChanged);
      for (Value result : op->getResults())
        follow(result, isChanged || op->getNumOperands() > 2);
      return;
    }
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
      if (callee && !callee.isExternal())
        follow(callee.getArgument(k), isChanged);
      return;
    }
    if (op->hasTrait<OpTrait::IsTerminator>()) {
      if (auto parent = dyn_cast<linalg::LinalgOp>(op->getParentOp()); parent && k < parent->getNumResults())
        follow(parent->getResult(k), isChanged);
      return;
    }
    // Other uses as an index, and operands of ops with regions, are sizes, slices or iteration counts.
    const bool isComputed =
        dialect == "arith" || dialect == "index" || dialect == "mica" || dialect == "tosa" || dialect == "math";
    if ((!isComputed && isa<IndexType>(use.get().getType())) || op->getNumRegions() != 0) {
      if (use.get().getType().isIntOrIndex())
        range.limit("size", 0, 1);
      return;
    }
    for (Value result : op->getResults())
      if (isa<IntegerType, IndexType>(getElementTypeOrSelf(result.getType())))
        follow(result, isChanged || !movesElements(name));
  }

  llvm::DenseSet<Value> seen;
  SymbolTableCollection symbols;
};
} // namespace

std::string compiler::printInputRanges(ModuleOp program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", schemaNumber(Schema::InputRanges));
    json.attributeArray("ranges", [&] {
      for (auto function : program.getOps<func::FuncOp>()) {
        if (function.isPrivate() || function.isExternal())
          continue;
        for (BlockArgument argument : function.getArguments()) {
          if (!isa<IntegerType, IndexType>(getElementTypeOrSelf(argument.getType())))
            continue;
          Follower follower;
          follower.follow(argument, /*isChanged=*/false);
          const KnownRange &range = follower.range;
          if (range.use.empty())
            continue;
          json.object([&] {
            json.attribute("entry", function.getName());
            json.attribute("argument", argument.getArgNumber());
            json.attribute("use", range.use);
            if (range.low)
              json.attribute("low", *range.low);
            if (range.high)
              json.attribute("high", *range.high);
          });
        }
      }
    });
  });
  os << "\n";
  return text;
}
