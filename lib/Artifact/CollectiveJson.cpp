//===- CollectiveJson.cpp - exchanges between ranks in the manifest --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See CollectiveJson.h.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Artifact/CollectiveJson.h"

#include "lib/Artifact/ManifestJson.h"

#include <algorithm>

namespace mica::artifact {
namespace {

/// The properties that a kind has.
struct KindInfo {
  std::string_view name;
  bool reduction = false, dim = false, concatDim = false, peer = false, shift = false;
};
constexpr KindInfo kKinds[] = {
    {.name = "all_reduce", .reduction = true},
    {.name = "all_gather", .dim = true},
    {.name = "all_slice", .dim = true},
    {.name = "all_to_all", .dim = true, .concatDim = true},
    {.name = "broadcast", .peer = true},
    {.name = "gather", .dim = true, .peer = true},
    {.name = "reduce", .reduction = true, .peer = true},
    {.name = "reduce_scatter", .reduction = true, .dim = true},
    {.name = "scatter", .dim = true, .peer = true},
    {.name = "send", .peer = true},
    {.name = "recv", .peer = true},
    {.name = "shift", .shift = true},
    {.name = "index"},
};
constexpr std::string_view kReductions[] = {"sum", "average", "product", "min", "max", "and", "or", "xor"};

void checkSizes(const JsonCursor &item, const KernelRecord &kernel, const CollectiveRecord &collective) {
  const bool isIndex = collective.kind == "index";
  if (kernel.bindings.size() != (isIndex ? 1 : 2) || kernel.bindings.back().access == Access::Read)
    return item.field("kind").fail(isIndex ? "needs one buffer that is written"
                                           : "needs a buffer that is read and one that is written");
  const TensorSpec &target = kernel.bindings.back().type;
  if (isIndex) {
    if (target.dtype != DType::I64 || staticBytes(target) != 8)
      item.field("kind").fail("needs a buffer of one i64");
    return;
  }
  std::vector<int64_t> shape = kernel.bindings.front().type.shape;
  if (target.dtype != kernel.bindings.front().type.dtype || target.shape.size() != shape.size())
    return item.field("kind").fail("needs two buffers of one element type and rank");
  for (const int64_t dim : {collective.dim, collective.concatDim})
    if (dim >= int64_t(shape.size()))
      return item.field("kind").fail("names dimension " + std::to_string(dim) + " of " + std::to_string(shape.size()));
  const int64_t members = collective.groupSize();
  const bool gathers = collective.kind == "all_gather" || collective.kind == "gather";
  bool divides = true;
  if (int64_t &size = shape[size_t(std::max<int64_t>(0, collective.dim))]; collective.dim >= 0 && size >= 0) {
    divides = gathers || size % members == 0;
    size = gathers ? size * members : size / members;
  }
  if (collective.concatDim >= 0 && shape[size_t(collective.concatDim)] >= 0)
    shape[size_t(collective.concatDim)] *= members;
  for (size_t i = 0; i < shape.size(); ++i)
    divides &= shape[i] < 0 || target.shape[i] < 0 || shape[i] == target.shape[i];
  if (!divides)
    item.field("axes").fail("makes groups of " + std::to_string(members) +
                            " ranks, for which the sizes of the two buffers do not fit");
}

} // namespace

int64_t CollectiveRecord::groupSize() const {
  int64_t size = 1;
  for (int64_t axis : axes)
    size *= grid[size_t(axis)];
  return size;
}

Json printCollective(const CollectiveRecord &collective) {
  Json json{{"kind", collective.kind}, {"grid", collective.grid}, {"axes", collective.axes}};
  if (!collective.reduction.empty())
    json["reduction"] = collective.reduction;
  for (const auto &[key, value] : {std::pair("dim", collective.dim), std::pair("concat_dim", collective.concatDim),
                                   std::pair("peer", collective.peer), std::pair("shift_axis", collective.shiftAxis)})
    if (value >= 0)
      json[key] = value;
  if (collective.offset != 0)
    json["offset"] = collective.offset;
  if (collective.rotates)
    json["rotate"] = true;
  return json;
}

CollectiveRecord readCollective(const JsonCursor &item, const KernelRecord &kernel) {
  CollectiveRecord collective;
  const JsonCursor kind = item.field("kind");
  collective.kind = kind.string();
  const auto *info = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const KindInfo &known) { return known.name == collective.kind; });
  if (!item.failed() && info == std::end(kKinds))
    kind.fail("is \"" + collective.kind + "\", which is no exchange between ranks");
  collective.grid = readGrid(item);
  std::vector<bool> used;
  collective.axes = readAxes(item.field("axes"), collective.grid, used);
  if (item.failed())
    return collective;
  if (info->reduction) {
    const JsonCursor reduction = item.field("reduction");
    collective.reduction = reduction.string();
    if (!item.failed() &&
        std::find(std::begin(kReductions), std::end(kReductions), collective.reduction) == std::end(kReductions))
      reduction.fail("is \"" + collective.reduction + "\", which is no reduction");
  }
  if (info->dim)
    collective.dim = item.field("dim").integer(0);
  if (info->concatDim)
    collective.concatDim = item.field("concat_dim").integer(0);
  if (info->peer)
    collective.peer = item.field("peer").integer(0, collective.groupSize() - 1);
  if (info->shift) {
    const JsonCursor axis = item.field("shift_axis");
    collective.shiftAxis = axis.integer(0);
    if (!item.failed() &&
        std::find(collective.axes.begin(), collective.axes.end(), collective.shiftAxis) == collective.axes.end())
      axis.fail("is not among the axes of the group");
    if (item.has("offset"))
      collective.offset = item.field("offset").integer(INT64_MIN);
    if (item.has("rotate"))
      collective.rotates = item.field("rotate").boolean();
  }
  if (!item.failed())
    checkSizes(item, kernel, collective);
  return collective;
}

} // namespace mica::artifact
