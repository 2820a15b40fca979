//===- OnnxCases.cpp - ONNX test cases by the reference evaluator -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// usage: mica-onnx-cases [--limit=SECONDS] CASE...
//
// Imports CASE/model.onnx and evaluates it on each CASE/test_data_set_*. Prints one line per case,
// "VERDICT<tab>CASE<tab>REASON", with the verdict right, wrong, refused, data (the test data do not fit the model),
// failed or crash. Each case has a process of its own.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/Evaluate.h"
#include "dialects/RegisterDialects.h"
#include "mica/Compare/Compare.h"
#include "mica/Compare/TensorProto.h"
#include "mica/Import/ONNX/Import.h"
#include "mica/Support/Files.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mica;
namespace fs = std::filesystem;

namespace {
struct Verdict {
  std::string word, reason;
};
} // namespace

/// The element type as tensors of the host have it.
static std::optional<DType> dtypeOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::cast<ShapedType>(type).getElementType();
  return parseDType(text);
}

/// Evaluates one set of inputs and compares with its outputs.
static Verdict checkSet(func::FuncOp function, const fs::path &folder) {
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < function.getNumArguments(); ++i) {
    Result<HostTensor> input =
        readTensorProto(folder / ("input_" + std::to_string(i) + ".pb"), dtypeOf(function.getArgumentTypes()[i]));
    if (!input)
      return {"failed", input.error().message};
    auto type = llvm::cast<RankedTensorType>(function.getArgumentTypes()[i]);
    bool fits = static_cast<int64_t>(input->shape.size()) == type.getRank();
    for (int64_t dim = 0; fits && dim < type.getRank(); ++dim)
      fits = type.isDynamicDim(dim) || type.getDimSize(dim) == input->shape[dim];
    if (!fits)
      return {"data", "input " + std::to_string(i) + " of the test data is " + input->typeString() +
                          ", which is not what the model declares"};
    inputs.push_back(std::move(*input));
  }
  FailureOr<llvm::SmallVector<HostTensor>> results = reference::evaluate(function, inputs);
  if (failed(results))
    return {"failed", "the evaluator reports an error"};
  for (size_t i = 0; i < results->size(); ++i) {
    // As ONNX's own test runner compares; its bf16 are rounded toward zero.
    Tolerance tolerance;
    tolerance.rtol = (*results)[i].dtype == DType::BF16 ? 1e-2 : 1e-3;
    tolerance.atol = 1e-7;
    Result<HostTensor> expected =
        readTensorProto(folder / ("output_" + std::to_string(i) + ".pb"), (*results)[i].dtype);
    if (!expected)
      return {"failed", expected.error().message};
    const auto compared = compareTensors((*results)[i], *expected, tolerance);
    if (!compared.same)
      return {"wrong", "output " + std::to_string(i) + ": " + describe(compared, (*results)[i], *expected)};
  }
  return {"right", ""};
}

static Verdict check(const fs::path &folder) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  const std::string file = (folder / "model.onnx").string();
  Result<std::string> bytes = readFile(file);
  if (!bytes)
    return {"failed", bytes.error().message};
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context, llvm::errs());
  Result<OwningOpRef<ModuleOp>> program = importer::importOnnx(file, *bytes, context, sources);
  if (!program)
    return {"refused", program.error().message};
  if (failed(verify(**program)))
    return {"failed", "the program is not valid"};
  auto function = (*program)->lookupSymbol<func::FuncOp>("main_graph");
  std::vector<fs::path> sets;
  for (const auto &file : fs::directory_iterator(folder))
    if (file.is_directory())
      sets.push_back(file.path());
  std::sort(sets.begin(), sets.end());
  for (const fs::path &set : sets)
    if (Verdict verdict = checkSet(function, set); verdict.word != "right")
      return verdict;
  return sets.empty() ? Verdict{"failed", "no test data"} : Verdict{"right", ""};
}

/// The first line of an error that says what is wrong.
static std::string firstError(const std::string &text) {
  const size_t at = text.find("error: ");
  const std::string line = at == std::string::npos ? text : text.substr(at + 7);
  return line.substr(0, line.find('\n'));
}

static std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ';');
  return text;
}

int main(int argc, char **argv) {
  // Processor time that a case may take.
  unsigned limit = 300;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--limit=", 0) == 0) {
      limit = static_cast<unsigned>(std::atoi(argument.c_str() + 8));
      continue;
    }
    const fs::path folder = argument;
    FILE *said = std::tmpfile();
    FILE *verdictFile = std::tmpfile();
    if (!said || !verdictFile)
      return 1;
    const pid_t child = fork();
    if (child == 0) {
      dup2(fileno(said), STDERR_FILENO);
      const rlimit time{limit, limit};
      setrlimit(RLIMIT_CPU, &time);
      const Verdict verdict = check(folder);
      std::fprintf(verdictFile, "%s\t%s", verdict.word.c_str(), verdict.reason.c_str());
      std::fflush(verdictFile);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    auto contents = [](FILE *file) {
      std::string text(static_cast<size_t>(std::max<long>(0, (std::fseek(file, 0, SEEK_END), std::ftell(file)))), ' ');
      std::rewind(file);
      text.resize(std::fread(text.data(), 1, text.size(), file));
      std::fclose(file);
      return text;
    };
    const std::string errors = contents(said), verdict = contents(verdictFile);
    const size_t tab = verdict.find('\t');
    std::string word = WIFEXITED(status) && tab != std::string::npos ? verdict.substr(0, tab) : "crash",
                reason = tab == std::string::npos ? "" : verdict.substr(tab + 1);
    if (errors.find("error: ") != std::string::npos && word != "wrong")
      reason = firstError(errors);
    const std::string name = folder.parent_path().filename().string() + "/" + folder.filename().string();
    std::printf("%s\t%s\t%s\n", word.c_str(), name.c_str(), oneLine(reason).c_str());
    std::fflush(stdout);
  }
  return 0;
}
