//===- Reduction.cpp - reducing IR while a test succeeds ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Reduction.h. A sweep of one way removes halves, quarters and so on of its list, from its end, so that users are
// removed before their operands. Rounds of all sweeps end when one finds nothing.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/Reduce/Reduction.h"

#include "lib/IRTools/Reduce/Ways.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"

#include <bit>
#include <deque>
#include <thread>

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

namespace {

/// A candidate whose test is running.
struct Candidate {
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<RunningTest> test;
  size_t begin = 0; ///< of the removed items
};

class Reducer {
public:
  Reducer(OwningOpRef<ModuleOp> &module, const StartTest &start, const ReductionOptions &options)
      : module(module), start(start), options(options) {
    auto add = [this](llvm::ArrayRef<ReductionWay> more) { llvm::append_range(ways, more); };
    add(removals());
    if (options.ways == ReductionOptions::Ways::All)
      for (llvm::ArrayRef<ReductionWay> more : {replacements(), controlWays(), numberWays(), shapeWays()})
        add(more);
  }

  void run();

private:
  void sweep(const ReductionWay &way, ReductionPosition &at);
  static ReductionItems list(const ReductionWay &way, ModuleOp module);
  std::optional<Candidate> propose(const ReductionWay &way, size_t begin, size_t end);

  OwningOpRef<ModuleOp> &module;
  const StartTest &start;
  const ReductionOptions &options;
  std::vector<ReductionWay> ways;
  llvm::DenseSet<uint64_t> known; ///< fingerprints of tested candidates
};

/// What the text does not have cannot become simpler.
ReductionItems Reducer::list(const ReductionWay &way, ModuleOp module) {
  ReductionItems items;
  way.list(module, items);
  llvm::erase_if(items, [](const ReductionItem &item) {
    Operation *around = item.op->getParentOp();
    return around && hasImpliedBody(around);
  });
  return items;
}

/// The candidate without these items; nothing if it needs no test.
std::optional<Candidate> Reducer::propose(const ReductionWay &way, size_t begin, size_t end) {
  Candidate candidate{cast<ModuleOp>((*module)->clone()), nullptr, begin};
  const ReductionItems items = list(way, *candidate.module);
  if (!way.cut(llvm::ArrayRef(items).slice(begin, end - begin)))
    return std::nullopt;
  if (!known.insert(fingerprintOf(*candidate.module)).second)
    return std::nullopt;
  candidate.test = start(*candidate.module);
  if (!candidate.test)
    return std::nullopt;
  return candidate;
}

void Reducer::sweep(const ReductionWay &way, ReductionPosition &at) {
  size_t count = list(way, *module).size();
  if (at.chunk == 0) {
    at.chunk = count ? std::bit_floor(std::min(count, way.most)) : 0;
    at.end = count;
  }
  for (; at.chunk > 0 && options.mayGoOn(); at.chunk /= 2, at.end = count) {
    std::deque<Candidate> running;
    // Further candidates assume that the test of the first one fails.
    size_t next = at.end;
    while (true) {
      while (running.size() < options.jobs && next > 0 && options.mayGoOn()) {
        const size_t begin = next > at.chunk ? next - at.chunk : 0;
        if (std::optional<Candidate> candidate = propose(way, begin, next))
          running.push_back(std::move(*candidate));
        next = begin;
      }
      if (running.empty())
        break;
      Candidate first = std::move(running.front());
      running.pop_front();
      if (!first.test->holds())
        continue;
      // The others are derived from the old module. They are proposed again later.
      for (const Candidate &other : running)
        known.erase(fingerprintOf(*other.module));
      running.clear();
      module = std::move(first.module);
      count = list(way, *module).size();
      // There may be fewer items now, or new ones at the same position.
      next = at.end = std::min(first.begin, count);
      at.found = true;
      options.found(*module, at);
    }
  }
}

void Reducer::run() {
  known.insert(fingerprintOf(*module));
  ReductionPosition at = options.begin;
  do {
    for (; at.way < ways.size() && options.mayGoOn(); ++at.way, at.chunk = 0)
      sweep(ways[at.way], at);
    at.way = at.chunk = 0;
  } while (std::exchange(at.found, false) && options.mayGoOn());
}

} // namespace

bool irtools::hasImpliedBody(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.getRegionBuilder();
}

unsigned irtools::defaultJobs() { return std::clamp(std::thread::hardware_concurrency(), 1u, 8u); }

void irtools::reduceModule(OwningOpRef<ModuleOp> &module, const StartTest &start, const ReductionOptions &options) {
  Reducer(module, start, options).run();
}

void irtools::stripLocations(ModuleOp module) {
  Location unknown = UnknownLoc::get(module.getContext());
  module->walk([&](Operation *op) {
    op->setLoc(unknown);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(unknown);
  });
}

int64_t irtools::countOps(ModuleOp module) {
  int64_t count = -1; // the module itself
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++count;
    return hasImpliedBody(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return count;
}

uint64_t irtools::fingerprintOf(ModuleOp module) {
  llvm::DenseMap<const void *, unsigned> numbers;
  auto numberOf = [&](const void *thing) {
    return numbers.try_emplace(thing, static_cast<unsigned>(numbers.size())).first->second;
  };
  llvm::hash_code hash = 0;
  auto add = [&](auto part) { hash = llvm::hash_combine(hash, part); };
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    add(op->getName().getAsOpaquePointer());
    add(op->getAttrDictionary().getAsOpaquePointer());
    for (Value operand : op->getOperands())
      add(numberOf(operand.getAsOpaquePointer()));
    for (Value result : op->getResults()) {
      add(numberOf(result.getAsOpaquePointer()));
      add(result.getType().getAsOpaquePointer());
    }
    for (Block *successor : op->getSuccessors())
      add(numberOf(successor));
    add(numberOf(op->getBlock()));
    for (Region &region : op->getRegions()) {
      add(region.getBlocks().size());
      for (Block &block : region) {
        add(numberOf(&block));
        for (BlockArgument argument : block.getArguments()) {
          add(numberOf(argument.getAsOpaquePointer()));
          add(argument.getType().getAsOpaquePointer());
        }
      }
    }
  });
  return hash;
}
