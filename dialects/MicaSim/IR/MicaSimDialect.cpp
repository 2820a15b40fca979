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

#include <cstddef>

#include "dialects/MicaSim/IR/MicaSimDialect.cpp.inc"

using namespace mlir;
using namespace mica::sim;

void MicaSimDialect::initialize() {}

std::optional<size_t> mica::sim::serviceOffset(StringRef name) {
  struct Entry {
    llvm::StringLiteral name;
    size_t offset;
  };
  static constexpr Entry kServices[] = {
      {"launch", offsetof(mica_sim_api_v1, launch)},
      {"alloc", offsetof(mica_sim_api_v1, alloc)},
      {"dealloc", offsetof(mica_sim_api_v1, dealloc)},
      {"copied", offsetof(mica_sim_api_v1, copied)},
      {"touch", offsetof(mica_sim_api_v1, touch)},
      {"count", offsetof(mica_sim_api_v1, count)},
      {"report", offsetof(mica_sim_api_v1, report)},
      {"align", offsetof(mica_sim_api_v1, align)},
      {"async_copy", offsetof(mica_sim_api_v1, async_copy)},
      {"async_group", offsetof(mica_sim_api_v1, async_group)},
      {"async_wait", offsetof(mica_sim_api_v1, async_wait)},
      {"print", offsetof(mica_sim_api_v1, print)},
      {"host_memory", offsetof(mica_sim_api_v1, host_memory)},
      {"tensor_map", offsetof(mica_sim_api_v1, tensor_map)},
  };
  for (const Entry &entry : kServices)
    if (entry.name == name)
      return entry.offset;
  return std::nullopt;
}

/// The kind, the site, and four integers.
static bool isPoint(Attribute value) {
  auto numbers = dyn_cast<DenseI32ArrayAttr>(value);
  return numbers && numbers.size() == 6;
}

static bool isServiceName(Attribute value) {
  auto name = dyn_cast<StringAttr>(value);
  return name && serviceOffset(name.getValue());
}

static bool isService(Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  return array && !array.empty() && isServiceName(array[0]);
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
    {kFlagsAttr, mica::isFunction,
     [](Attribute value) { return mica::isInteger(value, 32, 0, MICA_SIM_RAW_ADDRESSES); },
     "an i32 of 0 or 1, on a function"},
    {kLaunchSiteAttr, mica::isFunction, mica::isText, "a string that is not empty, on a function"},
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
    {kHostServiceAttr, mica::isFunction, isServiceName, "the name of a function of mica_sim_api_v1, on a function"},
    {kAlignmentAttr, mica::isAnyOp, mica::isCount, "an i64 of at least 0"},
};

LogicalResult MicaSimDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verifyByRules(op, attribute, kRules);
}
