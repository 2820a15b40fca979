//===- ShardFlag.cpp - shardings from the command line ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ShardFlag.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/ShardFlag.h"

#include "lib/Compiler/Emit/SourceNames.h"
#include "mica/Compiler/Emit/CompileOptions.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Text.h"
#include "passes/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// More ranks than any network of today has; keeps products of sizes small.
static constexpr int64_t kMostRanks = 65536;
static constexpr const char *kExample = "--shard='%x=[0,-];grid=4': dimension 0 of argument %x is split among 4 ranks";

static Error wrong(llvm::StringRef text, const llvm::Twine &why, llvm::StringRef hint = kExample) {
  return Error{ErrorCode::InvalidInput, ("--shard=" + text + ": " + why).str(), hint.str()};
}

static Result<std::vector<int64_t>> parseGrid(llvm::StringRef text) {
  std::vector<int64_t> grid;
  int64_t ranks = 1;
  for (llvm::StringRef part : llvm::split(text, 'x')) {
    int64_t size = 0;
    if (part.getAsInteger(10, size) || size < 1 || size > kMostRanks || (ranks *= size) > kMostRanks)
      return wrong("grid=" + text.str(),
                   "sizes of a grid are positive, joined by x, and have at most " + std::to_string(kMostRanks) +
                       " ranks",
                   "--shard='%x=[0,1];grid=2x4'");
    grid.push_back(size);
  }
  return grid;
}

static Result<std::vector<std::vector<int64_t>>> parseAxes(llvm::StringRef text, llvm::StringRef list) {
  std::vector<std::vector<int64_t>> axes;
  if (!list.consume_front("[") || !list.consume_back("]"))
    return wrong(text, "the axes of a value are in brackets, one entry for each dimension");
  if (list.empty())
    return axes;
  for (llvm::StringRef dim : llvm::split(list, ',')) {
    std::vector<int64_t> &split = axes.emplace_back();
    if (dim == "-")
      continue;
    for (llvm::StringRef axis : llvm::split(dim, '+'))
      if (axis.getAsInteger(10, split.emplace_back()) || split.back() < 0)
        return wrong(text, "'" + dim + "' is no axis of the grid, which are numbers from 0, joined by +; - is none");
  }
  return axes;
}

static std::string joined(llvm::ArrayRef<int64_t> sizes) {
  return llvm::join(llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }), "x");
}

Result<ShardFlag> ShardFlag::parse(const std::string &given) {
  ShardFlag flag;
  std::string text;
  llvm::copy_if(given, std::back_inserter(text), [](char c) { return !llvm::isSpace(c); });
  for (llvm::StringRef part : llvm::split(text, ';')) {
    if (part.empty())
      continue;
    auto [value, list] = part.split('=');
    if (value.empty() || list.empty())
      return wrong(part, "no value and its axes");
    if (value == "grid") {
      if (!flag.grid.empty())
        return wrong(text, "two grids; a program has one");
      MICA_ASSIGN_OR_RETURN(flag.grid, parseGrid(list));
      continue;
    }
    Tensor tensor;
    tensor.text = part.str();
    auto [function, name] = value.split(':');
    tensor.function = name.empty() ? "" : function.ltrim('@').str();
    tensor.name = (name.empty() ? value : name).str();
    MICA_ASSIGN_OR_RETURN(tensor.axes, parseAxes(part, list));
    flag.tensors.push_back(std::move(tensor));
  }
  if (flag.grid.empty())
    return wrong(text, "no grid of ranks");
  if (flag.tensors.empty())
    return wrong(text, "no argument and no result is split");
  for (const Tensor &tensor : flag.tensors) {
    std::vector<bool> isUsed(flag.grid.size());
    for (const std::vector<int64_t> &split : tensor.axes)
      for (int64_t axis : split) {
        if (size_t(axis) >= flag.grid.size())
          return wrong(tensor.text, "grid " + joined(flag.grid) + " has no axis " + llvm::Twine(axis),
                       "axes are numbered from 0");
        if (isUsed[size_t(axis)])
          return wrong(tensor.text, "axis " + llvm::Twine(axis) + " splits two dimensions",
                       "an axis of the grid can split one dimension of a tensor");
        isUsed[size_t(axis)] = true;
      }
  }
  return flag;
}

/// The function that a value without one belongs to.
static func::FuncOp defaultFunction(ModuleOp program) {
  func::FuncOp only;
  for (auto function : program.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    if (function.getName() == "main")
      return function;
    if (only)
      return {};
    only = function;
  }
  return only;
}

static std::string withoutSigil(llvm::StringRef name) { return name.ltrim('%').str(); }

Status compiler::checkShardFlag(const CompileOptions &options) {
  if (options.shard.empty())
    return {};
  if (options.shard != kShardAnnotations)
    if (const Result<ShardFlag> flag = ShardFlag::parse(options.shard); !flag)
      return flag.error();
  if (options.plain || !options.resume.empty())
    return Error{ErrorCode::InvalidInput, "--shard=" + options.shard + ": --plain and --resume do not split a program",
                 "leave one of them out"};
  return {};
}

Result<AnnotateProgramOptions> compiler::resolveShardFlag(const ShardFlag &flag, ModuleOp program,
                                                          llvm::StringRef source, llvm::StringRef file,
                                                          std::string &canonical) {
  const bool isAnnotated = program->walk([](shard::ShardOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (isAnnotated)
    return wrong(canonical, "the program has shardings of its own", "leave --shard out, or the ops shard.shard");
  AnnotateProgramOptions options;
  options.grid.assign(flag.grid.begin(), flag.grid.end());
  std::string resolved = "grid=" + joined(flag.grid);
  for (const ShardFlag::Tensor &tensor : flag.tensors) {
    func::FuncOp function =
        tensor.function.empty() ? defaultFunction(program) : program.lookupSymbol<func::FuncOp>(tensor.function);
    if (!function || function.isExternal())
      return tensor.function.empty()
                 ? wrong(tensor.text, "the program has several functions", "name one: --shard='main:%x=[0,-];grid=4'")
                 : wrong(tensor.text, "there is no function '@" + tensor.function + "' with a body");
    std::vector<std::string> names;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      names.push_back(argumentName(function, i, source, file));
    llvm::StringRef name = tensor.name;
    const bool isResult = name.consume_front("result");
    unsigned number = 0;
    if (name.getAsInteger(10, number))
      number = unsigned(llvm::find_if(names,
                                      [&](llvm::StringRef known) {
                                        return !known.empty() && !isResult &&
                                               withoutSigil(known) == withoutSigil(tensor.name);
                                      }) -
                        names.begin());
    auto types = isResult ? function.getResultTypes() : function.getArgumentTypes();
    if (number >= types.size() || (isResult && name.empty())) {
      for (auto [i, known] : llvm::enumerate(names))
        if (known.empty())
          known = std::to_string(i);
      return wrong(tensor.text, "'@" + function.getName() + "' has no such value",
                   (names.empty() ? "it has no arguments" : "arguments: " + joinNames(names, 1000)) +
                       "; results: " + std::to_string(function.getNumResults()) + ", named result0 and so on");
    }
    auto type = dyn_cast<RankedTensorType>(types[number]);
    std::string typeText;
    llvm::raw_string_ostream(typeText) << types[number];
    if (!type || isa<ComplexType>(type.getElementType()))
      return wrong(tensor.text, "it is of type " + typeText + ", and only tensors of numbers are split");
    // Complex arguments become two, which changes the positions of others.
    auto changesPositions = [](Type other) {
      auto tensor = dyn_cast<RankedTensorType>(other);
      return isa<TupleType>(other) || (tensor && isa<ComplexType>(tensor.getElementType()));
    };
    if (llvm::any_of(types, changesPositions))
      return wrong(tensor.text, "'@" + function.getName() + "' has complex numbers or tuples; it cannot be split");
    if (size_t(type.getRank()) != tensor.axes.size())
      return wrong(tensor.text,
                   "it has " + llvm::Twine(tensor.axes.size()) + " dimensions, and " + typeText + " has " +
                       llvm::Twine(type.getRank()),
                   "one entry for each dimension; - for one that is not split");
    const std::string value = (isResult ? "result" : "argument") + std::to_string(number);
    std::vector<std::string> coded;
    for (const std::vector<int64_t> &split : tensor.axes) {
      coded.push_back(split.empty()
                          ? "-"
                          : llvm::join(llvm::map_range(split, [](int64_t axis) { return std::to_string(axis); }), "+"));
    }
    const std::string key = function.getName().str() + ":" + value + "=";
    if (llvm::any_of(options.shardings, [&](llvm::StringRef other) { return other.starts_with(key); }))
      return wrong(tensor.text, "it is named twice", "name each value once");
    options.shardings.push_back(key + (coded.empty() ? "-" : llvm::join(coded, ":")));
    resolved += ";" + function.getName().str() + ":" + (isResult ? value : std::to_string(number)) + "=[" +
                llvm::join(coded, ",") + "]";
  }
  canonical = resolved;
  return options;
}
