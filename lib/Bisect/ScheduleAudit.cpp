//===- ScheduleAudit.cpp - faults of task lists -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ScheduleAudit.h. A buffer is a root (a parameter, a buffer of the arena or of dynamic size) or a view of one. Two
// buffers of the arena share memory where their bytes do.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/ScheduleAudit.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/Artifact/TaskGraph.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

namespace {

/// A piece of memory that a task uses.
struct Use {
  Value root;
  bool isArena = false;
  int64_t begin = 0, end = 0; ///< bytes of the root; of the arena where it is there
  bool reads = false, writes = false;

  bool sharesWith(const Use &other) const {
    const bool isSameMemory = root == other.root || (isArena && other.isArena);
    return isSameMemory && begin < other.end && other.begin < end;
  }
};

struct Task {
  std::string kernel;
  llvm::SmallVector<Use> uses;
};

class ListAudit {
public:
  ListAudit(sched::TaskListOp list, SymbolTableCollection &symbols) : list(list), name(list.getSymName()) {
    read(symbols);
  }

  std::vector<ScheduleFault> find() const;

private:
  void read(SymbolTableCollection &symbols);
  static Use useOf(Value buffer, sched::Access access);
  ScheduleFault describe(const artifact::Hazard &hazard) const;
  std::optional<ScheduleFault> findOverlap(size_t reader, const Use &read) const;
  std::string title(size_t task) const { return llvm::formatv("task {0} ({1})", task, tasks[task].kernel).str(); }
  static std::string place(const Use &use);

  sched::TaskListOp list;
  std::string name;
  std::vector<Task> tasks;
  std::vector<artifact::TaskAccesses> accesses; ///< of each task, with the positions of its uses as bindings
};

} // namespace

Use ListAudit::useOf(Value buffer, sched::Access access) {
  Use use;
  use.reads = access != sched::Access::Write;
  use.writes = access != sched::Access::Read;
  const std::optional<int64_t> bytes = sched::bufferBytes(cast<ShapedType>(buffer.getType()));
  while (auto view = buffer.getDefiningOp<sched::ViewOp>()) {
    use.begin += view.getOffset();
    buffer = view.getSource();
  }
  use.root = buffer;
  if (auto arena = buffer.getDefiningOp<sched::ArenaOp>()) {
    use.isArena = true;
    use.begin += arena.getOffset();
  }
  use.end = bytes ? use.begin + *bytes : std::numeric_limits<int64_t>::max();
  return use;
}

void ListAudit::read(SymbolTableCollection &symbols) {
  llvm::DenseMap<Value, size_t> positions;
  llvm::DenseMap<Value, int64_t> dynamic; // buffers of a size that is known at run time, numbered
  for (auto op : list.getBody().front().getOps<sched::TaskOp>()) {
    Task &task = tasks.emplace_back();
    artifact::TaskAccesses &accessed = accesses.emplace_back();
    task.kernel = op.getKernel().str();
    for (Value token : op.getDependencies())
      accessed.deps.push_back(positions.lookup(token));
    positions[op.getToken()] = tasks.size() - 1;
    ModuleOp kernel = sched::lookupKernel(list, op.getKernel(), symbols);
    const std::optional<sched::KernelSignature> signature = kernel ? sched::kernelSignature(kernel) : std::nullopt;
    if (!signature || signature->bindings.size() != op.getBuffers().size())
      continue; // It does not say what it accesses.
    for (auto [buffer, binding] : llvm::zip_equal(op.getBuffers(), signature->bindings)) {
      if (buffer.getDefiningOp<sched::ConstantOp>())
        continue;
      const Use &use = task.uses.emplace_back(useOf(buffer, binding.access));
      artifact::TaskAccess &access = accessed.accesses.emplace_back();
      access.binding = task.uses.size() - 1;
      access.reads = use.reads;
      access.writes = use.writes;
      access.begin = use.begin;
      access.end = use.end;
      auto parameter = dyn_cast<BlockArgument>(use.root);
      access.memory = use.isArena ? artifact::BufferKind::Arena
                      : parameter ? artifact::BufferKind::Parameter
                                  : artifact::BufferKind::Dynamic;
      access.index = use.isArena ? 0
                     : parameter ? static_cast<int64_t>(parameter.getArgNumber())
                                 : dynamic.try_emplace(use.root, static_cast<int64_t>(dynamic.size())).first->second;
    }
  }
}

std::string ListAudit::place(const Use &use) {
  if (use.isArena)
    return llvm::formatv("bytes {0} to {1} of the arena", use.begin, use.end - 1).str();
  if (auto parameter = dyn_cast<BlockArgument>(use.root))
    return llvm::formatv("parameter {0}", parameter.getArgNumber()).str();
  return "a buffer of dynamic size";
}

ScheduleFault ListAudit::describe(const artifact::Hazard &hazard) const {
  const Use &a = tasks[hazard.before].uses[hazard.beforeBinding], &b = tasks[hazard.after].uses[hazard.afterBinding];
  ScheduleFault fault;
  fault.list = name;
  fault.first = static_cast<int64_t>(hazard.before);
  fault.second = static_cast<int64_t>(hazard.after);
  fault.text = llvm::formatv("{0} {1} {2}, {3} {4} {5}, and does not wait for it", title(hazard.before),
                             a.writes ? "writes" : "reads", place(a), title(hazard.after),
                             b.writes ? "writes" : "reads", a.isArena ? place(b) : "it");
  return fault;
}

std::optional<ScheduleFault> ListAudit::findOverlap(size_t reader, const Use &read) const {
  std::optional<ScheduleFault> found;
  for (size_t task = reader + 1; task-- > 0;)
    for (const Use &use : tasks[task].uses) {
      if (!use.writes || !use.sharesWith(read))
        continue;
      if (use.root == read.root && task != reader) // The writer that it is to read from, if another one came between.
        return found;
      if (use.root == read.root || found)
        continue;
      ScheduleFault fault;
      fault.kind = ScheduleFault::Kind::Overlap;
      fault.list = name;
      fault.second = static_cast<int64_t>(task);
      fault.reader = static_cast<int64_t>(reader);
      fault.text = llvm::formatv("{0} writes {1}, over {2}, which {3} still reads", title(task), place(use),
                                 place(read), task == reader ? "it" : title(reader));
      found = fault;
    }
  return std::nullopt; // Nobody in the list wrote it before.
}

std::vector<ScheduleFault> ListAudit::find() const {
  std::vector<ScheduleFault> faults;
  const std::vector<artifact::Hazard> hazards = artifact::hazardsOf(accesses);
  for (size_t later = 0; later < tasks.size(); ++later) {
    for (const Use &use : tasks[later].uses)
      if (use.reads && use.isArena)
        if (std::optional<ScheduleFault> fault = findOverlap(later, use))
          faults.push_back(std::move(*fault));
    for (const artifact::Hazard &hazard : hazards)
      if (hazard.after == later && !hazard.isOrdered)
        faults.push_back(describe(hazard));
  }
  return faults;
}

std::vector<ScheduleFault> bisect::auditSchedule(ModuleOp program) {
  std::vector<ScheduleFault> faults;
  SymbolTableCollection symbols;
  for (auto list : program.getOps<sched::TaskListOp>())
    llvm::append_range(faults, ListAudit(list, symbols).find());
  return faults;
}
