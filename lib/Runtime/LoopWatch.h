//===- LoopWatch.h - notices loops that do not end -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The switches hang-timeout and loop-timeout for loops of a host function that launch kernels: the kernels make
// progress, the loop may not. Such a loop hands the same task list over in each iteration. What it carries is what the
// list is given: as long as no byte of it changes, each iteration does what the one before did.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_LOOPWATCH_H
#define MICA_LIB_RUNTIME_LOOPWATCH_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mica::runtime {

class Program;

class LoopWatch {
public:
  /// Seconds without a change, and in all, after which a loop is given up; 0: never. `program` must outlive it.
  LoopWatch(const Program &program, double unchangedSeconds, double longestSeconds);

  /// An invocation begins.
  void begin();
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
  std::string describe(const artifact::TaskList &list, void *const *buffers, const int64_t *scalars,
                       const State &state) const;

  const Program &program;
  const double unchangedSeconds, longestSeconds;
  std::vector<std::string> loopOf; ///< of each list; "": none
  std::vector<State> states;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_LOOPWATCH_H
