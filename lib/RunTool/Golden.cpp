//===- Golden.cpp - golden data: kept inputs and results ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Reads golden data, and checks that it belongs to the program.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Golden.h"

#include "lib/RunTool/Inputs.h"
#include "lib/RunTool/Options.h"
#include "lib/RunTool/Outputs.h"
#include "mica/Compare/InputSpec.h"
#include "mica/Compare/Npy.h"
#include "mica/Compare/TensorProto.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <set>
#include <string>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

constexpr std::string_view kForms =
    "golden data is a folder of --save-golden, the folder data of a run (in/0.npy, ..., out/0.npy, ...), ONNX's test "
    "data (input_0.pb, ..., output_0.pb, ...), or an .npz or .safetensors file of results by name";

std::optional<fs::path> firstThatExists(const fs::path &npy, const fs::path &proto) {
  std::error_code error;
  if (fs::exists(npy, error))
    return npy;
  if (fs::exists(proto, error))
    return proto;
  return std::nullopt;
}

/// "(2x3xf32, i64) -> (f32)".
std::string typesOf(const std::vector<artifact::TensorSpec> &arguments,
                    const std::vector<artifact::TensorSpec> &results) {
  auto list = [](const std::vector<artifact::TensorSpec> &specs) {
    std::string text;
    for (const artifact::TensorSpec &spec : specs)
      text += (text.empty() ? "" : ", ") + shapedTypeString(spec.shape, spec.dtype);
    return "(" + text + ")";
  };
  return list(arguments) + " -> " + list(results);
}

std::vector<artifact::TensorSpec> specsOf(const std::vector<GoldenTensor> &tensors) {
  std::vector<artifact::TensorSpec> specs;
  for (const GoldenTensor &tensor : tensors)
    specs.push_back(tensor.type);
  return specs;
}

/// Whether tensors of the sizes `kept` can be those of `now`, which may be dynamic.
bool fit(const std::vector<artifact::TensorSpec> &kept, const std::vector<artifact::TensorSpec> &now) {
  return std::equal(kept.begin(), kept.end(), now.begin(), now.end(),
                    [](const artifact::TensorSpec &one, const artifact::TensorSpec &other) {
                      return one.dtype == other.dtype &&
                             std::equal(one.shape.begin(), one.shape.end(), other.shape.begin(), other.shape.end(),
                                        [](int64_t size, int64_t spec) { return spec < 0 || spec == size; });
                    });
}

/// Which of the options that make code differ: "opt-level=3 (now 0)".
std::vector<std::string> changedConditions(const Golden &golden, const artifact::Manifest &manifest) {
  std::vector<std::string> changed;
  auto compare = [&](const std::string &name, const std::string &before, const std::string &now) {
    if (before != now)
      changed.push_back(name + "=" + (before.empty() ? "(none)" : before) + " (now " + (now.empty() ? "none" : now) +
                        ")");
  };
  compare("target", golden.target, manifest.target);
  compare("cpu", golden.cpu, manifest.cpu);
  std::set<std::string> names;
  for (const auto *options : {&golden.options, &manifest.options})
    for (const auto &[name, value] : *options)
      if (!name.starts_with("dump-"))
        names.insert(name);
  auto value = [](const std::map<std::string, std::string> &options, const std::string &name) {
    const auto it = options.find(name);
    return it == options.end() ? std::string() : it->second;
  };
  for (const std::string &name : names)
    compare(name, value(golden.options, name), value(manifest.options, name));
  return changed;
}

/// What of two programs differs: their weights, or the rest of their text.
std::string changedParts(const Golden &golden, const artifact::Manifest &manifest) {
  std::vector<std::string> now;
  for (const artifact::ConstantRecord &constant : manifest.constants)
    now.push_back(constant.name);
  std::vector<std::string> kept = golden.weights;
  std::sort(kept.begin(), kept.end());
  std::sort(now.begin(), now.end());
  std::vector<std::string> missing;
  std::set_difference(kept.begin(), kept.end(), now.begin(), now.end(), std::back_inserter(missing));
  if (kept == now)
    return "the weights are the same ones, the rest of the text has changed";
  return std::to_string(missing.size()) + " of its " + std::to_string(kept.size()) + " weights are not in this one";
}

} // namespace

Result<std::shared_ptr<const GoldenData>> GoldenData::open(const fs::path &path) {
  auto data = std::make_shared<GoldenData>();
  data->place = path;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    return Error{ErrorCode::NotFound, "--golden-data=" + path.string() + " does not exist", std::string(kForms)};
  fs::path record;
  if (fs::is_directory(status)) {
    data->folder = path;
    if (fs::exists(path / kGoldenFile, error))
      record = path / kGoldenFile;
  } else if (archiveForm(path)) {
    MICA_ASSIGN_OR_RETURN(data->archive, TensorArchive::open(path));
  } else if (path.extension() == ".json") {
    data->folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    record = path;
  } else {
    return Error{ErrorCode::InvalidInput, "--golden-data=" + path.string() + ": is no golden data",
                 std::string(kForms)};
  }
  if (!record.empty()) {
    MICA_ASSIGN_OR_RETURN(const std::string text, readFile(record));
    MICA_ASSIGN_OR_RETURN(data->golden, parseGolden(text, record.string()));
  }
  return std::shared_ptr<const GoldenData>(std::move(data));
}

Result<std::optional<HostTensor>> GoldenData::input(size_t i, const artifact::TensorSpec &argument) const {
  if (archive)
    return std::optional<HostTensor>();
  if (golden) {
    MICA_ASSIGN_OR_RETURN(HostTensor tensor, readGoldenTensor(folder, golden->inputs[i]));
    return std::optional<HostTensor>(std::move(tensor));
  }
  const std::string number = std::to_string(i);
  const std::optional<fs::path> file =
      firstThatExists(folder / "in" / (number + ".npy"), folder / ("input_" + number + ".pb"));
  if (!file)
    return std::optional<HostTensor>();
  MICA_ASSIGN_OR_RETURN(HostTensor tensor, readTensorFile(*file, argument.dtype));
  return std::optional<HostTensor>(std::move(tensor));
}

Result<HostTensor> GoldenData::result(size_t i, const artifact::EntryRecord &entry) const {
  if (archive)
    return archive->read(resultName(entry, i), entry.results[i].dtype);
  if (golden)
    return readGoldenTensor(folder, golden->results[i]);
  const std::string number = std::to_string(i);
  const std::optional<fs::path> file =
      firstThatExists(folder / "out" / (number + ".npy"), folder / ("output_" + number + ".pb"));
  if (!file)
    return Error{ErrorCode::NotFound,
                 "--golden-data has no " + (folder / "out" / (number + ".npy")).string() + " for result " + number +
                     " of '" + entry.name + "'",
                 std::string(kForms)};
  return readTensorFile(*file, entry.results[i].dtype);
}

std::string GoldenData::criteria(size_t i) const {
  if (!golden)
    return "";
  return golden->results[i].compare.empty() ? golden->compare : golden->results[i].compare;
}

Status GoldenData::checkProgram(const ProgramName &program, const artifact::Manifest &manifest,
                                const artifact::EntryRecord &entry, bool anyProgram) const {
  if (!golden)
    return {};
  const std::string file = (folder / kGoldenFile).string();
  const std::string owner = "'" + golden->entry + "' of " + golden->program + " (hash " +
                            (golden->programHash.empty() ? "unknown" : golden->programHash) + ")";
  const std::string own =
      "'" + entry.name + "' of " + program.file + " (hash " + (program.hash.empty() ? "unknown" : program.hash) + ")";
  const std::vector<artifact::TensorSpec> inputs = specsOf(golden->inputs), results = specsOf(golden->results);
  if (golden->inputs.size() != entry.args.size() || golden->results.size() != entry.results.size() ||
      !fit(inputs, entry.args) || !fit(results, entry.results))
    return Error{ErrorCode::InvalidInput,
                 file + ": belongs to " + owner + ", whose signature is " + typesOf(inputs, results) +
                     "; this program is " + own + ": " + typesOf(entry.args, entry.results),
                 "keep a run of this program: mica-run PROGRAM --save-golden=DIR"};
  if (golden->programHash != program.hash) {
    const std::string message =
        file + ": belongs to " + owner + ", this program is " + own + "; " + changedParts(*golden, manifest);
    if (!anyProgram)
      return Error{ErrorCode::InvalidInput, message,
                   "--any-program compares all the same; --save-golden=DIR --force keeps the results of this program"};
    printWarning(kTool, message);
  }
  if (const std::vector<std::string> changed = changedConditions(*golden, manifest); !changed.empty())
    printNote(kTool, "the golden data was made with " + joinNames(changed));
  return {};
}

Status replayConditions(const GoldenData &data, Options &options) {
  const Golden *golden = data.record();
  if (!golden)
    return {};
  std::vector<std::string> taken;
  if (options.entry.empty()) {
    options.entry = golden->entry;
    taken.push_back("entry " + golden->entry);
  }
  if (options.threads == 0 && golden->threads > 0) {
    options.threads = static_cast<int>(golden->threads);
    taken.push_back(std::to_string(golden->threads) + (golden->threads == 1 ? " thread" : " threads"));
  }
  if (!options.schedule && !golden->schedule.empty() && !golden->schedule.starts_with("@")) {
    MICA_ASSIGN_OR_RETURN(options.schedule, artifact::parseSchedule(golden->schedule));
    taken.push_back("schedule " + golden->schedule);
  }
  // Flags, API and environment win.
  if (!golden->switches.empty()) {
    MICA_RETURN_IF_ERROR(options.debug.set(golden->switches, SwitchSource::File));
    taken.push_back("switches " + golden->switches);
  }
  std::error_code error;
  if (!fs::is_directory(options.program, error)) {
    auto has = [&](std::string_view flag) {
      return std::any_of(options.compileFlags.begin(), options.compileFlags.end(),
                         [&](const std::string &given) { return given.starts_with(flag); });
    };
    auto add = [&](std::string_view flag, const std::string &value) {
      if (value.empty() || has(flag))
        return;
      options.compileFlags.push_back(std::string(flag) + value);
      taken.push_back(options.compileFlags.back());
    };
    const auto level = golden->options.find("opt-level");
    add("-O", level == golden->options.end() ? "" : level->second);
    add("--target=", golden->target);
  }
  if (!taken.empty())
    printNote(kTool, "replaying " + data.path().string() + ": " + joinNames(taken));
  return {};
}

} // namespace mica::runtool
