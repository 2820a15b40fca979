//===- Ways.cpp - the ways a program can be run, in one process --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// See Ways.h.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "Ways.h"

#include "dialects/Mica/Reference/Evaluate.h"
#include "dialects/RegisterDialects.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Compiler/Driver/Compile.h"
#include "mica/Compiler/Input/Input.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Runtime/Context.h"
#include "mica/Support/Files.h"

#include <nlohmann/json.hpp>

#include <sstream>

using namespace mlir;

namespace mica::differential {

Result<std::vector<Run>> readRuns(const std::filesystem::path &file) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  std::vector<Run> runs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!llvm::StringRef(line).starts_with("// run "))
      continue;
    const nlohmann::json json = nlohmann::json::parse(line.substr(7), nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("entry") || !json.contains("inputs"))
      return Error{ErrorCode::InvalidInput, file.string() + ": not a run: " + line,
                   R"(write // run {"entry": "p0", "inputs": ["4xf32=random:1"], "error": [0]})"};
    Run run;
    run.entry = json["entry"].get<std::string>();
    run.inputs = json["inputs"].get<std::vector<std::string>>();
    run.error = json.value("error", std::vector<double>());
    run.twin = json.value("twin", std::string());
    run.signs = json.value("signs", false);
    run.stores = json.value("stores", std::vector<size_t>());
    run.relative = json.value("relative", false);
    runs.push_back(std::move(run));
  }
  return runs;
}

/// An input as --input= takes it, or "4x3xf32=whole:SEED:LO:HI": random whole numbers of a float type.
static Result<HostTensor> makeOneInput(const std::string &text, const artifact::TensorSpec &argument, size_t position) {
  const size_t whole = text.find("=whole:");
  std::string plain = text;
  if (whole != std::string::npos)
    plain.replace(whole, 7, "=random:");
  MICA_ASSIGN_OR_RETURN(const InputSpec spec, parseInputSpec(plain));
  MICA_ASSIGN_OR_RETURN(HostTensor tensor, makeInput(spec, argument, position));
  if (whole == std::string::npos)
    return tensor;
  HostTensor numbers(DType::I32, tensor.shape);
  fillRandom(numbers, spec.seed, spec.low.value_or(0), spec.high.value_or(10));
  for (int64_t i = 0; i < numbers.numElements(); ++i)
    tensor.setDouble(i, numbers.asDouble(i));
  return tensor;
}

static Result<std::vector<HostTensor>> makeInputs(const Run &run, const artifact::EntryRecord &entry) {
  if (run.inputs.size() != entry.args.size())
    return Error{ErrorCode::InvalidInput,
                 "'" + run.entry + "' takes " + std::to_string(entry.args.size()) + " inputs, its run has " +
                     std::to_string(run.inputs.size()),
                 ""};
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < run.inputs.size(); ++i) {
    MICA_ASSIGN_OR_RETURN(HostTensor tensor, makeOneInput(run.inputs[i], entry.args[i], i));
    inputs.push_back(std::move(tensor));
  }
  return inputs;
}

Result<Reference> evaluateRuns(const std::filesystem::path &file, const std::vector<Run> &runs) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  MICA_ASSIGN_OR_RETURN(compiler::Input input, compiler::readInput(file.string(), context));
  std::map<std::string, artifact::EntryRecord> entries;
  for (artifact::EntryRecord &entry : compiler::describeEntries(*input.module))
    entries[entry.name] = entry;
  Reference reference;
  for (const Run &run : runs) {
    auto entry = entries.find(run.entry);
    if (entry == entries.end())
      return Error{ErrorCode::InvalidInput, file.string() + " has no entry '" + run.entry + "'", ""};
    MICA_ASSIGN_OR_RETURN(std::vector<HostTensor> inputs, makeInputs(run, entry->second));
    llvm::SmallVector<HostTensor> buffers;
    reference::EvalOptions options;
    options.bufferArguments = &buffers;
    auto results = reference::evaluate(input.module->lookupSymbol<func::FuncOp>(run.entry), inputs, options);
    if (failed(results)) {
      reference.failures[run.entry] = "the reference cannot evaluate it: see the errors above";
    } else {
      reference.results[run.entry].assign(results->begin(), results->end());
      for (size_t argument : run.stores)
        reference.results[run.entry].push_back(std::move(buffers[argument]));
    }
    reference.inputs[run.entry] = std::move(inputs);
  }
  return reference;
}

Result<Way> parseWay(const std::string &name) {
  Way way;
  way.name = name;
  way.plain = name == "plain";
  way.trackReads = name == "reads";
  way.onDevice = name == "sim" || name == "opencl";
  if (way.trackReads)
    way.optLevel = 1;
  else if (way.onDevice)
    way.optLevel = 3;
  else if (!way.plain && (name.size() != 2 || name[0] != 'O' || name[1] < '0' || name[1] > '3'))
    return Error{ErrorCode::InvalidInput, "there is no way '" + name + "'",
                 "plain, O0, O1, O2, O3, reads, sim, opencl"};
  else if (!way.plain)
    way.optLevel = name[1] - '0';
  return way;
}

Status compileWay(const std::filesystem::path &file, const Way &way, const std::filesystem::path &folder,
                  bool verifyEach) {
  compiler::CompileOptions options;
  options.input = file.string();
  options.output = folder.string();
  options.force = true;
  options.optLevel = way.plain ? 0 : way.optLevel; // The oracle is run once: what it costs is its code generation.
  options.plain = way.plain;
  options.trackReads = way.trackReads;
  if (way.onDevice)
    options.target = way.name;
  options.dump = compiler::DumpMode::Off;
  options.quiet = true;
  options.verifyEach = verifyEach;
  return compiler::compile(options);
}

Result<Outcome> runArtifact(const std::filesystem::path &folder, const std::vector<Run> &runs,
                            const Reference &reference, int threads) {
  MICA_ASSIGN_OR_RETURN(std::shared_ptr<const runtime::Program> program, runtime::Program::load(folder));
  Outcome outcome;
  std::unique_ptr<runtime::Context> context;
  for (const Run &run : runs) {
    if (!reference.results.count(run.entry))
      continue;
    if (!context) {
      runtime::ContextOptions options;
      options.threads = threads;
      options.smallTaskBytes = 0;
      MICA_ASSIGN_OR_RETURN(context, runtime::Context::create(program, std::move(options)));
    }
    Result<std::vector<HostTensor>> results = context->invoke(run.entry, reference.inputs.at(run.entry));
    if (results) {
      outcome.results[run.entry] = std::move(*results);
      continue;
    }
    outcome.failures[run.entry] = results.error().message;
    context.reset(); // One that failed refuses further work.
  }
  return outcome;
}

} // namespace mica::differential
