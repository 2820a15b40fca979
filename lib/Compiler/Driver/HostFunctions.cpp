//===- HostFunctions.cpp - functions that run without kernels -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See HostFunctions.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/HostFunctions.h"

#include "dialects/Mica/IR/OpIds.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

std::string compiler::reasonOf(const RecordedDiagnostic &error) {
  return llvm::StringRef(error.message).split('\n').first.split("; ").first.str();
}

namespace {
/// Finds functions by the source positions of their ops.
class FunctionFinder {
public:
  explicit FunctionFinder(ModuleOp program) {
    for (auto function : program.getOps<func::FuncOp>())
      if (!function.isExternal())
        function.walk([&](Operation *op) {
          op->getAttrDictionary().walk(
              [&](SymbolRefAttr symbol) { users[symbol.getRootReference()].insert(function); });
        });
    for (Operation &top : *program.getBody())
      top.walk([&](Operation *op) { addPlaces(op, &top); });
  }

  /// The functions with an operation at `source` ("model.mlir:3:8"), or that refer to a symbol there.
  llvm::SetVector<func::FuncOp> functionsAt(llvm::StringRef source) {
    llvm::SetVector<func::FuncOp> found;
    for (Operation *top : places.lookup(source)) {
      if (auto function = dyn_cast<func::FuncOp>(top); function && !function.isExternal())
        found.insert(function);
      else if (StringAttr name = SymbolTable::getSymbolName(top))
        found.insert_range(users[name]);
    }
    return found;
  }

  const llvm::SetVector<func::FuncOp> &usersOf(func::FuncOp function) { return users[function.getNameAttr()]; }

private:
  void addPlaces(Operation *op, Operation *top) {
    auto add = [&](Location location) {
      for (FileLineColLoc place : getSourcePositions(location))
        places[(llvm::sys::path::filename(place.getFilename().strref()) + ":" + Twine(place.getLine()) + ":" +
                Twine(place.getColumn()))
                   .str()]
            .insert(top);
    };
    add(op->getLoc());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          add(argument.getLoc());
  }

  llvm::DenseMap<StringAttr, llvm::SetVector<func::FuncOp>> users;
  llvm::StringMap<llvm::SmallSetVector<Operation *, 1>> places; ///< ops at the top level by the positions in them
};
} // namespace

/// Whether `name` can be used in the text of a pipeline.
static bool isPlainName(llvm::StringRef name) {
  return !name.empty() &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
}

bool compiler::addHostFunctions(ModuleOp program, const std::vector<RecordedDiagnostic> &errors,
                                std::vector<HostFunction> &functions) {
  FunctionFinder finder(program);
  llvm::MapVector<func::FuncOp, HostFunction> chosen;
  for (const RecordedDiagnostic &error : errors) {
    llvm::SetVector<func::FuncOp> found;
    for (const std::string &source : error.sources)
      found.insert_range(finder.functionsAt(source));
    if (found.empty())
      return false;
    for (func::FuncOp function : found)
      chosen.insert({function, {function.getName().str(), reasonOf(error), error.sources.back()}});
  }
  for (size_t i = 0; i < chosen.size(); ++i) {
    const HostFunction callee = (chosen.begin() + i)->second;
    for (func::FuncOp caller : finder.usersOf((chosen.begin() + i)->first))
      chosen.insert({caller, {caller.getName().str(), "it calls '@" + callee.name + "'", callee.source}});
  }
  const size_t before = functions.size();
  llvm::StringSet<> known;
  for (const HostFunction &function : functions)
    known.insert(function.name);
  for (auto &[function, made] : chosen)
    if (known.insert(made.name).second)
      functions.push_back(made);
  const bool leavesEntries = llvm::any_of(program.getOps<func::FuncOp>(), [&](func::FuncOp function) {
    return function.isPublic() && !function.isExternal() && !known.contains(function.getName());
  });
  return functions.size() > before && leavesEntries &&
         llvm::all_of(functions, [](const HostFunction &function) { return isPlainName(function.name); });
}

CompileOptions compiler::withHostFunctions(CompileOptions options, const std::string &text,
                                           const std::vector<HostFunction> &functions) {
  options.text = std::make_shared<const std::string>(text);
  options.hostReasons = functions;
  options.hostFunctions =
      llvm::join(llvm::map_range(functions, [](const HostFunction &function) { return function.name; }), "\n");
  return options;
}
