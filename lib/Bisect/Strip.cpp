//===- Strip.cpp - a verdict without names and weights ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Strip.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Strip.h"

#include "lib/IRTools/TestGenProbe.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

/// Elements of a constant that are no weights.
static constexpr int64_t kMostElements = 16;

namespace {

class Stripper {
public:
  explicit Stripper(MLIRContext &context) : context(context) {}

  /// `text` is IR; "" stays.
  Status program(std::string &text) {
    if (text.empty())
      return Status::ok();
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return Error{ErrorCode::Unsupported, "--strip: the program before or after the pass does not parse",
                   "leave --strip out, and names by hand"};
    rename(*module);
    OpPrintingFlags flags;
    flags.useLocalScope();
    flags.elideLargeElementsAttrs(kMostElements);
    text.clear();
    llvm::raw_string_ostream stream(text);
    module->print(stream, flags);
    stream << "\n";
    return Status::ok();
  }

  /// A sentence: names behind @.
  std::string sentence(const std::string &text) const {
    std::string result;
    for (llvm::StringRef rest = text; !rest.empty();) {
      const size_t at = rest.find('@');
      result += rest.take_front(at);
      if (at == rest.npos)
        break;
      rest = rest.drop_front(at + 1);
      const llvm::StringRef name =
          rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
      auto it = names.find(name.str());
      result += "@" + (it == names.end() ? name.str() : it->second);
      rest = rest.drop_front(name.size());
    }
    return result;
  }

  std::string name(const std::string &given) const {
    auto it = names.find(given);
    return it == names.end() ? given : it->second;
  }

private:
  void rename(ModuleOp module) {
    SymbolTable table(module);
    for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      auto function = dyn_cast<FunctionOpInterface>(op);
      if (!symbol || (function && (function.isExternal() || symbol.getName() == "main")))
        continue;
      const std::string given = symbol.getName().str();
      auto [it, isNew] = names.try_emplace(given);
      if (isNew)
        it->second = (function ? "f" : "g") + std::to_string(names.size() - 1);
      if (!table.lookup(it->second))
        (void)table.rename(&op, it->second);
    }
    // Names of arguments and the like.
    module.walk([](FunctionOpInterface function) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        for (NamedAttribute attribute : llvm::to_vector(function.getArgAttrs(i)))
          if (isa<StringAttr>(attribute.getValue()))
            function.removeArgAttr(i, attribute.getName());
    });
  }

  MLIRContext &context;
  std::map<std::string, std::string> names;
};

/// "line 3:5" of "model.mlir:3:5".
void stripPlace(std::optional<FoundPlace> &place) {
  if (place)
    place->location = place->location.substr(std::min(place->location.find(':'), place->location.size()));
  if (place && !place->location.empty())
    place->location = "line " + place->location.substr(1);
}

} // namespace

Status bisect::stripVerdict(Verdict &verdict, Entry &entry, MLIRContext &context) {
  Stripper stripper(context);
  // Code and edited files are no IR whose names could be replaced.
  if (verdict.culprit && verdict.culprit->pass.empty()) {
    verdict.culprit->before.clear();
    verdict.culprit->after.clear();
    verdict.culprit->command.clear();
    if (std::optional<Step> &step = verdict.culprit->step)
      step->before = step->after = "";
  }
  if (verdict.culprit) {
    verdict.culprit->slice.reset();
    MICA_RETURN_IF_ERROR(stripper.program(verdict.culprit->before));
    MICA_RETURN_IF_ERROR(stripper.program(verdict.culprit->after));
    MICA_RETURN_IF_ERROR(stripper.program(verdict.culprit->smallest));
    MICA_RETURN_IF_ERROR(stripper.program(verdict.culprit->source));
    for (std::string *text : {&verdict.culprit->why, &verdict.culprit->occurrence, &verdict.culprit->function})
      *text = stripper.sentence(*text);
    if (std::optional<Step> &step = verdict.culprit->step) {
      step->location.clear();
      for (std::string *text : {&step->before, &step->after})
        if (!stripper.program(*text))
          text->clear(); // a part of a program
    }
    for (std::string &function : verdict.culprit->functions)
      function = stripper.sentence(function);
  }
  if (verdict.culprit && llvm::StringRef(verdict.culprit->before).contains("__elided__"))
    verdict.evidence.push_back("Elements of constants were left out, so the input may not show the fault as it is.");
  verdict.headline = stripper.sentence(verdict.headline);
  for (std::vector<std::string> *lines : {&verdict.evidence, &verdict.ruledOut})
    for (std::string &line : *lines)
      line = stripper.sentence(line);
  entry.name = stripper.name(entry.name);
  entry.inputs.clear();
  if (verdict.culprit && verdict.culprit->entry) {
    verdict.culprit->entry->name = entry.name;
    verdict.culprit->entry->inputs.clear();
  }
  // The headline of undefined behavior ends with its place.
  if (verdict.origin && !verdict.origin->location.empty()) {
    const size_t at = verdict.headline.find(" at " + verdict.origin->location);
    if (at != std::string::npos)
      verdict.headline.resize(at);
  }
  stripPlace(verdict.origin);
  stripPlace(verdict.visible);
  stripPlace(verdict.cause);
  return Status::ok();
}
