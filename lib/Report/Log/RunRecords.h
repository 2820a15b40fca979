//===- RunRecords.h - what graphs do at run time, by their compiles ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: readers of the artifacts inductor_collective_schedule, inductor_runtime_and_tensor_meta and
// graph_execution, and of collectives in generated code.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_LOG_RUNRECORDS_H
#define MICA_LIB_REPORT_LOG_RUNRECORDS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica::report {

/// An op with the time that the compiler expects of it.
struct EstimatedOp {
  std::string name, type;
  double nanoseconds = 0;
};

/// The ops of one graph: for comparisons, each as text without times; for traces, those with times.
struct GraphOps {
  std::vector<std::string> tensors;
  std::vector<EstimatedOp> estimated;
};

/// Collectives that generated code calls, and how often it waits for one.
struct CodeCollectives {
  std::vector<std::string> names; ///< "all_reduce", in order
  int64_t waits = 0;
};

/// The elements of the first list in the JSON `text`, as texts: names of collectives, graphs in order. Long lists and
/// elements are cut.
std::vector<std::string> listedSteps(std::string_view text);

GraphOps readGraphOps(std::string_view text);

CodeCollectives collectivesInCode(std::string_view code);

/// "torch.ops._c10d_functional.all_reduce.default" -> "all_reduce".
std::string collectiveName(std::string_view op);

} // namespace mica::report

#endif // MICA_LIB_REPORT_LOG_RUNRECORDS_H
