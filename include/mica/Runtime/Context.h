//===- Context.h - running a program ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A context owns what execution needs: back ends with their threads, arenas, the state of every task list. It is made
// once and used for many invocations; after the first invocation of an entry nothing is allocated before a kernel runs.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_CONTEXT_H
#define MICA_RUNTIME_CONTEXT_H

#include "mica/Runtime/Backend.h"
#include "mica/Runtime/FaultInfo.h"
#include "mica/Runtime/Observer.h"
#include "mica/Runtime/Program.h"
#include "mica/Runtime/Tensor.h"
#include "mica/Support/Status.h"
#include "mica/Support/Switches.h"

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace mica::runtime {

class Communicator;
class ContextImpl;
class RankSession;
class RunTrace;
struct InvocationState;

/// The order in which the tasks of a list run, or of the part of it that begins at task `firstTask`, one after the
/// other. It has to be one that their dependencies allow.
using OrderOfTasks = std::function<Result<std::vector<uint32_t>>(const artifact::TaskList &list, size_t firstTask)>;

/// Options of a context.
struct ContextOptions {
  /// Compute threads, including the calling one; 0: one per CPU this process may use. For the CPU back end that is made
  /// if `backends` is empty.
  int threads = 0;
  /// The devices of the program, found by the names in its tasks ("cpu:0"). Empty: the devices that its tasks name are
  /// created (Devices.h).
  std::vector<std::unique_ptr<Backend>> backends;
  /// Tasks that access fewer bytes than this (and do less than a million operations) are not partitioned: waking a
  /// thread takes longer than they do.
  int64_t smallTaskBytes = 32 << 10;
  /// Called for every launch, in this order. Not owned; must outlive the context. None: no cost. At most 30.
  std::vector<Observer *> observers;
  /// If set, tasks run one by one in this order, and memory holds no earlier values (every bit is set) before a task
  /// writes to it, so that a missing dependency shows. It is called once for each list.
  OrderOfTasks taskOrder;
  /// The switches; those of phase run are used here.
  Switches switches;
  /// The trace of the process; null: none.
  std::shared_ptr<RunTrace> trace;
  /// Called on a separate thread with the report of the switch hang-timeout. By default the report is printed to the
  /// standard error, and the process ends with exit code 4, because a hanging thread cannot be ended alone.
  std::function<void(const std::string &report)> onHang;
  /// Of a program for several ranks: all of them run in this process, on a thread each, even if a launcher of MPI
  /// started it. Otherwise they do only if no launcher started the process.
  bool ranksAsThreads = false;
  /// Of a program for several ranks: the rank that this process is. Null: as a launcher of MPI says.
  std::shared_ptr<Communicator> communicator;
  /// Of a program for several ranks: how this process came to it, for the error if another rank has another program.
  /// The first part is named "cache" and says what the cache of artifacts decided; the others are those of its key.
  std::vector<std::pair<std::string, std::string>> provenance;
  /// Set by the runtime for the context of one rank; null: the context is of the whole program.
  RankSession *session = nullptr;
};

/// Memory that a context has for one purpose.
struct MemoryUse {
  std::string what;     ///< "arena of cpu:0"
  int64_t most = 0;     ///< bytes that were in use at one time
  int64_t reserved = 0; ///< bytes that it has of the system
};

/// An invocation in progress (Context::submit).
class Invocation {
public:
  /// None: done() is true, wait() an error.
  Invocation() = default;
  Invocation(Invocation &&) noexcept;
  Invocation &operator=(Invocation &&) noexcept;
  /// Waits for the invocation if wait() was not called.
  ~Invocation();

  /// True once wait() would not block.
  bool done() const;
  /// Blocks until the invocation is complete and returns its results or its error. To be called once. `fault` (may be
  /// null): as Context::invoke().
  Result<std::vector<Tensor>> wait(FaultInfo *fault = nullptr);

private:
  friend class Context;
  explicit Invocation(std::shared_ptr<InvocationState> state);
  std::shared_ptr<InvocationState> state;
};

/// Runs the entries of one program. Inputs and results of a program for several ranks are whole tensors: each rank gets
/// its part, and the parts of the results are put together. May be called from several threads; invocations of one
/// context run one after the other (their tasks in parallel). Use a context per thread to run invocations side by side.
///
/// A failed task makes the invocation fail with an error that names kernel, ops and source positions, and the context
/// rejects further work, because its state is unknown. Wrong inputs, failed shape checks and lack of memory end only
/// the invocation.
class Context {
public:
  /// Fails with Unsupported when the program names a device that `options` does not provide.
  static Result<std::unique_ptr<Context>> create(std::shared_ptr<const Program> program, ContextOptions options = {});
  ~Context();

  const Program &program() const;

  /// High-water marks since the context was made; what it does not have is left out. Not during an invocation.
  std::vector<MemoryUse> memoryUse() const;

  /// Runs entry `entry` (Program::findEntry) and returns when its results can be read. Inputs are checked against the
  /// entry's signature. `results` is overwritten; buffers in it that are large enough are reused, so a loop that passes
  /// the same vector allocates nothing. On failure its contents are unspecified, and `fault` (may be null) receives the
  /// operation that failed, if any.
  Status invoke(size_t entry, std::span<const TensorView> inputs, std::vector<Tensor> &results,
                FaultInfo *fault = nullptr);
  Result<std::vector<Tensor>> invoke(size_t entry, std::span<const TensorView> inputs, FaultInfo *fault = nullptr);
  /// The same by name and with packed tensors, for tools and tests.
  Result<std::vector<HostTensor>> invoke(std::string_view entry, std::span<const HostTensor> inputs);

  /// Starts entry `entry` on a thread of the context and returns at once. Inputs must stay valid until the
  /// invocation's wait() returns. Submitted invocations run in the order of submission.
  Result<Invocation> submit(size_t entry, std::span<const TensorView> inputs);

private:
  explicit Context(std::unique_ptr<ContextImpl> impl);
  std::unique_ptr<ContextImpl> impl;
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_CONTEXT_H
