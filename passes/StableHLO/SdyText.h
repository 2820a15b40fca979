//===- SdyText.h - annotations of sdy, as text --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The attributes of sdy are kept as their text. What meshes and shardings say.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_SDYTEXT_H
#define MICA_PASSES_STABLEHLO_SDYTEXT_H

#include "dialects/StableHLO/IR/SdyDialect.h"
#include "passes/StableHLO/RankGrid.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace mica::hlotypes {

/// Reads the text of an annotation.
class AnnotationText {
public:
  explicit AnnotationText(mlir::Attribute attribute) {
    auto opaque = mlir::dyn_cast_if_present<mlir::OpaqueAttr>(attribute);
    text = opaque ? opaque.getAttrData() : llvm::StringRef();
    if (text.consume_front("annotation<"))
      text.consume_back(">");
    else
      text = text.drop_while([](char c) { return c != '<'; }); // sharding<...>
  }
  bool consume(llvm::StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }
  bool at(char c) {
    text = text.ltrim();
    return text.starts_with(llvm::StringRef(&c, 1));
  }
  std::optional<llvm::StringRef> name(llvm::StringRef prefix) {
    if (!consume(prefix))
      return std::nullopt;
    const bool isQuoted = prefix == "\"" || text.consume_front("\"");
    llvm::StringRef word =
        text.take_while([&](char c) { return isQuoted ? c != '"' : llvm::isAlnum(c) || c == '_' || c == '.'; });
    text = text.drop_front(word.size());
    if (isQuoted && !text.consume_front("\""))
      return std::nullopt;
    return word;
  }
  std::optional<int64_t> number() {
    text = text.ltrim();
    int64_t value = 0;
    return text.consumeInteger(10, value) ? std::nullopt : std::optional(value);
  }

private:
  llvm::StringRef text;
};

struct Mesh {
  llvm::SmallVector<std::string> names;
  Grid grid;

  /// `<["x"=2, "y"=4]>`
  static std::optional<Mesh> of(sdy::MeshOp op);
};

/// `<@mesh, [{"x"}, {}]>`, also with what else may follow the dimensions.
std::optional<Split> readSharding(AnnotationText &text, const llvm::StringMap<Mesh> &meshes, std::string &mesh);

/// `[<@mesh, [{"x"}]>, ..]`
std::optional<llvm::SmallVector<Split>> readShardings(mlir::Attribute attribute, const llvm::StringMap<Mesh> &meshes,
                                                      std::string &mesh);

llvm::StringMap<Mesh> meshesOf(mlir::ModuleOp module);

} // namespace mica::hlotypes

#endif // MICA_PASSES_STABLEHLO_SDYTEXT_H
