//===- Collective.cpp - an exchange between ranks --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See Collective.h. Libraries move whole parts that lie one after the other; where a dimension other than the outermost
// is cut or concatenated, parts are copied before or after.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Ranks/Collective.h"

#include "mica/Support/Checked.h"
#include "mica/Support/Hash.h"

#include <algorithm>
#include <cstring>

namespace mica::runtime {

namespace {

/// The position of `rank` in a grid of the sizes `grid`, row-major.
std::vector<int64_t> positionIn(const std::vector<int64_t> &grid, int64_t rank) {
  std::vector<int64_t> position(grid.size());
  for (size_t axis = grid.size(); axis-- > 0; rank /= grid[axis])
    position[axis] = rank % grid[axis];
  return position;
}

int32_t rankAt(const std::vector<int64_t> &grid, const std::vector<int64_t> &position) {
  int64_t rank = 0;
  for (size_t axis = 0; axis < grid.size(); ++axis)
    rank = rank * grid[axis] + position[axis];
  return int32_t(rank);
}

int32_t reductionOf(const std::string &name) {
  // An average is a sum that is divided.
  constexpr std::string_view kNames[] = {"sum", "product", "min", "max", "and", "or", "xor"};
  const auto *known = std::find(std::begin(kNames), std::end(kNames), name);
  return known == std::end(kNames) ? MICA_RANKS_SUM : int32_t(known - std::begin(kNames));
}

} // namespace

std::vector<int32_t> membersOf(const artifact::CollectiveRecord &collective, int32_t rank) {
  const std::vector<int64_t> &grid = collective.grid;
  std::vector<int64_t> place = positionIn(grid, rank);
  std::vector<int32_t> members;
  for (int64_t member = 0, count = collective.groupSize(); member < count; ++member) {
    int64_t rest = member;
    for (size_t i = collective.axes.size(); i-- > 0; rest /= grid[size_t(collective.axes[i])])
      place[size_t(collective.axes[i])] = rest % grid[size_t(collective.axes[i])];
    members.push_back(rankAt(grid, place));
  }
  return members;
}

Collective::Collective(const artifact::KernelRecord &kernel, Communicator &communicator)
    : kernel(kernel), record(*kernel.collective), communicator(communicator), reduction(reductionOf(record.reduction)),
      elementBytes(dtypeBytes(kernel.bindings.back().type.dtype)) {
  group = membersOf(record, communicator.rank());
  hashOfGroup = hash64(group.data(), group.size() * sizeof(int32_t));
  const std::vector<int64_t> own = positionIn(record.grid, communicator.rank());
  position = int32_t(std::find(group.begin(), group.end(), communicator.rank()) - group.begin());
  if (record.kind == "send")
    to = group[size_t(record.peer)];
  if (record.kind == "recv")
    from = group[size_t(record.peer)];
  if (record.kind == "shift") {
    const auto axis = size_t(record.shiftAxis);
    const int64_t size = record.grid[axis];
    auto at = [&](int64_t offset) -> int32_t {
      int64_t moved = own[axis] + offset % size;
      if (!record.rotates && (own[axis] + offset < 0 || own[axis] + offset >= size))
        return -1;
      moved = ((moved % size) + size) % size;
      std::vector<int64_t> other = own;
      other[axis] = moved;
      return rankAt(record.grid, other);
    };
    // An offset beyond the grid has no partner, unless it goes around.
    const int64_t offset = record.rotates ? record.offset % size : std::clamp(record.offset, -size, size);
    from = at(offset);
    to = at(-offset);
  }
}

bool Collective::isOfGroup() const { return record.kind != "send" && record.kind != "recv" && record.kind != "shift"; }

bool Collective::isLocal() const {
  return record.kind == "index" || record.kind == "all_slice" || (isOfGroup() && group.size() == 1);
}

Collective::View Collective::viewOf(const std::vector<int64_t> &shape, int64_t dim) {
  View view;
  for (size_t i = 0; i < shape.size(); ++i)
    (int64_t(i) < dim ? view.outer : int64_t(i) == dim ? view.size : view.inner) *= shape[i];
  return view;
}

/// Copies all parts of `buffer`, which its dimension in the middle consists of, to or from where they lie one after the
/// other.
Status Collective::copyParts(char *packed, char *buffer, const View &view, bool pack, CollectiveMemory &memory) const {
  const auto count = int64_t(group.size());
  const int64_t row = view.size / count * view.inner * elementBytes;
  for (int64_t part = 0; part < count; ++part) {
    char *place = buffer + part * row, *whole = packed + part * view.outer * row;
    MICA_RETURN_IF_ERROR(pack ? memory.copyRows(whole, row, place, count * row, row, view.outer)
                              : memory.copyRows(place, count * row, whole, row, row, view.outer));
  }
  return {};
}

/// Copies part `part` of `source` to `target`.
Status Collective::copyPart(char *target, const char *source, const View &view, int64_t part,
                            CollectiveMemory &memory) const {
  const auto count = int64_t(group.size());
  const int64_t row = view.size / count * view.inner * elementBytes;
  return memory.copyRows(target, row, source + part * row, count * row, row, view.outer);
}

Status Collective::call(GroupCall::Kind kind, const void *send, void *receive, int64_t count,
                        CollectiveMemory &memory) const {
  GroupCall made;
  made.kind = kind;
  made.members = group;
  made.self = position;
  made.send = send;
  made.receive = receive;
  made.count = count;
  made.dtype = kernel.bindings.back().type.dtype;
  made.reduction = reduction;
  made.root = int32_t(std::max<int64_t>(0, record.peer));
  made.sendTo = to;
  made.receiveFrom = from;
  made.averages = record.reduction == "average";
  return memory.perform(made);
}

namespace {

/// Memory of the host, and a communicator for it.
class HostMemory final : public CollectiveMemory {
public:
  HostMemory(Communicator &communicator, std::vector<char> &sent, std::vector<char> &received,
             const std::atomic<bool> &cancelled)
      : communicator(communicator), sent(sent), received(received), cancelled(cancelled) {}

  Status copyRows(void *to, int64_t toPitch, const void *from, int64_t fromPitch, int64_t bytes,
                  int64_t rows) override {
    for (int64_t row = 0; row < rows; ++row)
      std::memcpy(static_cast<char *>(to) + row * toPitch, static_cast<const char *>(from) + row * fromPitch,
                  size_t(bytes));
    return {};
  }
  Status clear(void *memory, int64_t bytes) override {
    std::memset(memory, 0, size_t(bytes));
    return {};
  }
  Result<void *> temporary(Purpose purpose, int64_t bytes) override {
    std::vector<char> &memory = purpose == Purpose::Sent ? sent : received;
    memory.resize(size_t(bytes));
    return static_cast<void *>(memory.data());
  }
  Status perform(const GroupCall &call) override { return communicator.run(call, cancelled); }

private:
  Communicator &communicator;
  std::vector<char> &sent, &received;
  const std::atomic<bool> &cancelled;
};

} // namespace

Status Collective::run(void *const *buffers, const int64_t *scalars, const std::atomic<bool> &cancelled) {
  if (record.kind == "index") {
    *static_cast<int64_t *>(buffers[0]) = communicator.rank();
    return {};
  }
  HostMemory memory(communicator, sent, received, cancelled);
  return run(buffers, scalars, memory);
}

Status Collective::run(void *const *buffers, const int64_t *scalars, CollectiveMemory &memory) {
  std::vector<int64_t> shapes[2];
  for (size_t i = 0; i < kernel.bindings.size(); ++i)
    for (int64_t size : kernel.bindings[i].type.shape)
      shapes[i].push_back(size < 0 ? *scalars++ : size);
  const auto count = int64_t(group.size());
  char *source = static_cast<char *>(buffers[0]), *target = static_cast<char *>(buffers[1]);
  const View from = viewOf(shapes[0], std::max<int64_t>(0, record.dim));
  const View into = viewOf(shapes[1], std::max<int64_t>(0, record.concatDim >= 0 ? record.concatDim : record.dim));
  const bool gathers = record.kind == "all_gather" || record.kind == "gather";
  const int64_t sourceElements = from.elements(), targetElements = into.elements();
  // What the record could not say of dynamic sizes.
  const int64_t expected = gathers                                   ? sourceElements * count
                           : record.dim >= 0 && record.concatDim < 0 ? sourceElements / count
                                                                     : sourceElements;
  if (targetElements != expected || (record.dim >= 0 && !gathers && from.size % count != 0))
    return Error{ErrorCode::InvalidInput,
                 "'" + record.kind + "' among " + std::to_string(count) + " ranks makes no " +
                     shapedTypeString(shapes[1], kernel.bindings[1].type.dtype) + " of " +
                     shapedTypeString(shapes[0], kernel.bindings[0].type.dtype),
                 "sizes have to be multiples of the number of ranks"};
  const int64_t bytes = targetElements * elementBytes;
  if (record.kind == "all_slice")
    return copyPart(target, source, from, position, memory);
  const bool isRoot = record.peer < 0 || record.peer == position;
  if (gathers) {
    void *receive = target;
    const bool packs = into.outer > 1 && isRoot;
    if (packs) {
      MICA_ASSIGN_OR_RETURN(receive, memory.temporary(CollectiveMemory::Purpose::Received, bytes));
    }
    if (!isRoot)
      MICA_RETURN_IF_ERROR(memory.clear(target, bytes));
    MICA_RETURN_IF_ERROR(call(record.peer < 0 ? GroupCall::Kind::AllGather : GroupCall::Kind::Gather, source, receive,
                              sourceElements, memory));
    return packs ? copyParts(static_cast<char *>(receive), target, into, /*pack=*/false, memory) : Status();
  }
  // Parts that are sent.
  void *send = source;
  const bool cuts = record.dim >= 0 && from.outer > 1 && (record.kind != "scatter" || isRoot);
  if (cuts) {
    MICA_ASSIGN_OR_RETURN(send, memory.temporary(CollectiveMemory::Purpose::Sent, sourceElements * elementBytes));
    MICA_RETURN_IF_ERROR(copyParts(static_cast<char *>(send), source, from, /*pack=*/true, memory));
  }
  Status done;
  if (record.kind == "all_reduce") {
    done = call(GroupCall::Kind::AllReduce, source, target, sourceElements, memory);
  } else if (record.kind == "reduce") {
    if (!isRoot)
      MICA_RETURN_IF_ERROR(memory.clear(target, bytes));
    done = call(GroupCall::Kind::Reduce, source, target, sourceElements, memory);
  } else if (record.kind == "reduce_scatter") {
    done = call(GroupCall::Kind::ReduceScatter, send, target, sourceElements / count, memory);
  } else if (record.kind == "scatter") {
    done = call(GroupCall::Kind::Scatter, send, target, sourceElements / count, memory);
  } else if (record.kind == "broadcast") {
    done = call(GroupCall::Kind::Broadcast, source, target, sourceElements, memory);
  } else if (record.kind == "all_to_all") {
    // A part keeps its shape on the way: where it is concatenated, it is as long as a part of the result.
    void *receive = target;
    if (into.outer > 1) {
      MICA_ASSIGN_OR_RETURN(receive, memory.temporary(CollectiveMemory::Purpose::Received, bytes));
    }
    done = call(GroupCall::Kind::AllToAll, send, receive, sourceElements / count, memory);
    if (done && into.outer > 1)
      done = copyParts(static_cast<char *>(receive), target, into, /*pack=*/false, memory);
  } else {
    // send, recv and shift: what has no source stays as it is sent, or zero.
    if (record.kind == "send" || (to == communicator.rank() && this->from == to))
      MICA_RETURN_IF_ERROR(memory.copy(target, source, bytes));
    else if (this->from < 0)
      MICA_RETURN_IF_ERROR(memory.clear(target, bytes));
    if (to == communicator.rank() && this->from == to)
      return {};
    done = call(GroupCall::Kind::Exchange, source, target, sourceElements, memory);
  }
  const bool averages = record.reduction == "average" && (record.kind != "reduce" || isRoot);
  if (done && averages && !memory.takesAverages())
    divideElements(kernel.bindings[1].type.dtype, target, targetElements, count);
  return done;
}

} // namespace mica::runtime
