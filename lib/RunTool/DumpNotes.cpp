//===- DumpNotes.cpp - what mica-run says of a dump ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/DumpNotes.h"

#include "lib/RunTool/Options.h"
#include "mica/Artifact/TaskNames.h"
#include "mica/Dump/Dump.h"
#include "mica/Runtime/DumpPlan.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Text.h"

#include <cstdio>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// What a dump writes at least in a second: docs/Dumps.md says how it was measured.
constexpr double kBytesPerSecond = 1e9;

std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 1 ? "%.1g s" : "%.0f s", seconds);
  return text;
}

} // namespace

DumpNotes::DumpNotes(const Switches &switches, const runtime::Program &program, const fs::path &run)
    : program(program) {
  if (switches.text(Switch::DumpTensors) == "0")
    return;
  folder = switches.isSet(Switch::DumpDir) ? fs::path(switches.text(Switch::DumpDir)) : run / "dump";
}

Status DumpNotes::prepare(Switches &switches) const {
  if (folder.empty())
    return {};
  MICA_RETURN_IF_ERROR(switches.set("dump-dir", folder.string(), SwitchSource::Default));
  MICA_ASSIGN_OR_RETURN(const std::optional<runtime::DumpPlan> plan, runtime::DumpPlan::from(switches, program));
  const runtime::DumpPlan::Estimate size = plan->estimate(program);
  std::string text = "dump: " + std::string(size.isLeast ? "at least " : "about ") + groupDigits(size.tensors) +
                     " tensors, " + byteSize(size.bytes) + " of elements, " +
                     secondsText(double(size.bytes) / kBytesPerSecond);
  for (const runtime::DumpPlan::Hidden &hidden : plan->hidden())
    printWarning(kTool,
                 artifact::opText(*hidden.op) + " has mica_check.dump, but " +
                     (hidden.kernel.empty() ? "the compiled program does not compute it as such"
                                            : "its result stays inside of kernel '" + hidden.kernel + "'"),
                 hidden.kernel.empty() ? "-O0 and --dump-materialize keep more operations"
                                       : "--dump-exact computes it beside the kernel, --dump-materialize ends the "
                                         "kernel behind it");
  if (const auto materialized = program.manifest().options.find("dump-materialize");
      materialized != program.manifest().options.end())
    printNote(kTool, "fusion is broken behind the operations " +
                         (materialized->second == "*" ? "of the program" : materialized->second) +
                         " (dump-materialize): kernels and roundings are not those of other compiles");
  std::error_code error;
  fs::path existing = folder;
  while (!existing.empty() && !fs::exists(existing, error))
    existing = existing.parent_path();
  const fs::space_info space = fs::space(existing.empty() ? fs::path(".") : existing, error);
  if (!error) {
    text += "; the file system has " + byteSize(int64_t(space.available)) + " left";
    if (uintmax_t(size.bytes) > space.available) {
      printWarning(
          kTool, text,
          "keep less: dump-op, dump-kernel and dump-max-bytes select, dump-tensors=3 keeps statistics alone; or "
          "give another place with dump-dir=DIR");
      return {};
    }
  }
  printNote(kTool, text);
  return {};
}

Status DumpNotes::report() const {
  if (folder.empty())
    return {};
  MICA_ASSIGN_OR_RETURN(const dump::Dump dump, dump::Dump::open(folder));
  int64_t elements = 0;
  for (const dump::Tensor &tensor : dump.tensors())
    elements += tensor.offset >= 0;
  std::error_code ignored;
  const uintmax_t bytes = fs::file_size(folder / dump::kPayloadFile, ignored);
  std::string text = "dump: " + groupDigits(int64_t(dump.tensors().size())) + " tensors of " +
                     groupDigits(int64_t(dump.launches().size())) + " launches, the elements of " +
                     groupDigits(elements) + " (" + byteSize(ignored ? 0 : int64_t(bytes) - dump::kPayloadBegin) +
                     "), in " + folder.string();
  std::string lacks;
  for (const dump::Missing &missing : dump.missing())
    lacks +=
        "; " + groupDigits(missing.tensors) + " tensors of " + byteSize(missing.bytes) + " are missing: " + missing.why;
  if (dump.lostLaunches() > 0)
    lacks += "; results of " + groupDigits(dump.lostLaunches()) + " launches are missing: out of memory";
  if (!dump.ended())
    lacks += "; the index ends early";
  printNote(kTool, text + (lacks.empty() ? "; nothing is missing" : ""));
  if (lacks.empty())
    return {};
  return Error{ErrorCode::Io, "the dump is incomplete" + lacks,
               "what is there can be read: mica-dump " + folder.string()};
}

} // namespace mica::runtool
