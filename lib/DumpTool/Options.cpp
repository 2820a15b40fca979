//===- Options.cpp - the flags of mica-dump ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The table.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/Options.h"

#include "mica/Support/Text.h"

namespace mica::dumptool {
namespace {

using Value = Flag::Value;

std::function<Status(const std::string &)> setInteger(std::optional<int64_t> &target, std::string_view name,
                                                      int64_t low) {
  return [&target, name, low](const std::string &value) -> Status {
    MICA_ASSIGN_OR_RETURN(target, parseFlagInteger(name, value, low, INT64_MAX));
    return {};
  };
}

std::function<Status(const std::string &)> setOptionalText(std::optional<std::string> &target) {
  return [&target](const std::string &value) {
    target = value;
    return Status();
  };
}

std::function<Status(const std::string &)> setNumber(std::optional<double> &target, std::string_view name) {
  return [&target, name](const std::string &value) -> Status {
    MICA_ASSIGN_OR_RETURN(target, parseFlagNumber(name, value));
    return {};
  };
}

std::function<Status(const std::string &)> setChoice(std::string &target, std::string_view name,
                                                     std::vector<std::string> choices) {
  return [&target, name, choices = std::move(choices)](const std::string &value) -> Status {
    for (const std::string &part : splitText(value, ','))
      if (std::find(choices.begin(), choices.end(), part) == choices.end())
        return Error{ErrorCode::InvalidInput, std::string(name) + "=" + value + ": unknown value",
                     unknownNameHint(part, choices)};
    target = value;
    return {};
  };
}

FlagGroup selectFlags(Selection &chosen) {
  return {"Select tensors",
          {{"--tensor", Value::Required, "N", "tensor number N of the list", setInteger(chosen.tensor, "--tensor", 0)},
           {"--op", Value::Required, "ID,...", "results of these operations; ids may be shortened: 3f2a*",
            setText(chosen.ops)},
           {"--name", Value::Required, "NAME,...", "tensors that the source calls so: %q", setText(chosen.names)},
           {"--kernel", Value::Required, "NAME,...", "tensors of these kernels; wildcards * and ?",
            setText(chosen.kernels)},
           {"--kind", Value::Required, "KIND,...", "tensors of kernels with such a root, or such an operation",
            setText(chosen.kinds)},
           {"--role", Value::Required, "ROLE,...", "input, output or inout of the kernel, or inside of it",
            setChoice(chosen.roles, "--role", {"input", "output", "inout", "inside"})},
           {"--stage", Value::Required, "STAGE", "before or after the launch",
            setChoice(chosen.stage, "--stage", {"before", "after"})},
           {"--dtype", Value::Required, "TYPE,...", "tensors of these element types", setText(chosen.dtypes)},
           {"--launch", Value::Required, "N", "tensors of launch N", setInteger(chosen.launch, "--launch", 1)},
           {"--iteration", Value::Required, "N", "of the launches of one place, the one after N others",
            setInteger(chosen.iteration, "--iteration", 0)},
           {"--call", Value::Required, "N", "tensors of invocation N of the program, from 1",
            setInteger(chosen.call, "--call", 0)},
           {"--non-finite", Value::None, "", "tensors with NaN or infinities", setTrue(chosen.nonFinite)},
           {"--changed", Value::None, "", "tensors that are not what the launch that wrote them had left",
            setTrue(chosen.changed)}}};
}

FlagGroup showFlags(Options &options) {
  return {
      "Show a dump",
      {{"--stats", Value::None, "", "statistics of each tensor, one per line; default: the list",
        setTrue(options.statistics)},
       {"--histogram", Value::Optional, "BINS", "how many elements lie in each of BINS ranges (default: 16)",
        [&options](const std::string &value) -> Status {
          options.histogram = 16;
          if (value.empty())
            return {};
          MICA_ASSIGN_OR_RETURN(options.histogram, parseFlagInteger("--histogram", value, 1, 1000));
          return {};
        }},
       {"--print", Value::Optional, "SLICE",
        "print elements, as NumPy does\n"
        "SLICE is an index, start:stop or start:stop:step for each dimension: --print='[0, 2:8, ::2]'.",
        setOptionalText(options.print)},
       {"--slice", Value::Required, "SLICE", "show or export this part of each tensor", setOptionalText(options.slice)},
       {"--picture", Value::Optional, "FILE.png",
        "a heat map, on the terminal or as PNG\n"
        "Rows are the last dimension. White is 0, red positive, blue negative, yellow infinite, black NaN. With two "
        "dumps: the differences.",
        setOptionalText(options.picture)},
       {"--export", Value::Required, "@FILE",
        "write the selected tensors to FILE.npy (one), .npz, .safetensors or .txt\n"
        "In .npz and .safetensors a tensor is called after its number and name.",
        [&options](const std::string &value) -> Status {
          if (!value.starts_with("@") || value.size() == 1)
            return Error{ErrorCode::InvalidInput, "--export=" + value + ": not a file",
                         "a file is written with @ in front: --export=@q.npy"};
          options.exportFile = value.substr(1);
          return {};
        }},
       {"--verify", Value::None, "", "compare all elements with their hashes; exit code 3 if any differs",
        setTrue(options.verify)},
       {"--json", Value::None, "", "print as JSON", setTrue(options.json)}}};
}

FlagGroup compareFlags(Options &options) {
  return {"Compare two dumps",
          {{"--all", Value::None, "", "every pair that differs, not only the first", setTrue(options.all)},
           {"--bits", Value::None, "", "demand equal bits", setTrue(options.bits)},
           {"--rtol", Value::Required, "X", "relative tolerance; default: by element type, see mica-run --rtol",
            setNumber(options.tolerance.rtol, "--rtol")},
           {"--atol", Value::Required, "X", "absolute tolerance", setNumber(options.tolerance.atol, "--atol")}}};
}

} // namespace

bool Selection::isSet() const {
  return tensor || launch || iteration || call || nonFinite || changed || !ops.empty() || !kernels.empty() ||
         !kinds.empty() || !names.empty() || !roles.empty() || !dtypes.empty() || !stage.empty();
}

CommandLine commandLine(Options &options) {
  return CommandLine(
      kTool, "mica-dump DUMP [flags] | DUMP DUMP [flags]",
      "Shows the tensors that a run with the switch dump-tensors left, or compares those of two runs in "
      "the order of\n"
      "dependencies. DUMP is the folder of a dump or of a run, or an artifact, whose latest run is meant.",
      {showFlags(options), selectFlags(options.selection), compareFlags(options), logFlags(options.switches)},
      "0  success; the dumps agree\n"
      "1  wrong flag, input or file, or a system error\n"
      "2  internal error of Mica\n"
      "3  the dumps differ; --verify: elements differ");
}

Status finishOptions(Options &options, std::vector<std::string> positional) {
  if (positional.empty() || positional.size() > 2)
    return Error{ErrorCode::InvalidInput,
                 positional.empty() ? "no dump given" : "expected one or two dumps, got " + joinNames(positional),
                 "usage: mica-dump DUMP, or mica-dump DUMP DUMP to compare"};
  options.dumps = std::move(positional);
  const int modes = int(options.statistics) + int(options.histogram.has_value()) + int(options.print.has_value()) +
                    int(options.verify) + int(!options.exportFile.empty()) + int(options.picture.has_value());
  if (modes > 1)
    return Error{ErrorCode::InvalidInput,
                 "--stats, --histogram, --print, --picture, --export and --verify exclude each other",
                 "give one of them"};
  if (options.compares() && modes > 0 && !options.picture)
    return Error{ErrorCode::InvalidInput,
                 "two dumps are compared: --stats, --histogram, --print, --export and --verify "
                 "are of one",
                 "leave one dump out, or the flag"};
  if (!options.compares() && (options.all || options.bits || options.tolerance.rtol || options.tolerance.atol))
    return Error{ErrorCode::InvalidInput, "--all, --bits, --rtol and --atol need two dumps", "name the second dump"};
  if (options.bits && (options.tolerance.rtol || options.tolerance.atol))
    return Error{ErrorCode::InvalidInput, "--bits cannot be combined with --rtol or --atol", "leave one of them out"};
  if (options.slice && options.print && !options.print->empty())
    return Error{ErrorCode::InvalidInput, "--print=SLICE and --slice name a part each", "give one of them"};
  if (options.json && (options.print || options.picture || !options.exportFile.empty()))
    return Error{ErrorCode::InvalidInput, "--json cannot be combined with --print, --picture or --export",
                 "--export=@FILE.npy writes elements for programs"};
  if (options.slice && modes == 0)
    return Error{ErrorCode::InvalidInput, "--slice needs --print, --histogram, --stats, --picture or --export", ""};
  return {};
}

} // namespace mica::dumptool
