//===- Mica.cpp - the C API ------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A thin layer: each function converts its arguments, calls one runtime function, and converts the outcome. No
// exception leaves a function; the only one that the standard library throws here is std::bad_alloc.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/C/mica.h"

#include "lib/C/Tensors.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Runtime/Communicator.h"
#include "mica/Runtime/Context.h"
#include "mica/Runtime/Isolated.h"
#include "mica/Runtime/RunTrace.h"
#include "mica/Support/Log.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Version.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

using namespace mica;

struct mica_program {
  std::filesystem::path folder;                    ///< absolute
  std::shared_ptr<const runtime::Program> program; ///< null after mica_program_open()
  std::optional<artifact::Artifact> opened;        ///< set after mica_program_open()

  const artifact::Manifest &manifest() const { return program ? program->manifest() : opened->manifest(); }
};
struct mica_context {
  std::unique_ptr<runtime::Context> context;
  /// Buffers of mica_invoke(), reused so that a call only allocates the results' memory. Invocations of a context are
  /// sequential in any case.
  std::mutex mutex;
  std::vector<runtime::TensorView> views;
  std::vector<runtime::Tensor> results;
};
struct mica_invocation {
  runtime::Invocation invocation;
  size_t resultCount;
};

static mica_code codeOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::InvalidInput:
    return MICA_INVALID_INPUT;
  case ErrorCode::NotFound:
    return MICA_NOT_FOUND;
  case ErrorCode::Damaged:
    return MICA_DAMAGED;
  case ErrorCode::Unsupported:
    return MICA_UNSUPPORTED;
  case ErrorCode::Io:
    return MICA_IO;
  case ErrorCode::Difference:
    return MICA_CHECK_FAILED;
  case ErrorCode::Hang:
    return MICA_HANG;
  case ErrorCode::Internal:
    return MICA_INTERNAL;
  }
  return MICA_INTERNAL;
}

/// The message of an error if its allocation fails.
static constexpr char kNoMemory[] = "out of memory";

/// strdup; `instead` if it fails.
static const char *copyText(const char *text, const char *instead) {
  size_t size = std::strlen(text) + 1;
  void *copy = std::malloc(size);
  return copy ? static_cast<const char *>(std::memcpy(copy, text, size)) : instead;
}

/// Copies `fault` with its strings to one block of memory; NULL if nothing is known, or the allocation fails.
static const mica_error_place *copyPlace(const runtime::FaultInfo &fault) {
  if (!fault.known())
    return nullptr;
  const std::string *texts[] = {&fault.kernel, &fault.opKind,   &fault.opId,
                                &fault.file,   &fault.operands, &fault.element};
  size_t size = sizeof(mica_error_place);
  for (const std::string *text : texts)
    size += text->size() + 1;
  auto *memory = static_cast<char *>(std::malloc(size));
  if (!memory)
    return nullptr;
  const char *copies[std::size(texts)];
  char *end = memory + sizeof(mica_error_place);
  for (size_t i = 0; i < std::size(texts); ++i) {
    copies[i] = end;
    end = static_cast<char *>(std::memcpy(end, texts[i]->c_str(), texts[i]->size() + 1)) + texts[i]->size() + 1;
  }
  return new (memory)
      mica_error_place{copies[0], copies[1], copies[2], copies[3], fault.line, fault.column, copies[4], copies[5]};
}

static mica_code report(mica_error *error, mica_code code, const char *message, const char *hint,
                        const runtime::FaultInfo &fault = {}) {
  if (error) {
    mica_error_clear(error);
    *error = {code, copyText(message, kNoMemory), copyText(hint, nullptr), copyPlace(fault)};
  }
  return code;
}

/// Runs `body`, which returns a Status and may set the operation that failed, and reports the outcome.
template <typename Body> static mica_code guardedRun(mica_error *error, Body body) {
  try {
    runtime::FaultInfo fault;
    Status status = body(fault);
    if (status)
      return MICA_OK;
    return report(error, codeOf(status.error().code), status.error().message.c_str(), status.error().hint.c_str(),
                  fault);
  } catch (const std::bad_alloc &) {
    return report(error, MICA_IO, kNoMemory, "use smaller inputs or free memory");
  } catch (const std::system_error &failure) {
    // A thread could not be started.
    return report(error, MICA_IO, failure.what(), "");
  } catch (const std::exception &failure) {
    return report(error, MICA_INTERNAL, failure.what(), "");
  }
}

template <typename Body> static mica_code guarded(mica_error *error, Body body) {
  return guardedRun(error, [&](runtime::FaultInfo &) { return body(); });
}

static Error nullArgument(const char *name) {
  return {ErrorCode::InvalidInput, std::string("the argument '") + name + "' is NULL", ""};
}

/// The process's name in names of log files.
static constexpr std::string_view kProgramName = "libmica";

namespace {
/// The switches of the process: the only global state of the API.
struct ProcessSwitches {
  std::mutex mutex;
  bool logsRead = false, switchesRead = false;
  Switches switches;
  size_t contexts = 0; ///< existing contexts
  bool traceMade = false;
  std::shared_ptr<runtime::RunTrace> trace; ///< MICA_TRACE, from the first context on
};
} // namespace

static ProcessSwitches &processSwitches() {
  static ProcessSwitches only;
  return only;
}

/// Reads the environment once. An error in it fails this call and all later ones, so that no switch is silently
/// ignored. Called under the mutex.
static Status readEnvironment(ProcessSwitches &process) {
  if (!process.logsRead)
    MICA_RETURN_IF_ERROR(configureLogs(logOptionsFromEnvironment(), kProgramName));
  process.logsRead = true;
  if (!process.switchesRead) {
    MICA_ASSIGN_OR_RETURN(process.switches, switchesFromEnvironment(/*readsFolder=*/false));
  }
  process.switchesRead = true;
  return {};
}

static const artifact::EntryRecord *entryOf(const mica_program *program, size_t entry) {
  if (!program || entry >= program->manifest().entries.size())
    return nullptr;
  return &program->manifest().entries[entry];
}

extern "C" {

void mica_error_clear(mica_error *error) {
  if (!error)
    return;
  if (error->message != kNoMemory)
    std::free(const_cast<char *>(error->message));
  std::free(const_cast<char *>(error->hint));
  std::free(const_cast<mica_error_place *>(error->place));
  *error = MICA_ERROR_INIT;
}

const char *mica_version(void) { return version().data(); }
uint32_t mica_api_version(void) { return MICA_C_API_VERSION; }

mica_code mica_set_logs(const mica_log_options *options, mica_error *error) {
  return guarded(error, [&]() -> Status {
    if (!options)
      return nullArgument("options");
    if (options->struct_size < sizeof(mica_log_options))
      return Error{ErrorCode::InvalidInput, "struct_size of the log options is " + std::to_string(options->struct_size),
                   "set it to sizeof(mica_log_options)"};
    LogOptions chosen = logOptionsFromEnvironment();
    for (auto [given, value] : {std::pair(options->topics, &chosen.topics), std::pair(options->file, &chosen.file),
                                std::pair(options->folder, &chosen.folder), std::pair(options->format, &chosen.format),
                                std::pair(options->kernels, &chosen.kernels), std::pair(options->ranks, &chosen.ranks)})
      if (given)
        *value = given;
    MICA_RETURN_IF_ERROR(configureLogs(chosen, kProgramName));
    std::lock_guard<std::mutex> lock(processSwitches().mutex);
    processSwitches().logsRead = true;
    return Status::ok();
  });
}

mica_code mica_set_switches(const char *switches, mica_error *error) {
  return guarded(error, [&]() -> Status {
    if (!switches)
      return nullArgument("switches");
    ProcessSwitches &process = processSwitches();
    std::lock_guard<std::mutex> lock(process.mutex);
    MICA_RETURN_IF_ERROR(readEnvironment(process));
    MICA_RETURN_IF_ERROR(process.switches.set(switches, SwitchSource::Api));
    if (process.contexts > 0)
      MICA_LOG(Runtime, Warning) << "switches cannot be set for " << process.contexts
                                 << (process.contexts == 1 ? " context" : " contexts")
                                 << ": set them before mica_context_create";
    constexpr SwitchPhase kPhases[] = {SwitchPhase::Run};
    for (const std::string &warning : process.switches.warnings(kPhases, kProgramName))
      MICA_LOG(Runtime, Warning) << warning;
    return Status::ok();
  });
}

//===-----------------------------------------------------------------------------------------------------------===//
// Programs
//===-----------------------------------------------------------------------------------------------------------===//

mica_code mica_program_load(const char *folder, mica_program **program, mica_error *error) {
  return guarded(error, [&]() -> Status {
    if (!folder || !program)
      return nullArgument(folder ? "program" : "folder");
    *program = nullptr;
    runtime::LoadOptions chosen;
    {
      std::lock_guard<std::mutex> lock(processSwitches().mutex);
      MICA_RETURN_IF_ERROR(readEnvironment(processSwitches()));
      const Switches &switches = processSwitches().switches;
      chosen.mmapWeights = switches.flag(Switch::MmapWeights);
      if (switches.isSet(Switch::MemoryLimit))
        setMemoryLimit(switches.bytes(Switch::MemoryLimit));
    }
    MICA_ASSIGN_OR_RETURN(std::shared_ptr<const runtime::Program> loaded, runtime::Program::load(folder, chosen));
    *program = new mica_program{std::filesystem::absolute(folder), std::move(loaded), std::nullopt};
    return Status::ok();
  });
}

mica_code mica_program_open(const char *folder, mica_program **program, mica_error *error) {
  return guarded(error, [&]() -> Status {
    if (!folder || !program)
      return nullArgument(folder ? "program" : "folder");
    *program = nullptr;
    MICA_ASSIGN_OR_RETURN(artifact::Artifact opened, artifact::Artifact::open(folder));
    *program = new mica_program{std::filesystem::absolute(folder), nullptr, std::move(opened)};
    return Status::ok();
  });
}

void mica_program_release(mica_program *program) { delete program; }

size_t mica_program_entry_count(const mica_program *program) {
  return program ? program->manifest().entries.size() : 0;
}

const char *mica_program_entry_name(const mica_program *program, size_t entry) {
  const artifact::EntryRecord *record = entryOf(program, entry);
  return record ? record->name.c_str() : nullptr;
}

mica_code mica_program_find_entry(const mica_program *program, const char *name, size_t *entry, mica_error *error) {
  return guarded(error, [&]() -> Status {
    if (!program || !entry)
      return nullArgument(program ? "entry" : "program");
    MICA_ASSIGN_OR_RETURN(*entry, artifact::findEntry(program->manifest(), name ? name : ""));
    return Status::ok();
  });
}

size_t mica_program_argument_count(const mica_program *program, size_t entry) {
  const artifact::EntryRecord *record = entryOf(program, entry);
  return record ? record->args.size() : 0;
}

size_t mica_program_result_count(const mica_program *program, size_t entry) {
  const artifact::EntryRecord *record = entryOf(program, entry);
  return record ? record->results.size() : 0;
}

static mica_code describe(const mica_program *program, size_t entry, size_t index, bool argument,
                          mica_tensor_info *info, mica_error *error) {
  return guarded(error, [&]() -> Status {
    const artifact::EntryRecord *record = entryOf(program, entry);
    if (!record || !info)
      return record ? nullArgument("info")
                    : Error{ErrorCode::InvalidInput, "entry " + std::to_string(entry) + " does not exist", ""};
    const std::vector<artifact::TensorSpec> &specs = argument ? record->args : record->results;
    if (index >= specs.size())
      return Error{
          ErrorCode::InvalidInput,
          "entry '" + record->name + "' has no " + (argument ? "argument " : "result ") + std::to_string(index), ""};
    const artifact::TensorSpec &spec = specs[index];
    *info = {spec.name.c_str(), capi::dlType(spec.dtype), int32_t(spec.shape.size()), spec.shape.data()};
    return Status::ok();
  });
}

mica_code mica_program_argument(const mica_program *program, size_t entry, size_t index, mica_tensor_info *info,
                                mica_error *error) {
  return describe(program, entry, index, true, info, error);
}

mica_code mica_program_result(const mica_program *program, size_t entry, size_t index, mica_tensor_info *info,
                              mica_error *error) {
  return describe(program, entry, index, false, info, error);
}

//===-----------------------------------------------------------------------------------------------------------===//
// Running
//===-----------------------------------------------------------------------------------------------------------===//

mica_code mica_context_create(mica_program *program, const mica_context_options *options, mica_context **context,
                              mica_error *error) {
  return mica_context_create_ranked(program, options, nullptr, context, error);
}

mica_code mica_context_create_ranked(mica_program *program, const mica_context_options *options,
                                     const mica_ranks_api_v1 *ranks, mica_context **context, mica_error *error) {
  return guarded(error, [&]() -> Status {
    if (!program || !context)
      return nullArgument(program ? "context" : "program");
    *context = nullptr;
    if (!program->program)
      return Error{ErrorCode::Unsupported, "the program was opened without its code",
                   "load it with mica_program_load, or run it with mica_run_isolated"};
    runtime::ContextOptions chosen;
    if (options) {
      if (options->struct_size < sizeof(mica_context_options))
        return Error{ErrorCode::InvalidInput,
                     "struct_size of the context options is " + std::to_string(options->struct_size),
                     "set it to sizeof(mica_context_options)"};
      chosen.threads = options->threads;
    }
    if (ranks) {
      MICA_ASSIGN_OR_RETURN(const int32_t count, runtime::ranksOf(program->program->manifest()));
      if (count == 0)
        return Error{ErrorCode::InvalidInput, "the program is for one rank",
                     "annotate it, or compile it with --shard (docs/Ranks.md)"};
      MICA_ASSIGN_OR_RETURN(chosen.communicator, runtime::communicatorOf(*ranks));
    }
    ProcessSwitches &process = processSwitches();
    {
      std::lock_guard<std::mutex> lock(process.mutex);
      chosen.switches = process.switches;
      if (!std::exchange(process.traceMade, true))
        process.trace = runtime::RunTrace::fromEnvironment();
      chosen.trace = process.trace;
    }
    MICA_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Context> made,
                          runtime::Context::create(program->program, std::move(chosen)));
    *context = new mica_context{std::move(made), {}, {}, {}};
    std::lock_guard<std::mutex> lock(process.mutex);
    ++process.contexts;
    return Status::ok();
  });
}

void mica_ranks_combine(int32_t dtype, int32_t reduction, void *into, const void *other, int64_t count) {
  runtime::combineElements(DType(dtype), reduction, into, other, count);
}

void mica_context_release(mica_context *context) {
  if (!context)
    return;
  delete context;
  std::lock_guard<std::mutex> lock(processSwitches().mutex);
  --processSwitches().contexts;
}

/// Sets `views` to the inputs of entry `entry`.
static Status readInputs(const artifact::Manifest &manifest, size_t entry, const DLTensor *const *inputs, size_t count,
                         std::vector<runtime::TensorView> &views) {
  const std::vector<artifact::EntryRecord> &entries = manifest.entries;
  if (entry >= entries.size())
    return Error{ErrorCode::InvalidInput, "entry " + std::to_string(entry) + " does not exist", ""};
  const artifact::EntryRecord &record = entries[entry];
  if (count != record.args.size())
    return Error{ErrorCode::InvalidInput,
                 "entry '" + record.name + "' takes " + std::to_string(record.args.size()) + " arguments, " +
                     std::to_string(count) + " were given",
                 ""};
  if (count && !inputs)
    return nullArgument("inputs");
  views.clear();
  for (size_t i = 0; i < count; ++i) {
    MICA_ASSIGN_OR_RETURN(runtime::TensorView view, capi::viewOf(inputs[i], record, i));
    views.push_back(view);
  }
  return Status::ok();
}

static Status checkResults(size_t wanted, DLManagedTensorVersioned **results, size_t count) {
  if (count != wanted)
    return Error{ErrorCode::InvalidInput,
                 "expected an array of " + std::to_string(wanted) + " results, got " + std::to_string(count),
                 "pass as many as mica_program_result_count returns"};
  if (count && !results)
    return nullArgument("results");
  return Status::ok();
}

static void exportResults(std::vector<runtime::Tensor> &tensors, DLManagedTensorVersioned **results) {
  for (size_t i = 0; i < tensors.size(); ++i)
    results[i] = capi::exportTensor(tensors[i]);
}

mica_code mica_invoke(mica_context *context, size_t entry, const DLTensor *const *inputs, size_t input_count,
                      DLManagedTensorVersioned **results, size_t result_count, mica_error *error) {
  return guardedRun(error, [&](runtime::FaultInfo &fault) -> Status {
    if (!context)
      return nullArgument("context");
    std::lock_guard<std::mutex> lock(context->mutex);
    MICA_RETURN_IF_ERROR(
        readInputs(context->context->program().manifest(), entry, inputs, input_count, context->views));
    MICA_RETURN_IF_ERROR(
        checkResults(context->context->program().manifest().entries[entry].results.size(), results, result_count));
    MICA_RETURN_IF_ERROR(context->context->invoke(entry, context->views, context->results, &fault));
    exportResults(context->results, results);
    return Status::ok();
  });
}

mica_code mica_submit(mica_context *context, size_t entry, const DLTensor *const *inputs, size_t input_count,
                      mica_invocation **invocation, mica_error *error) {
  return guarded(error, [&]() -> Status {
    if (!context || !invocation)
      return nullArgument(context ? "invocation" : "context");
    *invocation = nullptr;
    std::vector<runtime::TensorView> views;
    MICA_RETURN_IF_ERROR(readInputs(context->context->program().manifest(), entry, inputs, input_count, views));
    size_t resultCount = context->context->program().manifest().entries[entry].results.size();
    MICA_ASSIGN_OR_RETURN(runtime::Invocation submitted, context->context->submit(entry, views));
    *invocation = new mica_invocation{std::move(submitted), resultCount};
    return Status::ok();
  });
}

int32_t mica_invocation_done(const mica_invocation *invocation) {
  return !invocation || invocation->invocation.done() ? 1 : 0;
}

mica_code mica_invocation_wait(mica_invocation *invocation, DLManagedTensorVersioned **results, size_t result_count,
                               mica_error *error) {
  return guardedRun(error, [&](runtime::FaultInfo &fault) -> Status {
    if (!invocation)
      return nullArgument("invocation");
    MICA_RETURN_IF_ERROR(checkResults(invocation->resultCount, results, result_count));
    MICA_ASSIGN_OR_RETURN(std::vector<runtime::Tensor> tensors, invocation->invocation.wait(&fault));
    exportResults(tensors, results);
    return Status::ok();
  });
}

void mica_invocation_release(mica_invocation *invocation) { delete invocation; }

mica_code mica_run_isolated(mica_program *program, size_t entry, const mica_isolation_options *options,
                            const DLTensor *const *inputs, size_t input_count, DLManagedTensorVersioned **results,
                            size_t result_count, mica_error *error) {
  return guardedRun(error, [&](runtime::FaultInfo &fault) -> Status {
    if (!program)
      return nullArgument("program");
    std::vector<runtime::TensorView> views;
    MICA_RETURN_IF_ERROR(readInputs(program->manifest(), entry, inputs, input_count, views));
    const artifact::EntryRecord &record = program->manifest().entries[entry];
    MICA_RETURN_IF_ERROR(checkResults(record.results.size(), results, result_count));
    runtime::IsolatedCall call;
    call.folder = program->folder;
    call.entry = record.name;
    if (options) {
      if (options->struct_size < sizeof(mica_isolation_options))
        return Error{ErrorCode::InvalidInput,
                     "struct_size of the isolation options is " + std::to_string(options->struct_size),
                     "set it to sizeof(mica_isolation_options)"};
      if (options->memory > uint64_t(std::numeric_limits<int64_t>::max()) || !(options->seconds >= 0))
        return Error{ErrorCode::InvalidInput, "a limit of the isolated call is out of range", ""};
      call.threads = options->threads;
      call.memoryBytes = int64_t(options->memory);
      call.seconds = options->seconds;
    }
    {
      std::lock_guard<std::mutex> lock(processSwitches().mutex);
      MICA_RETURN_IF_ERROR(readEnvironment(processSwitches()));
      call.switches = processSwitches().switches.assignments();
    }
    MICA_ASSIGN_OR_RETURN(const std::filesystem::path worker,
                          findRunner(reinterpret_cast<const void *>(&mica_run_isolated)));
    MICA_ASSIGN_OR_RETURN(std::vector<runtime::Tensor> tensors,
                          runtime::runIsolated(worker, call, program->manifest(), views, &fault));
    exportResults(tensors, results);
    return Status::ok();
  });
}

} // extern "C"
