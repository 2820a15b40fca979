//===- CFGSegments.cpp - blocks of a region, made structured some at a time ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CFGSegments.h. Blocks are in topological order, but for cycles, which a segment has as a whole. What is executed
// before the segment stands in the entry block already:
//
//   entry: ...                                      entry: ...
//     cf.cond_br %c, ^a, ^b                           %r:3 = scf.execute_region {      a region of its own: it is made
//   ^a: ... cf.cond_br %d, ^b, ^later(%x)               cf.cond_br %c, ^a, ^b          structured, and put here
//   ^b: ... cf.br ^last                        =>     ^a: ... cf.cond_br %d, ^b, ^exit(0, %x, %v)
//   ^later(%y): uses %v of ^a                         ^b: ... cf.br ^exit(1, undefined, undefined)
//   ^last: ...                                        ^exit(...): scf.yield ...
//                                                     }
//                                                     cf.switch %r#0, [0: ^later(%r#1), 1: ^last]
//                                                   ^later(%y): uses %r#2
//                                                   ^last: ...
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/CFGSegments.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

#include <vector>

using namespace mlir;

/// Edges from a segment to later blocks, beyond which it is made longer: each is an exit that passes the values of all.
static constexpr size_t kMostTargets = 32;

namespace {
using Segment = SmallVector<Block *>;

class Segments {
public:
  Segments(Region &region, CFGToSCFInterface &interface, size_t blocks)
      : region(region), interface(interface), blocks(blocks) {}

  /// Whether the region has a form that segments can be made of. Gives it one exit.
  bool prepare();
  LogicalResult run();

private:
  /// What leaves a segment.
  struct Exits {
    struct Edge {
      Operation *terminator;
      unsigned successor;
    };
    SmallVector<Edge> edges;
    llvm::SmallSetVector<Block *, 8> targets;
    SmallVector<Value> values; ///< of the segment's blocks, that later blocks use
  };

  bool takesBranches() const;
  bool joinExits();
  bool divide();
  Exits exitsOf(const Segment &segment, const llvm::DenseSet<Block *> &inside);
  void redirect(const Exits &exits, Block *exit, Operation *first, const DominanceInfo &dominance);
  LogicalResult structure(const Segment &segment);

  Region &region;
  CFGToSCFInterface &interface;
  const size_t blocks;
  std::vector<Segment> segments; ///< without the entry block
};
} // namespace

/// Whether all branches of the region pass on operands alone.
bool Segments::takesBranches() const {
  for (Block &block : region) {
    Operation *terminator = block.getTerminator();
    if (terminator->getNumSuccessors() == 0)
      continue;
    auto branch = dyn_cast<BranchOpInterface>(terminator);
    if (!branch)
      return false;
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
      if (branch.getSuccessorOperands(i).getProducedOperandCount() != 0)
        return false;
  }
  return true;
}

/// Makes all blocks without successors branch to one. False where their terminators differ.
bool Segments::joinExits() {
  SmallVector<Operation *> exits;
  for (Block &block : region)
    if (block.getTerminator()->getNumSuccessors() == 0)
      exits.push_back(block.getTerminator());
  if (exits.empty())
    return false;
  Operation *first = exits.front();
  for (Operation *exit : exits)
    if (!exit->hasTrait<OpTrait::ReturnLike>() || exit->getName() != first->getName() || exit->getNumRegions() != 0 ||
        exit->getAttrDictionary() != first->getAttrDictionary() || exit->getOperandTypes() != first->getOperandTypes())
      return false;
  if (exits.size() == 1)
    return true;
  OpBuilder builder(region.getContext());
  Block *last = builder.createBlock(&region, region.end());
  for (Value operand : first->getOperands())
    last->addArgument(operand.getType(), operand.getLoc());
  Operation *joined = builder.clone(*first);
  joined->setOperands(last->getArguments());
  for (Operation *exit : exits) {
    builder.setInsertionPoint(exit);
    cf::BranchOp::create(builder, exit->getLoc(), last, exit->getOperands());
    exit->erase();
  }
  return true;
}

/// Cuts the blocks, in topological order, where a segment is long enough and few targets are open. False where the exit
/// is not reached from each block.
bool Segments::divide() {
  std::vector<Segment> components;
  for (auto it = llvm::scc_begin(&region.front()); !it.isAtEnd(); ++it) {
    components.emplace_back(it->begin(), it->end());
    const llvm::SmallPtrSet<Block *, 4> component(it->begin(), it->end());
    auto staysInside = [&](Block *block) {
      return llvm::all_of(block->getSuccessors(), [&](Block *to) { return component.contains(to); });
    };
    if (!it->front()->hasNoSuccessors() && llvm::all_of(*it, staysInside))
      return false;
  }
  llvm::DenseSet<Block *> seen, open;
  for (const Segment &component : llvm::reverse(components)) {
    if (segments.empty() || (segments.back().size() >= blocks && open.size() <= kMostTargets))
      segments.emplace_back();
    for (Block *block : component) {
      seen.insert(block);
      open.erase(block);
      if (block != &region.front())
        segments.back().push_back(block);
      for (Block *successor : block->getSuccessors())
        if (!seen.contains(successor))
          open.insert(successor);
    }
  }
  return segments.size() > 1;
}

bool Segments::prepare() {
  return region.getBlocks().size() > 2 * blocks && takesBranches() && joinExits() && divide();
}

Segments::Exits Segments::exitsOf(const Segment &segment, const llvm::DenseSet<Block *> &inside) {
  Exits exits;
  auto addEdges = [&](Operation *terminator) {
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
      if (Block *to = terminator->getSuccessor(i); !inside.contains(to)) {
        exits.edges.push_back({terminator, i});
        exits.targets.insert(to);
      }
  };
  auto addValue = [&](Value value) {
    if (llvm::any_of(value.getUsers(), [&](Operation *user) {
          return !inside.contains(region.findAncestorBlockInRegion(*user->getBlock()));
        }))
      exits.values.push_back(value);
  };
  addEdges(region.front().getTerminator());
  for (Block *block : segment) {
    addEdges(block->getTerminator());
    llvm::for_each(block->getArguments(), addValue);
    for (Operation &op : *block)
      llvm::for_each(op.getResults(), addValue);
  }
  return exits;
}

/// Makes the edges lead to `exit`, whose arguments are the number of the target, the arguments of all targets, and the
/// values that are used later. `first`: constants are made before it.
void Segments::redirect(const Exits &exits, Block *exit, Operation *first, const DominanceInfo &dominance) {
  OpBuilder builder(first);
  llvm::DenseMap<Type, Value> undefined;
  auto undefinedOf = [&](Type type) {
    Value &value = undefined[type];
    if (!value)
      value = interface.getUndefValue(first->getLoc(), builder, type);
    return value;
  };
  SmallVector<Value> numbers;
  for (size_t i = 0; i < exits.targets.size(); ++i)
    numbers.push_back(interface.getCFGSwitchValue(first->getLoc(), builder, i));
  Location loc = first->getLoc();
  exit->addArgument(numbers.front().getType(), loc);
  for (Block *target : exits.targets)
    for (Type type : target->getArgumentTypes())
      exit->addArgument(type, loc);
  for (Value value : exits.values)
    exit->addArgument(value.getType(), value.getLoc());

  for (auto [terminator, successor] : exits.edges) {
    Block *from = terminator->getBlock(), *to = terminator->getSuccessor(successor);
    SuccessorOperands operands = cast<BranchOpInterface>(terminator).getSuccessorOperands(successor);
    SmallVector<Value> passed{numbers[llvm::find(exits.targets, to) - exits.targets.begin()]};
    for (Block *target : exits.targets)
      if (target == to)
        llvm::append_range(passed, operands.getForwardedOperands());
      else
        for (Type type : target->getArgumentTypes())
          passed.push_back(undefinedOf(type));
    for (Value value : exits.values)
      passed.push_back(dominance.dominates(value.getParentBlock(), from) ? value : undefinedOf(value.getType()));
    operands.getMutableForwardedOperands().assign(passed);
    terminator->setSuccessor(exit, successor);
  }
}

LogicalResult Segments::structure(const Segment &segment) {
  Block *entry = &region.front();
  Operation *first = entry->getTerminator();
  Location loc = first->getLoc();
  const llvm::DenseSet<Block *> inside(segment.begin(), segment.end());
  const Exits exits = exitsOf(segment, inside);
  // Of the blocks as they are: it is computed before edges change.
  DominanceInfo dominance(region.getParentOp());
  (void)dominance.getDomTree(&region);
  OpBuilder builder(region.getContext());
  Block *exit = builder.createBlock(&region, region.end());
  redirect(exits, exit, first, dominance);

  builder.setInsertionPointToEnd(exit);
  scf::YieldOp::create(builder, loc, exit->getArguments());
  builder.setInsertionPoint(first);
  auto execute = scf::ExecuteRegionOp::create(builder, loc, exit->getArgumentTypes());
  Region &body = execute.getRegion();
  Block *begin = builder.createBlock(&body);
  first->moveBefore(begin, begin->end());
  for (Block *block : segment)
    block->moveBefore(&body, body.end());
  exit->moveBefore(&body, body.end());

  // Behind it: a switch to the targets, and the values for those that use them.
  builder.setInsertionPointToEnd(entry);
  ValueRange results = execute.getResults();
  SmallVector<ValueRange> arguments;
  unsigned next = 1;
  for (Block *target : exits.targets) {
    arguments.push_back(results.slice(next, target->getNumArguments()));
    next += target->getNumArguments();
  }
  for (auto [used, result] : llvm::zip_equal(exits.values, results.drop_front(next)))
    Value(used).replaceUsesWithIf(result, [&](OpOperand &use) { return !execute->isProperAncestor(use.getOwner()); });
  SmallVector<Block *> targets(exits.targets.begin(), exits.targets.end());
  if (targets.size() == 1) {
    cf::BranchOp::create(builder, loc, targets.front(), arguments.front());
  } else {
    const SmallVector<unsigned> numbers = llvm::to_vector(llvm::seq<unsigned>(0, targets.size() - 1));
    interface.createCFGSwitchOp(loc, builder, results.front(), numbers, ArrayRef(targets).drop_back(),
                                ArrayRef(arguments).drop_back(), targets.back(), arguments.back());
  }

  DominanceInfo own(execute);
  if (failed(transformCFGToSCF(body, interface, own)) || !body.hasOneBlock())
    return failure();
  Operation *yield = body.front().getTerminator();
  execute->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  entry->getOperations().splice(execute->getIterator(), body.front().getOperations());
  execute->erase();
  return success();
}

LogicalResult Segments::run() {
  for (const Segment &segment : llvm::ArrayRef(segments).drop_back())
    if (failed(structure(segment)))
      return failure();
  return success();
}

LogicalResult mica::structureSegments(Region &region, CFGToSCFInterface &interface, size_t blocks) {
  Segments segments(region, interface, blocks);
  return segments.prepare() ? segments.run() : success();
}
