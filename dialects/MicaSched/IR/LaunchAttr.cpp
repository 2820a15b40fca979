//===- LaunchAttr.cpp - verifying the attributes of phase lowered -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LaunchAttr.h. A verified attribute can be read without checks: every field exists and has its type.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/LaunchAttr.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mica::sched;

namespace {

/// Reads the fields of a dictionary; keeps the first error.
class Fields {
public:
  Fields(DictionaryAttr dictionary, std::string &problem) : dictionary(dictionary), problem(problem) {}

  int64_t integer(StringRef name, int64_t least) {
    auto value = get<IntegerAttr>(name, "an i64");
    if (!value)
      return least;
    if (!value.getType().isInteger(64) || value.getInt() < least)
      fail(name, "an i64 of at least " + std::to_string(least));
    return value.getType().isInteger(64) ? value.getInt() : least;
  }
  void text(StringRef name, bool isOptional = false) { get<StringAttr>(name, "a string", isOptional); }
  void unit(StringRef name) { get<UnitAttr>(name, "a unit attribute", /*isOptional=*/true); }
  size_t integers(StringRef name) {
    auto value = get<DenseI64ArrayAttr>(name, "an array<i64: ..>");
    if (value && llvm::any_of(value.asArrayRef(), [](int64_t i) { return i < 0; }))
      fail(name, "without negative numbers");
    return value ? value.size() : 0;
  }
  ArrayRef<Attribute> list(StringRef name) {
    auto value = get<ArrayAttr>(name, "an array");
    return value ? value.getValue() : ArrayRef<Attribute>();
  }
  DictionaryAttr record(StringRef name) { return get<DictionaryAttr>(name, "a dictionary", /*isOptional=*/true); }
  void memref(StringRef name) {
    auto value = get<TypeAttr>(name, "a memref type", /*isOptional=*/true);
    if (value && !isa<MemRefType>(value.getValue()))
      fail(name, "a memref type");
  }
  void fail(StringRef name, const Twine &expected) {
    if (problem.empty())
      problem = ("'" + name + "' must be " + expected).str();
  }

private:
  template <typename Attr> Attr get(StringRef name, const char *expected, bool isOptional = false) {
    Attribute value = dictionary.get(name);
    auto typed = dyn_cast_or_null<Attr>(value);
    if (!typed && (value || !isOptional))
      fail(name, expected);
    return typed;
  }

  DictionaryAttr dictionary;
  std::string &problem;
};

} // namespace

static void checkRecords(Fields &fields, StringRef name, std::string &problem,
                         llvm::function_ref<void(Fields &)> check) {
  for (Attribute value : fields.list(name)) {
    auto record = dyn_cast<DictionaryAttr>(value);
    if (!record)
      return fields.fail(name, "an array of dictionaries");
    Fields of(record, problem);
    check(of);
  }
}

LogicalResult mica::sched::verifyLaunch(Operation *op, Attribute value) {
  auto launch = dyn_cast<DictionaryAttr>(value);
  if (!launch)
    return op->emitOpError() << "(A13) '" << kLaunchAttr << "' must be a dictionary, got " << value;
  std::string problem;
  Fields fields(launch, problem);
  ArrayRef<Attribute> bindings = fields.list("bindings"), access = fields.list("access");
  const size_t shares = fields.integers("share_elements");
  if (bindings.size() != access.size() || bindings.size() != shares)
    fields.fail("bindings", "as long as 'access' and 'share_elements'");
  for (Attribute binding : bindings) {
    auto type = dyn_cast<TypeAttr>(binding);
    if (!type || !isa<MemRefType>(type.getValue()))
      fields.fail("bindings", "an array of memref types");
  }
  for (Attribute one : access) {
    auto text = dyn_cast<StringAttr>(one);
    if (!text || !parseAccess(text.getValue()))
      fields.fail("access", "an array of \"read\", \"write\" and \"readwrite\"");
  }
  if (fields.integer("grid", -1) == 0)
    fields.fail("grid", "at least 1, or -1 where the shares are known at run time only");
  fields.integer("scalars", 0);
  fields.integer("scratch_bytes", 0);
  fields.text("strategy", /*isOptional=*/true);
  fields.text("host_reason", /*isOptional=*/true);
  fields.unit("masks");
  if (DictionaryAttr collective = fields.record("collective")) {
    Fields of(collective, problem);
    of.text("kind");
    of.text("reduction", /*isOptional=*/true);
    of.integers("grid");
    of.integers("axes");
  }
  if (DictionaryAttr checks = fields.record("checks")) {
    Fields of(checks, problem);
    of.integer("not_checkable", 0);
    of.integer("proved", 0);
    of.text("finite", /*isOptional=*/true);
    checkRecords(of, "sites", problem, [](Fields &site) {
      site.integer("binding", -1);
      site.text("kind");
      site.text("message");
      site.integers("ops");
    });
    if (DictionaryAttr shadows = of.record("shadows")) {
      Fields ofShadows(shadows, problem);
      ofShadows.integers("fills");
      checkRecords(ofShadows, "allocations", problem, [](Fields &allocation) {
        allocation.integers("ops");
        allocation.integers("writers");
        allocation.memref("type");
      });
    }
  }
  if (problem.empty())
    return success();
  return op->emitOpError() << "(A13) '" << kLaunchAttr << "': " << problem;
}

LogicalResult mica::sched::verifyConstants(Operation *op, Attribute value) {
  auto constants = dyn_cast<ArrayAttr>(value);
  if (isa<ModuleOp>(op) && !isKernelModule(op) && constants &&
      llvm::all_of(constants, [](Attribute constant) { return isa<ElementsAttr>(constant); }))
    return success();
  return op->emitOpError() << "(A14) '" << kConstantsAttr << "' must be an array of constants, on a program";
}
