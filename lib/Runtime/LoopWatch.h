//===- LoopWatch.h - notices loops that do not end -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The switches hang-timeout and loop-timeout for loops of a host function. Around kernels, the kernels make progress,
// the loop may not. Such a loop hands the same task list over in each iteration. What it carries is what the list is
// given: as long as no byte of it changes, each iteration does what the one before did. The index of an scf.for moves
// towards its bound: such a loop ends by itself, unless one around it enters it again and again with the same values.
// Other loops report what they carry from time to time (mica-check-watch-loops).
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_LOOPWATCH_H
#define MICA_LIB_RUNTIME_LOOPWATCH_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mica::runtime {

class Program;

/// "8191 iterations; it carries 4, 0.5": of the values of a loop's report, the iterations and what it carries, of the
/// types that `form` ends with (MICA_REPORT_LOOP of ABI/Host.h).
std::string describeLoopState(std::string_view form, std::span<const int64_t> values);

class LoopWatch {
public:
  /// Seconds without a change, and in all, after which a loop is given up; 0: never. `program` must outlive it.
  LoopWatch(const Program &program, double unchangedSeconds, double longestSeconds);

  /// An invocation begins.
  void begin();
  /// A loop that submits nothing, or that carries scalars, reports iteration `values[0]` and the scalars that it
  /// carries; `loop` is its id, and `form` how they are to be read: MICA_REPORT_LOOP of ABI/Host.h. The error where the
  /// loop is to end.
  std::optional<Error> step(const std::string &loop, std::string_view form, std::span<const int64_t> values);
  /// Grows while loops report that something changes. Any thread.
  uint64_t progress() const { return changes.load(std::memory_order_relaxed); }
  /// The loop that reported last in this invocation: "the loop scf.while [..] at ..: 8191 iterations; it carries 4"; ""
  /// where none did. Any thread.
  std::string lastLoop() const;

  /// `list` is about to run. The error where the loop around it is to end, and the id of that loop in `loop`.
  std::optional<Error> next(size_t list, void *const *buffers, const int64_t *scalars, std::string &loop);

private:
  /// Of a list in this invocation.
  struct State {
    int64_t iterations = 0;
    int64_t beginNs = 0;   ///< the first iteration
    int64_t sampledNs = 0; ///< when `sample` was taken
    int64_t sinceNs = 0;   ///< since when it is the same
    uint64_t sample = 0;   ///< of what the list is given
    uint64_t place = 0;    ///< of the indices of the loops around it, at `sample`
  };

  /// One parameter of a list, as a launch in it reads it.
  struct Carried {
    const artifact::TaskRecord *task = nullptr; ///< null: no task has it
    size_t binding = 0;
    std::vector<int64_t> shape;
    int64_t count = 1;
  };

  std::vector<Carried> carriedBy(const artifact::TaskList &list, const int64_t *scalars) const;
  uint64_t sampleOf(const artifact::TaskList &list, void *const *buffers, const int64_t *scalars) const;
  /// Of what loops with launches reported: the indices of scf.for, or all else.
  uint64_t hostValues(bool indices) const;
  std::string describe(const std::string &loop, const artifact::TaskList &list, void *const *buffers,
                       const int64_t *scalars, const State &state) const;

  /// Of a loop that reports: it submits nothing, or carries scalars as well.
  struct HostLoop {
    std::string id, form;
    std::vector<int64_t> values;
    int64_t beginNs = 0, sinceNs = 0; ///< when it began, and since when what it carries is the same
  };
  Error tooLong(const std::string &loop, double elapsed, const std::string &state) const;
  Error noProgress(const std::string &loop, double unchanged, const std::string &state) const;

  const Program &program;
  const double unchangedSeconds, longestSeconds;
  std::vector<std::string> loopOf; ///< of each list; "": none
  std::vector<State> states;
  std::map<std::string, HostLoop> hostLoops; ///< by id
  mutable std::mutex mutex;                  ///< of `latest`
  HostLoop latest;
  std::atomic<uint64_t> changes{0};
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_LOOPWATCH_H
