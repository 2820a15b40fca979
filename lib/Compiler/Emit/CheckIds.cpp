//===- CheckIds.cpp - instrumentation that reports lost ids -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CheckIds.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Emit/CheckIds.h"

#include "dialects/Mica/IR/OpIds.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// Whether `op` should carry an id: it is neither a constant nor structural.
static bool isCounted(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<ModuleOp, FunctionOpInterface>(op))
    return false;
  // Returns of functions, and ops outside of functions (globals, task lists), need none.
  if (op->hasTrait<OpTrait::IsTerminator>() && isa_and_present<FunctionOpInterface>(op->getParentOp()))
    return false;
  return op->getParentOfType<FunctionOpInterface>() != nullptr;
}

IdCoverage compiler::countIdCoverage(Operation *root) {
  IdCoverage coverage;
  root->walk([&](Operation *op) {
    if (!isCounted(op))
      return;
    ++coverage.ops;
    coverage.withIds += hasOpIds(op->getLoc());
  });
  return coverage;
}

/// "arith.addf (m.mlir:7:5)".
static std::string describe(llvm::StringRef kind, Location loc) {
  std::string text = kind.str() + " (";
  llvm::SmallVector<FileLineColLoc> positions = getSourcePositions(loc);
  if (positions.empty())
    return text + "no position)";
  FileLineColLoc position = positions.back();
  return text + position.getFilename().str() + ":" + std::to_string(position.getLine()) + ":" +
         std::to_string(position.getColumn()) + ")";
}

namespace {
/// The ids in an op's tree and the ops that carry none.
struct IdsBefore {
  std::map<std::string, std::string> ids; ///< id -> a description of an op that carries it
  llvm::DenseSet<Operation *> bare;
};

IdsBefore idsIn(Operation *root) {
  IdsBefore snapshot;
  llvm::DenseMap<Attribute, llvm::SmallVector<llvm::StringRef>> cache;
  root->walk([&](Operation *op) {
    auto [it, isNew] = cache.try_emplace(op->getLoc());
    if (isNew)
      it->second = getOpIds(op->getLoc());
    for (llvm::StringRef id : it->second)
      snapshot.ids.try_emplace(id.str(), describe(op->getName().getStringRef(), op->getLoc()));
    if (it->second.empty() && isCounted(op))
      snapshot.bare.insert(op);
  });
  return snapshot;
}

class CheckIds : public PassInstrumentation {
public:
  explicit CheckIds(llvm::raw_ostream &os) : os(os) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!isAdaptor(pass))
      before[op] = idsIn(op);
    if (!root)
      root = op;
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (op == root)
      coverage = countIdCoverage(root);
    if (isAdaptor(pass))
      return;
    IdsBefore old = std::move(before[op]);
    before.erase(op);
    IdsBefore now = idsIn(op);
    if (now.ids.empty() && old.ids.empty())
      return; // ids are not assigned yet
    std::string where = ("after " + pass->getArgument()).str();
    if (auto symbol = op->getAttrOfType<StringAttr>("sym_name"); symbol && op != root)
      where += " on @" + symbol.getValue().str();
    std::vector<std::string> lost;
    for (auto &[id, what] : old.ids)
      if (!now.ids.count(id))
        lost.push_back(id + " " + what);
    if (!lost.empty())
      os << "mica-check-ids: " << where << ": lost " << llvm::join(lost, ", ") << "\n";
    // An op at the address of an earlier op without id may be new; it is identified by its description.
    llvm::MapVector<std::string, int64_t, llvm::StringMap<unsigned>> fresh;
    op->walk([&](Operation *inner) {
      if (now.bare.contains(inner) && !old.bare.contains(inner))
        ++fresh[describe(inner->getName().getStringRef(), inner->getLoc())];
    });
    if (fresh.empty())
      return;
    os << "mica-check-ids: " << where << ": new without an id: ";
    llvm::interleaveComma(fresh, os, [&](auto &entry) {
      if (entry.second > 1)
        os << entry.second << " x ";
      os << entry.first;
    });
    os << "\n";
  }

  ~CheckIds() override {
    if (!root)
      return;
    double percent = coverage.ops ? 100.0 * coverage.withIds / coverage.ops : 100.0;
    os << "mica-check-ids: " << coverage.withIds << " of " << coverage.ops << " ops carry ids ("
       << llvm::format("%.1f", percent) << " %), constants apart\n";
  }

private:
  static bool isAdaptor(Pass *pass) { return pass->getName().contains("OpToOpPassAdaptor"); }

  llvm::raw_ostream &os;
  Operation *root = nullptr;
  IdCoverage coverage;
  llvm::DenseMap<Operation *, IdsBefore> before;
};
} // namespace

std::unique_ptr<PassInstrumentation> compiler::createCheckIdsInstrumentation(llvm::raw_ostream &os) {
  return std::make_unique<CheckIds>(os);
}
