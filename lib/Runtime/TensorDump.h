//===- TensorDump.h - writing down what launches read and write ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Private to lib/Runtime; the switch dump-tensors. What a launch reads is written before it begins, what it writes when
// it is complete, by the thread that completes it: launches that depend on it wait, and nothing is dropped.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_TENSORDUMP_H
#define MICA_LIB_RUNTIME_TENSORDUMP_H

#include "mica/Dump/Writer.h"
#include "mica/Runtime/Backend.h"
#include "mica/Runtime/DumpPlan.h"
#include "mica/Runtime/Program.h"
#include "mica/Support/Switches.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace mica::runtime {

/// The dump of one context; outlives its back ends.
class TensorDump {
public:
  /// Null where dump-tensors is 0. `program` must outlive the result. InvalidInput: see DumpPlan, or no dump-dir; Io.
  static Result<std::unique_ptr<TensorDump>> create(const Switches &switches, const Program &program);
  TensorDump(const TensorDump &) = delete;
  TensorDump &operator=(const TensorDump &) = delete;
  ~TensorDump();

  /// `inner` with its launches dumped.
  std::unique_ptr<Backend> wrap(std::unique_ptr<Backend> inner);

  /// An invocation begins. `arguments`: their memory; `dims`: all their dimensions, flattened in order.
  void beginCall(std::span<const artifact::TensorSpec> specs, std::span<void *const> arguments,
                 std::span<const int64_t> dims);

  /// What one launch is given back at its end.
  struct Begun {
    int64_t number = 0;
    size_t place = 0;
    bool isLogged = false;
  };
  /// `memory`: of a device with memory of its own, else null. Both take what they read from there.
  Begun begin(const Launch &launch, std::string_view device, DeviceMemory *memory);
  /// `ran`: false where it was left out after another had failed.
  void end(const Launch &launch, const Begun &begun, DeviceMemory *memory, bool ran);

private:
  TensorDump(const Program &program, DumpPlan plan) : program(program), plan(std::move(plan)) {}

  /// Who wrote the memory up to `end`.
  struct Producer {
    uintptr_t end = 0;
    int64_t launch = -1; ///< -1: none of the context
    int64_t binding = -1;
    std::string what; ///< "argument 0"
    bool isDumped = false;
    std::optional<dump::ContentHash> hash; ///< once it is known
  };
  using Producers = std::map<uintptr_t, Producer>;

  void addSite(std::string &line, size_t place, const Launch &launch, std::string_view device);
  void addTensor(std::string &line, const Launch &launch, const Begun &begun, size_t binding, bool isAfter,
                 DeviceMemory *memory, const int64_t *sizes);
  /// What the kernel keeps inside: a member of the line that begins the launch.
  void addInside(std::string &line, const Launch &launch, const Begun &begun, mica_kernel_fn_v1 replay);
  /// Hash, statistics and offset of elements that are on the host, or why they are missing.
  void addElements(std::string &line, DType dtype, const void *data, int64_t count, DumpDetail detail);
  void noteWritten(uintptr_t begin, Producer producer);
  Producer *producerOf(uintptr_t begin, uintptr_t end);

  const Program &program;
  const DumpPlan plan;
  std::unique_ptr<dump::Writer> writer;
  std::mutex mutex;
  int64_t launches = 0, call = 0;
  int64_t lost = 0;                ///< launches whose results there was no memory to note
  bool isExact = false;            ///< dump-exact
  int64_t sampleLimit = 0;         ///< dump-sample-bytes
  bool hasFailed = false;          ///< what runs from then on until the next call is not dumped
  std::vector<int64_t> iterations; ///< per place
  Producers producers;             ///< by where their memory begins; ranges are disjoint
  /// What is known of arguments and constants, by address, bytes, and how many of them were looked at: hash, and
  /// statistics as text.
  std::map<std::tuple<const void *, int64_t, int64_t>, std::pair<dump::ContentHash, std::string>> given;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_TENSORDUMP_H
