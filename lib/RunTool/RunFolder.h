//===- RunFolder.h - the folder of one run -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: <artifact>/runs/<UTC>-<pid>/ with data/in, data/out, events.jsonl, and the link runs/latest.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_RUNFOLDER_H
#define MICA_LIB_RUNTOOL_RUNFOLDER_H

#include "lib/RunTool/Inputs.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace mica::runtool {

class RunFolder {
public:
  /// The folder of a run of `artifact`: in `runDir`, or by default in the artifact, or in the cache folder if that is
  /// not writable, with a note.
  static Result<RunFolder> createFor(const std::filesystem::path &artifact, const std::filesystem::path &runDir);
  /// The folders that createFor() may write to, created if possible.
  static Result<std::vector<std::filesystem::path>> places(const std::filesystem::path &artifact,
                                                           const std::filesystem::path &runDir);
  /// Creates the folder of this run in `runs` and points `runs/latest` to it.
  static Result<RunFolder> create(const std::filesystem::path &runs);

  const std::filesystem::path &path() const { return folder; }
  /// data/<kind>/<i>.npy; kind: in, out, reference.
  std::filesystem::path tensorFile(std::string_view kind, size_t i) const;
  /// Writes all of `tensors` as data/<kind>/0.npy, 1.npy, ...
  Status writeTensors(std::string_view kind, std::span<const HostTensor> tensors) const;
  /// Writes data/in.
  Status writeInputs(std::span<const Input> inputs) const;

private:
  std::filesystem::path folder;
};

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_RUNFOLDER_H
