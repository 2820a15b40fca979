//===- Stock.cpp - the fault shown with stock tools ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Stock.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Stock.h"

#include "mica/Compare/PrintedText.h"
#include "mica/Support/Files.h"
#include "mica/Support/Process.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

static constexpr llvm::StringLiteral kModule = "builtin.module(";

std::string bisect::joinPipelines(const std::string &first, const std::string &second) {
  auto inner = [](llvm::StringRef pipeline) {
    if (pipeline.consume_front(kModule))
      pipeline.consume_back(")");
    return pipeline;
  };
  const llvm::StringRef a = inner(first), b = inner(second);
  return (kModule + a + (a.empty() || b.empty() ? "" : ",") + b + ")").str();
}

namespace {
struct StockTools {
  std::string opt, runner, libraries;
};
} // namespace

static std::optional<StockTools> findStockTools() {
  StockTools tools;
  for (auto [name, to] : {std::pair("mlir-opt", &tools.opt), std::pair("mlir-runner", &tools.runner)}) {
    llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name);
    if (!path)
      path = llvm::sys::findProgramByName(name, {MICA_LLVM_TOOLS});
    if (!path)
      return std::nullopt;
    *to = *path;
  }
  std::error_code ignored;
  const fs::path lib = fs::canonical(tools.runner, ignored).parent_path().parent_path() / "lib";
  for (const char *name : {"libmlir_runner_utils.so", "libmlir_c_runner_utils.so"}) {
    if (!fs::exists(lib / name))
      return std::nullopt;
    tools.libraries += (tools.libraries.empty() ? "" : ",") + (lib / name).string();
  }
  return tools;
}

namespace {
struct Printed {
  int code = 0;
  std::string text;
};
} // namespace

/// Lowerings for what the rest of the pipeline does not lower, all of passes of the stock mlir-opt.
static constexpr llvm::StringLiteral kLowerings[] = {
    "builtin.module(test-lower-to-llvm)",
    "builtin.module(one-shot-bufferize{bufferize-function-boundaries},func.func(convert-linalg-to-loops),"
    "test-lower-to-llvm)"};

/// Flags of mlir-runner for a function that it can call; none where it cannot.
static std::vector<std::string> runnerFlags(const Entry &entry) {
  if (!entry.arguments.empty() || entry.results.size() > 1)
    return {};
  std::string result = "void";
  if (!entry.results.empty()) {
    const mlir::Type type = entry.results.front();
    if (!type.isInteger(32) && !type.isInteger(64) && !type.isIndex() && !type.isF32())
      return {};
    result = type.isF32() ? "f32" : type.isInteger(32) ? "i32" : "i64";
  }
  return {"-e", entry.name, "-entry-point-result=" + result, "-O0"};
}

/// What the program prints; nothing where it does not get that far.
static std::optional<Printed> printedBy(const StockTools &tools, const std::string &program,
                                        const std::string &pipeline, llvm::ArrayRef<std::string> flags,
                                        const Runner &runner, const fs::path &folder) {
  const fs::path input = folder / "input.mlir", lowered = folder / "lowered.mlir", out = folder / "out.txt";
  ProcessOptions process;
  process.standardError = folder / "errors.txt";
  process.secondsLimit = runner.limits().seconds;
  process.memoryLimit = runner.limits().memoryBytes;
  if (!writeFile(input, program))
    return std::nullopt;
  Result<int> code =
      runProcess({tools.opt, input.string(), "--pass-pipeline=" + pipeline, "-o", lowered.string()}, process);
  if (!code || *code != 0)
    return std::nullopt;
  process.standardOutput = out;
  std::vector<std::string> command{tools.runner, lowered.string(), "-shared-libs=" + tools.libraries};
  command.insert(command.end(), flags.begin(), flags.end());
  code = runProcess(command, process);
  Result<std::string> text = readFile(out);
  if (!code || !text)
    return std::nullopt;
  return Printed{*code, *code == 0 ? *text : "exit code " + std::to_string(*code) + "\n"};
}

std::optional<StockRun> bisect::runStock(const Culprit &culprit, const Entry &entry, const Runner &runner) {
  const std::vector<std::string> flags = runnerFlags(culprit.entry ? *culprit.entry : entry);
  if (flags.empty() || culprit.before.empty())
    return std::nullopt;
  const std::optional<StockTools> tools = findStockTools();
  Result<ScratchFolder> folder = ScratchFolder::create("mica-bisect-stock");
  if (!tools || !folder)
    return std::nullopt;
  auto printed = [&](const std::string &pipeline) {
    return printedBy(*tools, culprit.before, pipeline, flags, runner, folder->path());
  };
  auto show = [&](const std::string &with, const Printed &wrong, const std::optional<Printed> &right,
                  const std::string &expected) -> std::optional<StockRun> {
    if (comparePrinted(wrong.text, right ? right->text : expected, {}).empty())
      return std::nullopt;
    return StockRun{with, "mlir-runner " + llvm::join(flags, " "), wrong.text, right ? right->text : "", expected};
  };
  const std::string with = joinPipelines(culprit.pipeline, culprit.remaining);
  if (const std::optional<Printed> wrong = printed(with)) {
    const std::optional<Printed> right = printed(culprit.remaining);
    if (right && right->code != 1)
      return show(with, *wrong, right, "");
    // Without a pass that lowers something, the rest of the pipeline may not lower the program.
    const bool isKnown = culprit.expected && culprit.expected->ran() && culprit.expected->results.empty();
    if (wrong->code == 0 && isKnown)
      return show(with, *wrong, std::nullopt, culprit.expected->printed);
  }
  for (const llvm::StringRef lowering : kLowerings) {
    const std::optional<Printed> right = printed(lowering.str());
    if (!right || right->code != 0)
      continue;
    const std::string both = joinPipelines(culprit.pipeline, lowering.str());
    if (const std::optional<Printed> wrong = printed(both))
      return show(both, *wrong, right, "");
  }
  return std::nullopt;
}
