//===- StripProgram.cpp - removing private data from a program ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See StripProgram.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Program/StripProgram.h"

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
using Replacements = llvm::DenseMap<Attribute, Attribute>;
/// One removable item, with its name.
struct Step {
  Attribute from, to;
};
} // namespace

/// `attr` with each element 1; null if it holds no values to remove.
static Attribute onesOf(ElementsAttr attr) {
  auto type = cast<ShapedType>(attr.getType());
  Type element = type.getElementType();
  Attribute one;
  if (auto floating = dyn_cast<FloatType>(element))
    one = FloatAttr::get(floating, 1.0);
  else if (element.isIntOrIndex())
    one = IntegerAttr::get(element, 1);
  else
    return nullptr;
  auto ones = DenseElementsAttr::get(type, one);
  return ones == attr ? Attribute() : Attribute(ones);
}

static llvm::SmallVector<Step> findValues(ModuleOp program) {
  llvm::SetVector<Attribute> found;
  AttrTypeWalker walker;
  walker.addWalk([&](ElementsAttr attr) {
    if (isa<DenseElementsAttr, DenseResourceElementsAttr>(attr))
      found.insert(attr);
  });
  program.walk([&](Operation *op) { walker.walk(op->getAttrDictionary()); });
  llvm::SmallVector<Step> steps;
  for (Attribute attr : found)
    if (Attribute ones = onesOf(cast<ElementsAttr>(attr)))
      steps.push_back({attr, ones});
  return steps;
}

static void replaceValues(ModuleOp program, llvm::ArrayRef<Step> steps) {
  Replacements replacements;
  for (const Step &step : steps)
    replacements[step.from] = step.to;
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](Attribute attr) -> std::optional<std::pair<Attribute, WalkResult>> {
    auto it = replacements.find(attr);
    if (it == replacements.end())
      return std::nullopt;
    return std::pair(it->second, WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(program);
}

/// The value of a scalar constant; null if the op is not one, or is a size, which is part of the structure.
static TypedAttr scalarOf(Operation *op) {
  if (!op->hasTrait<OpTrait::ConstantLike>())
    return nullptr;
  auto value = op->getAttrOfType<TypedAttr>("value");
  return value && (isa<FloatAttr>(value) ||
                   (isa<IntegerAttr>(value) && value.getType().isInteger() && !value.getType().isInteger(1)))
             ? value
             : TypedAttr();
}

static llvm::SmallVector<Step> findScalars(ModuleOp program) {
  llvm::SetVector<Attribute> found;
  program.walk([&](Operation *op) {
    if (TypedAttr value = scalarOf(op))
      found.insert(value);
  });
  llvm::SmallVector<Step> steps;
  for (Attribute attr : found) {
    Type type = cast<TypedAttr>(attr).getType();
    Attribute one = isa<FloatType>(type) ? Attribute(FloatAttr::get(type, 1.0)) : IntegerAttr::get(type, 1);
    if (one != attr)
      steps.push_back({attr, one});
  }
  return steps;
}

static void replaceScalars(ModuleOp program, llvm::ArrayRef<Step> steps) {
  Replacements replacements;
  for (const Step &step : steps)
    replacements[step.from] = step.to;
  program.walk([&](Operation *op) {
    if (TypedAttr value = scalarOf(op))
      if (auto it = replacements.find(value); it != replacements.end())
        op->setAttr("value", it->second);
  });
}

/// The symbols of the program; equal symbols in several tables stay equal, such as those of a kernel and its function.
static llvm::SmallVector<Step> findNames(ModuleOp program) {
  llvm::SetVector<Attribute> found;
  program.walk([&](Operation *op) {
    if (auto symbol = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      found.insert(symbol);
  });
  llvm::SmallVector<Step> steps;
  for (Attribute attr : found)
    steps.push_back({attr, StringAttr::get(program.getContext(), "s" + llvm::Twine(steps.size()))});
  return steps;
}

static void replaceNames(ModuleOp program, llvm::ArrayRef<Step> steps) {
  Replacements replacements;
  for (const Step &step : steps)
    replacements[step.from] = step.to;
  auto renamed = [&](StringAttr name) {
    auto it = replacements.find(name);
    return it == replacements.end() ? name : cast<StringAttr>(it->second);
  };
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](SymbolRefAttr reference) -> std::optional<std::pair<Attribute, WalkResult>> {
    llvm::SmallVector<FlatSymbolRefAttr> nested;
    for (FlatSymbolRefAttr part : reference.getNestedReferences())
      nested.push_back(FlatSymbolRefAttr::get(renamed(part.getAttr())));
    return std::pair(SymbolRefAttr::get(renamed(reference.getRootReference()), nested), WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(program);
  program.walk([&](Operation *op) {
    if (auto symbol = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      op->setAttr(SymbolTable::getSymbolAttrName(), renamed(symbol));
  });
}

/// The attribute that names arguments and results for users.
static void removeArgumentNames(ModuleOp program) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](DictionaryAttr dictionary) -> std::optional<Attribute> {
    if (!dictionary.contains(kNameAttr))
      return std::nullopt;
    NamedAttrList list(dictionary);
    list.erase(kNameAttr);
    return list.getDictionary(program.getContext());
  });
  replacer.recursivelyReplaceElementsIn(program);
}

static void removeLocations(ModuleOp program) {
  Location unknown = UnknownLoc::get(program.getContext());
  program.walk([&](Operation *op) {
    op->setLoc(unknown);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(unknown);
  });
}

StripResult compiler::stripProgram(OwningOpRef<ModuleOp> &program, llvm::function_ref<bool(ModuleOp)> holds) {
  ScopedDiagnosticHandler silence(program->getContext(), [](Diagnostic &) { return success(); });
  auto attempt = [&](llvm::function_ref<void(ModuleOp)> change) {
    OwningOpRef<ModuleOp> changed = program->clone();
    change(*changed);
    if (failed(verify(*changed)) || !holds(*changed))
      return false;
    program = std::move(changed);
    return true;
  };
  /// Returns the steps that failed.
  auto attemptAll = [&](llvm::ArrayRef<Step> steps, llvm::function_ref<void(ModuleOp, llvm::ArrayRef<Step>)> replace) {
    llvm::SmallVector<Step> kept;
    if (steps.empty() || attempt([&](ModuleOp module) { replace(module, steps); }))
      return kept;
    for (const Step &step : steps)
      if (!attempt([&](ModuleOp module) { replace(module, step); }))
        kept.push_back(step);
    return kept;
  };
  StripResult result;
  result.keptValues = static_cast<int64_t>(attemptAll(findValues(*program), replaceValues).size());
  result.keptValues += static_cast<int64_t>(attemptAll(findScalars(*program), replaceScalars).size());
  for (const Step &step : attemptAll(findNames(*program), replaceNames))
    result.keptNames.push_back(cast<StringAttr>(step.from).getValue().str());
  if (!attempt(removeArgumentNames))
    result.keptNames.push_back(kNameAttr.str());
  result.keptLocations = !attempt(removeLocations);
  return result;
}
