//===- RunTrace.h - trace records of run-time events -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The log of a process with MICA_TRACE=FOLDER, in the format of docs/Trace.md: cache lookups, guards, why an entry was
// recompiled, what was run. Compilers that the process starts append to the same log. Each entry of a program is a
// unit; its kernels for any size are the compile [unit/0], its specializations [unit/1] and on.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_RUNTRACE_H
#define MICA_RUNTIME_RUNTRACE_H

#include "mica/Artifact/CompileCache.h"
#include "mica/Runtime/Observer.h"
#include "mica/Runtime/Program.h"
#include "mica/Support/Status.h"
#include "mica/Trace/Products.h"
#include "mica/Trace/Writer.h"

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace mica::runtime {

struct Guard;
struct Specialization;

/// Thread-safe. No error here fails a run: status() says what the trace lacks.
class RunTrace {
public:
  /// Null if MICA_TRACE is not set.
  static std::shared_ptr<RunTrace> fromEnvironment();
  explicit RunTrace(std::unique_ptr<trace::Writer> writer);

  /// The value of MICA_TRACE_PARENT for a compiler of a whole program, whose entries become the next units.
  std::string childSetting();
  /// The value for a compiler of `specialization`.
  std::string childSetting(const Program &program, const Specialization &specialization);

  /// The outcome of a cache lookup for a model. For a cache hit, also writes the records that a compile would.
  void cache(const artifact::CacheOutcome &outcome);
  /// The assumptions of the compile `number` of entry `entry`, and why earlier compiles did not match.
  void guards(const Program &program, size_t entry, int64_t number, std::span<const Guard> guards,
              const std::vector<std::string> &reasons);
  /// A specialization came from the cache or a compiler.
  void specializationMade(const Program &program, const Specialization &specialization,
                          const artifact::CacheOutcome &outcome, double started);
  void specializationFailed(const Program &program, const Specialization &specialization, const Error &error);
  /// A call of entry `entry` began or ended, run by the compile `number`. Limited to the first thousand of a process.
  void invocation(const Program &program, size_t entry, int64_t number, bool begins);
  /// The location of a run's events, and a summary of its kernels.
  void run(const Program &program, size_t entry, const std::filesystem::path &events,
           std::span<const KernelTimes::Entry> kernels);

  /// The first failure to write.
  Status status() const { return writer->status(); }

private:
  trace::CompileId unit(const Program &program, size_t entry, int64_t number);
  void compiledBefore(const std::filesystem::path &folder, int64_t first, const char *how);
  trace::ProductsSummary productsOf(const artifact::Artifact &artifact, const trace::ProgramUnits &units,
                                    std::string &sameAs, bool starts);
  void cacheRecord(const artifact::CacheOutcome &outcome, const trace::CompileId &compile);

  std::unique_ptr<trace::Writer> writer;
  std::mutex mutex;
  std::map<std::string, int64_t> firstUnits; ///< by the program's folder
  std::mutex productsMutex;                  ///< held while the products of one artifact are written
  std::map<std::string, std::string> told;   ///< hash of a manifest to the compile whose products were written
  int64_t nextUnit = 0;
  bool nextIsTold = false; ///< the log contains the compile of the next program
  int64_t invocations = 0;
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_RUNTRACE_H
