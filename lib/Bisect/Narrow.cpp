//===- Narrow.cpp - a program that gives one of its results -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Narrow.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Narrow.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

std::optional<Narrowed> bisect::keepResult(ModuleOp state, const Entry &entry, size_t index) {
  OwningOpRef<ModuleOp> program = cast<ModuleOp>(state->clone());
  auto function = program->lookupSymbol<func::FuncOp>(entry.name);
  if (!function || function.isExternal() || function.getNumResults() != entry.results.size() ||
      !SymbolTable::symbolKnownUseEmpty(function, *program))
    return std::nullopt;
  function.walk([&](func::ReturnOp op) { op->setOperands(SmallVector<Value>{op.getOperand(index)}); });
  llvm::BitVector others(function.getNumResults(), true);
  others.reset(index);
  if (failed(function.eraseResults(others)))
    return std::nullopt;
  Entry narrow = entry;
  narrow.results = {entry.results[index]};
  return Narrowed{std::move(program), std::move(narrow)};
}

std::vector<size_t> bisect::differingResults(const Outcome &actual, const Outcome &expected) {
  std::vector<size_t> differing;
  if (!actual.ran() || !expected.ran() || actual.results.size() != expected.results.size())
    return differing;
  for (size_t i = 0; i < expected.results.size(); ++i) {
    auto only = [i](const Outcome &outcome) {
      Outcome one;
      one.status = Outcome::Status::Ran;
      one.results = {outcome.results[i]};
      one.hasBounds = outcome.hasBounds && i < outcome.bounds.size();
      if (one.hasBounds)
        one.bounds = {outcome.bounds[i]};
      return one;
    };
    if (compareOutcomes(only(actual), only(expected)).kind == Agreement::Kind::Different)
      differing.push_back(i);
  }
  return differing;
}
