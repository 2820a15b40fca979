//===- Signatures.cpp - what a program's code takes for granted ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header. Symbols that are absent are of programs that an earlier version compiled, or that were written in C.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Signatures.h"

#include "mica/ABI/Memory.h"
#include "mica/Artifact/ComplexEntry.h"

#include <optional>
#include <set>
#include <utility>

namespace mica::runtime {
namespace {

/// Reads the numbers of one symbol and compares them, one after the other, with what a file says.
class Comparison {
public:
  /// `file`: which says so; `path`: of the object there, "kernels[3]".
  Comparison(const SharedLibrary &library, const std::string &symbol, std::string file, std::string path)
      : file(std::move(file)), path(std::move(path)) {
    if (Result<void *> found = library.symbol(symbol))
      next = static_cast<const int64_t *>(*found);
    if (next && *next++ != MICA_SIGNATURE_VERSION)
      next = nullptr;
  }

  bool exists() const { return next != nullptr && !failure; }
  int64_t take() { return *next++; }
  /// The next number of the code, and what the file says at `key`.
  void compare(int64_t said, const std::string &key) {
    if (!exists())
      return;
    const int64_t compiled = take();
    if (compiled != said)
      failure = Error{ErrorCode::Damaged,
                      file + ": " + path + key + " is " + std::to_string(said) + ", but program.so was compiled for " +
                          std::to_string(compiled),
                      "the file was edited, or belongs to another program.so; restore it, or compile the model again"};
  }
  void compareType(const artifact::TensorSpec &type, const std::string &key) {
    compare(dtypeBytes(type.dtype), key + ".dtype: its bytes");
    compare(int64_t(type.shape.size()), key + ".shape: its rank");
    for (size_t d = 0; d < type.shape.size(); ++d)
      compare(type.shape[d], key + ".shape[" + std::to_string(d) + "]");
  }
  /// -1: the code does not say.
  void compareAccess(int64_t said, const std::string &key) {
    if (exists() && *next == -1)
      ++next;
    else
      compare(said, key + " (0 read, 1 write, 2 readwrite)");
  }
  Status status() const { return failure ? Status(*failure) : Status(); }

private:
  const std::string file, path;
  const int64_t *next = nullptr;
  std::optional<Error> failure;
};

Status compareKernel(const artifact::KernelRecord &kernel, Comparison code, bool &allocates) {
  if (!code.exists())
    return {};
  allocates = (code.take() & MICA_SIGNATURE_ALLOCATES) != 0;
  code.compare(kernel.scratchBytes, ".scratch_bytes");
  code.compare(kernel.grid, ".grid");
  code.compare(kernel.scalarArgs, ".scalar_args");
  code.compare(int64_t(kernel.bindings.size()), ".bindings: their number");
  for (size_t i = 0; i < kernel.bindings.size() && code.exists(); ++i) {
    const artifact::BindingRecord &binding = kernel.bindings[i];
    const std::string key = ".bindings[" + std::to_string(i) + "]";
    // The code's numbers are in the order of Access.
    code.compareAccess(int64_t(binding.access), key + ".access");
    code.compareType(binding.type, key);
  }
  return code.status();
}

/// A kernel, by the hash of its name, and the scalars that a task passes to it.
using Passed = std::pair<int64_t, std::vector<int64_t>>;

/// What the tasks of the next list pass.
std::set<Passed> passedScalars(Comparison &code) {
  std::set<Passed> all;
  for (int64_t tasks = code.take(); tasks > 0; --tasks) {
    Passed one{code.take(), {}};
    for (int64_t scalars = code.take(); scalars > 0; --scalars)
      one.second.push_back(code.take());
    all.insert(std::move(one));
  }
  return all;
}

/// Whether each task of a list that was edited passes what some task of the compiled program does.
Status checkScalars(const artifact::TaskList &list, const std::set<Passed> &passed, const std::string &path) {
  for (size_t i = 0; i < list.tasks.size(); ++i) {
    const artifact::TaskRecord &task = list.tasks[i];
    if (!passed.contains({mica_name_hash(task.kernel.data(), int64_t(task.kernel.size())), task.scalars}))
      return Error{ErrorCode::Damaged,
                   path + ".tasks[" + std::to_string(i) + "].scalars are none that program.so passes to the kernel '" +
                       task.kernel + "' in this list",
                   "edit host/schedule.mlir to pass others, from which the host functions are made again"};
  }
  return {};
}

} // namespace

Status checkSignatures(const artifact::Artifact &artifact, const SharedLibrary &library, Allocates &allocates) {
  const artifact::Manifest &info = artifact.manifest();
  const std::string manifest = artifact.path(artifact::kManifestFile).string();
  for (size_t i = 0; i < info.kernels.size(); ++i) {
    bool asks = false;
    MICA_RETURN_IF_ERROR(compareKernel(info.kernels[i],
                                       Comparison(library, MICA_SIGNATURE_PREFIX + info.kernels[i].name, manifest,
                                                  "kernels[" + std::to_string(i) + "]"),
                                       asks));
    allocates.kernels.push_back(asks);
  }
  for (size_t i = 0; i < info.entries.size(); ++i) {
    const artifact::EntryRecord entry = artifact::splitComplex(info.entries[i]);
    Comparison code(library, MICA_ENTRY_SIGNATURE_PREFIX + entry.name, manifest, "entries[" + std::to_string(i) + "]");
    if (code.exists())
      allocates.hostFunctions |= (code.take() & MICA_SIGNATURE_ALLOCATES) != 0;
    code.compare(int64_t(entry.args.size()), ".args: their number");
    for (size_t a = 0; a < entry.args.size(); ++a) {
      artifact::TensorSpec part = entry.args[a];
      part.shape = part.rankShape(); // the code is that of one rank
      code.compareType(part, ".args[" + std::to_string(a) + "]");
    }
    MICA_RETURN_IF_ERROR(code.status());
  }
  const std::vector<artifact::TaskList> &lists = artifact.taskLists();
  const std::string tasks = artifact.path(artifact::kTasksFile).string();
  Comparison code(library, MICA_LIST_SIGNATURES_SYMBOL, tasks, "lists");
  code.compare(int64_t(lists.size()), ": their number");
  for (size_t i = 0; i < lists.size() && code.exists(); ++i) {
    const std::string path = "[" + std::to_string(i) + "]";
    code.compare(lists[i].parameters, path + ".parameters");
    code.compare(lists[i].scalars, path + ".scalars");
    if (!code.exists())
      break;
    const std::set<Passed> passed = passedScalars(code);
    if (artifact.tasksEdited())
      MICA_RETURN_IF_ERROR(checkScalars(lists[i], passed, tasks + ": lists" + path));
  }
  return code.status();
}

} // namespace mica::runtime
