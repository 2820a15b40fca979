//===- OpLog/EventLines.h - the schema mica.events ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime: the one place that writes the JSON lines of events.jsonl and of op-log-file. docs/ABI.md
// lists the keys.
//
//   {"schema":"mica.events","version":1,"clock":"steady","unix_ns":1732158000000000000,"steady_ns":52000,"pid":71}
//   {"event":"launch","id":1,"ns":52310,"kernel":"matmul_relu","device":"cpu:0","site":0,"kind":"matmul","op":["3f2a91c07b1e"],...}
//   {"event":"complete","id":1,"ns":60411,"kernel":"matmul_relu","device":"cpu:0","site":0,"start_ns":52400,...}
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPLOG_EVENTLINES_H
#define MICA_LIB_RUNTIME_OPLOG_EVENTLINES_H

#include "mica/Artifact/Manifest.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

/// A launch, or its completion. Texts are as jsonSafe() gives them.
struct EventLine {
  bool isComplete = false;
  uint64_t id = 0;
  int64_t handedNs = 0, startNs = 0, endNs = 0; ///< the last two of a completion only
  std::string_view kernel, device;
  int64_t site = -1;
  // Of a launch.
  std::string_view kind;
  std::string_view ops;    ///< as jsonList() gives them
  std::string_view shapes; ///< "2x3xf32,3xf32"
  std::string_view source; ///< "model.mlir:3:8"; "" where unknown
  // Of a completion.
  int64_t parts = 1, thread = 0;
  int32_t status = 0;
  bool skipped = false;
};

/// `text` without what JSON would have to escape.
std::string jsonSafe(std::string_view text);
/// `"a","b"`.
std::string jsonList(const std::vector<std::string> &names);
void appendNumber(std::string &text, int64_t value);

/// "2x3xf32,3xf32": every buffer of `kernel`; its dynamic sizes are the first of `scalars`, of which there are `known`.
void appendShapes(std::string &text, const artifact::KernelRecord &kernel, const int64_t *scalars, int64_t known);

/// The members that name schema, version and clock, for the head of a file: `"schema":"mica.events",...,"pid":71`.
std::string eventSchema();
/// Adds the line of `event`, with its end.
void appendEventLine(std::string &text, const EventLine &event);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_OPLOG_EVENTLINES_H
