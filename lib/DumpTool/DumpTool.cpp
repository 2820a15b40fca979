//===- DumpTool.cpp - mica-dump ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The forms of the tool.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/DumpTool/DumpTool.h"

#include "lib/DumpTool/Compare.h"
#include "lib/DumpTool/List.h"
#include "lib/DumpTool/Options.h"
#include "lib/DumpTool/Picture.h"
#include "lib/DumpTool/Selection.h"
#include "lib/DumpTool/Show.h"
#include "mica/Dump/Dump.h"
#include "mica/Support/Log.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Process.h"
#include "mica/Support/Schemas.h"
#include "mica/Support/Version.h"
#include "mica/Trace/ToolTrace.h"

#include <algorithm>
#include <cstdio>

namespace mica {
namespace dumptool {
namespace {

Result<int> show(const Options &options) {
  MICA_ASSIGN_OR_RETURN(const dump::Dump dump, dump::Dump::open(options.dumps[0]));
  MICA_ASSIGN_OR_RETURN(const std::vector<size_t> chosen, select(dump, options.selection));
  if (options.verify)
    return verifyTensors(dump, chosen);
  if (options.histogram)
    MICA_RETURN_IF_ERROR(showHistogram(dump, chosen, options));
  else if (options.print)
    MICA_RETURN_IF_ERROR(showElements(dump, chosen, options));
  else if (!options.exportFile.empty())
    MICA_RETURN_IF_ERROR(exportTensors(dump, chosen, options));
  else if (options.statistics && options.slice)
    MICA_RETURN_IF_ERROR(showPartStatistics(dump, chosen, options));
  else if (options.picture) {
    if (chosen.size() != 1)
      return Error{ErrorCode::InvalidInput,
                   std::to_string(chosen.size()) + " tensors are selected, a picture shows one",
                   "choose one with --tensor=N; mica-dump " + options.dumps[0] + " lists them"};
    const dump::Tensor &tensor = dump.tensors()[chosen[0]];
    MICA_ASSIGN_OR_RETURN(const HostTensor part, readPart(dump, tensor, options.slice));
    MICA_RETURN_IF_ERROR(showPicture(part, tensorText(dump, tensor), *options.picture));
  } else if (options.json)
    std::printf("%s", listJson(dump, chosen).c_str());
  else
    std::printf("%s%s", summaryText(dump).c_str(), listText(dump, chosen, options.statistics).c_str());
  return 0;
}

/// A map of the differences of the first pair that differs, or of the one that is selected.
Status showDifferences(const dump::Dump &a, const dump::Dump &b, const DumpComparison &comparison,
                       const Options &options) {
  const bool isChosen = options.selection.isSet();
  if (isChosen && comparison.pairs.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 std::to_string(comparison.pairs.size()) + " pairs are selected, a picture shows one",
                 "choose one, or none for the first that differs"};
  if (!isChosen && comparison.first < 0)
    return {};
  const Pair &pair = comparison.pairs[isChosen ? 0 : size_t(comparison.first)];
  MICA_ASSIGN_OR_RETURN(HostTensor left, a.read(a.tensors()[pair.a]));
  MICA_ASSIGN_OR_RETURN(HostTensor right, b.read(b.tensors()[pair.b]));
  right.shape = left.shape;
  return showPicture(differenceOf(left, right), "differences of " + tensorText(a, a.tensors()[pair.a]),
                     *options.picture);
}

Result<int> compare(const Options &options) {
  MICA_ASSIGN_OR_RETURN(const dump::Dump a, dump::Dump::open(options.dumps[0]));
  MICA_ASSIGN_OR_RETURN(const dump::Dump b, dump::Dump::open(options.dumps[1]));
  MICA_ASSIGN_OR_RETURN(const DumpComparison comparison, compareDumps(a, b, options));
  if (comparison.pairs.empty())
    return Error{ErrorCode::NotFound, "the dumps have no tensor in common",
                 "they are of different programs, or nothing is selected; tensors are paired by the ids of operations"};
  MICA_ASSIGN_OR_RETURN(const std::string text, options.json ? comparisonJson(a, b, comparison, options)
                                                             : comparisonText(a, b, comparison, options));
  std::printf("%s", text.c_str());
  if (options.picture)
    MICA_RETURN_IF_ERROR(showDifferences(a, b, comparison, options));
  return comparison.first < 0 ? 0 : exitCode(ErrorCode::Difference);
}

Result<int> run(int argc, char **argv, trace::ToolTrace &trace, bool &helps) {
  Options options;
  helps = true;
  CommandLine line = commandLine(options);
  MICA_ASSIGN_OR_RETURN(std::vector<std::string> words, line.parse(argc, argv));
  if (line.helpWanted()) {
    std::printf("%s", line.helpText().c_str());
    return 0;
  }
  if (line.versionWanted()) {
    std::printf("mica-dump %s\ndump schema %d, no LLVM inside (mica-compile --version names the compiler's)\n",
                std::string(version()).c_str(), schemaNumber(Schema::Dump));
    return 0;
  }
  MICA_ASSIGN_OR_RETURN(const bool helped, applyLogSwitches(options.switches, kTool));
  if (helped)
    return 0;
  helps = false;
  MICA_RETURN_IF_ERROR(finishOptions(options, std::move(words)));
  for (const std::string &dump : options.dumps)
    trace.file("read", dump);
  return options.compares() ? compare(options) : show(options);
}

} // namespace
} // namespace dumptool

int dumpTool(int argc, char **argv) {
  using dumptool::kTool;
  makeFileSizeLimitAnError();
  makeOutOfMemoryAnError(kTool);
  handleTruncation(kTool.data());
  trace::ToolTrace trace(kTool, argc, argv);
  bool helps = false;
  Result<int> code = catchOutOfMemory([&] { return dumptool::run(argc, argv, trace, helps); });
  return trace::endTool(kTool, trace, std::move(code), helps);
}

} // namespace mica
