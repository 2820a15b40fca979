//===- CompileLog.cpp - log messages of a compile -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See CompileLog.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/CompileLog.h"

#include "mica/Compiler/Program/Describe.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Log.h"
#include "mica/Support/Text.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

bool compiler::logsNeedRemarks() { return logs(LogTopic::Fusion); }

static std::string typesOf(const std::vector<artifact::TensorSpec> &specs) {
  std::string text;
  for (const artifact::TensorSpec &spec : specs)
    text += (text.empty() ? "" : ", ") + shapedTypeString(spec.shape, spec.dtype);
  return text;
}

void compiler::logProgram(const std::string &input, llvm::StringRef what, ModuleOp program) {
  if (!logs(LogTopic::Import))
    return;
  std::map<std::string, int64_t> dialects;
  int64_t total = 0;
  program.walk([&](Operation *op) {
    // Modules and terminators are not counted.
    if (isa<ModuleOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
      return;
    ++dialects[op->getName().getDialectNamespace().str()];
    ++total;
  });
  std::string counts;
  for (auto &[name, count] : dialects)
    counts += (counts.empty() ? "" : ", ") + name + " " + std::to_string(count);
  std::string entries;
  for (const artifact::EntryRecord &entry : describeEntries(program))
    entries += "\n  entry " + entry.name + "(" + typesOf(entry.args) + ") -> (" + typesOf(entry.results) + ")";
  MICA_LOG(Import, Info) << input << " " << std::string_view(what) << ": " << total << " operations (" << counts << ")"
                         << entries;
}

void compiler::logKernels(ModuleOp program, const PassRecorder &recorder) {
  if (logs(LogTopic::Dispatch)) {
    std::string names;
    int64_t count = 0;
    for (ModuleOp kernel : kernelsOf(program)) {
      ++count;
      names += "\n  " + kernel.getName().value_or("").str();
    }
    MICA_LOG(Dispatch, Info) << count << (count == 1 ? " kernel" : " kernels") << names;
  }
  if (!logs(LogTopic::Fusion))
    return;
  for (const PassRecord &record : recorder.records())
    for (const RecordedRemark &remark : record.remarks) {
      if (remark.name != "fused" && remark.name != "not-fused")
        continue;
      std::string ops = remark.name == "fused" ? ": " + remark.arg("Ops") : "";
      MICA_LOG(Fusion, Info) << joinNames(remark.sources) << (remark.sources.empty() ? "" : ": ") << remark.message
                             << ops << " [" << joinNames(remark.ids) << "]";
    }
}

//===------------------------------------------------------------------------------------------------------------===//
// The schedule
//===------------------------------------------------------------------------------------------------------------===//

static bool isDynamic(const artifact::TensorSpec &type) { return llvm::is_contained(type.shape, -1); }

static void logDynamic(const artifact::Manifest &manifest, const artifact::TaskList &list) {
  int64_t buffers = 0;
  for (const artifact::BufferRecord &buffer : list.buffers)
    buffers += buffer.kind == artifact::BufferKind::Dynamic && buffer.viewOf < 0;
  std::string kernels;
  for (auto [number, task] : llvm::enumerate(list.tasks)) {
    std::vector<artifact::TensorSpec> types;
    for (int64_t buffer : task.buffers)
      types.push_back(list.buffers[buffer].type);
    if (llvm::any_of(types, isDynamic))
      kernels += "\n  task " + std::to_string(number) + ", kernel " + task.kernel + ": " + typesOf(types);
  }
  if (buffers || !kernels.empty())
    MICA_LOG(Dynamic, Info) << "task list '" << list.name << "': " << buffers
                            << " buffers are allocated in each call, for their sizes are known at run time only"
                            << kernels;
}

static std::string tasksOf(const artifact::TaskList &list) {
  std::string text;
  for (auto [number, task] : llvm::enumerate(list.tasks)) {
    text += "\n  task " + std::to_string(number) + " " + task.kernel + " on " + task.device + ", buffers";
    for (int64_t buffer : task.buffers)
      text += " " + std::to_string(buffer);
    for (int64_t dep : task.deps)
      text += (dep == task.deps.front() ? ", after task " : " ") + std::to_string(dep);
  }
  return text;
}

void compiler::logSchedule(const artifact::Manifest &manifest, const std::vector<artifact::TaskList> &lists,
                           llvm::StringRef schedule) {
  for (const artifact::TaskList &list : lists) {
    std::array<int64_t, 4> kinds{};
    int64_t placed = 0;
    for (const artifact::BufferRecord &buffer : list.buffers) {
      ++kinds[static_cast<size_t>(buffer.kind)];
      placed += buffer.kind == artifact::BufferKind::Arena ? std::max<int64_t>(buffer.bytes, 0) : 0;
    }
    MICA_LOG(Schedule, Info) << "task list '" << list.name << "': " << list.tasks.size()
                             << " tasks, buffers: " << kinds[0] << " parameters, " << kinds[1] << " constants, "
                             << kinds[2] << " in an arena of " << list.arenaBytes << " bytes (" << placed
                             << " without sharing), " << kinds[3] << " dynamic"
                             << (logs(LogTopic::Schedule, LogLevel::Debug) ? tasksOf(list) : "");
    if (logs(LogTopic::Dynamic))
      logDynamic(manifest, list);
  }
  if (logs(LogTopic::Dynamic))
    for (const artifact::EntryRecord &entry : manifest.entries)
      for (auto [number, spec] : llvm::enumerate(entry.args))
        if (isDynamic(spec))
          MICA_LOG(Dynamic, Info) << "entry " << entry.name << ", argument " << number << ": "
                                  << shapedTypeString(spec.shape, spec.dtype);
  MICA_LOG(OutputCode, Info) << "host/schedule.mlir\n" << std::string_view(schedule);
}

//===------------------------------------------------------------------------------------------------------------===//
// Code
//===------------------------------------------------------------------------------------------------------------===//

void compiler::logKernelSnapshot(llvm::StringRef kernel, llvm::StringRef text) {
  MICA_LOG(KernelCode, Info).kernel(kernel) << "kernels/" << std::string_view(kernel) << "/kernel.mlir\n"
                                            << std::string_view(text);
}

void compiler::logCode(llvm::StringRef kernel, llvm::StringRef strategy, double milliseconds,
                       const GeneratedCode &code) {
  MICA_LOG(Codegen, Info).kernel(kernel) << (kernel.empty() ? "host functions: " : "") << milliseconds << " ms, "
                                         << llvm::StringRef(code.assembly).count('\n')
                                         << " lines of assembly, object of " << code.object.size() << " bytes"
                                         << (strategy.empty() ? "" : "; " + strategy.str());
  if (kernel.empty())
    return;
  std::string folder = ("kernels/" + kernel + "/").str();
  MICA_LOG(KernelCode, Info).kernel(kernel) << folder << "kernel.ll\n" << code.llvmIR;
  MICA_LOG(KernelCode, Info).kernel(kernel) << folder << "kernel.s\n" << code.assembly;
}
