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

/// What the program prints; nothing where it does not get that far.
static std::optional<Printed> printedBy(const StockTools &tools, const std::string &program,
                                        const std::string &pipeline, const Entry &entry, const Runner &runner,
                                        const fs::path &folder) {
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
  code = runProcess({tools.runner, lowered.string(), "-e", entry.name, "-entry-point-result=void", "-O0",
                     "-shared-libs=" + tools.libraries},
                    process);
  Result<std::string> text = readFile(out);
  if (!code || !text)
    return std::nullopt;
  return Printed{*code, *code == 0 ? *text : "exit code " + std::to_string(*code) + "\n"};
}

std::optional<StockRun> bisect::runStock(const Culprit &culprit, const Entry &entry, const Runner &runner) {
  if (!entry.arguments.empty() || !entry.results.empty() || culprit.before.empty())
    return std::nullopt;
  const std::optional<StockTools> tools = findStockTools();
  Result<ScratchFolder> folder = ScratchFolder::create("mica-bisect-stock");
  if (!tools || !folder)
    return std::nullopt;
  const std::string with = joinPipelines(culprit.pipeline, culprit.remaining);
  auto printed = [&](const std::string &pipeline) {
    return printedBy(*tools, culprit.before, pipeline, entry, runner, folder->path());
  };
  const std::optional<Printed> wrong = printed(with);
  std::optional<Printed> right = printed(culprit.remaining);
  // Without a pass that lowers something, the rest of the pipeline may not lower the program.
  if (wrong && wrong->code == 0 && (!right || right->code == 1)) {
    if (!culprit.expected || !culprit.expected->ran())
      return std::nullopt;
    right = Printed{1, culprit.expected->printed};
  }
  if (!wrong || !right || comparePrinted(wrong->text, right->text, {}).empty())
    return std::nullopt;
  return StockRun{"mlir-opt input.mlir --pass-pipeline='" + with + "' |\n  mlir-runner -e " + entry.name +
                      " -entry-point-result=void -O0 -shared-libs=libmlir_runner_utils.so,libmlir_c_runner_utils.so",
                  wrong->text, right->code == 1 ? "" : right->text, right->code == 1 ? right->text : ""};
}
