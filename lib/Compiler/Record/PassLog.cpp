//===- PassLog.cpp - log messages of passes -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PassLog.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Record/PassLog.h"

#include "lib/Compiler/Snapshot/SnapshotArchive.h"
#include "mica/Support/Log.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <optional>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
class PassLog : public PassInstrumentation {
public:
  explicit PassLog(PassListener listener) : listener(std::move(listener)) {}

  // Instrumentations run one at a time.
  void runBeforePass(Pass *pass, Operation *op) override {
    if (!says(pass))
      return;
    Running &running = threads[llvm::get_threadid()].emplace_back();
    running.before = archiveOf(op).fingerprint(op);
    if (listener) {
      PassRan ran;
      ran.pass = pass->getArgument();
      ran.on = nameOf(op);
      listener(ran, 'B');
    }
    running.start = Clock::now();
  }
  void runAfterPass(Pass *pass, Operation *op) override { finish(pass, op, false); }
  void runAfterPassFailed(Pass *pass, Operation *op) override { finish(pass, op, true); }

private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    SnapshotArchive::Fingerprint before;
    Clock::time_point start;
  };

  /// Adaptors only run other passes.
  static bool says(Pass *pass) { return !pass->getArgument().empty(); }

  static std::string nameOf(Operation *op) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    return symbol && symbol.getNameAttr() ? symbol.getName().str() : "";
  }

  SnapshotArchive &archiveOf(Operation *op) {
    if (!archive)
      archive.emplace(op->getContext());
    return *archive;
  }

  void finish(Pass *pass, Operation *op, bool failed) {
    if (!says(pass))
      return;
    const Clock::time_point end = Clock::now();
    std::vector<Running> &running = threads[llvm::get_threadid()];
    const Running ran = running.back();
    running.pop_back();
    PassRan told;
    told.pass = pass->getArgument();
    told.on = nameOf(op);
    told.milliseconds = std::chrono::duration<double, std::milli>(end - ran.start).count();
    told.failed = failed;
    told.opsBefore = ran.before.ops;
    // The IR after a failed pass may be invalid, so it is not fingerprinted.
    const SnapshotArchive::Fingerprint now = failed ? SnapshotArchive::Fingerprint() : archiveOf(op).fingerprint(op);
    told.changed = !failed && now.hash != ran.before.hash;
    told.opsAfter = now.ops;
    if (listener)
      listener(told, 'E');
    say(told);
  }

  static void say(const PassRan &told) {
    if (!logs(LogTopic::Passes))
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    os << told.pass;
    if (!told.on.empty())
      os << " on @" << told.on;
    os << llvm::format(": %.3f ms, ", told.milliseconds);
    if (told.failed) {
      MICA_LOG(Passes, Error) << text << "failed";
      return;
    }
    if (!told.changed) {
      os << "unchanged, " << told.opsAfter << " operations";
      MICA_LOG(Passes, Debug) << text;
      return;
    }
    os << told.opsBefore << " -> " << told.opsAfter << " operations";
    MICA_LOG(Passes, Info) << text;
  }

  PassListener listener;
  std::optional<SnapshotArchive> archive;
  llvm::DenseMap<uint64_t, std::vector<Running>> threads;
};
} // namespace

void compiler::logPasses(PassManager &pm, PassListener listener) {
  if (listener || logs(LogTopic::Passes))
    pm.addInstrumentation(std::make_unique<PassLog>(std::move(listener)));
}
