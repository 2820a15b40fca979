//===- Program.h - a loaded artifact ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Loading reads manifest.json and host/tasks.json, maps constants.bin, and opens program.so; it checks schema, ABI,
// required CPU features and symbols before any code of the artifact runs, so that an incompatibility is an error
// message. An artifact is code: load only artifacts that you trust.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_PROGRAM_H
#define MICA_RUNTIME_PROGRAM_H

#include "mica/ABI/Host.h"
#include "mica/ABI/Kernel.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Runtime/FaultInfo.h"
#include "mica/Support/Status.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mica {
class MappedFile;
} // namespace mica

namespace mica::runtime {

class SharedLibrary;
class Specializations;

/// Options of loading.
struct LoadOptions {
  /// Maps weights of more than 16 MiB. Otherwise they are read into memory of this process, which counts against its
  /// limit, and are hashed completely.
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
  /// The code of its replays (artifact::KernelReplay), null if it has none.
  mica_kernel_fn_v1 replayFunction(size_t kernel) const { return replayFunctions[kernel]; }
  mica_kernel_fn_v1 faultReplayFunction(size_t kernel) const { return faultReplayFunctions[kernel]; }
  /// The code that computes what is inside of it (artifact::DumpReplay), null if there is none.
  mica_kernel_fn_v1 dumpReplayFunction(size_t kernel) const { return dumpReplayFunctions[kernel]; }
  /// Whether a file was edited by hand: then the manifest's properties of kernels need not hold for their code.
  bool isEdited() const { return edited; }
  /// How it was loaded.
  const LoadOptions &loadOptions() const { return options; }
  /// The bytes of constant `index` (position in the manifest), mapped read-only from constants.bin or a copy of it.
  const void *constant(size_t index) const { return constantAddresses[index]; }

  /// Damaged if constants.bin is mapped and was truncated or modified since. To be called before and after each
  /// invocation.
  Status checkConstants() const { return constantsAreShared ? checkSharedConstants() : Status::ok(); }
  /// Whether constants.bin is mapped, not copied: only then checkConstants() has an effect.
  bool sharesConstants() const { return constantsAreShared; }
  /// Of constants that ranks have parts of, only those of `rank` stay mapped; -1: those of all ranks, from now on. Does
  /// nothing where constants.bin is not mapped.
  Status keepPartsOf(int32_t rank) const;
  /// Bytes of constants.bin that this process has mapped, and how many of them are in memory now.
  int64_t mappedBytes() const { return mappedConstants; }
  int64_t residentBytes() const;
  /// Whether kernel `kernel`, or a host function, calls the allocation services of ABI/Memory.h.
  bool allocates(size_t kernel) const { return kernelAllocates[kernel]; }
  bool hostAllocates() const { return hostFunctionsAllocate; }
  /// Whether host/tasks.json differs from what the compiler wrote.
  bool tasksEdited() const { return artifact.tasksEdited(); }
  const std::string &tasksHash() const { return artifact.tasksHash(); }

  /// Whether its host functions may print, or call functions of other libraries.
  bool hasSideEffects() const { return sideEffects; }

  /// Whether it has GPU kernels for the simulator.
  bool isSimulated() const { return simulated; }

  /// The specializations of this program, shared by all its contexts.
  Specializations &specializations() const { return *made; }

  /// A dispatch as text, for messages: "kernel 'k' (linalg.matmul [3f2a91c07b1e] at m.mlir:3:8, ...)". `site` may be
  /// -1.
  std::string describeLaunch(std::string_view kernel, int64_t site) const;

  /// An operation as text: "linalg.matmul [3f2a91c07b1e] at m.mlir:3:8".
  std::string describeOp(const std::string &id) const;

  /// The same for an operation that code names by its id or its position "model.mlir:3:8"; and its id, "" if the
  /// manifest does not list it.
  std::string describeSized(const std::string &op) const;
  std::string sizedOp(const std::string &op) const;

  /// Some of its operations as text: "linalg.matmul [3f2a91c07b1e] at m.mlir:3:8, ...". `ops`: positions in the
  /// kernel's opIds; if none of them is known: the kernel's root.
  std::string describeOps(std::string_view kernel, int64_t site, const std::vector<int64_t> &ops) const;

  /// Operation `op` of the kernel, or what it holds at the line and column `place`, as a check is about it.
  artifact::CheckRecord partAt(std::string_view kernel, int64_t op, std::pair<int64_t, int64_t> place) const;

  /// The operation of a check, possibly nested in another: "math.log of linalg.generic [3f2a91c07b1e] at m.mlir:7:8".
  std::string describeCheck(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const;
  /// The source's name of the result of that operation: "%q"; "" if unknown.
  std::string resultName(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const;
  /// The source's name of the tensor of binding `binding` of the dispatch: "%q", "argument 0", "a constant"; else
  /// "buffer 2".
  std::string tensorName(const artifact::KernelRecord &kernel, int64_t site, size_t binding) const;
  /// The sizes of that tensor in the source, -1 where dynamic, if the kernel leaves out dimensions of size 1; or none.
  std::vector<int64_t> sourceShape(const artifact::KernelRecord &kernel, int64_t site, size_t binding) const;
  /// The same of the result of the operation of a check.
  std::vector<int64_t> resultShape(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const;
  /// Whether the dispatch is given a constant of the program there.
  bool isConstant(int64_t site, size_t binding) const;
  /// What the source calls the result of an operation, "%q"; "" if that is unknown.
  std::string nameOfOp(const std::string &id) const {
    const artifact::OpRecord *op = findOp(id);
    return op ? op->name : "";
  }
  /// The same for an operation of a kernel, by its position in the kernel's opIds.
  std::string nameOfOp(std::string_view kernel, int64_t site, int64_t op) const;

  /// The source lines of the ops of a dispatch, root last, each with its positions (through calls and fusions),
  /// innermost last, and the line's text if the file exists; begins with a line break, "" if no position is known.
  std::string sourceTraceback(std::string_view kernel, int64_t site) const;
  /// The same of operations by their ids, the last first.
  std::string sourceTraceback(const std::vector<std::string> &ids) const;

  /// ", called at m.mlir:7:8" for each operation of `calls`, ids, whose position is known.
  std::string describeCalls(const std::vector<std::string> &calls) const;

  /// The place of operation number `op` of the dispatch `site` (-1: of the kernel as such).
  FaultInfo faultInfo(std::string_view kernel, int64_t site, int64_t op) const;
  /// The operation of the dispatch in the source line of `known`; `known` itself if there is none.
  FaultInfo faultInfo(std::string_view kernel, int64_t site, const FaultInfo &known) const;
  /// The operation of a check of the dispatch.
  FaultInfo faultInfo(std::string_view kernel, int64_t site, const artifact::CheckRecord &check) const;
  /// The same for an operation of a host function. Nothing if the manifest does not list `id`.
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
  std::vector<mica_kernel_fn_v1> kernelFunctions, replayFunctions, faultReplayFunctions, dumpReplayFunctions;
  std::vector<const void *> constantAddresses;
  std::vector<bool> kernelAllocates;
  bool hostFunctionsAllocate = false;
  bool simulated = false;
  bool edited = false;
  bool sideEffects = false;
  mutable std::mutex partsMutex;
  mutable bool keepsAllParts = false;              ///< threads of this process are ranks
  mutable std::atomic<int64_t> mappedConstants{0}; ///< bytes
  bool constantsAreShared = false;                 ///< `constants` is a mapping of the file itself, not of a copy
  std::unique_ptr<Specializations> made;           ///< has its own lock
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_PROGRAM_H
