//===- Golden.h - golden data: kept inputs and results ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: what --golden-data names. Four forms: a folder with golden.json, as --save-golden writes it; the folder data
// of a run (in/0.npy, ..., out/0.npy, ...); ONNX's test data (input_0.pb, ..., output_0.pb, ...); and one .npz or
// .safetensors file of results by name, as --outputs writes it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTOOL_GOLDEN_H
#define MICA_RUNTOOL_GOLDEN_H

#include "lib/RunTool/Locate.h"
#include "mica/Artifact/Manifest.h"
#include "mica/Compare/GoldenFile.h"
#include "mica/Compare/TensorArchive.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mica::runtool {

struct Options;

class GoldenData {
public:
  /// `path`: as given to --golden-data: a folder, its golden.json, or a file of named tensors. Reads no tensor.
  static Result<std::shared_ptr<const GoldenData>> open(const std::filesystem::path &path);

  /// Of a folder with golden.json; null otherwise.
  const Golden *record() const { return golden ? &*golden : nullptr; }
  const std::filesystem::path &path() const { return place; }

  /// Input `i`; nothing where there is none, as with files of results only.
  Result<std::optional<HostTensor>> input(size_t i, const artifact::TensorSpec &argument) const;
  /// Result `i` of `entry`. NotFound where there is none.
  Result<HostTensor> result(size_t i, const artifact::EntryRecord &entry) const;
  /// The criteria of result `i`, of the file if it has none of its own; "" the default ones.
  std::string criteria(size_t i) const;

  /// Fails (InvalidInput) if the data belongs to another entry, has other arguments or results, or belongs to another
  /// program; of another program's with the same signature only unless `anyProgram`. Prints a note for conditions that
  /// are not those of the run that was kept.
  Status checkProgram(const ProgramName &program, const artifact::Manifest &manifest,
                      const artifact::EntryRecord &entry, bool anyProgram) const;

private:
  std::filesystem::path place, folder;
  std::optional<Golden> golden;
  std::shared_ptr<const TensorArchive> archive;
};

/// Sets what golden.json records and no flag gives: entry, threads, order of tasks, switches, and for a model the flags
/// of its compile. Prints a note of it.
Status replayConditions(const GoldenData &data, Options &options);

/// Whether --save-golden may write to its folder: it does not exist, is empty, or has a golden.json and --force is
/// given.
Status checkGoldenFolder(const Options &options);

/// --save-golden: writes golden.json and the tensors of a run. `data`: the folder of its tensors (in/, out/);
/// `devices`: that ran kernels.
Status saveGolden(const Options &options, const ProgramName &program, const artifact::Manifest &manifest,
                  const artifact::EntryRecord &entry, const std::filesystem::path &data,
                  const std::vector<HostTensor> &results, const std::vector<std::string> &devices);

} // namespace mica::runtool

#endif // MICA_RUNTOOL_GOLDEN_H
