//===- PerfHints.cpp - performance hints --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PerfHints.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/PerfHints.h"

#include "mica/Support/HostTensor.h"
#include "mica/Support/Log.h"
#include "mica/Support/Schemas.h"
#include "mica/Support/Targets.h"
#include "mica/Support/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::compiler;

/// Less memory fits into the first-level cache, and such a task is not partitioned.
static constexpr int64_t kSmallBytes = 32 << 10;

namespace {
class HintFinder {
public:
  HintFinder(const PassRecorder &recorder, const artifact::Manifest &manifest,
             const std::vector<artifact::TaskList> &lists)
      : recorder(recorder), manifest(manifest), lists(lists) {
    for (const artifact::TaskList &list : lists)
      for (const artifact::TaskRecord &task : list.tasks)
        if (++launches[task.kernel] == 1 && task.device != kHostDevice)
          onDevices.insert(task.kernel);
    for (const artifact::KernelRecord &kernel : manifest.kernels)
      kernels[kernel.name] = &kernel;
    for (const PassRecord &record : recorder.records())
      for (const RecordedRemark &remark : record.remarks)
        if (remark.name == "not-fused") {
          const std::string ids = remark.arg("ProducerIds");
          for (llvm::StringRef id : llvm::split(ids, ','))
            notFusedOf[id.trim()].push_back(notFused.size());
          notFused.push_back(&remark);
        }
    for (const artifact::OpRecord &op : manifest.ops)
      if (!op.positions.empty())
        positions.try_emplace(op.id, &op.positions.back());
  }

  std::vector<PerfHint> run() {
    findRemarks();
    findReadBacks();
    findKernels();
    llvm::stable_sort(hints, [](const PerfHint &a, const PerfHint &b) { return a.bytes > b.bytes; });
    return std::move(hints);
  }

private:
  const artifact::KernelRecord *kernelNamed(llvm::StringRef name) const { return kernels.lookup(name); }

  /// Bytes that all launches of a kernel read and write; dynamic sizes are not counted.
  int64_t bytesOf(const artifact::KernelRecord &kernel) const {
    int64_t bytes = 0;
    for (const artifact::BindingRecord &binding : kernel.bindings)
      bytes += bytesOf(binding.type);
    auto count = launches.find(kernel.name);
    return count == launches.end() ? bytes : bytes * count->second;
  }
  static int64_t bytesOf(const artifact::TensorSpec &type) {
    int64_t bytes = dtypeBytes(type.dtype);
    for (int64_t size : type.shape)
      bytes *= std::max<int64_t>(size, 0);
    return bytes;
  }

  /// The position of the first of `ids` that has one.
  std::string sourceOf(llvm::ArrayRef<std::string> ids) const {
    for (const std::string &id : ids)
      if (const artifact::SourcePosition *at = positions.lookup(id))
        return at->file + ":" + std::to_string(at->line) + ":" + std::to_string(at->column);
    return "";
  }

  /// Scalar loops, and contractions without a lowering config.
  void findRemarks() {
    for (const PassRecord &record : recorder.records())
      for (const RecordedRemark &remark : record.remarks) {
        std::string reason = remark.arg("Reason"), cause, change;
        if (remark.name == "not-vectorized") {
          // One element, or vectorization was not requested: no loss.
          if (remark.arg("Rejected").empty())
            continue;
          cause = "scalar loops: " + reason;
          change = remark.arg("Advice");
        } else if (remark.name == "not-planned") {
          cause = "plain loops, without a plan for registers and caches: " + reason;
          change = "keep a dimension of the result, and sum that one in a second operation";
        } else if (remark.name == "spills") {
          cause = reason;
          change = "edit rows or columns of the config in the snapshot, or let the compiler select it";
        } else if (remark.name == "strategy-rejected") {
          cause = remark.arg("Selected") + " instead of " + remark.arg("Rejected") + ": " + reason;
          change = "bring sizes or element types to what the strategy takes; docs/Gpu.md";
        } else if (remark.name == "resharded") {
          addResharding(remark);
          continue;
        } else {
          continue;
        }
        std::string name = record.anchor.substr(0, record.anchor.find_first_of("@/."));
        const artifact::KernelRecord *kernel = kernelNamed(name);
        add({name, kernel ? bytesOf(*kernel) : 0, cause, change,
             remark.sources.empty() ? sourceOf(remark.ids) : remark.sources.back(), remark.ids});
      }
  }

  /// Exchanges between ranks that the program's shardings cause.
  void addResharding(const RecordedRemark &remark) {
    const std::string kind = remark.arg("Collective");
    int64_t bytes = 0;
    if (llvm::StringRef(remark.arg("Bytes")).getAsInteger(10, bytes))
      return;
    for (const artifact::KernelRecord &kernel : manifest.kernels)
      if (kernel.collective && kernel.collective->kind == kind && kernel.opIds == remark.ids)
        return add({kernel.name, bytes,
                    "a tensor gets another sharding by " + kind + ": each rank receives " + std::to_string(bytes) +
                        " bytes at each call",
                    "split the tensor as the next op wants it, or along a dimension that both keep; docs/Ranks.md",
                    remark.sources.empty() ? sourceOf(remark.ids) : remark.sources.back(), remark.ids});
  }

  /// Why the ops of two sites were not fused into one kernel, "" if unknown.
  std::string reasonBetween(const artifact::SiteRecord &writer, const artifact::SiteRecord &reader) const {
    size_t first = notFused.size();
    for (const std::string &producer : writer.opIds)
      for (size_t remark : notFusedOf.lookup(producer)) {
        const std::string readers = notFused[remark]->arg("ReaderIds");
        if (llvm::any_of(reader.opIds, [&](const std::string &id) { return llvm::StringRef(readers).contains(id); }))
          first = std::min(first, remark);
      }
    return first < notFused.size() ? notFused[first]->arg("Reason") : "";
  }

  /// Tensors that one kernel writes to memory and the next reads.
  void findReadBacks() {
    for (const artifact::TaskList &list : lists) {
      std::vector<std::vector<size_t>> usersOf(list.buffers.size()); // tasks, by buffer
      for (auto [number, task] : llvm::enumerate(list.tasks))
        for (int64_t buffer : task.buffers)
          if (usersOf[buffer].empty() || usersOf[buffer].back() != number)
            usersOf[buffer].push_back(number);
      for (auto [number, task] : llvm::enumerate(list.tasks)) {
        const artifact::KernelRecord *writer = kernelNamed(task.kernel);
        if (!writer || task.site < 0)
          continue;
        for (auto [position, binding] : llvm::zip(task.buffers, writer->bindings)) {
          const artifact::BufferRecord &buffer = list.buffers[position];
          if (binding.access == artifact::Access::Read || buffer.kind != artifact::BufferKind::Arena)
            continue;
          addReadBack(list, number, position, *writer, usersOf[position]);
        }
      }
    }
  }

  static std::string changeFor(llvm::StringRef reason) {
    if (reason.starts_with("each has a product"))
      return "compute it in a smaller element type, or in batches whose part of it stays in the cache";
    if (reason.contains("transpose"))
      return "transpose what is smaller, or a weight ahead of time, and leave this tensor as it lies";
    if (reason.starts_with("an op is neither"))
      return "continue element by element on the result of the product, and do what needs other elements of it later";
    return "bring the two together in the program, with nothing between them that reads the tensor";
  }

  /// `users`: the tasks that use the buffer, in order.
  void addReadBack(const artifact::TaskList &list, size_t writer, int64_t buffer, const artifact::KernelRecord &kernel,
                   llvm::ArrayRef<size_t> users) {
    for (size_t reader : llvm::make_range(llvm::upper_bound(users, writer), users.end())) {
      const artifact::TaskRecord &task = list.tasks[reader];
      if (task.site < 0)
        continue;
      const artifact::SiteRecord &from = manifest.sites[list.tasks[writer].site], &to = manifest.sites[task.site];
      std::string reason = reasonBetween(from, to);
      const artifact::TensorSpec &type = list.buffers[buffer].type;
      // Fusion was disabled by the user.
      if (reason.empty() || reason == "fusion is off")
        continue;
      add({kernel.name, 2 * bytesOf(type),
           shapedTypeString(type.shape, type.dtype) + " written to memory and read back by kernel '" + task.kernel +
               "': " + reason,
           changeFor(reason), sourceOf(from.opIds), from.opIds});
      return;
    }
  }

  /// Whether tasks of `kernel` run on a device, which partitions the work itself.
  bool isDevices(const artifact::KernelRecord &kernel) const { return onDevices.contains(kernel.name); }

  /// Kernels that only move data, and large ones that run on one thread.
  void findKernels() {
    static const llvm::StringSet<> moves{"transpose", "permute", "copy",   "concat",        "pad",
                                         "broadcast", "slice",   "split",  "extract_slice", "insert_slice",
                                         "tile",      "reverse", "reshape"};
    for (const artifact::KernelRecord &kernel : manifest.kernels) {
      if (!kernel.opKinds.empty() &&
          llvm::all_of(kernel.opKinds, [&](llvm::StringRef kind) { return moves.contains(kind.rsplit('.').second); })) {
        std::vector<std::string> kinds(kernel.opKinds);
        kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
        add({kernel.name, bytesOf(kernel), "a kernel that only moves data (" + joinNames(kinds) + ")",
             "store the tensor as its reader wants it, or let what reads it take it as it lies (transposed operands, "
             "index maps)",
             sourceOf(kernel.opIds), kernel.opIds});
      }
      if (!kernel.hostReason.empty())
        add({kernel.name, bytesOf(kernel),
             "code of the CPU among that of a device, with copies before and behind it: " + kernel.hostReason,
             "compute it in f32, of operations and sizes that docs/Gpu.md names", sourceOf(kernel.opIds),
             kernel.opIds});
      if (kernel.device)
        for (const artifact::DeviceEntry &entry : kernel.device->entries)
          if (entry.spillBytes > 0)
            add({kernel.name, bytesOf(kernel),
                 entry.name + " stores " + std::to_string(entry.spillBytes) +
                     " bytes of a thread to memory for lack of registers",
                 "divide the operations that were fused", sourceOf(kernel.opIds), kernel.opIds});
      if (kernel.grid == 1 && bytesOf(kernel) > 8 * kSmallBytes && !isDevices(kernel))
        add({kernel.name, bytesOf(kernel), "one thread runs it alone: its work is not cut",
             "give it a dimension of independent work outside, such as a batch", sourceOf(kernel.opIds), kernel.opIds});
    }
  }

  void add(PerfHint hint) {
    if (hint.bytes >= kSmallBytes)
      hints.push_back(std::move(hint));
  }

  const PassRecorder &recorder;
  const artifact::Manifest &manifest;
  const std::vector<artifact::TaskList> &lists;
  std::map<std::string, int64_t> launches;
  llvm::StringMap<const artifact::KernelRecord *> kernels;
  std::vector<const RecordedRemark *> notFused;
  llvm::StringMap<std::vector<size_t>> notFusedOf;             ///< positions in it, by an id of the producer
  llvm::StringMap<const artifact::SourcePosition *> positions; ///< of ops, by id
  llvm::StringSet<> onDevices;                                 ///< kernels
  std::vector<PerfHint> hints;
};
} // namespace

PerfHint compiler::hostHint(const std::string &reason, const std::string &source, const artifact::Manifest &manifest) {
  PerfHint hint;
  hint.kernel = "host";
  hint.source = source;
  hint.cause =
      "no kernels: the " + std::to_string(manifest.ops.size()) +
      " ops of the program run in its host functions as scalar loops, on one thread, none fused or tiled: " + reason;
  hint.change = "put the rest of the program into a file of its own, without what is named; it then has kernels";
  return hint;
}

PerfHint compiler::hostFunctionHint(const HostFunction &function) {
  PerfHint hint;
  hint.kernel = "host";
  hint.source = function.source;
  hint.cause = function.text();
  hint.change = "put what is named into a function of its own, which the others do not call; they then have kernels";
  return hint;
}

std::vector<PerfHint> compiler::findPerfHints(const PassRecorder &recorder, const artifact::Manifest &manifest,
                                              const std::vector<artifact::TaskList> &lists) {
  return HintFinder(recorder, manifest, lists).run();
}

std::string compiler::printPerfHints(const std::vector<PerfHint> &hints) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("schema", schemaNumber(Schema::PerfHints));
    json.attributeArray("hints", [&] {
      for (const PerfHint &hint : hints)
        json.object([&] {
          json.attribute("kernel", hint.kernel);
          json.attribute("bytes", hint.bytes);
          json.attribute("cause", hint.cause);
          json.attribute("change", hint.change);
          if (!hint.source.empty())
            json.attribute("source", hint.source);
          json.attributeArray("ids", [&] {
            for (const std::string &id : hint.ids)
              json.value(id);
          });
        });
    });
  });
  os << "\n";
  return text;
}

void compiler::logPerfHints(const std::vector<PerfHint> &hints) {
  for (const PerfHint &hint : hints)
    MICA_LOG(PerfHints, Info).kernel(hint.kernel) << (hint.source.empty() ? "" : hint.source + ": ") << hint.bytes
                                                  << " bytes per call: " << hint.cause << "\n  change: " << hint.change;
}
