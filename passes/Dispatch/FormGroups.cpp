//===- FormGroups.cpp - which ops go into one kernel ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Marks each op that runs in a kernel with the number of its group (`mica_sched.group`). The mark is all that
// mica-dispatch-outline-kernels looks at, so a layer can be edited to group ops differently.
//
//   %1 = linalg.generic ... matmul       {mica_sched.group = 0 : i64}
//   %2 = linalg.generic ... add bias     {mica_sched.group = 0 : i64}
//   %3 = linalg.generic ... transpose    {mica_sched.group = 1 : i64}
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/OpClasses.h"
#include "passes/Dispatch/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"

namespace mica {
#define GEN_PASS_DEF_FORMGROUPS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
/// More ops than this are not put into one kernel: its body would no longer fit into registers and the first-level cache.
constexpr size_t kMaxGroupOps = 64;

/// What the ops of a group share.
struct Group {
  SmallVector<Operation *> ops;
  OpClass root = OpClass::Fill;       ///< the strongest class in it
  int64_t rank = -1;                  ///< loops of its full-rank ops; -1: takes no consumers
  int64_t rowRank = -1;               ///< leading loops that its reductions keep; -1: it has none
  SmallVector<int64_t> shape;         ///< sizes of the `rank` loops
  llvm::SmallDenseSet<int64_t> needs; ///< groups whose results it uses, directly
};

bool isProduct(OpClass opClass) { return opClass >= OpClass::Pooling; }

/// (d0, d1, ..) -> (d0, .., dk-1): the first results of the loops, in order; k, or -1.
int64_t prefixLength(AffineMap map) {
  for (auto [position, result] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim || dim.getPosition() != position)
      return -1;
  }
  return map.getNumResults();
}

/// A transpose that a contraction reads through its indexing maps instead.
bool isFoldableTranspose(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && classify(op) == OpClass::DataMovement && generic.getNumDpsInputs() == 1 &&
         llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) { return map.isPermutation(); }) &&
         generic.getBlock()->without_terminator().empty();
}

/// A value that is made anew by every kernel whose result starts from it: a fill, a bias repeated over a tensor.
bool isInitialValue(Operation *op) {
  if (classify(op) == OpClass::Fill)
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && classify(op) == OpClass::DataMovement && generic.getNumDpsInputs() == 1 &&
         generic.getBlock()->without_terminator().empty() &&
         generic.getIndexingMapsArray()[0].isProjectedPermutation() &&
         generic.getIndexingMapsArray()[0].getNumResults() < generic.getNumLoops() &&
         generic.getIndexingMapsArray()[1].isIdentity();
}

/// The groups of one block, formed in the order of its ops.
class BlockGroups {
public:
  BlockGroups(Block *block, bool fuse) : block(block), fuse(fuse) {}

  void form() {
    for (Operation &op : *block) {
      if (!isKernelWork(&op) || (fuse && isInitialValue(&op) && initialises(&op)))
        continue;
      int64_t group = fuse ? chooseGroup(&op) : -1;
      if (group < 0) {
        group = groups.size();
        groups.emplace_back();
      }
      add(&op, group);
      if (!fuse)
        continue;
      addOperandsMadeInside(&op, group);
      mergeSideProducers(&op, group);
    }
  }

  /// Writes the numbers, counted on from `next`.
  void mark(int64_t &next) {
    Builder builder(block->getParentOp()->getContext());
    for (const Group &group : groups) {
      if (group.ops.empty())
        continue;
      for (Operation *op : group.ops)
        op->setAttr(sched::kGroupAttr, builder.getI64IntegerAttr(next));
      ++next;
    }
  }

private:
  /// Whether the only user of `op` starts its result from it.
  bool initialises(Operation *op) {
    if (!op->hasOneUse())
      return false;
    OpOperand &use = *op->getUses().begin();
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    return user && user->getBlock() == block && user.isDpsInit(&use) && classify(user) != OpClass::Fill &&
           (classify(op) == OpClass::Fill || isProduct(classify(user)));
  }

  /// The groups that the values `op` uses come from, through views and shape arithmetic of the host.
  const llvm::SmallDenseSet<int64_t> &producers(Operation *op) {
    auto [entry, isNew] = producerCache.try_emplace(op);
    if (!isNew)
      return entry->second;
    llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
    for (Region &region : op->getRegions())
      getUsedValuesDefinedAbove(region, region, values);
    llvm::SmallDenseSet<int64_t> found;
    for (Value value : values) {
      Operation *def = value.getDefiningOp();
      if (!def || def->getBlock() != block)
        continue;
      if (auto group = groupOf.find(def); group != groupOf.end()) {
        found.insert(group->second);
      } else {
        const llvm::SmallDenseSet<int64_t> &before = producers(def);
        found.insert(before.begin(), before.end());
      }
    }
    return producerCache[op] = std::move(found);
  }

  /// Whether a group in `from` needs, at any distance, a result of group `target`.
  bool reaches(ArrayRef<int64_t> from, int64_t target) {
    SmallVector<int64_t> stack(from.begin(), from.end());
    llvm::SmallDenseSet<int64_t> seen;
    while (!stack.empty()) {
      int64_t group = canonical(stack.pop_back_val());
      if (group == target)
        return true;
      if (seen.insert(group).second)
        stack.append(groups[group].needs.begin(), groups[group].needs.end());
    }
    return false;
  }

  int64_t canonical(int64_t group) const {
    for (auto merged = mergedInto.find(group); merged != mergedInto.end(); merged = mergedInto.find(group))
      group = merged->second;
    return group;
  }

  /// Whether `op` may join `group`: nothing it uses from elsewhere needs the group.
  bool staysConvex(Operation *op, int64_t group) {
    SmallVector<int64_t> others;
    for (int64_t producer : producers(op))
      if (canonical(producer) != group)
        others.push_back(producer);
    return !reaches(others, group);
  }

  /// Whether consumer `op` can be computed where `group` computes `operand`, a tile or a row at a time.
  bool fits(linalg::LinalgOp op, OpOperand *operand, const Group &group) {
    if (group.rank < 0 || group.ops.size() >= kMaxGroupOps || !op.hasPureTensorSemantics())
      return false;
    OpClass opClass = classify(op);
    AffineMap map = op.getMatchingIndexingMap(operand);
    int64_t prefix = prefixLength(map), loops = op.getNumLoops();
    if (opClass == OpClass::Elementwise) {
      if (llvm::any_of(op.getIndexingMapsArray(), [](AffineMap m) { return !m.isProjectedPermutation(); }) ||
          llvm::any_of(op->getResults(), [&](OpResult r) { return !op.getIndexingMapMatchingResult(r).isIdentity(); }))
        return false;
      // An epilogue: every element once, right after the product's.
      if (isProduct(group.root))
        return prefix == loops && loops == group.rank && operand->get().hasOneUse();
      if (loops == group.rank && op.getStaticLoopRanges() == group.shape)
        return prefix == loops || (prefix == group.rowRank && prefix >= 0);
      return loops == group.rowRank && prefix == loops;
    }
    if (opClass != OpClass::Reduction || isProduct(group.root) || op.hasIndexSemantics())
      return false;
    // Rows: leading loops are kept, all others reduced, as in every other reduction of the group.
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    int64_t kept = llvm::count(iterators, utils::IteratorType::parallel);
    bool leading = llvm::all_of(ArrayRef(iterators).take_front(kept),
                                [](utils::IteratorType t) { return t == utils::IteratorType::parallel; });
    if (!leading || kept == 0 || loops != group.rank || op.getStaticLoopRanges() != group.shape ||
        (group.rowRank >= 0 && group.rowRank != kept))
      return false;
    return prefix == loops && llvm::all_of(op.getDpsInits(), [&](Value init) {
             return prefixLength(op.getMatchingIndexingMap(op.getDpsInitOperand(0))) == kept;
           });
  }

  /// The group `op` joins: that of the strongest root among those it fits; -1: none.
  int64_t chooseGroup(Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return -1;
    int64_t best = -1;
    for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
      Operation *def = operand->get().getDefiningOp();
      auto entry = def ? groupOf.find(def) : groupOf.end();
      if (entry == groupOf.end())
        continue;
      int64_t group = canonical(entry->second);
      if (!fits(linalgOp, operand, groups[group]) || !staysConvex(op, group))
        continue;
      if (best < 0 || groups[group].root > groups[best].root)
        best = group;
    }
    return best;
  }

  void add(Operation *op, int64_t number) {
    const llvm::SmallDenseSet<int64_t> &used = producers(op);
    for (int64_t producer : used)
      if (canonical(producer) != number)
        groups[number].needs.insert(producer);
    Group &group = groups[number];
    groupOf[op] = number;
    group.ops.push_back(op);
    OpClass opClass = classify(op);
    group.root = std::max(group.root, opClass);
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || opClass == OpClass::DataMovement || opClass == OpClass::Fill)
      return;
    if (opClass == OpClass::Reduction) {
      SmallVector<utils::IteratorType> iterators = linalgOp.getIteratorTypesArray();
      int64_t kept = llvm::count(iterators, utils::IteratorType::parallel);
      bool rows = kept > 0 && !linalgOp.hasIndexSemantics() &&
                  llvm::all_of(ArrayRef(iterators).take_front(kept),
                               [](utils::IteratorType t) { return t == utils::IteratorType::parallel; });
      if (!rows)
        return;
      group.rowRank = kept;
    }
    if (group.rank >= 0)
      return;
    if (isProduct(opClass)) {
      group.rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
      group.shape.assign(cast<RankedTensorType>(op->getResult(0).getType()).getShape());
    } else {
      group.rank = linalgOp.getNumLoops();
      group.shape = linalgOp.getStaticLoopRanges();
    }
  }

  /// Fills and repeated biases `op` starts from; transposes that a contraction reads through.
  void addOperandsMadeInside(Operation *op, int64_t group) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      return;
    for (Value init : linalgOp.getDpsInits())
      if (Operation *def = init.getDefiningOp();
          def && def->getBlock() == block && !groupOf.contains(def) && isInitialValue(def) && initialises(def))
        add(def, group);
    if (classify(op) != OpClass::Contraction)
      return;
    for (Value input : linalgOp.getDpsInputs()) {
      Operation *def = input.getDefiningOp();
      auto entry = def ? groupOf.find(def) : groupOf.end();
      if (entry == groupOf.end() || !isFoldableTranspose(def) || !def->hasOneUse())
        continue;
      int64_t source = canonical(entry->second);
      if (source != group && groups[source].ops.size() == 1)
        merge(source, group);
    }
  }

  /// Other elementwise or row groups that feed `op` and walk the same loops come along.
  void mergeSideProducers(Operation *op, int64_t group) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || isProduct(groups[group].root) || groups[group].rank < 0)
      return;
    for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
      Operation *def = operand->get().getDefiningOp();
      auto entry = def ? groupOf.find(def) : groupOf.end();
      if (entry == groupOf.end())
        continue;
      int64_t other = canonical(entry->second);
      const Group &producer = groups[other];
      if (other == group || isProduct(producer.root) || producer.root < OpClass::Elementwise ||
          producer.rank != groups[group].rank || producer.shape != groups[group].shape ||
          (producer.rowRank >= 0 && groups[group].rowRank >= 0 && producer.rowRank != groups[group].rowRank) ||
          producer.ops.size() + groups[group].ops.size() > kMaxGroupOps || !fits(linalgOp, operand, producer))
        continue;
      // Merged, the two would need what either needs: none of that may need one of the two.
      SmallVector<int64_t> outside;
      for (int64_t side : {group, other})
        for (int64_t needed : groups[side].needs)
          if (canonical(needed) != group && canonical(needed) != other)
            outside.push_back(needed);
      if (!reaches(outside, group) && !reaches(outside, other))
        merge(other, group);
    }
  }

  void merge(int64_t from, int64_t into) {
    Group &source = groups[from], &target = groups[into];
    for (Operation *op : source.ops)
      groupOf[op] = into;
    target.ops.append(source.ops.begin(), source.ops.end());
    target.root = std::max(target.root, source.root);
    target.rowRank = std::max(target.rowRank, source.rowRank);
    target.needs.insert(source.needs.begin(), source.needs.end());
    mergedInto[from] = into;
    source.ops.clear();
    source.needs.clear();
    target.needs.erase(from);
    target.needs.erase(into);
  }

  Block *block;
  bool fuse;
  SmallVector<Group> groups;
  llvm::DenseMap<Operation *, int64_t> groupOf;
  llvm::DenseMap<Operation *, llvm::SmallDenseSet<int64_t>> producerCache;
  llvm::DenseMap<int64_t, int64_t> mergedInto;
};

class FormGroups : public mica::impl::FormGroupsBase<FormGroups> {
public:
  using FormGroupsBase::FormGroupsBase;

  void runOnOperation() override {
    llvm::SetVector<Block *> blocks;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isKernelWork(op))
        return WalkResult::advance();
      blocks.insert(op->getBlock());
      return WalkResult::skip();
    });
    int64_t next = 0;
    for (Block *block : blocks) {
      if (fuse)
        separateInitialValues(block);
      BlockGroups groups(block, fuse);
      groups.form();
      groups.mark(next);
    }
  }

private:
  /// Gives each user of a fill or repeated bias one of its own, so that it can go into the user's kernel.
  static void separateInitialValues(Block *block) {
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (!isInitialValue(&op) || op.getNumResults() != 1 || op.use_empty())
        continue;
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : op.getUses())
        uses.push_back(&use);
      for (OpOperand *use : ArrayRef(uses).drop_back()) {
        auto user = dyn_cast<linalg::LinalgOp>(use->getOwner());
        if (user && user->getBlock() == block && user.isDpsInit(use))
          use->set(OpBuilder(&op).clone(op)->getResult(0));
      }
    }
  }
};
} // namespace
