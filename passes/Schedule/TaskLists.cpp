//===- TaskLists.cpp - task lists as plain data -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See TaskLists.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/TaskLists.h"

#include "dialects/MicaSched/IR/LaunchAttr.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/PartsAttr.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mica;

std::vector<ElementsAttr> mica::collectConstants(ModuleOp program) {
  llvm::SetVector<Attribute> values;
  // Host functions in the LLVM dialect refer to constants by these numbers.
  if (auto numbered = program->getAttrOfType<ArrayAttr>(sched::kConstantsAttr))
    values.insert(numbered.begin(), numbered.end());
  auto collect = [&](sched::ConstantOp op) { values.insert(op.getValueAttr()); };
  for (auto list : program.getOps<sched::TaskListOp>())
    list.walk(collect);
  for (Operation &op : *program.getBody())
    if (!isa<sched::TaskListOp>(op) && !sched::isKernelModule(&op))
      op.walk(collect);
  std::vector<ElementsAttr> result;
  for (Attribute value : values)
    result.push_back(cast<ElementsAttr>(value));
  return result;
}

namespace {
/// Reads one list.
class Reader {
public:
  Reader(sched::TaskListOp list, const llvm::DenseMap<Attribute, int64_t> &constants)
      : list(list), constants(constants) {}

  TaskListInfo read() {
    TaskListInfo info;
    info.name = list.getSymName().str();
    info.parameters = list.getBufferParameters().size();
    info.scalars = list.getScalarParameters().size();
    info.arenaBytes = list.getArenaBytes();
    llvm::DenseMap<Value, int64_t> tasks;
    auto add = [&](Value buffer) {
      positions[buffer] = info.buffers.size();
      info.buffers.push_back(bufferOf(buffer));
    };
    for (BlockArgument parameter : list.getBufferParameters())
      add(parameter);
    for (Operation &op : list.getBody().front()) {
      auto task = dyn_cast<sched::TaskOp>(op);
      if (!task) {
        add(op.getResult(0));
        continue;
      }
      tasks[task.getToken()] = info.tasks.size();
      TaskListInfo::Task &made = info.tasks.emplace_back();
      made.kernel = task.getKernel().str();
      made.device = task.getDevice().str();
      for (Value buffer : task.getBuffers())
        made.buffers.push_back(positions.lookup(buffer));
      for (Value scalar : task.getScalars())
        made.scalars.push_back(scalarPosition(scalar));
      for (Value token : task.getDependencies())
        made.deps.push_back(tasks.lookup(token));
      for (StringAttr id : task.getOpIds().getAsRange<StringAttr>())
        made.opIds.push_back(id.getValue().str());
    }
    return info;
  }

private:
  int64_t scalarPosition(Value scalar) {
    return cast<BlockArgument>(scalar).getArgNumber() - static_cast<int64_t>(list.getBufferParameters().size());
  }

  TaskListInfo::Buffer bufferOf(Value value) {
    using Kind = TaskListInfo::BufferKind;
    TaskListInfo::Buffer buffer;
    int64_t viewBytes = -1; // the size of a dynamic view of a static buffer
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      buffer.kind = Kind::Parameter;
      buffer.index = argument.getArgNumber();
    } else {
      llvm::TypeSwitch<Operation *>(value.getDefiningOp())
          .Case<sched::ArenaOp>([&](sched::ArenaOp op) {
            buffer.kind = Kind::Arena;
            buffer.offset = op.getOffset();
          })
          .Case<sched::ConstantOp>([&](sched::ConstantOp op) {
            buffer.kind = Kind::Constant;
            buffer.index = constants.lookup(op.getValueAttr());
            if (auto parts = op->getAttrOfType<DictionaryAttr>(sched::kPartsAttr)) {
              buffer.grid = parts.getAs<DenseI64ArrayAttr>("grid").asArrayRef().vec();
              buffer.axes = parts.getAs<DenseI64ArrayAttr>("axes").asArrayRef().vec();
              buffer.partBytes = *sched::bufferBytes(cast<MemRefType>(op.getType()));
            }
          })
          .Case<sched::DynamicOp>([&](sched::DynamicOp op) {
            buffer.kind = Kind::Dynamic;
            buffer.sizeScalar = scalarPosition(op.getBytes());
          })
          .Case<sched::ViewOp>([&](sched::ViewOp op) {
            buffer = bufferOf(op.getSource());
            buffer.offset += op.getOffset();
            if (buffer.bytes >= 0)
              viewBytes = buffer.bytes - op.getOffset();
            if (buffer.kind == Kind::Dynamic && buffer.viewOf < 0)
              buffer.viewOf = positions.lookup(op.getSource());
          });
    }
    buffer.type = cast<MemRefType>(value.getType());
    buffer.bytes = sched::bufferBytes(buffer.type).value_or(viewBytes);
    return buffer;
  }

  sched::TaskListOp list;
  const llvm::DenseMap<Attribute, int64_t> &constants;
  llvm::DenseMap<Value, int64_t> positions; ///< of the buffers read so far
};
} // namespace

std::vector<TaskListInfo> mica::collectTaskLists(ModuleOp program) {
  llvm::DenseMap<Attribute, int64_t> constants;
  for (auto [index, value] : llvm::enumerate(collectConstants(program)))
    constants[value] = index;
  std::vector<TaskListInfo> lists;
  for (auto list : program.getOps<sched::TaskListOp>())
    lists.push_back(Reader(list, constants).read());
  return lists;
}

int64_t mica::taskListIndex(ModuleOp program, StringRef name) {
  for (auto [index, list] : llvm::enumerate(program.getOps<sched::TaskListOp>()))
    if (list.getSymName() == name)
      return index;
  return -1;
}
