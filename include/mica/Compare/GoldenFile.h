//===- GoldenFile.h - golden.json, the record of a run that was kept ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What mica-run --save-golden=DIR writes beside the tensors of a run: the program by hash, the conditions of the run,
// and for each tensor its file and a hash of its elements. docs/Golden.md describes the file.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_GOLDENFILE_H
#define MICA_COMPARE_GOLDENFILE_H

#include "mica/Artifact/Manifest.h"
#include "mica/Compare/TensorArchive.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

inline constexpr std::string_view kGoldenFile = "golden.json";

/// An input or a result.
struct GoldenTensor {
  artifact::TensorSpec type;
  std::string file;    ///< relative to golden.json: "in/0.npy", "in.npz:x"
  std::string hash;    ///< tensorHash()
  std::string from;    ///< of an input: what made it ("random:0", "@x.npy"); "" unknown
  std::string compare; ///< of a result: its own criteria; "" those of the file
};

struct Golden {
  std::string micaVersion;
  std::string program;     ///< name of the program's file
  std::string programHash; ///< Manifest::inputHash; "" unknown
  std::string entry;
  std::string target, cpu;
  std::vector<std::string> devices;           ///< that ran kernels: "cpu:0"
  std::map<std::string, std::string> options; ///< with which the program was compiled
  std::string switches;                       ///< of the run: "a=b,c=d"
  std::string schedule;                       ///< order of tasks; "" the default
  int64_t threads = 0;                        ///< 0: one per CPU
  std::vector<std::string> weights;           ///< "mica_<hash>" of each
  std::string compare;                        ///< criteria (Criteria.h); "" the default
  std::vector<GoldenTensor> inputs, results;
};

/// Errors: Damaged (names the member, or a file outside of the folder), Unsupported (a newer version), InvalidInput (a
/// member `compare` with unknown criteria). `file` is used in messages.
Result<Golden> parseGolden(std::string_view text, const std::string &file);
std::string printGolden(const Golden &golden);

/// A hash of type and elements.
std::string tensorHash(DType dtype, const std::vector<int64_t> &shape, std::string_view elements);
std::string tensorHash(const HostTensor &tensor);

/// The tensor `which` of the golden.json in `folder`. Errors: those of its file; Damaged if it is not the tensor that
/// was kept, with both hashes.
Result<HostTensor> readGoldenTensor(const std::filesystem::path &folder, const GoldenTensor &which);

} // namespace mica

#endif // MICA_COMPARE_GOLDENFILE_H
