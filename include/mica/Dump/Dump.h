//===- Dump.h - the tensors of a run ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What the switch dump-tensors left behind: an index of JSON lines, and one file with the elements, which is mapped.
// The index is whole up to the last launch, however the process ended. docs/Dumps.md describes both files.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DUMP_DUMP_H
#define MICA_DUMP_DUMP_H

#include "mica/Dump/Statistics.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mica::dump {

inline constexpr std::string_view kIndexFile = "dump.jsonl", kPayloadFile = "dump.bin";
/// What dump.bin begins with, before the 16 bytes that tie it to its index; elements begin behind both, at 64.
inline constexpr std::string_view kPayloadMagic = "mica-dump payload\n";
inline constexpr int64_t kPayloadBegin = 64, kPayloadAlignment = 64;

/// An operation of a place of the program.
struct Op {
  std::string id;     ///< 12 hex digits
  std::string kind;   ///< "linalg.matmul"
  std::string name;   ///< what the source calls its result: "%q"; "" unknown
  std::string source; ///< "model.mlir:3:8"; "" unknown
};

/// One buffer that a kernel reads or writes.
struct Binding {
  /// Inside: no buffer of the kernel, but what an operation fused into it computes (dump-exact).
  enum class Role { Input, Output, InOut, Inside };
  Role role = Role::Input;
  DType dtype = DType::F32;
  std::vector<int64_t> shape; ///< -1: known at each launch
  std::string name;           ///< what the source calls the tensor; "" unknown
  int64_t op = -1;            ///< of what is written: position in Site::ops of the operation whose result it is
};
std::string_view roleName(Binding::Role role);

/// A place in the program that launches a kernel.
struct Site {
  int64_t number = 0;
  std::string kernel, kind, device;
  std::vector<Op> ops; ///< root first
  std::vector<Binding> bindings;
};

/// A tensor as a launch read or wrote it.
struct Tensor {
  size_t launch = 0;    ///< position in Dump::launches
  size_t binding = 0;   ///< position in Site::bindings
  bool isAfter = false; ///< after the launch: what it wrote; else before it: what it read
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  int64_t offset = -1; ///< of its elements in dump.bin; -1: they were not asked for, or are missing
  int64_t bytes = 0;
  std::string hash; ///< hashText(); "" where nothing is known of it
  Statistics statistics;
  /// Hash and statistics are of a sample of so many bytes (fingerprintOfSample()); 0: of all elements.
  int64_t sampledBytes = 0;
  /// Of what was read: the launch and binding that wrote it, in the numbers of launches; -1: none of this run.
  int64_t fromLaunch = -1, fromBinding = -1;
  std::string from;       ///< "argument 0", "constant mica_1f", or "" where it is unknown, or a launch
  bool isChanged = false; ///< it is not what that launch had written
  std::string missing;    ///< why there are no elements, or nothing at all; "" where all that was asked for is there

  int64_t elements() const;
};

struct Launch {
  enum class End { Done, Failed, Skipped, Running };
  int64_t number = 0; ///< from 1, in the order in which they began
  size_t site = 0;    ///< position in Dump::sites
  int64_t call = 0, iteration = 0;
  End end = End::Running; ///< Running: the process ended before it did
  int64_t status = 0;
};

/// Why the index says less than was asked for.
struct Missing {
  std::string why;
  int64_t tensors = 0, bytes = 0;
};

class Dump {
public:
  /// `path`: the folder of a dump, its index, the folder of a run with a dump, or an artifact, of whose latest run with
  /// a dump it is then. NotFound; Damaged where the index is not one, or is of another version; a line that is cut off
  /// at the end is what a killed process leaves, and no error.
  static Result<Dump> open(const std::filesystem::path &path);
  /// Of an index in memory, without elements. `file`: for messages.
  static Result<Dump> parse(std::string_view index, std::string_view file);

  const std::filesystem::path &folder() const { return place; }
  int64_t level() const { return askedLevel; }
  const std::string &program() const { return programPath; }
  const std::string &programHash() const { return hash; }
  const std::string &target() const { return targetName; }
  const std::vector<Site> &sites() const { return allSites; }
  const std::vector<Launch> &launches() const { return allLaunches; }
  /// In the order in which they were written.
  const std::vector<Tensor> &tensors() const { return allTensors; }
  const Site &siteOf(const Tensor &tensor) const { return allSites[allLaunches[tensor.launch].site]; }
  const Launch &launchOf(const Tensor &tensor) const { return allLaunches[tensor.launch]; }
  const Binding &bindingOf(const Tensor &tensor) const { return siteOf(tensor).bindings[tensor.binding]; }
  /// The operation that a tensor is the result of: of one that is read, in the launch that wrote it. Null: unknown.
  const Op *opOf(const Tensor &tensor) const;
  /// Position of the tensor that launch `number` left in binding `binding`; -1: it is not in the dump.
  int64_t written(int64_t number, int64_t binding) const;
  /// Position in launches() of launch `number`, -1 where there is none.
  int64_t findLaunch(int64_t number) const;

  /// Whether the run came to its end: else it was killed, or crashed, and `incompleteLine` says whether a line was cut.
  bool ended() const { return hasEnd; }
  bool incompleteLine() const { return isCut; }
  const std::vector<Missing> &missing() const { return account; }
  /// Launches that the process had no memory to note the results of.
  int64_t lostLaunches() const { return lost; }

  /// The elements of a tensor, where they lie; aligned. Errors: NotFound (with the reason), Damaged (dump.bin is
  /// missing, cut off, or of another dump).
  Result<std::span<const uint8_t>> payload(const Tensor &tensor) const;
  /// A copy.
  Result<HostTensor> read(const Tensor &tensor) const;
  /// The hash that a dump with samples of `sampledBytes` has of these elements; 0: of all. Errors as payload().
  Result<std::string> hashOfElements(const Tensor &tensor, int64_t sampledBytes) const;
  /// Whether the elements are those that were written.
  Result<bool> verify(const Tensor &tensor) const;

private:
  class Parser;
  Status openPayload();
  void link();

  std::filesystem::path place;
  int64_t askedLevel = 0;
  std::string programPath, hash, targetName, identity;
  std::vector<Site> allSites;
  std::vector<Launch> allLaunches;
  std::vector<Tensor> allTensors;
  std::vector<std::pair<int64_t, size_t>> launchPositions; ///< by number, sorted
  std::vector<std::array<int64_t, 3>> writes;              ///< launch number, binding, position; sorted
  std::vector<Missing> account;
  bool hasEnd = false, isCut = false;
  int64_t lost = 0;
  std::shared_ptr<const MappedFile> file;
  std::optional<Error> payloadError; ///< why there is none
};

} // namespace mica::dump

#endif // MICA_DUMP_DUMP_H
