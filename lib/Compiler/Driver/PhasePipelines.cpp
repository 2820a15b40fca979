//===- PhasePipelines.cpp - pipelines of phases -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PhasePipelines.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Driver/PhasePipelines.h"

#include "mica/Compiler/Index/PipelineText.h"
#include "passes/BuildPipelines.h"
#include "passes/Specialize/Passes.h"
#include "passes/Tensor/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

/// Adds the passes that specialize the program for the sizes of `options`. Ids are assigned first, so that they are
/// those of the unspecialized program.
static void addSpecialization(OpPassManager &pm, const CompileOptions &options) {
  auto [entry, sizes] = llvm::StringRef(options.specialize).rsplit(':');
  SpecializeOptions specialize;
  specialize.entry = entry.str();
  for (llvm::StringRef size : llvm::split(sizes, ','))
    specialize.sizes.push_back(size.str());
  pm.addPass(createAssignIds());
  pm.addPass(createSpecialize(specialize));
}

Result<std::vector<PassRecorder::PhaseSpan>>
compiler::buildPhases(Phase first, Phase last, OpPassManager &pm, const PipelineOptions &pipelineOptions,
                      const CompileOptions &options, const std::optional<AnnotateProgramOptions> &shardings) {
  std::vector<PassRecorder::PhaseSpan> spans;
  for (const PhaseInfo &info : allPhases()) {
    if (info.phase < first || info.phase > last)
      continue;
    OpPassManager alone("builtin.module");
    buildPhasePipeline(info.phase, pm, pipelineOptions);
    buildPhasePipeline(info.phase, alone, pipelineOptions);
    if (info.phase == Phase::Input && !options.specialize.empty()) {
      addSpecialization(pm, options);
      addSpecialization(alone, options);
    }
    if (info.phase == Phase::Input && shardings)
      for (OpPassManager *manager : {&pm, &alone}) {
        manager->addPass(createAssignIds());
        manager->addPass(createAnnotateProgram(*shardings));
      }
    for (const auto &[phase, text] : options.addedPasses) {
      if (phase != info.phase)
        continue;
      std::string said;
      llvm::raw_string_ostream os(said);
      if (failed(parsePassPipeline(text, pm, os)) || failed(parsePassPipeline(text, alone, os)))
        return Error{
            ErrorCode::InvalidInput,
            ("--add-passes=" + info.name + ":" + text + ": " + llvm::StringRef(said).trim().split('\n').first).str(),
            "write it as in mica-opt --pass-pipeline='builtin.module(...)', without the module around it"};
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    alone.printAsTextualPipeline(os);
    std::optional<PipelineNode> node = parsePipelineText(text);
    spans.push_back({info.name.str(), node ? node->countPasses() : 0});
  }
  return spans;
}
