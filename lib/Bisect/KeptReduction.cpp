//===- KeptReduction.cpp - how far an interrupted reduction came --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See KeptReduction.h. A list in JSON: the position, whether it came to its end, and the module.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/KeptReduction.h"

#include "lib/IRTools/ModuleText.h"
#include "mica/Support/Base64.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

void KeptReduction::restore(MLIRContext *context) {
  const std::optional<std::string> text = runner.find(key);
  if (!text)
    return;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(*text);
  if (!json) {
    llvm::consumeError(json.takeError());
    return;
  }
  const llvm::json::Array *parts = json->getAsArray();
  if (!parts || parts->size() != 6)
    return;
  auto number = [&](size_t i) { return static_cast<size_t>((*parts)[i].getAsInteger().value_or(0)); };
  module = irtools::readModule(decodeBase64((*parts)[5].getAsString().value_or("")).value_or(""), context);
  if (!module)
    return;
  irtools::stripLocations(*module);
  position = {number(0), number(1), number(2), number(3) != 0};
  isFinished = number(4) != 0;
}

void KeptReduction::save(ModuleOp found, const irtools::ReductionPosition &at, bool finished) {
  isFinished = finished;
  llvm::json::Value json = llvm::json::Array{
      static_cast<int64_t>(at.way),   static_cast<int64_t>(at.chunk),
      static_cast<int64_t>(at.end),   static_cast<int64_t>(at.found),
      static_cast<int64_t>(finished), encodeBase64(irtools::serializeModule(found, /*withLocations=*/false))};
  runner.keep(key, llvm::formatv("{0}", json).str());
}
