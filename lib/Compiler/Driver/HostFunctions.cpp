//===- HostFunctions.cpp - functions and ops that run without kernels ---------------------------------------------===//
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
/// Finds functions and ops by source positions.
class SourceFinder {
public:
  explicit SourceFinder(ModuleOp program) {
    int64_t number = 0;
    program.walk<WalkOrder::PreOrder>([&](Operation *op) { numbers[op] = number++; });
    for (auto function : program.getOps<func::FuncOp>())
      if (!function.isExternal())
        function.walk([&](Operation *op) {
          op->getAttrDictionary().walk([&](SymbolRefAttr symbol) { users[symbol.getRootReference()].insert(op); });
        });
    for (Operation &top : *program.getBody())
      top.walk([&](Operation *op) { addPlaces(op); });
  }

  /// The ops in functions at `source` ("model.mlir:3:8"), or that refer to a symbol there.
  llvm::SetVector<Operation *> opsAt(llvm::StringRef source) {
    llvm::SetVector<Operation *> found;
    for (Operation *op : places.lookup(source)) {
      if (func::FuncOp function = functionOf(op); function && function != op)
        found.insert(op);
      else if (StringAttr name = function ? StringAttr() : SymbolTable::getSymbolName(op))
        found.insert_range(users[name]);
    }
    return found;
  }

  /// The functions at `source`, or that refer to a symbol there.
  llvm::SetVector<func::FuncOp> functionsAt(llvm::StringRef source) {
    llvm::SetVector<func::FuncOp> found;
    for (Operation *op : places.lookup(source))
      if (func::FuncOp function = functionOf(op))
        found.insert(function);
    for (Operation *op : opsAt(source))
      found.insert(functionOf(op));
    return found;
  }

  /// The ops that refer to `function`.
  const llvm::SetVector<Operation *> &usersOf(func::FuncOp function) { return users[function.getNameAttr()]; }

  /// The function with a body that `op` is, or is in; null if there is none.
  static func::FuncOp functionOf(Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      function = op->getParentOfType<func::FuncOp>();
    return function && !function.isExternal() ? function : func::FuncOp();
  }

  int64_t numberOf(Operation *op) const { return numbers.lookup(op); }

private:
  void addPlaces(Operation *op) {
    auto add = [&](Location location) {
      for (FileLineColLoc place : getSourcePositions(location))
        places[(llvm::sys::path::filename(place.getFilename().strref()) + ":" + Twine(place.getLine()) + ":" +
                Twine(place.getColumn()))
                   .str()]
            .insert(op);
    };
    add(op->getLoc());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          add(argument.getLoc());
  }

  llvm::DenseMap<StringAttr, llvm::SetVector<Operation *>> users;
  llvm::DenseMap<Operation *, int64_t> numbers;
  llvm::StringMap<llvm::SmallSetVector<Operation *, 1>> places;
};

/// Adds functions and ops to those that run without kernels.
class HostPartAdder {
public:
  HostPartAdder(ModuleOp program, std::vector<HostFunction> &parts) : finder(program), parts(parts) {
    for (const HostFunction &part : parts)
      part.isOp() ? (void)ops.insert(part.number) : (void)functions.insert(part.name);
  }

  /// False if the error is in no function.
  bool add(const RecordedDiagnostic &error) {
    const std::string reason = reasonOf(error), source = error.sources.empty() ? "" : error.sources.back();
    bool isAdded = false;
    for (const std::string &place : error.sources)
      for (Operation *op : finder.opsAt(place))
        isAdded |= addOp(op, reason, source) || added.contains(finder.numberOf(op));
    if (isAdded)
      return true;
    llvm::SetVector<func::FuncOp> found;
    for (const std::string &place : error.sources)
      found.insert_range(finder.functionsAt(place));
    for (func::FuncOp function : found)
      addFunction(function, reason, source);
    return !found.empty();
  }

  bool isHost(llvm::StringRef function) const { return functions.contains(function); }
  bool hasChanged() const { return isChanged; }

private:
  bool addOp(Operation *op, const std::string &reason, const std::string &source) {
    if (functions.contains(SourceFinder::functionOf(op).getName()) || !ops.insert(finder.numberOf(op)).second)
      return false;
    parts.push_back({op->getName().getStringRef().str(), reason, source, finder.numberOf(op)});
    added.insert(finder.numberOf(op));
    return isChanged = true;
  }

  /// Calls of the function become host ops of its callers, or, if that failed before, the callers functions without
  /// kernels as well.
  void addFunction(func::FuncOp function, std::string reason, std::string source) {
    if (!functions.insert(function.getName()).second)
      return;
    isChanged = true;
    // What was in the way first.
    for (const HostFunction &part : parts)
      if (part.isOp() && isIn(part.number, function)) {
        reason = part.reason;
        source = part.source;
        break;
      }
    llvm::erase_if(parts, [&](const HostFunction &part) { return part.isOp() && isIn(part.number, function); });
    parts.push_back({function.getName().str(), reason, source});
    const std::string calls = "it calls '@" + function.getName().str() + "'";
    for (Operation *user : finder.usersOf(function)) {
      func::FuncOp caller = SourceFinder::functionOf(user);
      if (!functions.contains(caller.getName()) && !addOp(user, calls, source))
        addFunction(caller, calls, source);
    }
  }

  bool isIn(int64_t number, func::FuncOp function) const {
    return function
        .walk([&](Operation *op) {
          return finder.numberOf(op) == number ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  SourceFinder finder;
  std::vector<HostFunction> &parts;
  llvm::StringSet<> functions;
  llvm::DenseSet<int64_t> ops, added; ///< of all compiles; of this one, which may have several errors for one op
  bool isChanged = false;
};
} // namespace

/// Whether `name` can be used in the text of a pipeline.
static bool isPlainName(llvm::StringRef name) {
  return !name.empty() &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; });
}

/// Whether a transform script changes the program before ops are counted.
static bool hasScript(ModuleOp program) {
  return program
      .walk([](Operation *op) {
        return op->getName().getDialectNamespace() == "transform" ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool compiler::addHostParts(ModuleOp program, const std::vector<RecordedDiagnostic> &errors,
                            std::vector<HostFunction> &parts) {
  if (hasScript(program))
    return false;
  HostPartAdder adder(program, parts);
  for (const RecordedDiagnostic &error : errors)
    if (!adder.add(error))
      return false;
  const bool leavesEntries = llvm::any_of(program.getOps<func::FuncOp>(), [&](func::FuncOp function) {
    return function.isPublic() && !function.isExternal() && !adder.isHost(function.getName());
  });
  return adder.hasChanged() && leavesEntries &&
         llvm::all_of(parts, [](const HostFunction &part) { return part.isOp() || isPlainName(part.name); });
}

CompileOptions compiler::withHostParts(CompileOptions options, const std::string &text,
                                       const std::vector<HostFunction> &parts) {
  options.text = std::make_shared<const std::string>(text);
  options.hostReasons = parts;
  options.hostFunctions = options.hostOps = "";
  for (const HostFunction &part : parts) {
    std::string &list = part.isOp() ? options.hostOps : options.hostFunctions;
    if (!list.empty())
      list += part.isOp() ? "," : "\n";
    list += part.isOp() ? std::to_string(part.number) : part.name;
  }
  return options;
}
