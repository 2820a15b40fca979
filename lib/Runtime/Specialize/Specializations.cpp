//===- Specializations.cpp - programs made for sizes of a call ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Specialize/Specializations.h"

#include "mica/Artifact/CompileCache.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Log.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <algorithm>

#include <pthread.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::runtime {
namespace {

/// Switches that the compiled code depends on, as the manifest has them.
constexpr const char *kCodeSwitches[] = {"assert-level", "check-proofs", "uninitialized-read-check",
                                         "nan-check",    "dump-exact",   "dump-materialize",
                                         "allow-tf32",   "sim-check",    "sim-kernel"};

std::string optionOf(const artifact::Manifest &manifest, const std::string &name, const std::string &otherwise) {
  auto found = manifest.options.find(name);
  return found == manifest.options.end() ? otherwise : found->second;
}

/// What a compiler that failed said first.
std::string firstError(const std::string &output) {
  for (const std::string &line : splitText(output, '\n'))
    if (line.find("error: ") != line.npos)
      return line;
  return output.empty() ? "it printed no message" : output.substr(0, output.find('\n'));
}

/// Whether `made` takes and gives what `entry` does, with some sizes known.
bool fits(const artifact::EntryRecord &made, const artifact::EntryRecord &entry) {
  auto same = [](const std::vector<artifact::TensorSpec> &a, const std::vector<artifact::TensorSpec> &b) {
    if (a.size() != b.size())
      return false;
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i].dtype != b[i].dtype || a[i].shape.size() != b[i].shape.size() || a[i].updates != b[i].updates)
        return false;
      for (size_t d = 0; d < a[i].shape.size(); ++d)
        if (a[i].shape[d] != b[i].shape[d] && b[i].shape[d] >= 0)
          return false;
    }
    return true;
  };
  return same(made.args, entry.args) && same(made.results, entry.results);
}

} // namespace

Specializations::Specializations(const Program &program)
    : program(program), owner(::getpid()), made(program.manifest().entries.size()) {}

Specializations::~Specializations() {
  if (!worker.joinable())
    return;
  if (owner != ::getpid()) {
    worker.detach(); // not in this process
    (void)lock.release();
    return;
  }
  stop.request_stop();
  {
    std::lock_guard<std::mutex> held(lock->mutex);
    lock->changed.notify_all();
  }
  worker.join();
}

std::shared_ptr<const Specialization> Specializations::request(size_t entry, const std::string &text,
                                                               const std::shared_ptr<RunTrace> &trace,
                                                               const std::vector<std::string> &reasons) {
  const bool forked = owner != ::getpid();
  std::unique_lock<std::mutex> held(lock->mutex, std::defer_lock);
  if (!forked)
    held.lock();
  std::shared_ptr<Specialization> &slot = all[text];
  if (slot)
    return slot;
  slot = std::make_shared<Specialization>();
  slot->entry = entry;
  slot->text = text;
  slot->number = ++made[entry];
  slot->trace = trace;
  slot->reasons = reasons;
  if (forked) {
    slot->state.store(Specialization::State::Failed, std::memory_order_release);
    return slot;
  }
  queue.push_back(slot);
  if (!worker.joinable())
    worker = std::thread([this] { work(); });
  lock->changed.notify_all();
  return slot;
}

void Specializations::wait(const Specialization &specialization) {
  if (owner != ::getpid())
    return;
  std::unique_lock<std::mutex> held(lock->mutex);
  lock->changed.wait(held, [&] { return specialization.state.load() != Specialization::State::Pending; });
}

void Specializations::work() {
  pthread_setname_np(pthread_self(), "mica-specialize");
  for (;;) {
    std::shared_ptr<Specialization> next;
    {
      std::unique_lock<std::mutex> held(lock->mutex);
      lock->changed.wait(held, [&] { return stop.stop_requested() || !queue.empty(); });
      if (stop.stop_requested())
        return;
      next = std::move(queue.front());
      queue.pop_front();
    }
    const Status status = catchOutOfMemory([&] { return make(*next); });
    if (!status && !stop.stop_requested())
      reportFailure(*next, status.error());
    std::lock_guard<std::mutex> held(lock->mutex);
    next->state.store(status ? Specialization::State::Ready : Specialization::State::Failed, std::memory_order_release);
    lock->changed.notify_all();
  }
}

/// Without memory for it, nothing is said.
void Specializations::reportFailure(const Specialization &failed, const Error &error) try {
  // Once: what is wrong with one is mostly wrong with all.
  const bool first = !std::exchange(hasFailed, true);
  const std::string text = "kernels for " + failed.text + " were not compiled: " + error.message +
                           "; the generic kernels are used" + (error.hint.empty() ? "" : " (" + error.hint + ")");
  if (first)
    MICA_LOG(Runtime, Warning) << text;
  else
    MICA_LOG(Recompiles, Info) << text;
  if (failed.trace)
    failed.trace->specializationFailed(program, failed, error);
} catch (const std::bad_alloc &) {
}

std::string Specializations::obstacle() const {
  const artifact::Manifest &manifest = program.manifest();
  std::error_code error;
  if (manifest.options.count("specialize"))
    return "it is specialized already";
  for (const std::string &argument : manifest.commandLine)
    for (std::string_view flag : {"--plain", "--add-passes", "--load-pass-plugin", "--resume", "--compile-from"})
      if (argument == flag || argument.starts_with(std::string(flag) + "="))
        return "it was compiled with " + std::string(flag) + ", which a specialization cannot repeat";
  for (const char *option : {"plain", "add-passes", "load-pass-plugin", "resume", "compile-from"})
    if (manifest.options.count(option))
      return "it was compiled with --" + std::string(option) + ", which a specialization cannot repeat";
  for (const artifact::FileRecord &file : manifest.files)
    if (!file.original.empty())
      return file.path + " was edited by hand; a specialization starts from the original program";
  if (!fs::exists(program.folder() / "input.mlirbc", error))
    return "the artifact has no input.mlirbc";
  return "";
}

Result<int> Specializations::compile(Specialization &specialization, const fs::path &compiler, const fs::path &folder,
                                     int lock) const {
  const artifact::Manifest &manifest = program.manifest();
  std::string switches;
  for (const char *name : kCodeSwitches)
    if (const std::string value = optionOf(manifest, name, ""); !value.empty())
      switches += (switches.empty() ? "" : ",") + std::string(name) + "=" + value;
  const std::vector<std::string> command{compiler.string(),
                                         (program.folder() / "input.mlirbc").string(),
                                         "-o",
                                         folder.string(),
                                         "--force",
                                         "--target=" + manifest.target,
                                         "-O" + optionOf(manifest, "opt-level", "3"),
                                         "--mica-debug=" + switches,
                                         "--specialize=" + specialization.text};
  const fs::path said = folder.string() + ".log";
  ProcessOptions process;
  process.standardInput = "/dev/null";
  process.standardOutput = "/dev/null";
  process.standardError = said;
  process.stop = stop.get_token();
  if (lock >= 0)
    process.kept = {lock};
  // What the compiler says goes to a file of its own; switches of a run are not for it.
  process.environment = {{"MICA_DEBUG", ""}, {"MICA_LOGS", ""}};
  if (specialization.trace)
    process.environment.push_back({"MICA_TRACE_PARENT", specialization.trace->childSetting(program, specialization)});
  Result<int> code = runProcess(command, process);
  Result<std::string> output = readFile(said);
  std::error_code ignored;
  fs::remove(said, ignored);
  if (!code)
    return code;
  specialization.told = *code > 0 && *code < 128;
  if (*code != 0)
    return Error{ErrorCode::Internal,
                 *code >= 128 ? "mica-compile was killed by signal " + std::to_string(*code - 128)
                              : firstError(output ? *output : ""),
                 "mica-compile " + command[1] + " --specialize=" + specialization.text + " prints the details"};
  return code;
}

Status Specializations::make(Specialization &specialization) {
  if (const std::string reason = obstacle(); !reason.empty())
    return Error{ErrorCode::Unsupported, program.folder().string() + ": " + reason, ""};
  MICA_ASSIGN_OR_RETURN(const fs::path compiler, findCompiler());
  MICA_ASSIGN_OR_RETURN(const artifact::CompileCache cache, artifact::CompileCache::open());
  const artifact::Manifest &manifest = program.manifest();
  MICA_ASSIGN_OR_RETURN(const std::string contents, hashFile(program.folder() / "input.mlirbc"));
  artifact::CacheKey key{{"mica", std::string(version())},
                         {"contents", contents},
                         {"program", manifest.inputFile + ":" + manifest.entries[specialization.entry].name},
                         {"sizes", specialization.text}};
  key.emplace_back("target", manifest.target);
  key.emplace_back("opt-level", optionOf(manifest, "opt-level", ""));
  for (const char *name : kCodeSwitches)
    key.emplace_back(name, optionOf(manifest, name, ""));
  MICA_RETURN_IF_ERROR(artifact::addCompilerParts(key, compiler));
  const std::string stem = artifact::cacheStem(manifest.inputFile.empty() ? "program" : manifest.inputFile);
  const double started = specialization.trace ? trace::microsecondsNow() : 0;
  MICA_ASSIGN_OR_RETURN(artifact::CacheOutcome outcome,
                        cache.get(stem, std::move(key), "", [&](const fs::path &folder, int lock) {
                          return compile(specialization, compiler, folder, lock);
                        }));
  if (specialization.trace)
    specialization.trace->specializationMade(program, specialization, outcome, started);
  MICA_ASSIGN_OR_RETURN(specialization.program, Program::load(outcome.folder, program.loadOptions()));
  const artifact::EntryRecord &entry = manifest.entries[specialization.entry];
  MICA_ASSIGN_OR_RETURN(specialization.programEntry, specialization.program->findEntry(entry.name));
  if (!fits(specialization.program->manifest().entries[specialization.programEntry], entry))
    return Error{ErrorCode::Damaged, outcome.folder.string() + " is not a specialization of entry '" + entry.name + "'",
                 "mica-run --clean empties the cache"};
  specialization.use = std::move(outcome.use);
  return {};
}

} // namespace mica::runtime
