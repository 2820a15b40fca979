//===- SaveGolden.cpp - keeping a run as golden data --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// --save-golden. The folder is filled under another name and renamed, so that it is whole or not there.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Golden.h"
#include "lib/RunTool/Options.h"
#include "lib/RunTool/Outputs.h"
#include "mica/Compare/Npy.h"
#include "mica/Support/Files.h"
#include "mica/Support/Version.h"

#include <cstdio>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// The switches of the run that may change results: "a=b,c=d". Those that name files or choose what is printed or
/// dumped are left out.
std::string replayableSwitches(const Switches &switches) {
  std::string text;
  for (const SwitchInfo &info : switchTable()) {
    const bool isOutput = info.kind == SwitchInfo::Kind::File || info.name.starts_with("dump-") ||
                          info.name.starts_with("op-log") || info.which == Switch::MemoryLimit;
    if (!isOutput && switches.isSet(info.which))
      text += (text.empty() ? "" : ",") + std::string(info.name) + "=" + switches.text(info.which);
  }
  return text;
}

/// What made input `i`; "" unknown.
std::string originOf(const Options &options, size_t i) {
  if (i < options.inputs.size() && options.inputs[i])
    return options.inputs[i]->text;
  return options.inputArchives.empty() && options.goldenData.empty() ? "generated" : "";
}

/// Writes the tensors of one kind, in/ or out/, in the form of the options, and sets their files and hashes.
Status writeKind(const fs::path &folder, const std::string &kind, GoldenForm form,
                 const std::vector<HostTensor> &tensors, std::vector<GoldenTensor> &records) {
  std::vector<NamedTensor> named;
  const std::string archive = kind + (form == GoldenForm::Npz ? ".npz" : ".safetensors");
  for (size_t i = 0; i < tensors.size(); ++i) {
    GoldenTensor &record = records[i];
    record.type.dtype = tensors[i].dtype;
    record.type.shape = tensors[i].shape;
    record.hash = tensorHash(tensors[i]);
    const std::string number = std::to_string(i);
    if (form == GoldenForm::Npy) {
      record.file = kind + "/" + number + ".npy";
      MICA_RETURN_IF_ERROR(writeNpyInPlace(folder / record.file, tensors[i]));
      continue;
    }
    named.push_back({number, &tensors[i]});
    record.file = archive + ":" + number;
  }
  return named.empty() ? Status() : writeTensorArchive(folder / archive, named);
}

} // namespace

Status checkGoldenFolder(const Options &options) {
  std::error_code error;
  if (options.saveGolden.empty() || !fs::exists(options.saveGolden, error) ||
      (fs::is_directory(options.saveGolden, error) && fs::is_empty(options.saveGolden, error)))
    return {};
  if (!fs::exists(options.saveGolden / kGoldenFile, error))
    return Error{ErrorCode::InvalidInput,
                 "--save-golden=" + options.saveGolden.string() + " exists, and is not the folder of a kept run",
                 "give the name of a new folder"};
  if (!options.force)
    return Error{ErrorCode::InvalidInput, "--save-golden=" + options.saveGolden.string() + " keeps a run already",
                 "--force replaces it"};
  return {};
}

Status saveGolden(const Options &options, const ProgramName &program, const artifact::Manifest &manifest,
                  const artifact::EntryRecord &entry, const fs::path &data, const std::vector<HostTensor> &results,
                  const std::vector<std::string> &devices) {
  Golden golden;
  golden.micaVersion = std::string(version());
  golden.program = program.file;
  golden.programHash = program.hash;
  golden.entry = entry.name;
  golden.target = manifest.target;
  golden.cpu = manifest.cpu;
  golden.devices = devices;
  golden.options = manifest.options;
  golden.switches = replayableSwitches(options.debug);
  golden.schedule = options.schedule ? options.schedule->text : "";
  golden.threads = options.threads;
  for (const artifact::ConstantRecord &constant : manifest.constants)
    golden.weights.push_back(constant.name);
  golden.compare = printCriteria(options.compare);
  std::vector<HostTensor> inputs;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    MICA_ASSIGN_OR_RETURN(HostTensor tensor, readNpy(data / "in" / (std::to_string(i) + ".npy"), entry.args[i].dtype));
    inputs.push_back(std::move(tensor));
    GoldenTensor record;
    record.type.name = entry.args[i].name;
    record.from = originOf(options, i);
    golden.inputs.push_back(std::move(record));
  }
  for (const artifact::TensorSpec &spec : entry.results) {
    GoldenTensor record;
    record.type.name = spec.name;
    record.type.updates = spec.updates;
    golden.results.push_back(std::move(record));
  }
  MICA_ASSIGN_OR_RETURN(StagedFolder folder, StagedFolder::create(options.saveGolden));
  MICA_RETURN_IF_ERROR(writeKind(folder.path(), "in", options.goldenForm, inputs, golden.inputs));
  MICA_RETURN_IF_ERROR(writeKind(folder.path(), "out", options.goldenForm, results, golden.results));
  MICA_RETURN_IF_ERROR(writeFile(folder.path() / kGoldenFile, printGolden(golden)));
  MICA_RETURN_IF_ERROR(folder.commitIf([&] { return checkGoldenFolder(options); }));
  std::printf("golden: kept %zu inputs and %zu results of '%s' in %s\n", inputs.size(), results.size(),
              entry.name.c_str(), options.saveGolden.string().c_str());
  return {};
}

} // namespace mica::runtool
