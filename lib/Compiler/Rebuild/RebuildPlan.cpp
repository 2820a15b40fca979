//===- RebuildPlan.cpp - the passes to run after an edit ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See RebuildPlan.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Rebuild/RebuildPlan.h"

#include "mica/Compiler/Index/PipelineText.h"
#include "mica/Compiler/Program/Version.h"
#include "mica/Support/Files.h"
#include "passes/BuildPipelines.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

int compiler::optLevelOf(const artifact::Manifest &manifest) {
  auto level = manifest.options.find("opt-level");
  int value = 3;
  if (level != manifest.options.end())
    llvm::StringRef(level->second).getAsInteger(10, value);
  return value;
}

Result<CodeTarget> compiler::targetOf(const artifact::Manifest &manifest) {
  MICA_ASSIGN_OR_RETURN(CodeTarget target, hostTarget());
  if (llvm::StringRef(target.triple).split('-').first != llvm::StringRef(manifest.triple).split('-').first)
    return Error{ErrorCode::Unsupported,
                 "the artifact is for " + manifest.triple + ", this compiler makes code for " + target.triple,
                 "build it on the machine it was compiled on"};
  target.tune = manifest.cpu;
  auto features = manifest.options.find("target-features");
  if (features != manifest.options.end())
    setFeatures(target, features->second, manifest.cpuFeatures);
  return target;
}

std::string RecordedPlan::range(int after, int last) const {
  std::optional<PipelineNode> root = parsePipelineText(pipeline);
  return root ? pipelineRange({*root}, after, last) : "";
}

std::unique_ptr<PassRecorder> RecordedPlan::makeRecorder() const {
  RecorderOptions options;
  options.mode = hasRecord ? mode : DumpMode::Off;
  options.directory = folder.string();
  options.tool = "mica-compile " + versionText();
  options.assumeVerified = true;
  options.remarks = hasRecord;
  return std::make_unique<PassRecorder>(std::move(options));
}

/// Phase lowered alone, with the options in `manifest`.
static RecordedPlan planWithoutRecord(const artifact::Manifest &manifest, const CodeTarget &target) {
  PipelineOptions options;
  options.optLevel = optLevelOf(manifest);
  options.vectorBits = target.vectorBits;
  options.int8DotBits = target.int8DotBits;
  options.int16PairBits = target.int16PairBits;
  options.emulatedFloats = ArrayRef<std::string>(target.emulatedFloats);
  options.target = llvm::StringRef(manifest.target).split(':').first.str();
  for (auto [name, option] : {std::pair("sim-check", &options.simChecks), std::pair("sim-kernel", &options.simKernels)})
    if (auto given = manifest.options.find(name); given != manifest.options.end())
      option->setValue(given->second);
  OpPassManager pm("builtin.module");
  buildPhasePipeline(Phase::Lowered, pm, options);
  RecordedPlan plan;
  llvm::raw_string_ostream os(plan.pipeline);
  pm.printAsTextualPipeline(os);
  if (std::optional<PipelineNode> root = parsePipelineText(plan.pipeline))
    plan.count = root->countPasses();
  return plan;
}

Result<RecordedPlan> compiler::readPlan(const artifact::Artifact &artifact, std::filesystem::path folder) {
  const std::filesystem::path file = artifact.path("passes_dump/index.json");
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) {
    MICA_ASSIGN_OR_RETURN(const CodeTarget target, targetOf(artifact.manifest()));
    return planWithoutRecord(artifact.manifest(), target);
  }
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(file));
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  const llvm::json::Object *index = parsed ? parsed->getAsObject() : nullptr;
  const llvm::json::Array *passes = index ? index->getArray("passes") : nullptr;
  if (!parsed)
    llvm::consumeError(parsed.takeError());
  if (!passes)
    return Error{ErrorCode::Damaged, file.string() + " is damaged: not a record's index", "compile the model again"};
  RecordedPlan plan;
  plan.hasRecord = true;
  plan.folder = std::move(folder);
  plan.mode = index->getString("mode").value_or("") == "phases" ? DumpMode::Phases : DumpMode::Passes;
  plan.pipeline = index->getString("pipeline").value_or("").str();
  for (const llvm::json::Value &value : *passes) {
    const llvm::json::Object *pass = value.getAsObject();
    llvm::StringRef phase = pass ? pass->getString("phase").value_or("") : "";
    ++plan.count;
    plan.beforeLowered += phase != "lowered";
    plan.beforeKernel += phase != "lowered" && phase != "kernel";
  }
  return plan;
}
