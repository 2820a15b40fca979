//===- Specializations.h - programs made for sizes of a call -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private. Belongs to a loaded program, whose contexts share what it makes: each is a program of its own, compiled from
// the artifact's input by mica-compile, on a thread that starts with the first request and goes with the program.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_SPECIALIZE_SPECIALIZATIONS_H
#define MICA_LIB_RUNTIME_SPECIALIZE_SPECIALIZATIONS_H

#include "mica/Runtime/Program.h"
#include "mica/Runtime/RunTrace.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace mica::runtime {

/// One that was asked for.
struct Specialization {
  enum class State : uint8_t { Pending, Ready, Failed };

  size_t entry = 0;                 ///< of the program it is made of
  std::string text;                 ///< "main:0.1=32"
  int64_t number = 0;               ///< from 1, among those of the entry: the compile [entry/number]
  std::shared_ptr<RunTrace> trace;  ///< null: none
  std::vector<std::string> reasons; ///< why those before did not do

  bool told = false; ///< a compiler wrote to the trace how it failed

  /// Set once, after what is below.
  std::atomic<State> state{State::Pending};
  std::shared_ptr<const Program> program; ///< Ready
  size_t programEntry = 0;                ///< its entry
  std::shared_ptr<const void> use;        ///< keeps it in the cache
};

class Specializations {
public:
  explicit Specializations(const Program &program);
  /// Ends the compiler if it runs.
  ~Specializations();

  /// The specialization of `entry` for `text`, asked for now or before. Any thread.
  std::shared_ptr<const Specialization> request(size_t entry, const std::string &text,
                                                const std::shared_ptr<RunTrace> &trace,
                                                const std::vector<std::string> &reasons);
  /// Returns when it is ready or failed.
  void wait(const Specialization &specialization);

private:
  void work();
  void reportFailure(const Specialization &failed, const Error &error);
  /// Makes it ready, or says why it is not.
  Status make(Specialization &specialization);
  /// Why nothing can be made of this program, in words; "" where it can.
  std::string obstacle() const;
  Result<int> compile(Specialization &specialization, const std::filesystem::path &compiler,
                      const std::filesystem::path &folder, int lock) const;

  const Program &program;
  const ::pid_t owner; ///< a forked process has no thread
  /// In a forked process left alone for good: threads that are not there may hold the one and wait for the other.
  struct Lock {
    std::mutex mutex;
    std::condition_variable changed;
  };
  std::unique_ptr<Lock> lock = std::make_unique<Lock>();
  std::map<std::string, std::shared_ptr<Specialization>> all;
  std::vector<int64_t> made; ///< per entry: how many were asked for
  std::deque<std::shared_ptr<Specialization>> queue;
  bool hasFailed = false; ///< one was told of
  std::stop_source stop;
  std::thread worker;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_SPECIALIZE_SPECIALIZATIONS_H
