//===- ParallelAccesses.cpp - races between iterations of parallel loops -----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ParallelAccesses.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/ParallelAccesses.h"

#include "dialects/Mica/Reference/Lifetimes.h"
#include "dialects/Mica/Reference/Undefined.h"

using namespace mlir;

namespace mica::reference {

thread_local ParallelAccesses *ParallelAccesses::innermost = nullptr;
static thread_local Operation *accessing = nullptr;

/// Maximum elements of one buffer whose accesses are recorded; they take 64 bytes each.
static constexpr int64_t kMaxMarkedCells = int64_t(1) << 22;

ParallelAccesses::ParallelAccesses(Operation *loop, Evaluator &evaluator)
    : loop(loop), evaluator(evaluator), outer(innermost), isActive(evaluator.undefined() != nullptr) {
  if (isActive)
    innermost = this;
}

ParallelAccesses::~ParallelAccesses() { innermost = outer; }

void ParallelAccesses::setOp(Operation *op) { accessing = op; }

void noteAccess(const BufferMemory &memory, int64_t cell, AccessKind kind, bool changes) {
  if (!memory.allocation)
    return;
  for (ParallelAccesses *loop = ParallelAccesses::innermost; loop; loop = loop->outer)
    loop->note(*memory.allocation, cell, kind, changes);
}

void ParallelAccesses::note(const Allocation &allocation, int64_t cell, AccessKind kind, bool changes) {
  if (race || cell >= kMaxMarkedCells)
    return;
  if (lastNumber != allocation.number) {
    lastNumber = allocation.number;
    last = &marks[allocation.number];
  }
  std::vector<Marks> &all = *last;
  if (all.size() <= size_t(cell))
    all.resize(size_t(cell) + 1);
  Marks &here = all[size_t(cell)];
  const Mark now{iteration, accessing};
  auto meets = [&](const Mark &mark, bool isWritten) {
    if (mark.iteration != 0 && mark.iteration != iteration && !race &&
        !(areOrdered && areOrdered(mark.iteration, iteration)))
      race = Race{mark.op, accessing, cell, isWritten};
  };
  // Threads of a GPU may write one value together, as the simulator has it.
  if (!areOrdered || kind != AccessKind::Write || changes)
    meets(here.write, kind != AccessKind::Read);
  if (kind != AccessKind::Atomic)
    meets(here.atomic, kind == AccessKind::Write);
  if (kind == AccessKind::Read) {
    if (here.read.iteration != 0 && here.read.iteration != iteration)
      here.otherRead = here.read;
    here.read = now;
    return;
  }
  meets(here.read, false);
  meets(here.otherRead, false);
  (kind == AccessKind::Write ? here.write : here.atomic) = now;
}

LogicalResult ParallelAccesses::check() {
  if (!race)
    return success();
  const std::string unit = areOrdered ? "thread" : "iteration";
  const std::string what = (race->isWritten ? "two " + unit + "s write" : "one " + unit + " reads and another writes") +
                           " element " + std::to_string(race->cell);
  return emitBroken(race->second, what + " of the memory, in " + loop->getName().getStringRef(), race->first,
                    (areOrdered ? "a " : "an ") + unit + " accesses the element here", evaluator);
}

} // namespace mica::reference
