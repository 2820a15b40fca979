//===- ContextImpl.h - what a context holds, and the services of ABI/Host.h ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CONTEXTIMPL_H
#define MICA_LIB_RUNTIME_CONTEXTIMPL_H

#include "lib/Runtime/ComplexCall.h"
#include "lib/Runtime/Extents.h"
#include "lib/Runtime/KernelMemory.h"
#include "lib/Runtime/LoopWatch.h"
#include "lib/Runtime/Memory.h"
#include "lib/Runtime/OpLog/OpLog.h"
#include "lib/Runtime/Ranks/RankTeam.h"
#include "lib/Runtime/Sim/Simulator.h"
#include "lib/Runtime/Specialize/EntrySpecializer.h"
#include "lib/Runtime/TaskListExecutor.h"
#include "lib/Runtime/TaskListPartition.h"
#include "lib/Runtime/TensorDump.h"
#include "lib/Runtime/Watchdog.h"
#include "mica/ABI/Host.h"
#include "mica/Runtime/Context.h"
#include "mica/Support/Files.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>

namespace mica::runtime {

/// An invocation that was submitted: filled by the thread that runs it, read by the one that waits.
struct InvocationState {
  size_t entry = 0;
  std::vector<TensorView> inputs;
  std::vector<Tensor> results;
  Status status;
  FaultInfo fault; ///< of a status that is an error
  bool finished = false;
  std::mutex mutex;
  std::condition_variable changed;
};

/// Whether a loop inside of the kernel says how far it is.
bool holdsLoops(const artifact::KernelRecord &kernel);

/// The invocation that is running now: what `ctx` of ABI/Host.h points to.
class ContextImpl {
public:
  explicit ContextImpl(std::shared_ptr<const Program> program) : program(std::move(program)) {}
  ~ContextImpl();

  Status prepare(ContextOptions options);
  /// Says which patterns of `switches` match nothing.
  void warnOfPatterns(const Switches &switches) const;
  Status invoke(size_t entry, std::span<const TensorView> inputs, std::vector<Tensor> &results, FaultInfo *fault);
  std::shared_ptr<InvocationState> enqueue(size_t entry, std::span<const TensorView> inputs);

  // The services. They keep the first reason of a failure in `failure`.
  void *alloc(int64_t bytes);
  void *allocate(const char *what, int64_t elementBytes, std::span<const int64_t> sizes, int64_t alignment);
  int64_t bytesOf(const char *what, int64_t elementBytes, std::span<const int64_t> sizes);
  /// `what`: the operation that writes it, null where the program does not say.
  void *result(const char *what, int64_t index, const int64_t *sizes, int64_t rank);
  int32_t reshape(const char *what, int32_t rule, std::span<const int64_t> from, std::span<const int64_t> to);
  void *constant(int64_t index);
  int64_t mark() const { return int64_t(pool.marker()); }
  std::vector<MemoryUse> memoryUse() const;
  void release(int64_t position, std::span<void *const> kept);
  int32_t submit(int64_t list, void *const *buffers, const int64_t *scalars);
  int32_t wait() { return remotes.empty() || failure ? (failure ? 1 : 0) : waitForRemotes(); }
  int32_t fail(Error error, FaultInfo about = {});
  int32_t failWith(const char *message);
  /// The same for std::bad_alloc. Allocates nothing.
  void failWithoutMemory() noexcept;
  int32_t report(const char *message, std::span<const int64_t> values, int32_t flags);
  int32_t reportLoop(const char *message, std::span<const int64_t> values);
  int32_t reportFloat(const char *message, std::span<const int64_t> values);
  int32_t reportHostOp(const char *message, std::span<const int64_t> values);

  const std::shared_ptr<const Program> program;

private:
  bool tracebacks = true;         ///< the switch source-tracebacks
  std::set<const char *> warned;  ///< messages of checks that were told
  std::vector<void *> keptMemory; ///< of release(), to be sorted
  /// Ops that no kernel takes, if perf_hints are logged: calls and nanoseconds, by their messages.
  struct HostOpTime {
    int64_t calls = 0, ns = 0, began = 0;
  };
  std::map<const char *, HostOpTime> hostOps;
  /// The file of the host functions, and the source lines of the operations `ids`.
  std::string hostHint(const std::vector<std::string> &ids) const;
  std::string tracebackOf(const std::vector<std::string> &ids) const;
  void logHostOps() const;
  /// What does not change about an entry, and the arrays its host function is called with.
  struct Entry {
    const artifact::EntryRecord *record = nullptr;
    mica_host_fn_v1 function = nullptr;
    std::vector<void *> args;
    std::vector<int64_t> dims;
    /// dims[position] is to be dims[other], or `size` where `other` is -1; `relation`: position in the record's.
    struct SizeCheck {
      size_t position;
      int64_t other, size;
      size_t relation;
    };
    std::vector<SizeCheck> sizeChecks;
    std::unique_ptr<EntrySpecializer> specializer; ///< null: no dynamic sizes, or nobody wants it
    std::unique_ptr<ComplexCall> complexCall;      ///< null: nothing is complex
  };
  struct List {
    /// One, or of a list of several devices one for each of its parts, which run one after the other.
    std::vector<std::unique_ptr<TaskListExecutor>> runners;
    void *arena = nullptr;     ///< of the list's device; big enough for its largest list
    int64_t arenaBytes = 0;    ///< of a list of several devices, whose arena all of them know
    TaskListPartition parts;   ///< what the runners run
    std::vector<void *> extra; ///< buffers of a run, its parameters and parts.extraParameters
  };
  struct Device {
    std::unique_ptr<Backend> backend;
    std::vector<KernelHandle> kernels;
    void *arena = nullptr;
    int64_t arenaBytes = 0;
    size_t mostTasks = 0;
  };

  void prepareEntries();
  void prepareSpecializers(const ContextOptions &options, bool ownBackends);
  Status invokeAny(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into, FaultInfo *fault);
  /// What the invocation took is free again.
  void endInvocation();
  Status invokeChosen(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into, FaultInfo *fault);
  Status invokeLocked(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into, FaultInfo *fault);
  /// The same with the arguments and results of the code.
  Status invokeCode(size_t index, std::span<const TensorView> inputs, std::vector<Tensor> &into, FaultInfo *fault);
  Status prepareObservers(ContextOptions &options);
  /// Starts who looks for hangs, and for loops inside of kernels that run longer than `longest`.
  void watch(double seconds, double longest, const std::function<void(const std::string &)> &onHang);
  void reportHang(double seconds, const std::function<void(const std::string &)> &onHang) const;
  /// `isVerdict`: of all ranks, whose ledgers have served then.
  void endHung(std::string report, const std::function<void(const std::string &)> &onHang,
               bool isVerdict = false) const;
  std::string insideText() const;
  Status prepareLists(const ContextOptions &options);
  Status prepareRemotes();
  Result<size_t> deviceOf(const artifact::TaskList &list, const std::string &name) const;
  Status loadKernels(size_t device, const artifact::TaskList &list);
  Status tellRemotes(void *memory, int64_t bytes, Contents contents);
  Status adoptInputsByRemotes(const Entry &entry);
  Status fetchResults();
  int32_t waitForRemotes();
  Status runParts(List &list, void *const *buffers, const int64_t *scalars, TaskListExecutor *&failed);
  Status readInputs(Entry &entry, std::span<const TensorView> inputs);
  void prepareSizeChecks(Entry &entry);
  Error unequalSizes(const Entry &entry, const Entry::SizeCheck &check) const;
  Status adoptInputs(const Entry &entry);
  void *known(Result<void *> memory, int64_t bytes);
  void *noResult(const char *what, int64_t index, std::span<const int64_t> sizes);
  Status checkResults(const Entry &entry);
  std::string unwrittenProblem(const void *address, int64_t bytes);
  Error inputError(const Entry &entry, size_t argument, const std::string &what) const;
  Result<int64_t> readHugeEmpty(const Entry &entry, size_t argument, const TensorView &input, int64_t *dims) const;
  void noteInputs(const Entry &entry, std::span<const TensorView> inputs);
  void failEntry(const artifact::EntryRecord &entry, int32_t code);
  void callEntry(Entry &entry);
  bool canRunAgain(const Entry &entry) const;
  void findFaultAgain(Entry &entry, std::span<const TensorView> inputs);
  void serve();

  std::shared_ptr<RunTrace> trace;
  std::unique_ptr<RankTeam> team; ///< of a program for several ranks: it has the contexts that run
  RankSession *session = nullptr; ///< of a context that is one rank
  /// The manifest's entries, with the shapes of parts in a context that is one rank, and as the code has them. Empty:
  /// both are as the manifest has them.
  std::vector<artifact::EntryRecord> callerEntries, codeEntries;

  // Before the devices, which tell it what they launch.
  std::unique_ptr<TensorDump> tensorDump; ///< null: none is asked for
  std::unique_ptr<OpLog> opLog;
  std::unique_ptr<Observer> ranges; ///< of a profiler; null: none asks
  std::unique_ptr<Ledger> ledger;
  std::optional<ScratchFolder>
      ledgerFolder; ///< of a ledger that is kept for hang-timeout alone; removed with the context
  std::vector<Entry> entries;
  std::vector<List> lists;
  std::vector<Device> devices;
  std::vector<DeviceMemory *> remotes; ///< of the devices that have memory of their own
  void *sharedArena = nullptr;         ///< of lists of several devices
  int64_t sharedArenaCapacity = 0;
  bool hostMayWrite = false; ///< the host function may have written to memory since the last list; with remotes alone
  bool fillsMemory = false;  ///< whether memory is filled before it is written, see fillUnwritten()
  MemoryPool pool;
  std::unique_ptr<KernelMemory>
      hostMemory;                   ///< null where no host function asks for memory by the table of ABI/Memory.h
  std::unique_ptr<Extents> extents; ///< null where the task lists are the compiler's own
  std::unique_ptr<sim::Simulator> simulator; ///< null where the program has no kernels for it
  std::unique_ptr<ShadowMemory> shadows;     ///< null where no kernel checks for uses of uninitialized memory
  int64_t allocations = 0;                   ///< of the running invocation's host function

  std::mutex running;          ///< held by the invocation that runs
  std::optional<Error> broken; ///< why no further work is taken
  FaultInfo brokenBy;          ///< of `broken`

  // The running invocation's.
  Entry *current = nullptr;
  std::vector<Tensor> *results = nullptr;
  std::vector<bool> resultGiven;
  std::optional<Error> failure;
  FaultInfo failedAt; ///< of `failure`
  /// The task that failed, where its kernel has overwritten what says at which operation; null: it is known.
  struct Incomplete {
    TaskListExecutor *runner = nullptr;
    int64_t task = -1;
  } incomplete;

  std::unique_ptr<LoopWatch> loopWatch; ///< null: nobody asks
  std::string nanPatterns;              ///< of nan-check, separated by commas; "": nobody asks

  // Submitted invocations and the thread that runs them, started with the first one.
  std::mutex queueMutex;
  std::condition_variable queueChanged;
  std::deque<std::shared_ptr<InvocationState>> queue;
  bool closing = false;
  std::thread server;

  // What the watchdog looks at, and it: the last that is made, the first that goes.
  std::atomic<int32_t> hostThread{0}; ///< of the invocation under way; 0: there is none, or nobody looks
  std::atomic<const artifact::EntryRecord *> hostEntry{nullptr}; ///< of the last invocation
  std::atomic<const TaskListExecutor *> runningList{nullptr};
  std::unique_ptr<Watchdog> watchdog;
};

/// The table that host functions get; its `ctx` is a ContextImpl.
extern const mica_host_api_v1 kHostApi;

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_CONTEXTIMPL_H
