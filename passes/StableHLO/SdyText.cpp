//===- SdyText.cpp - annotations of sdy, as text ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See SdyText.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/SdyText.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;

std::optional<Mesh> Mesh::of(sdy::MeshOp op) {
  AnnotationText text(op.getMesh());
  Mesh mesh;
  if (!text.consume("<") || !text.consume("["))
    return std::nullopt;
  while (!text.consume("]")) {
    std::optional<StringRef> name = text.name("\"");
    if (!name || !text.consume("="))
      return std::nullopt;
    std::optional<int64_t> size = text.number();
    if (!size || *size < 1 || *size > kMostRanks)
      return std::nullopt;
    mesh.names.push_back(name->str());
    mesh.grid.sizes.push_back(*size);
    text.consume(",");
  }
  // Devices in another order.
  if (!text.consume(">") || mesh.grid.sizes.empty() || mesh.grid.count() > kMostRanks)
    return std::nullopt;
  return mesh;
}

std::optional<Split> hlotypes::readSharding(AnnotationText &text, const llvm::StringMap<Mesh> &meshes,
                                            std::string &mesh) {
  if (!text.consume("<"))
    return std::nullopt;
  std::optional<StringRef> name = text.name("@");
  auto known = name ? meshes.find(*name) : meshes.end();
  if (known == meshes.end() || !text.consume(",") || !text.consume("["))
    return std::nullopt;
  mesh = name->str();
  Split split;
  while (!text.consume("]")) {
    Axes &axes = split.emplace_back();
    if (!text.consume("{"))
      return std::nullopt;
    while (!text.consume("}")) {
      text.consume(",");
      if (text.consume("?"))
        continue;
      std::optional<StringRef> axis = text.name("\"");
      const auto *place = axis ? llvm::find(known->second.names, *axis) : known->second.names.end();
      // A part of an axis, "x":(1)2.
      if (place == known->second.names.end() || text.at(':'))
        return std::nullopt;
      axes.push_back(int16_t(place - known->second.names.begin()));
    }
    if (text.consume("p"))
      text.number();
    text.consume(",");
  }
  // replicated={..} says nothing more; sums that are not added up yet have no form.
  if (text.consume(",") && (!text.consume("replicated") || !text.consume("=") || !text.consume("{")))
    return std::nullopt;
  while (!text.consume(">"))
    if (!text.name("\"") && !text.consume(",") && !text.consume("}"))
      return std::nullopt;
  return split;
}

llvm::StringMap<Mesh> hlotypes::meshesOf(ModuleOp module) {
  llvm::StringMap<Mesh> meshes;
  for (auto op : module.getOps<sdy::MeshOp>())
    if (std::optional<Mesh> mesh = Mesh::of(op))
      meshes[op.getSymName()] = *mesh;
  return meshes;
}

std::optional<SmallVector<Split>> hlotypes::readShardings(Attribute attribute, const llvm::StringMap<Mesh> &meshes,
                                                          std::string &mesh) {
  AnnotationText text(attribute);
  SmallVector<Split> splits;
  if (!text.consume("["))
    return std::nullopt;
  while (!text.consume("]")) {
    std::string own;
    std::optional<Split> split = readSharding(text, meshes, own);
    if (!split || (!mesh.empty() && mesh != own))
      return std::nullopt;
    mesh = own;
    splits.push_back(*split);
    text.consume(",");
  }
  return splits;
}
