//===- Collective.h - an exchange between ranks ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What one rank does for the record of a kernel that is an exchange.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_COLLECTIVE_H
#define MICA_LIB_RUNTIME_RANKS_COLLECTIVE_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Communicator.h"

namespace mica::runtime {

/// The ranks of the group in which `rank` performs `collective`.
std::vector<int32_t> membersOf(const artifact::CollectiveRecord &collective, int32_t rank);

/// Where the buffers of a launch are, and who performs calls on them.
class CollectiveMemory {
public:
  virtual ~CollectiveMemory() = default;
  /// Copies `rows` rows of `bytes` bytes, which begin `toPitch` and `fromPitch` bytes apart.
  virtual Status copyRows(void *to, int64_t toPitch, const void *from, int64_t fromPitch, int64_t bytes,
                          int64_t rows) = 0;
  virtual Status clear(void *memory, int64_t bytes) = 0;
  /// Memory until the launch is over, not more than one for each purpose.
  enum class Purpose { Sent, Received };
  virtual Result<void *> temporary(Purpose purpose, int64_t bytes) = 0;
  virtual Status perform(const GroupCall &call) = 0;
  /// Whether it divides the sums of GroupCall::averages; else its memory is the host's, and the caller does.
  virtual bool takesAverages() const { return false; }

  Status copy(void *to, const void *from, int64_t bytes) { return copyRows(to, bytes, from, bytes, bytes, 1); }
};

/// One kernel, prepared for one rank. Its calls come from one thread at a time.
class Collective {
public:
  Collective(const artifact::KernelRecord &kernel, Communicator &communicator);

  /// The ranks of the group, and the position of this one.
  const std::vector<int32_t> &members() const { return group; }
  int32_t self() const { return position; }
  /// Of the members; equal on all of them.
  uint64_t groupHash() const { return hashOfGroup; }
  /// Whether all members take part; else the call is between this rank and another one.
  bool isOfGroup() const;
  /// Another rank, of a call that is between two: the one that gets the source, and the one that the target comes from.
  /// -1: none.
  int32_t sendTo() const { return to; }
  int32_t receiveFrom() const { return from; }
  /// Whether it needs other ranks.
  bool isLocal() const;

  /// Performs it on the buffers of a launch, by the communicator. InvalidInput where sizes that are known at run time
  /// do not fit.
  Status run(void *const *buffers, const int64_t *scalars, const std::atomic<bool> &cancelled);
  /// The same on buffers of `memory`.
  Status run(void *const *buffers, const int64_t *scalars, CollectiveMemory &memory);

private:
  /// A buffer, seen as `outer` times `size` times `inner` elements around the dimension that is cut or concatenated.
  struct View {
    int64_t outer = 1, size = 1, inner = 1;
    int64_t elements() const { return outer * size * inner; }
  };
  static View viewOf(const std::vector<int64_t> &shape, int64_t dim);
  Status copyParts(char *packed, char *buffer, const View &view, bool pack, CollectiveMemory &memory) const;
  Status copyPart(char *target, const char *source, const View &view, int64_t part, CollectiveMemory &memory) const;
  Status call(GroupCall::Kind kind, const void *send, void *receive, int64_t count, CollectiveMemory &memory) const;

  const artifact::KernelRecord &kernel;
  const artifact::CollectiveRecord &record;
  Communicator &communicator;
  std::vector<int32_t> group;
  uint64_t hashOfGroup = 0;
  int32_t position = 0, to = -1, from = -1;
  int32_t reduction = MICA_RANKS_SUM;
  int64_t elementBytes = 1;
  std::vector<char> sent, received; ///< parts on the host, where they do not lie one after the other in the buffer
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_COLLECTIVE_H
