//===- SourceNames.cpp - names of values in the source ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// MLIR does not keep the names of values. They are read from the source at the positions of ops: an argument's position
// is that of its name, and an operation's line has "%q = " in front of it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/SourceNames.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/Artifact/Manifest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <filesystem>
#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
class SourceNames {
public:
  SourceNames(llvm::StringRef source, const artifact::Manifest &manifest) : file(manifest.inputFile) {
    source.split(lines, '\n');
  }

  /// The name that begins at `position`; "" if there is none.
  std::string at(const artifact::SourcePosition &position) const {
    return nameIn(lineOf(position).drop_front(std::min<size_t>(column(position), lineOf(position).size())));
  }
  /// The name of the first result of the operation that begins at `position`.
  std::string resultAt(const artifact::SourcePosition &position) const {
    llvm::StringRef before = lineOf(position).take_front(column(position)).rtrim();
    if (!before.consume_back("="))
      return "";
    // If the line has several statements, the name follows the end of the previous one.
    const size_t begin = before.find('%');
    return begin == before.npos ? "" : nameIn(before.drop_front(begin));
  }

private:
  static size_t column(const artifact::SourcePosition &position) {
    return position.column > 0 ? static_cast<size_t>(position.column - 1) : 0;
  }
  llvm::StringRef lineOf(const artifact::SourcePosition &position) const {
    const bool isHere = std::filesystem::path(position.file).filename() == file;
    return isHere && position.line > 0 && static_cast<size_t>(position.line) <= lines.size() ? lines[position.line - 1]
                                                                                             : llvm::StringRef();
  }
  static std::string nameIn(llvm::StringRef text) {
    if (!text.starts_with("%"))
      return "";
    return text
        .take_while([](char c) { return llvm::isAlnum(c) || c == '%' || c == '_' || c == '$' || c == '.' || c == '-'; })
        .str();
  }

  llvm::SmallVector<llvm::StringRef> lines;
  std::string file;
};
} // namespace

/// The argument of an entry that `buffer` of its host function is, or is a view of; -1: none.
static int64_t argumentOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  auto argument = dyn_cast<BlockArgument>(buffer);
  const bool isOfFunction = argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isOfFunction ? static_cast<int64_t>(argument.getArgNumber()) : -1;
}

/// The name of the loop-carried value that `buffer` is, or of its initial value; "" if it is neither.
static std::string carriedName(Value buffer, const SourceNames &names,
                               llvm::function_ref<std::string(Value)> nameOfArgument) {
  for (int depth = 0; depth < 8; ++depth) {
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
      buffer = view.getViewSource();
    auto argument = dyn_cast<BlockArgument>(buffer);
    auto loop = argument ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp()) : LoopLikeOpInterface();
    if (!loop)
      return depth == 0 ? "" : nameOfArgument(buffer);
    if (SmallVector<FileLineColLoc> at = getSourcePositions(argument.getLoc()); !at.empty()) {
      const artifact::SourcePosition position{at.back().getFilename().str(), static_cast<int64_t>(at.back().getLine()),
                                              static_cast<int64_t>(at.back().getColumn())};
      if (std::string name = names.at(position); !name.empty())
        return name;
    }
    // The initial value: carried values are the last arguments.
    const size_t carried = loop.getInits().size(), arguments = argument.getOwner()->getNumArguments();
    const size_t number = argument.getArgNumber();
    if (arguments < carried || number < arguments - carried)
      return "";
    buffer = loop.getInits()[number - (arguments - carried)];
  }
  return "";
}

void compiler::nameTensors(ModuleOp program, llvm::StringRef source, const std::vector<artifact::TaskList> &lists,
                           artifact::Manifest &manifest) {
  const SourceNames names(source, manifest);
  for (artifact::OpRecord &op : manifest.ops)
    if (op.name.empty() && !op.positions.empty())
      op.name = names.resultAt(op.positions.back());
  for (artifact::EntryRecord &entry : manifest.entries)
    for (artifact::TensorSpec &spec : entry.args)
      if (spec.name.empty() && spec.position)
        spec.sourceName = names.at(*spec.position);
  auto argumentName = [&](func::FuncOp function, int64_t argument) -> std::string {
    for (const artifact::EntryRecord &entry : manifest.entries)
      if (entry.name == function.getName() && argument < static_cast<int64_t>(entry.args.size())) {
        const artifact::TensorSpec &spec = entry.args[argument];
        const std::string name = spec.name.empty() ? spec.sourceName : spec.name;
        return name.empty() ? "argument " + std::to_string(argument) : name;
      }
    return "";
  };
  // A list that is submitted twice, with different arguments, gets no names.
  std::map<std::string, std::vector<std::string>> parameters;
  std::map<std::string, std::string> loops;
  program.walk([&](sched::SubmitOp submit) {
    auto function = submit->getParentOfType<func::FuncOp>();
    // From the inside out: the innermost loop that came from the program.
    for (Operation *around = submit->getParentOp(); around && !isa<func::FuncOp>(around);
         around = around->getParentOp())
      if (auto ids = getOpIds(around); isa<LoopLikeOpInterface>(around) && !ids.empty()) {
        loops.try_emplace(submit.getList().str(), ids.front().str());
        break;
      }
    std::vector<std::string> given;
    for (Value buffer : submit.getBuffers()) {
      const int64_t argument = argumentOf(buffer);
      auto nameOfArgument = [&](Value value) -> std::string {
        const int64_t number = argumentOf(value);
        return number >= 0 && function ? argumentName(function, number) : "";
      };
      given.push_back(argument >= 0 ? nameOfArgument(buffer) : carriedName(buffer, names, nameOfArgument));
    }
    auto [known, isNew] = parameters.try_emplace(submit.getList().str(), given);
    if (!isNew)
      for (size_t i = 0; i < std::min(given.size(), known->second.size()); ++i)
        if (known->second[i] != given[i])
          known->second[i].clear();
  });
  for (const artifact::TaskList &list : lists)
    for (const artifact::TaskRecord &task : list.tasks) {
      if (task.site < 0 || static_cast<size_t>(task.site) >= manifest.sites.size())
        continue;
      manifest.sites[task.site].loop = loops[list.name];
      std::vector<std::string> tensors;
      for (int64_t buffer : task.buffers) {
        const artifact::BufferRecord &record = list.buffers[buffer];
        const std::vector<std::string> &given = parameters[list.name];
        const bool isParameter =
            record.kind == artifact::BufferKind::Parameter && static_cast<size_t>(record.index) < given.size();
        tensors.push_back(isParameter ? given[record.index] : "");
      }
      if (llvm::any_of(tensors, [](const std::string &name) { return !name.empty(); }))
        manifest.sites[task.site].tensors = std::move(tensors);
    }
}
