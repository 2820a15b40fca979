//===- MicaSimDialect.cpp - the dialect `mica_sim` ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See MicaSimDialect.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSim/IR/MicaSimDialect.h"

#include "dialects/AttributeRules.h"
#include "mica/ABI/Sim.h"

#include "dialects/MicaSim/IR/MicaSimDialect.cpp.inc"

using namespace mlir;
using namespace mica::sim;

void MicaSimDialect::initialize() {}

ArrayRef<llvm::StringLiteral> mica::sim::serviceNames() {
  static constexpr llvm::StringLiteral kNames[] = {"launch", "alloc",      "dealloc",     "copied",
                                                   "touch",  "count",      "report",      "align",
                                                   "print",  "async_copy", "async_group", "async_wait"};
  return kNames;
}

/// The kind, the site, four numbers.
static bool isPoint(Attribute value) {
  auto numbers = dyn_cast<DenseI32ArrayAttr>(value);
  return numbers && numbers.size() == 6;
}

static bool isService(Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  return array && !array.empty() && mica::isOneOf(array[0], serviceNames());
}

static constexpr int64_t kAllChecks = 2 * MICA_SIM_CHECK_HANG - 1;

static constexpr mica::AttributeRule kRules[] = {
    {kKernelAttr, mica::isFunction, mica::isText, "a string that is not empty, on a function"},
    {kWorkgroupBytesAttr, mica::isFunction, mica::isCount, "an i64 of at least 0, on a function"},
    {kChecksAttr, mica::isFunction, [](Attribute value) { return mica::isInteger(value, 32, 0, kAllChecks); },
     "an i32 of 0 to 1023, on a function"},
    {kGranuleAttr, mica::isFunction,
     [](Attribute value) { return mica::isInteger(value, 32, 1, 4) && cast<IntegerAttr>(value).getInt() != 3; },
     "an i32 of 1, 2 or 4, on a function"},
    {kSitesAttr, mica::isFunction, mica::isTexts, "an array of strings, on a function"},
    {kLaunchAttr, mica::isFunction, [](Attribute value) { return isa<FlatSymbolRefAttr>(value); },
     "a kernel's symbol, on a function"},
    {kUniformAttr, mica::isFunction,
     [](Attribute value) { return mica::isInteger(value, 32, 0, MICA_SIM_NUM_UNIFORMS - 1); },
     "an i32, a member of mica_sim_uniform, on a function"},
    {kLaneAttr, mica::isFunction, [](Attribute value) { return mica::isInteger(value, 32, 0, 3); },
     "an i32 of 0 to 3, on a function"},
    {kPointAttr, mica::isFunction, isPoint, "six i32, on a function"},
    {kServiceAttr, mica::isFunction, isService,
     "an array whose first element names a function of mica_sim_api_v1, on a function"},
    {kHostServiceAttr, mica::isFunction, [](Attribute value) { return mica::isOneOf(value, serviceNames()); },
     "the name of a function of mica_sim_api_v1, on a function"},
    {kAlignmentAttr, mica::isAnyOp, mica::isCount, "an i64 of at least 0"},
};

LogicalResult MicaSimDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verifyByRules(op, attribute, kRules);
}
