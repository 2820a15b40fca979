//===- ScheduleAudit.cpp - faults of schedules --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header; HostAudit.cpp has the part of host functions. A buffer is a root (a parameter, a buffer of the arena
// or of dynamic size) or a view of one. Two buffers of the arena share memory where their bytes do.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Program/ScheduleAudit.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "lib/Compiler/Program/HostAudit.h"
#include "mica/Artifact/TaskGraph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

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
  sched::TaskOp op;
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
  std::string where() const { return "task list " + name; }

  sched::TaskListOp list;
  std::string name;
  std::vector<Task> tasks;
  std::vector<artifact::TaskAccesses> accesses; ///< of each task, with the positions of its uses as bindings
};

} // namespace

/// The end of a buffer whose size is known at run time.
static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

Use ListAudit::useOf(Value buffer, sched::Access access) {
  Use use;
  use.reads = access != sched::Access::Write;
  use.writes = access != sched::Access::Read;
  // A view whose size is known at run time ends no later than what it is a view of.
  auto bytesOf = [](Value of) { return sched::bufferBytes(cast<ShapedType>(of.getType())).value_or(kUnknown); };
  auto move = [&](int64_t offset) {
    use.begin += offset;
    use.end = use.end == kUnknown ? kUnknown : use.end + offset;
  };
  use.end = bytesOf(buffer);
  while (auto view = buffer.getDefiningOp<sched::ViewOp>()) {
    move(view.getOffset());
    buffer = view.getSource();
    use.end = std::min(use.end, bytesOf(buffer));
  }
  use.root = buffer;
  if (auto arena = buffer.getDefiningOp<sched::ArenaOp>()) {
    use.isArena = true;
    move(arena.getOffset());
  }
  return use;
}

void ListAudit::read(SymbolTableCollection &symbols) {
  llvm::DenseMap<Value, size_t> positions;
  llvm::DenseMap<Value, int64_t> dynamic; // buffers of a size that is known at run time, numbered
  for (auto op : list.getBody().front().getOps<sched::TaskOp>()) {
    Task &task = tasks.emplace_back();
    artifact::TaskAccesses &accessed = accesses.emplace_back();
    task.op = op;
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
  const Task &before = tasks[hazard.before], &after = tasks[hazard.after];
  const Use &a = before.uses[hazard.beforeBinding], &b = after.uses[hazard.afterBinding];
  ScheduleFault fault;
  fault.where = where();
  fault.op = after.op;
  fault.other = before.op;
  fault.text = llvm::formatv("{0} {1} {2}, {3} {4} {5}, and does not wait for it", title(hazard.before),
                             a.writes ? "writes" : "reads", place(a), title(hazard.after),
                             b.writes ? "writes" : "reads", a.isArena ? place(b) : "it");
  std::string token;
  llvm::raw_string_ostream os(token);
  sched::TaskOp first = before.op;
  first.getToken().printAsOperand(os, OpPrintingFlags());
  const std::string bytes =
      a.isArena ? llvm::formatv(" in bytes {0} to {1}", hazard.begin, hazard.end - 1).str() : std::string();
  fault.fix = llvm::formatv("{0}{1}: add {2}, the token of task {3}, to `after` of task {4}",
                            std::string(artifact::hazardName(hazard.kind)), bytes, token, hazard.before, hazard.after)
                  .str();
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
      fault.where = where();
      fault.op = tasks[task].op;
      fault.other = tasks[reader].op;
      fault.text = llvm::formatv("{0} writes {1}, over {2}, which {3} still reads", title(task), place(use),
                                 place(read), task == reader ? "it" : title(reader));
      found = fault;
    }
  return std::nullopt; // Nobody in the list wrote it before.
}

/// More faults of a list say nothing new.
static constexpr size_t kMostFaults = 20;

std::vector<ScheduleFault> ListAudit::find() const {
  std::vector<ScheduleFault> faults;
  for (size_t reader = 0; reader < tasks.size(); ++reader)
    for (const Use &use : tasks[reader].uses)
      if (use.reads && use.isArena)
        if (std::optional<ScheduleFault> fault = findOverlap(reader, use))
          faults.push_back(std::move(*fault));
  // What one dependency mends is one fault: each is found as if those before it were mended.
  std::vector<artifact::TaskAccesses> mended = accesses;
  while (faults.size() < kMostFaults) {
    const std::vector<artifact::Hazard> hazards = artifact::hazardsOf(mended);
    const artifact::Hazard *first = nullptr;
    for (const artifact::Hazard &hazard : hazards)
      if (!hazard.isOrdered && (!first || hazard.after == first->after))
        first = &hazard; // the last one before the first that does not wait
    if (!first)
      break;
    faults.push_back(describe(*first));
    mended[first->after].deps.push_back(first->before);
  }
  return faults;
}

std::vector<ScheduleFault> compiler::auditSchedule(ModuleOp program, AuditScope scope) {
  std::vector<ScheduleFault> faults;
  SymbolTableCollection symbols;
  for (auto list : program.getOps<sched::TaskListOp>())
    llvm::append_range(faults, ListAudit(list, symbols).find());
  if (scope == AuditScope::TaskLists)
    return faults;
  for (auto function : program.getOps<func::FuncOp>())
    llvm::append_range(faults, auditHostFunction(function, symbols));
  return faults;
}

LogicalResult compiler::verifySchedule(ModuleOp program, AuditScope scope,
                                       llvm::function_ref<Location(Operation *)> locate) {
  auto locationOf = [&](Operation *op) { return locate ? locate(op) : op->getLoc(); };
  const std::vector<ScheduleFault> faults = auditSchedule(program, scope);
  for (const ScheduleFault &fault : faults) {
    InFlightDiagnostic error = emitError(locationOf(fault.op))
                               << "'" << fault.op->getName() << "' op in " << fault.where << ": " << fault.text;
    if (!fault.fix.empty())
      error << "; " << fault.fix;
    if (fault.other)
      error.attachNote(locationOf(fault.other)) << "the other operation is here";
  }
  return success(faults.empty());
}
