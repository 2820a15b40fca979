//===- VerifyAttributes.cpp - discardable attributes of `mica_sched` ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The discardable attributes (A1) to (A18) of the dialect's description, checked on every op and argument with one of
// its attributes.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/MicaSched/IR/KernelArguments.h"
#include "dialects/MicaSched/IR/LaunchAttr.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/PartsAttr.h"

using namespace mlir;
using namespace mica::sched;

static bool isHex(StringRef text) {
  return llvm::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// The strings of an array attribute, or nothing if it has other elements.
static std::optional<SmallVector<StringRef>> strings(Attribute attr) {
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array)
    return std::nullopt;
  SmallVector<StringRef> result;
  for (Attribute element : array) {
    auto text = dyn_cast<StringAttr>(element);
    if (!text)
      return std::nullopt;
    result.push_back(text.getValue());
  }
  return result;
}

static LogicalResult verifyOnKernel(Operation *op, StringRef name) {
  if (isKernelModule(op))
    return success();
  return op->emitOpError() << "carries '" << name << "', which belongs on a kernel (a module with '" << kKernelAttr
                           << "')";
}

static LogicalResult verifyOpIds(Operation *op, Attribute value) {
  std::optional<SmallVector<StringRef>> ids = strings(value);
  if (!ids || !llvm::all_of(*ids, [](StringRef id) { return id.size() == 12 && isHex(id); }))
    return op->emitOpError() << "(A3) '" << kOpIdsAttr << "' must be an array of strings of 12 hex digits";
  return success();
}

static LogicalResult verifyI64(Operation *op, StringRef label, StringRef name, Attribute value,
                               llvm::function_ref<bool(int64_t)> valid, StringRef expected) {
  auto number = dyn_cast<IntegerAttr>(value);
  if (number && number.getType().isInteger(64) && valid(number.getInt()))
    return success();
  return op->emitOpError() << "(" << label << ") '" << name << "' must be " << expected << ", got " << value;
}

LogicalResult MicaSchedDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();

  if (name == kKernelAttr) {
    auto module = dyn_cast<ModuleOp>(op);
    if (!module || !isa<UnitAttr>(value) || !isKernelName(module.getSymName().value_or("")))
      return op->emitOpError() << "(A1) '" << kKernelAttr << "' marks a module whose name has 1 to " << kMaxKernelName
                               << " characters of [a-z0-9_]";
    return success();
  }
  if (name == kRootKindAttr || name == kHashAttr || name == kOpKindsAttr || name == kFlopsAttr || name == kLaunchAttr)
    if (failed(verifyOnKernel(op, name)))
      return failure();
  if (name == kRootKindAttr) {
    auto text = dyn_cast<StringAttr>(value);
    if (!text || text.empty())
      return op->emitOpError() << "(A2) '" << kRootKindAttr << "' must be a string, not empty";
    return success();
  }
  if (name == kOpIdsAttr)
    return verifyOpIds(op, value);
  if (name == kOpKindsAttr) {
    std::optional<SmallVector<StringRef>> kinds = strings(value);
    auto ids = op->getAttrOfType<ArrayAttr>(kOpIdsAttr);
    if (!kinds || kinds->size() != (ids ? ids.size() : 0))
      return op->emitOpError() << "(A4) '" << kOpKindsAttr << "' must hold one string per entry of '" << kOpIdsAttr
                               << "'";
    return success();
  }
  if (name == kHashAttr) {
    auto text = dyn_cast<StringAttr>(value);
    if (!text || text.empty() || !isHex(text.getValue()))
      return op->emitOpError() << "(A5) '" << kHashAttr << "' must be a string of hex digits";
    return success();
  }
  if (name == kGridAttr)
    return verifyI64(
        op, "A7", name, value, [](int64_t v) { return v == -1 || v >= 1; },
        "an i64 of at least 1, or -1 where the shares are known at run time only");
  if (name == kScratchBytesAttr)
    return verifyI64(
        op, "A8", name, value, [](int64_t v) { return v >= 0; }, "an i64, not negative");
  if (name == kGroupAttr && op->hasTrait<OpTrait::IsTerminator>())
    return op->emitOpError() << "(A10) '" << kGroupAttr << "' on a terminator, which stays in its function";
  if (name == kGroupAttr)
    return verifyI64(
        op, "A10", name, value, [](int64_t v) { return v >= 0; }, "an i64, not negative");
  if (name == kFlopsAttr)
    return verifyI64(
        op, "A11", name, value, [](int64_t v) { return v >= 0; }, "an i64, not negative");
  if (name == kStrategyAttr) {
    if (!isa<StringAttr>(value))
      return op->emitOpError() << "(A9) '" << kStrategyAttr << "' must be a string";
    return success();
  }
  if (name == kEntryAttr) {
    if (!isa<FunctionOpInterface>(op) || !isa<UnitAttr>(value))
      return op->emitOpError() << "'" << kEntryAttr << "' is a unit attribute of functions";
    return success();
  }
  if (name == kComputedPositionsAttr) {
    if (!isa<FunctionOpInterface>(op) || !isa<UnitAttr>(value))
      return op->emitOpError() << "(A17) '" << kComputedPositionsAttr << "' is a unit attribute of functions";
    return success();
  }
  if (name == kPartsAttr) {
    auto parts = dyn_cast<DictionaryAttr>(value);
    if (!isa<ConstantOp>(op) || !parts || !parts.getAs<DenseI64ArrayAttr>("grid") ||
        !parts.getAs<DenseI64ArrayAttr>("axes"))
      return op->emitOpError() << "(A19) '" << kPartsAttr
                               << "' is a dictionary with 'grid' and 'axes' of a mica_sched.constant";
    return success();
  }
  if (name == kHostOpAttr) {
    if (!isa<FunctionOpInterface>(op) || !isa<UnitAttr>(value))
      return op->emitOpError() << "(A15) '" << kHostOpAttr << "' is a unit attribute of functions";
    return success();
  }
  if (name == kLaunchAttr)
    return verifyLaunch(op, value);
  if (name == kConstantsAttr)
    return verifyConstants(op, value);
  return op->emitOpError() << "unknown attribute '" << name << "'";
}

/// (A18); `type` is that of the argument or the result.
static LogicalResult verifySharding(Operation *op, const Twine &where, Type type, Attribute value) {
  auto fail = [&](const Twine &expected) {
    return op->emitOpError() << "(A18) '" << kShardingAttr << "' of " << where << " must have " << expected << ", got "
                             << value;
  };
  auto record = dyn_cast<DictionaryAttr>(value);
  auto tensor = dyn_cast<ShapedType>(type);
  if (!record || !tensor || !tensor.hasRank())
    return fail("a dictionary as its value and a tensor as its type");
  auto grid = record.getAs<DenseI64ArrayAttr>("grid"), shape = record.getAs<DenseI64ArrayAttr>("shape");
  auto axes = record.getAs<ArrayAttr>("axes");
  if (!grid || llvm::any_of(grid.asArrayRef(), [](int64_t size) { return size < 1; }))
    return fail("positive sizes 'grid'");
  if (!shape || shape.size() != tensor.getRank() || !axes || int64_t(axes.size()) != tensor.getRank())
    return fail("'shape' and 'axes' with an entry per dimension");
  llvm::SmallDenseSet<int64_t> used;
  for (auto [dim, split] : llvm::enumerate(axes)) {
    auto list = dyn_cast<DenseI64ArrayAttr>(split);
    if (!list)
      return fail("arrays of i64 in 'axes'");
    int64_t parts = 1;
    for (int64_t axis : list.asArrayRef()) {
      if (axis < 0 || axis >= grid.size() || !used.insert(axis).second)
        return fail("each axis of the grid once at most in 'axes'");
      parts *= grid[axis];
    }
    const int64_t own = tensor.getDimSize(dim), whole = shape[dim];
    if (ShapedType::isDynamic(own) ? !list.empty() || !ShapedType::isDynamic(whole) : own * parts != whole)
      return fail("a 'shape' of which the type is the part of one rank");
  }
  return success();
}

LogicalResult MicaSchedDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex, unsigned argIndex,
                                                         NamedAttribute attribute) {
  if (attribute.getName() == kSizeAttr) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function || !isa<UnitAttr>(attribute.getValue()) || !function.getArgumentTypes()[argIndex].isIntOrIndex())
      return op->emitOpError() << "(A16) '" << kSizeAttr << "' of argument " << argIndex
                               << " is a unit attribute of arguments of a function that are integers or indices";
    return success();
  }
  if (attribute.getName() == kShardingAttr)
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      return verifySharding(op, "argument " + Twine(argIndex), function.getArgumentTypes()[argIndex],
                            attribute.getValue());
  if (attribute.getName() != kAccessAttr)
    return op->emitOpError() << "unknown argument attribute '" << attribute.getName().getValue() << "'";
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  if (!text || !parseAccess(text.getValue()))
    return op->emitOpError() << "(A6) '" << kAccessAttr << "' of argument " << argIndex
                             << " must be \"read\", \"write\" or \"readwrite\", got " << attribute.getValue();
  return success();
}

LogicalResult MicaSchedDialect::verifyRegionResultAttribute(Operation *op, unsigned regionIndex, unsigned resultIndex,
                                                            NamedAttribute attribute) {
  if (attribute.getName() == kShardingAttr)
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      return verifySharding(op, "result " + Twine(resultIndex), function.getResultTypes()[resultIndex],
                            attribute.getValue());
  if (attribute.getName() != kUpdatesAttr)
    return op->emitOpError() << "unknown result attribute '" << attribute.getName().getValue() << "'";
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto argument = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!function || !argument || !argument.getType().isInteger(64) || argument.getInt() < 0 ||
      argument.getInt() >= function.getNumArguments() ||
      function.getArgumentTypes()[argument.getInt()] != function.getResultTypes()[resultIndex])
    return op->emitOpError() << "(A12) '" << kUpdatesAttr << "' of result " << resultIndex
                             << " must be an i64, the position of an argument of the result's type, got "
                             << attribute.getValue();
  return success();
}
