//===- RunTrace.h - what happens at run time, as records of a trace ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The log of a process that MICA_TRACE=FOLDER asks for, in the format of docs/Trace.md: look-ups in the cache, guards,
// why an entry was compiled again, what was run. Compilers that the process starts append to the same log. Each entry
// of a program is a unit; its kernels for any size are the compile [unit/0], those for sizes [unit/1] and on.
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

/// Any thread. Nothing here fails a run: status() says what the trace lacks.
class RunTrace {
public:
  /// Null where MICA_TRACE is not set.
  static std::shared_ptr<RunTrace> fromEnvironment();
  explicit RunTrace(std::unique_ptr<trace::Writer> writer);

  /// For MICA_TRACE_PARENT of a compiler that compiles a whole program, whose entries become the next units.
  std::string childSetting();
  /// Of one that makes `specialization`.
  std::string childSetting(const Program &program, const Specialization &specialization);

  /// How the look-up of a model in the cache went. A model that was not compiled now gets the records that say so.
  void cache(const artifact::CacheOutcome &outcome);
  /// What entry `entry` takes for granted in the compile `number`, and why earlier ones did not do.
  void guards(const Program &program, size_t entry, int64_t number, std::span<const Guard> guards,
              const std::vector<std::string> &reasons);
  /// A specialization came from the cache or a compiler.
  void specializationMade(const Program &program, const Specialization &specialization,
                          const artifact::CacheOutcome &outcome, double started);
  void specializationFailed(const Program &program, const Specialization &specialization, const Error &error);
  /// A call of entry `entry` began or ended, run by the compile `number`. The first thousand of a process.
  void invocation(const Program &program, size_t entry, int64_t number, bool begins);
  /// Where the events of a run are, and what its kernels came to.
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
  std::map<std::string, std::string> told;   ///< hash of a manifest to the compile that has its products
  int64_t nextUnit = 0;
  bool nextIsTold = false; ///< the log has the compile of the program that comes next
  int64_t invocations = 0;
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_RUNTRACE_H
