//===- PipelineReduction.h - a pipeline cut down while a test of it holds -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: drops passes, and options of passes, in a fixed order.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REDUCE_PIPELINEREDUCTION_H
#define MICA_LIB_REDUCE_PIPELINEREDUCTION_H

#include "lib/IRTools/Reduce/Reduction.h"

#include <functional>
#include <string>

namespace mica::reduce {

struct PipelineReductionOptions {
  bool dropsPasses = true; ///< false: options alone
  unsigned jobs = 1;
  std::function<bool()> mayGoOn = [] { return true; };
  /// Called with each smaller pipeline that was found.
  std::function<void(const std::string &)> found = [](const std::string &) {};
};

/// Starts the test of a pipeline.
using StartPipelineTest = std::function<std::unique_ptr<irtools::RunningTest>(const std::string &)>;

/// The smallest form of `pipeline` ("builtin.module(...)") found for which the test holds; a text that is no pipeline
/// stays as it is.
std::string reducePipeline(std::string pipeline, const StartPipelineTest &start,
                           const PipelineReductionOptions &options);

/// The number of passes of `pipeline`; 0 where the text is no pipeline.
int countPasses(const std::string &pipeline);

} // namespace mica::reduce

#endif // MICA_LIB_REDUCE_PIPELINEREDUCTION_H
