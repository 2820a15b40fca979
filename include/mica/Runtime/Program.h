//===- Program.h - a loaded artifact ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Loading reads manifest.json and host/tasks.json, maps constants.bin, and opens program.so; it checks
// schema, ABI, needed CPU features and symbols before any code of the artifact runs, so that what does not
// fit is a message. An artifact is code: load only those you trust.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_PROGRAM_H
#define MICA_RUNTIME_PROGRAM_H

#include "mica/ABI/Host.h"
#include "mica/ABI/Kernel.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Runtime/FaultInfo.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mica {
class MappedFile;
} // namespace mica

namespace mica::runtime {

class SharedLibrary;
class Specializations;

/// How a program is loaded.
struct LoadOptions {
  /// Maps weights of more than 16 MiB. Else they are read into memory of this process, which counts against its limit,
  /// and are hashed whole.
  bool mmapWeights = true;
};

/// An artifact ready to run. Immutable, so any number of contexts and threads may share one.
class Program {
public:
  /// Loads the artifact in `folder`. Errors name the file and what to do: NotFound (a file is missing),
  /// Damaged (truncated, inconsistent), Unsupported (newer schema or ABI, CPU features this machine lacks),
  /// Io.
  static Result<std::shared_ptr<const Program>> load(const std::filesystem::path &folder,
                                                     const LoadOptions &options = {});
  ~Program();

  const std::filesystem::path &folder() const { return artifact.folder(); }
  const artifact::Manifest &manifest() const { return artifact.manifest(); }
  const std::vector<artifact::TaskList> &taskLists() const { return artifact.taskLists(); }

  /// Position of entry `name` in the manifest. An empty name means the only entry; with several, or with an
  /// unknown name, the error lists them.
  Result<size_t> findEntry(std::string_view name) const;
  /// Position of the kernel `name` in the manifest, or -1.
  int64_t findKernel(std::string_view name) const;

  /// The host function of entry `entry`.
  mica_host_fn_v1 hostFunction(size_t entry) const { return hostFunctions[entry]; }
  /// The code of kernel `kernel` (position in the manifest).
  mica_kernel_fn_v1 kernelFunction(size_t kernel) const { return kernelFunctions[kernel]; }
  /// The code of its replays (artifact::KernelReplay), null where it has none.
  mica_kernel_fn_v1 replayFunction(size_t kernel) const { return replayFunctions[kernel]; }
  mica_kernel_fn_v1 faultReplayFunction(size_t kernel) const { return faultReplayFunctions[kernel]; }
  /// Whether some file was edited by hand: what the compiler wrote of kernels need not hold of their code.
  bool isEdited() const { return edited; }
  /// How it was loaded.
  const LoadOptions &loadOptions() const { return options; }
  /// The bytes of constant `index` (position in the manifest), mapped read-only from constants.bin or a copy of it.
  const void *constant(size_t index) const { return constantAddresses[index]; }

  /// Damaged where constants.bin is mapped and was cut off or written to since. To be asked before and after each
  /// invocation.
  Status checkConstants() const { return constantsAreShared ? checkSharedConstants() : Status::ok(); }
  /// Whether it is mapped, not copied: otherwise there is nothing to ask.
  bool sharesConstants() const { return constantsAreShared; }
  /// Whether kernel `kernel`, and whether a host function, asks for memory by the table of ABI/Memory.h.
  bool allocates(size_t kernel) const { return kernelAllocates[kernel]; }
  bool hostAllocates() const { return hostFunctionsAllocate; }
  /// Whether host/tasks.json is not as the compiler wrote it.
  bool tasksEdited() const { return artifact.tasksEdited(); }

  /// Whether its host functions may print, or call functions of other libraries.
  bool hasSideEffects() const { return sideEffects; }

  /// Whether it has GPU kernels for the simulator.
  bool isSimulated() const { return simulated; }

  /// The programs that were made of this one for sizes of its arguments, shared by all its contexts.
  Specializations &specializations() const { return *made; }

  /// A dispatch in words, for messages: "kernel 'k' (linalg.matmul [3f2a91c07b1e] at m.mlir:3:8, ...)".
  /// `site` may be -1.
  std::string describeLaunch(std::string_view kernel, int64_t site) const;

  /// An operation in words: "linalg.matmul [3f2a91c07b1e] at m.mlir:3:8".
  std::string describeOp(const std::string &id) const;

  /// The same of one that code names by its id or its position "model.mlir:3:8"; and its id, "" where the manifest does
  /// not know it.
  std::string describeSized(const std::string &op) const;
  std::string sizedOp(const std::string &op) const;

  /// Some of its operations in words: "linalg.matmul [3f2a91c07b1e] at m.mlir:3:8, ...". `ops`: positions in the
  /// kernel's opIds; none of them known: the kernel's root.
  std::string describeOps(std::string_view kernel, int64_t site, const std::vector<int64_t> &ops) const;

  /// The operation of a check, which may be one inside of another: "math.log of linalg.generic [3f2a91c07b1e] at
  /// m.mlir:7:8".
  std::string describeCheck(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const;
  /// What the source calls the result of that operation: "%q"; "" where unknown.
  std::string resultName(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const;
  /// What the source calls the tensor of binding `binding` of the dispatch: "%q", "argument 0"; else "buffer 2".
  std::string tensorName(const artifact::KernelRecord &kernel, int64_t site, size_t binding) const;

  /// The source lines of the ops of a dispatch, root last, each with the positions it went through (calls, fusions),
  /// innermost last, and the line's text where the file is there; begins with a line break, "" where no position is
  /// known.
  std::string sourceTraceback(std::string_view kernel, int64_t site) const;

  /// Operation number `op` of the dispatch `site` (-1: of the kernel as such), in parts.
  FaultInfo faultInfo(std::string_view kernel, int64_t site, int64_t op) const;
  /// The operation of the dispatch that stands in the line of `known`, or, where none does, what `known` says.
  FaultInfo faultInfo(std::string_view kernel, int64_t site, const FaultInfo &known) const;
  /// The operation of a check of the dispatch.
  FaultInfo faultInfo(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const;
  /// The same for an operation of a host function. Nothing where the manifest does not know `id`.
  FaultInfo faultInfo(const std::string &id) const;

private:
  const artifact::OpRecord *findOp(const std::string &id) const;
  std::string callsText(std::string_view kernel, int64_t site, const std::vector<int64_t> &ops) const;
  const artifact::OpRecord *opOf(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const;
  const std::vector<std::string> *idsOf(std::string_view kernel, int64_t site) const;
  explicit Program(const LoadOptions &options);
  Status open(const std::filesystem::path &folder);
  Status openConstants();
  Status checkSharedConstants() const;

  const LoadOptions options;
  artifact::Artifact artifact;
  std::unique_ptr<MappedFile> constants;
  int64_t countedBytes = 0; ///< of `constants`, against the memory limit
  std::unique_ptr<SharedLibrary> library;
  std::vector<mica_host_fn_v1> hostFunctions;
  std::vector<mica_kernel_fn_v1> kernelFunctions, replayFunctions, faultReplayFunctions;
  std::vector<const void *> constantAddresses;
  std::vector<bool> kernelAllocates;
  bool hostFunctionsAllocate = false;
  bool simulated = false;
  bool edited = false;
  bool sideEffects = false;
  bool constantsAreShared = false;       ///< `constants` is a mapping of the file itself, not of a copy
  std::unique_ptr<Specializations> made; ///< has a lock of its own
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_PROGRAM_H
