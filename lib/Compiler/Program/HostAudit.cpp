//===- HostAudit.cpp - faults of host functions as schedules ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Follows a host function in order, with the submissions that no mica_sched.wait has ended. The body of a loop is
// followed twice, so that what an iteration submitted is there when the next one begins. A buffer is known by the
// values that its memory comes from, through views and control flow; upstream's BufferViewFlowAnalysis follows these
// too, but knows neither bytes nor iterations.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Program/HostAudit.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {

/// Bytes of the memory of a value.
struct Piece {
  Value root;
  int64_t begin = 0, end = std::numeric_limits<int64_t>::max();
  bool isCarried = false; ///< of the root that the iteration before made

  bool sharesWith(const Piece &other) const { return root == other.root && begin < other.end && other.begin < end; }
};

struct Access {
  Value buffer;
  bool reads = false, writes = false;
};

/// A submission that no wait has ended.
struct Pending {
  sched::SubmitOp submit;
  bool isOfIterationBefore = false;
};
using State = SmallVector<Pending>;

class HostAudit {
public:
  HostAudit(func::FuncOp function, SymbolTableCollection &symbols) : function(function), symbols(symbols) {}
  std::vector<ScheduleFault> run();

private:
  void follow(Region &region, State &state);
  void followInside(Operation *op, State &state);
  void visit(Operation *op, State &state);
  void checkAccess(Operation *op, const Access &access, const State &state);
  void checkRelease(sched::ReleaseOp release);
  const SmallVector<Access> &accessesOf(sched::SubmitOp submit);
  SmallVector<Piece> piecesOf(Value buffer);
  void addPieces(Value buffer, Piece seen, SmallVectorImpl<Piece> &pieces, llvm::SmallDenseSet<Value> &visited);
  std::string where() { return "function " + function.getSymName().str(); }

  func::FuncOp function;
  SymbolTableCollection &symbols;
  llvm::DenseMap<Operation *, SmallVector<Access>> submitted;
  llvm::DenseMap<Value, SmallVector<Piece>> known;
  llvm::SmallPtrSet<Operation *, 8> reported;
  std::vector<ScheduleFault> faults;
};

} // namespace

static std::string textOf(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, OpPrintingFlags());
  return text;
}

//===------------------------------------------------------------------------------------------------------------===//
// Memory
//===------------------------------------------------------------------------------------------------------------===//

/// The values that `value` may be, where control flow makes it.
static SmallVector<Value> sourcesOf(Value value) {
  SmallVector<Value> sources;
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    return {select.getTrueValue(), select.getFalseValue()};
  Region *region = nullptr;
  Operation *op = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    region = argument.getOwner()->isEntryBlock() ? argument.getOwner()->getParent() : nullptr;
    op = region ? region->getParentOp() : nullptr;
  }
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(op);
  if (!branch)
    return {};
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (const RegionSuccessor &successor : successors) {
      ValueRange inputs = region ? successor.getSuccessorInputs() : ValueRange(branch->getResults());
      auto found = llvm::find(inputs, value);
      if (successor.getSuccessor() != region || found == inputs.end())
        continue; // The induction variable of a loop comes from no operand.
      branch.getPredecessorValues(successor, static_cast<int>(found - inputs.begin()), sources);
      return sources;
    }
  }
  return sources;
}

/// The loop whose iterations give `value` to the next one; null if it is none's.
static Operation *loopThatCarries(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Region *region = argument ? argument.getOwner()->getParent() : nullptr;
  // The second region of scf.while is given values of its own iteration.
  return region && region->getRegionNumber() == 0 && isa<LoopLikeOpInterface>(region->getParentOp())
             ? region->getParentOp()
             : nullptr;
}

/// Whether `piece`, which `op` accesses, may be what the list of `pending` accesses as `other`. What a loop's body
/// allocates is another buffer in each iteration.
static bool isSameBuffer(Operation *op, const Piece &piece, const Pending &pending, const Piece &other) {
  Operation *made = piece.root.getDefiningOp();
  auto loop = made ? made->getParentOfType<LoopLikeOpInterface>() : LoopLikeOpInterface();
  if (!loop || !loop->isProperAncestor(pending.submit))
    return true;
  if (!loop->isProperAncestor(op))
    return !other.isCarried;
  return pending.isOfIterationBefore ? piece.isCarried && !other.isCarried : piece.isCarried == other.isCarried;
}

/// Adds the memory of `buffer`, of which `seen` says the bytes.
void HostAudit::addPieces(Value buffer, Piece seen, SmallVectorImpl<Piece> &pieces,
                          llvm::SmallDenseSet<Value> &visited) {
  if (!visited.insert(buffer).second)
    return;
  if (auto view = buffer.getDefiningOp<sched::ViewOp>()) {
    seen.begin += view.getOffset();
    if (seen.end != std::numeric_limits<int64_t>::max())
      seen.end += view.getOffset();
    // A view whose size is known at run time ends no later than what it is a view of.
    if (auto bytes = sched::bufferBytes(cast<MemRefType>(view.getSource().getType())))
      seen.end = std::min(seen.end, *bytes);
    return addPieces(view.getSource(), seen, pieces, visited);
  }
  if (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    return addPieces(view.getViewSource(), Piece(), pieces, visited);
  const SmallVector<Value> sources = sourcesOf(buffer);
  Operation *loop = loopThatCarries(buffer);
  for (Value source : sources) {
    Piece carried = seen;
    carried.isCarried |= loop && loop->isAncestor(source.getParentRegion()->getParentOp());
    addPieces(source, carried, pieces, visited);
  }
  seen.root = buffer;
  if (sources.empty() && !buffer.getDefiningOp<sched::ConstantOp>())
    pieces.push_back(seen);
}

/// A copy: while a caller goes over it, pieces of other buffers become known.
SmallVector<Piece> HostAudit::piecesOf(Value buffer) {
  if (auto found = known.find(buffer); found != known.end())
    return found->second;
  Piece all;
  if (auto type = dyn_cast<MemRefType>(buffer.getType()); type && type.getLayout().isIdentity())
    all.end = sched::bufferBytes(type).value_or(all.end);
  SmallVector<Piece> pieces;
  llvm::SmallDenseSet<Value> visited;
  addPieces(buffer, all, pieces, visited);
  return known[buffer] = std::move(pieces);
}

/// The buffers that the tasks of a list access.
const SmallVector<Access> &HostAudit::accessesOf(sched::SubmitOp submit) {
  const auto [found, isNew] = submitted.try_emplace(submit);
  SmallVector<Access> &accesses = found->second;
  auto list = symbols.lookupNearestSymbolFrom<sched::TaskListOp>(submit, submit.getListAttr());
  if (!isNew || !list)
    return accesses;
  for (Value buffer : submit.getBuffers())
    accesses.push_back({buffer});
  for (auto task : list.getBody().front().getOps<sched::TaskOp>()) {
    ModuleOp kernel = sched::lookupKernel(list, task.getKernel(), symbols);
    const std::optional<sched::KernelSignature> signature = kernel ? sched::kernelSignature(kernel) : std::nullopt;
    if (!signature || signature->bindings.size() != task.getBuffers().size())
      continue;
    for (auto [buffer, binding] : llvm::zip_equal(task.getBuffers(), signature->bindings)) {
      while (auto view = buffer.getDefiningOp<sched::ViewOp>())
        buffer = view.getSource();
      auto parameter = dyn_cast<BlockArgument>(buffer);
      if (!parameter || parameter.getArgNumber() >= accesses.size())
        continue;
      accesses[parameter.getArgNumber()].reads |= binding.access != sched::Access::Write;
      accesses[parameter.getArgNumber()].writes |= binding.access != sched::Access::Read;
    }
  }
  return accesses;
}

//===------------------------------------------------------------------------------------------------------------===//
// Order
//===------------------------------------------------------------------------------------------------------------===//

void HostAudit::checkAccess(Operation *op, const Access &access, const State &state) {
  for (Pending pending : state)
    for (const Access &other : accessesOf(pending.submit)) {
      if (!(access.writes && (other.reads || other.writes)) && !(access.reads && other.writes))
        continue;
      const bool isShared = llvm::any_of(piecesOf(access.buffer), [&](const Piece &piece) {
        return llvm::any_of(piecesOf(other.buffer), [&](const Piece &theirs) {
          return piece.sharesWith(theirs) && isSameBuffer(op, piece, pending, theirs);
        });
      });
      if (!isShared || !reported.insert(op).second)
        continue;
      const char *kind = access.reads && other.writes ? "RAW" : other.writes ? "WAW" : "WAR";
      ScheduleFault fault;
      fault.kind = ScheduleFault::Kind::MissingWait;
      fault.where = where();
      fault.op = op;
      fault.other = pending.submit;
      fault.text = llvm::formatv(
          "{0} {1} {2}, which task list {3}{4} {5}, and does not wait for it", op->getName().getStringRef(),
          access.writes ? "writes" : "reads", textOf(access.buffer), pending.submit.getList(),
          pending.isOfIterationBefore ? " of the iteration before" : "", other.writes ? "writes" : "reads");
      fault.fix = std::string(kind) + ": add mica_sched.wait before it";
      faults.push_back(std::move(fault));
    }
}

/// What the next iteration is given has to be among what is kept.
void HostAudit::checkRelease(sched::ReleaseOp release) {
  Operation *loop = release->getParentOp();
  if (!isa<LoopLikeOpInterface>(loop))
    return;
  for (Value passed : release->getBlock()->getTerminator()->getOperands()) {
    if (!isa<MemRefType>(passed.getType()))
      continue;
    for (const Piece &piece : piecesOf(passed)) {
      Operation *made = piece.root.getDefiningOp();
      Operation *mark = release.getMark().getDefiningOp();
      if (!isa_and_nonnull<sched::AllocOp>(made) || !loop->isProperAncestor(made) ||
          (mark && made->getBlock() == mark->getBlock() && made->isBeforeInBlock(mark)))
        continue;
      const bool isKept = llvm::any_of(release.getKeep(), [&](Value kept) {
        return llvm::any_of(piecesOf(kept), [&](const Piece &other) { return other.root == piece.root; });
      });
      if (isKept || !reported.insert(release).second)
        continue;
      ScheduleFault fault;
      fault.kind = ScheduleFault::Kind::Released;
      fault.where = where();
      fault.op = release;
      fault.other = made;
      fault.text =
          "releases the memory of " + textOf(piece.root) + ", which the next iteration is given as " + textOf(passed);
      fault.fix = "add " + textOf(passed) + " to `keep`";
      faults.push_back(std::move(fault));
    }
  }
}

void HostAudit::visit(Operation *op, State &state) {
  if (isa<sched::WaitOp>(op))
    return state.clear();
  if (auto submit = dyn_cast<sched::SubmitOp>(op)) {
    llvm::erase_if(state, [&](const Pending &pending) { return pending.submit == submit; });
    state.push_back({submit});
    return;
  }
  if (auto release = dyn_cast<sched::ReleaseOp>(op))
    return checkRelease(release);
  if (op->getNumRegions() > 0 && !op->hasTrait<OpTrait::IsIsolatedFromAbove>())
    followInside(op, state);
  if (isa_and_nonnull<sched::MicaSchedDialect>(op->getDialect()) || state.empty())
    return;
  llvm::SmallMapVector<Value, Access, 4> accesses;
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> found;
    effects.getEffects(found);
    for (const MemoryEffects::EffectInstance &effect : found) {
      const bool reads = isa<MemoryEffects::Read>(effect.getEffect());
      const bool writes = isa<MemoryEffects::Write, MemoryEffects::Free>(effect.getEffect());
      Value value = effect.getValue();
      if (!value || !isa<MemRefType>(value.getType()) || !(reads || writes))
        continue;
      Access &access = accesses.try_emplace(value, Access{value}).first->second;
      access.reads |= reads;
      access.writes |= writes;
    }
  } else if (isa<CallOpInterface>(op)) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        accesses.try_emplace(operand, Access{operand, true, true});
  }
  for (const auto &[buffer, access] : accesses)
    checkAccess(op, access, state);
}

/// Adds what is pending in `other` too.
static void join(State &state, const State &other, bool isOfIterationBefore = false) {
  for (Pending pending : other) {
    pending.isOfIterationBefore |= isOfIterationBefore;
    if (llvm::none_of(state, [&](const Pending &known) { return known.submit == pending.submit; }))
      state.push_back(pending);
  }
}

void HostAudit::followInside(Operation *op, State &state) {
  const bool isLoop = isa<LoopLikeOpInterface>(op) ||
                      llvm::any_of(op->getRegions(), [](Region &region) { return llvm::range_size(region) > 1; });
  State after;
  if (isLoop) {
    State inside = state;
    for (Region &region : op->getRegions())
      follow(region, inside);
    State next = state;
    join(next, inside, /*isOfIterationBefore=*/true);
    for (Region &region : op->getRegions())
      follow(region, next);
    after = state;
    join(after, next);
  } else {
    for (Region &region : op->getRegions()) {
      State inside = state;
      follow(region, inside);
      join(after, inside);
    }
  }
  state = std::move(after);
}

void HostAudit::follow(Region &region, State &state) {
  for (Block &block : region)
    for (Operation &op : block)
      visit(&op, state);
}

std::vector<ScheduleFault> HostAudit::run() {
  State state;
  follow(function.getBody(), state);
  return std::move(faults);
}

std::vector<ScheduleFault> compiler::auditHostFunction(func::FuncOp function, SymbolTableCollection &symbols) {
  return HostAudit(function, symbols).run();
}
