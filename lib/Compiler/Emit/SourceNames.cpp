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

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/Artifact/Manifest.h"
#include "passes/Schedule/TaskLists.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <filesystem>
#include <map>
#include <optional>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
class SourceNames {
public:
  SourceNames(llvm::StringRef source, llvm::StringRef inputFile) : file(inputFile) { source.split(lines, '\n'); }

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
  /// The kind of the operation that begins at `position`: "complex.div"; "" if it is written without its dialect.
  std::string kindAt(const artifact::SourcePosition &position) const {
    llvm::StringRef text = lineOf(position).drop_front(std::min<size_t>(column(position), lineOf(position).size()));
    text.consume_front("\"");
    const auto isOfName = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
    llvm::StringRef kind = text.take_while(isOfName);
    return kind.contains('.') && llvm::isAlpha(kind.front()) ? kind.str() : "";
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

/// The argument of an entry that `buffer` of its host function is; -1: none.
static int64_t argumentOf(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  const bool isOfFunction = argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
  return isOfFunction ? static_cast<int64_t>(argument.getArgNumber()) : -1;
}

static std::optional<artifact::SourcePosition> positionOf(Location loc) {
  const SmallVector<FileLineColLoc> at = getSourcePositions(loc);
  if (at.empty())
    return std::nullopt;
  return artifact::SourcePosition{at.back().getFilename().str(), static_cast<int64_t>(at.back().getLine()),
                                  static_cast<int64_t>(at.back().getColumn())};
}

/// The value that a loop carries in `argument` at first; null: it is no loop-carried value.
static Value initialValue(BlockArgument argument) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop)
    return Value();
  // Carried values are the last arguments.
  const size_t carried = loop.getInits().size(), arguments = argument.getOwner()->getNumArguments();
  const size_t number = argument.getArgNumber();
  return arguments < carried || number < arguments - carried ? Value()
                                                             : loop.getInits()[number - (arguments - carried)];
}

/// The scalar that a host function hands to a kernel in memory: the only one that is stored to `buffer`.
static Value storedScalar(Value buffer) {
  Value stored;
  for (Operation *user : buffer.getUsers())
    if (auto store = dyn_cast<memref::StoreOp>(user)) {
      if (stored)
        return Value();
      stored = store.getValueToStore();
    }
  return stored;
}

/// "the result of mica.add [3f2a91c07b1e] at m.mlir:3:8"
static std::string described(const artifact::OpRecord &op) {
  std::string text = "the result of " + op.kind + " [" + op.id + "]";
  if (!op.positions.empty()) {
    const artifact::SourcePosition &at = op.positions.back();
    text += " at " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  return text;
}

namespace {
/// The names of values of host functions.
class ValueNames {
public:
  ValueNames(const SourceNames &names, const artifact::Manifest &manifest) : names(names), manifest(manifest) {}

  /// Of `value`, or what it is a view of: an argument, a value that a loop carries, the result of an operation of the
  /// program, a constant; "" if it is none of these.
  std::string of(Value value) const {
    for (int depth = 0; value && depth < 16; ++depth) {
      while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
        value = view.getViewSource();
      if (value.getDefiningOp()) {
        auto type = dyn_cast<MemRefType>(value.getType());
        Value scalar = type && type.getRank() == 0 ? storedScalar(value) : Value();
        if (!scalar)
          return ofResult(cast<OpResult>(value));
        value = scalar;
        continue;
      }
      if (const int64_t number = argumentOf(value); number >= 0)
        return ofArgument(cast<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp()), number);
      if (auto position = positionOf(value.getLoc()))
        if (std::string name = names.at(*position); !name.empty())
          return name;
      value = initialValue(cast<BlockArgument>(value));
    }
    return "";
  }

private:
  std::string ofArgument(func::FuncOp function, int64_t number) const {
    // The imaginary part of a complex argument is an argument of its own.
    const bool isImaginary = bool(function.getArgAttr(number, kImaginaryAttr));
    for (int64_t before = number; before >= 0; --before)
      number -= bool(function.getArgAttr(before, kImaginaryAttr));
    for (const artifact::EntryRecord &entry : manifest.entries)
      if (entry.name == function.getName() && number < static_cast<int64_t>(entry.args.size())) {
        const artifact::TensorSpec &spec = entry.args[number];
        const std::string name = spec.name.empty() ? spec.sourceName : spec.name;
        return (name.empty() ? "argument " + std::to_string(number) : name) + (isImaginary ? " (imaginary part)" : "");
      }
    return "";
  }

  std::string ofResult(OpResult result) const {
    Operation *op = result.getOwner();
    // Those of constant tensors have names that a pass made.
    if (auto global = dyn_cast<memref::GetGlobalOp>(op); global && !global.getName().starts_with("__constant_"))
      return "constant \x27" + global.getName().str() + "\x27";
    std::string name;
    if (auto position = positionOf(op->getLoc()))
      name = names.resultAt(*position);
    // Where the program is no text, operations may have names. A buffer may be of several operations.
    if (auto ids = getOpIds(op); name.empty() && !ids.empty())
      for (const artifact::OpRecord &record : manifest.ops)
        if (record.id == ids.front().str())
          name = record.name.empty() ? described(record) : record.name;
    if (!name.empty() && op->getNumResults() > 1 && isa<LoopLikeOpInterface, scf::IfOp>(op))
      name += "#" + std::to_string(result.getResultNumber());
    if (name.empty() && isa<memref::GetGlobalOp, sched::ConstantOp>(op)) {
      name = "a constant";
      if (auto position = positionOf(op->getLoc()))
        name = "the constant at " + position->file + ":" + std::to_string(position->line) + ":" +
               std::to_string(position->column);
    }
    return name;
  }

  const SourceNames &names;
  const artifact::Manifest &manifest;
};
} // namespace

std::string compiler::argumentName(func::FuncOp function, unsigned number, llvm::StringRef source,
                                   llvm::StringRef file) {
  if (auto name = function.getArgAttrOfType<StringAttr>(number, kNameAttr))
    return name.str();
  const Location location = function.getArgument(number).getLoc();
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  const auto position = positionOf(location);
  return position ? SourceNames(source, file).at(*position) : "";
}

void compiler::nameTensors(ModuleOp program, llvm::StringRef source, const std::vector<artifact::TaskList> &lists,
                           artifact::Manifest &manifest) {
  const SourceNames names(source, manifest.inputFile);
  for (artifact::OpRecord &op : manifest.ops) {
    if (op.name.empty() && !op.positions.empty())
      op.name = names.resultAt(op.positions.back());
    // What passes made of an op is at its position.
    for (artifact::BodyOpRecord &part : op.body)
      if (std::string kind = part.position ? names.kindAt(*part.position) : ""; !kind.empty())
        part.kind = kind;
  }
  for (artifact::EntryRecord &entry : manifest.entries)
    for (artifact::TensorSpec &spec : entry.args)
      if (spec.name.empty() && spec.position)
        spec.sourceName = names.at(*spec.position);
  const ValueNames values(names, manifest);
  // A list that is submitted twice, with different arguments, gets no names.
  std::map<std::string, std::vector<std::string>> parameters;
  std::map<std::string, std::string> loops;
  program.walk([&](sched::SubmitOp submit) {
    // From the inside out: the innermost loop that came from the program.
    for (Operation *around = submit->getParentOp(); around && !isa<func::FuncOp>(around);
         around = around->getParentOp())
      if (auto ids = getOpIds(around); isa<LoopLikeOpInterface>(around) && !ids.empty()) {
        loops.try_emplace(submit.getList().str(), ids.front().str());
        break;
      }
    std::vector<std::string> given;
    for (Value buffer : submit.getBuffers())
      given.push_back(values.of(buffer));
    auto [known, isNew] = parameters.try_emplace(submit.getList().str(), given);
    if (!isNew)
      for (size_t i = 0; i < std::min(given.size(), known->second.size()); ++i)
        if (known->second[i] != given[i])
          known->second[i].clear();
  });
  // By list and number. Constants of one value are one.
  llvm::DenseMap<Attribute, int64_t> numbers;
  for (auto [number, value] : llvm::enumerate(collectConstants(program)))
    numbers[value] = static_cast<int64_t>(number);
  std::map<std::pair<std::string, int64_t>, std::string> constants;
  for (auto list : program.getOps<sched::TaskListOp>())
    list.walk([&](sched::ConstantOp op) {
      const std::string name = values.of(op);
      auto [known, isNew] = constants.try_emplace({list.getSymName().str(), numbers.lookup(op.getValueAttr())}, name);
      if (!isNew && known->second != name)
        known->second.clear();
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
        const bool isConstant = record.kind == artifact::BufferKind::Constant;
        tensors.push_back(isParameter ? given[record.index] : isConstant ? constants[{list.name, record.index}] : "");
      }
      if (llvm::any_of(tensors, [](const std::string &name) { return !name.empty(); }))
        manifest.sites[task.site].tensors = std::move(tensors);
    }
}
