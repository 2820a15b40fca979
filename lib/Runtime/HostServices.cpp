//===- HostServices.cpp - what a host function asks of the runtime ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/CheckLog.h"
#include "lib/Runtime/Clock.h"
#include "lib/Runtime/ContextImpl.h"
#include "lib/Runtime/Replay.h"
#include "mica/ABI/Host.h"
#include "mica/Support/Checked.h"
#include "mica/Support/Log.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>

namespace mica::runtime {

int32_t ContextImpl::fail(Error error, FaultInfo about) {
  // What failed first is the cause; what follows from it is noise.
  if (!failure) {
    failure = std::move(error);
    failedAt = std::move(about);
  }
  return 1;
}

/// The id in the last "[3f2a91c07b1e]" of `message`: how the compiler names the operation of a failed assertion.
static std::string lastId(std::string_view message) {
  constexpr size_t kIdLength = 12;
  const size_t end = message.rfind("] at ");
  if (end == message.npos || end < kIdLength + 1 || message[end - kIdLength - 1] != '[')
    return "";
  return std::string(message.substr(end - kIdLength, kIdLength));
}

/// The operation at the beginning of `text`, "arith.divsi at m.mlir:3:8: integer division by zero": of a program whose
/// operations have no ids.
static FaultInfo namedOperation(std::string_view text) {
  FaultInfo place;
  place.opKind = text.substr(0, text.find_first_of(" :"));
  constexpr std::string_view kAt = " at ";
  if (!text.substr(place.opKind.size()).starts_with(kAt))
    return place;
  text.remove_prefix(place.opKind.size() + kAt.size());
  // "FILE:LINE:COLUMN"; a file may have colons.
  const char *end = text.data() + text.size();
  for (size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    int64_t line = 0, column = 0;
    const auto [afterLine, wrongLine] = std::from_chars(text.data() + colon + 1, end, line);
    if (wrongLine != std::errc() || afterLine == end || *afterLine != ':' ||
        std::from_chars(afterLine + 1, end, column).ec != std::errc())
      continue;
    place.file = text.substr(0, colon);
    place.line = line;
    place.column = column;
    break;
  }
  return place;
}

void ContextImpl::failWithoutMemory() noexcept {
  // A list that was left half-way holds launches of which nothing is known.
  if (runningList.exchange(nullptr, std::memory_order_acq_rel))
    broken = outOfMemory();
  fail(outOfMemory());
}

int32_t ContextImpl::failWith(const char *message) {
  if (!message)
    return fail({ErrorCode::InvalidInput, "the program aborted without a message", ""});
  const std::string_view text = message;
  const bool isNamed = text.starts_with("assertion failed: ") || text.starts_with("check failed: ");
  // As in programs with kernels: sizes that do not fit are a fault of the inputs, what else fails is a check that hit.
  const bool isOfSizes = text.starts_with("shape mismatch");
  const std::string id = lastId(message);
  // "assertion failed: positive; cf.assert at m.mlir:3:8"
  const size_t named = text.rfind("; cf.assert ");
  FaultInfo about;
  if (isNamed)
    about = !id.empty() || named == text.npos ? program->faultInfo(id) : namedOperation(text.substr(named + 2));
  // An assertion that the compiler made is about another operation.
  std::string shown = message;
  constexpr std::string_view kAssert = "cf.assert";
  if (named != text.npos && !about.opKind.empty())
    shown.replace(named + 2, kAssert.size(), about.opKind);
  return fail({isOfSizes ? ErrorCode::InvalidInput : ErrorCode::Difference, std::move(shown), ""}, std::move(about));
}

namespace {
/// A report's message: "3f2a91c07b1e,91c07b1e3f2a loads outside its buffer".
struct ReportText {
  explicit ReportText(std::string_view message) {
    constexpr size_t kIdLength = 12;
    id = message.substr(0, kIdLength);
    message.remove_prefix(id.size());
    while (hasId() && message.size() > kIdLength && message[0] == ',') {
      calls.emplace_back(message.substr(1, kIdLength));
      message.remove_prefix(1 + kIdLength);
    }
    text = message;
  }

  bool hasId() const { return id.find(' ') == id.npos; }
  /// What stands behind ": ".
  std::string_view detail() const {
    const size_t colon = text.find(": ");
    return colon == text.npos ? "" : text.substr(colon + 2);
  }
  /// The operation and the calls around it.
  std::vector<std::string> ids() const {
    std::vector<std::string> all{id};
    all.insert(all.end(), calls.begin(), calls.end());
    return all;
  }

  std::string id;                 ///< of the operation; blanks if it has none
  std::vector<std::string> calls; ///< through which it was inlined, innermost first
  std::string_view text;          ///< the rest
};
} // namespace

/// What is wrong with the use of the `bytes` bytes at `address`: " uses ..." goes on with it; "" where they were
/// written.
std::string ContextImpl::unwrittenProblem(const void *address, int64_t bytes) {
  Result<ShadowRegion *> region = shadows->find(address, bytes);
  int64_t first = 0, origin = 0;
  if (!region || (*region)->isWhole() || (*region)->countUnwritten(address, bytes, 1, first, origin) == 0)
    return "";
  return "; of " + shadows->describeOrigin(origin) + "; " + shadows->describeWriter(**region);
}

/// "argument 2", "result 3f2a91c07b1e" and "result 3f2a91c07b1e or argument 2" of a host function of `entry` by the
/// names of the source: of the last, that of the argument where the result has none.
static std::string bufferName(const Program &program, const artifact::EntryRecord &entry, std::string buffer) {
  constexpr std::string_view kArgument = "argument ", kResult = "result ", kOr = " or ";
  if (buffer.starts_with(kResult)) {
    const size_t other = buffer.find(kOr);
    const std::string id = buffer.substr(kResult.size(), other == buffer.npos ? other : other - kResult.size());
    if (const std::string name = program.nameOfOp(id); !name.empty())
      return name;
    if (other == buffer.npos)
      return program.faultInfo(id).known() ? "the result of " + program.describeOp(id) : "its buffer";
    buffer.erase(0, other + kOr.size());
  }
  for (size_t i = 0; i < entry.args.size(); ++i)
    if (buffer == std::string(kArgument) + std::to_string(i))
      return !entry.args[i].name.empty()         ? entry.args[i].name
             : !entry.args[i].sourceName.empty() ? entry.args[i].sourceName
                                                 : buffer;
  return buffer;
}

/// Adds to "argument 1" in `text` its name in the source, and calls "result 3f2a91c07b1e" by its own.
static void nameTensors(std::string &text, const Program &program, const artifact::EntryRecord &entry) {
  for (std::string_view what : {" of argument ", " of result "})
    for (size_t at = text.find(what); at != text.npos; at = text.find(what, at)) {
      const size_t first = at + 4; // after " of "
      const size_t end = std::min(text.find_first_not_of("0123456789abcdef", at + what.size()), text.size());
      const std::string buffer = text.substr(first, end - first), name = bufferName(program, entry, buffer);
      at = end;
      if (what == " of result ")
        text.replace(first, end - first, name);
      else if (name != buffer)
        text.insert(end, " (" + name + ")");
    }
}

std::string ContextImpl::tracebackOf(const std::vector<std::string> &ids) const {
  return tracebacks ? program->sourceTraceback(ids) : "";
}

std::string ContextImpl::hostHint(const std::vector<std::string> &ids) const {
  std::error_code ignored;
  const std::filesystem::path file = program->folder() / "host" / "schedule.mlir";
  const std::string traceback = tracebackOf(ids);
  return traceback.empty() || !std::filesystem::exists(file, ignored) ? "" : "see " + file.string() + traceback;
}

/// A loop goes on.
int32_t ContextImpl::reportLoop(const char *message, std::span<const int64_t> values) {
  if (!loopWatch || values.empty())
    return 0;
  const ReportText report(message);
  std::optional<Error> endless = loopWatch->step(report.id, report.detail(), values);
  return endless ? fail(*std::move(endless), program->faultInfo(report.id)) : 0;
}

/// A NaN or an infinity originates in the host function.
int32_t ContextImpl::reportFloat(const char *message, std::span<const int64_t> values) {
  if (nanPatterns.empty())
    return 0;
  const ReportText report(message);
  FaultInfo place = program->faultInfo(report.id);
  if (!matchesNames(nanPatterns, report.id) && !matchesNames(nanPatterns, place.opKind))
    return 0;
  NanOrigin origin = describeNanOrigin(program->describeOp(report.id) + program->describeCalls(report.calls),
                                       std::move(place), report.detail(), values);
  return fail(
      {ErrorCode::Difference,
       "NaN/Inf: " + origin.text + "; originates here; in the host function of entry '" + current->record->name + "'",
       hostHint(report.ids())},
      std::move(origin.fault));
}

/// Ops that no kernel takes begin or are done.
int32_t ContextImpl::reportHostOp(const char *message, std::span<const int64_t> values) {
  if (values.empty() || !logs(LogTopic::PerfHints))
    return 0;
  HostOpTime &time = hostOps[message];
  if (values[0] == 0) {
    time.began = steadyNs();
    return 0;
  }
  ++time.calls;
  time.ns += steadyNs() - time.began;
  return 0;
}

void ContextImpl::logHostOps() const {
  for (const auto &[message, time] : hostOps) {
    const ReportText report(message);
    char text[64];
    std::snprintf(text, sizeof(text), "%.3f ms in %lld calls", double(time.ns) / 1e6,
                  static_cast<long long>(time.calls));
    MICA_LOG(PerfHints, Info) << (report.hasId() ? program->describeOp(report.id) : "an operation")
                              << " ran in host function '@" << report.detail()
                              << "', on one thread and without a kernel: " << text;
  }
}

/// What a scatter writes is placed by data, not by the sizes of its operands: " stores outside: index 4 in dimension 1,
/// whose extent is 4", of a slice that is not inside.
static std::string scatterProblem(std::string_view slice, std::span<const int64_t> values) {
  constexpr std::string_view kDimension = " of dimension ";
  const size_t at = slice.find(kDimension);
  if (at == slice.npos || values.size() != 4)
    return "";
  std::string_view dimension = slice.substr(at + kDimension.size());
  return " stores outside: index " + std::to_string(values[0]) + " in dimension " +
         std::string(dimension.substr(0, dimension.find(' '))) + ", whose extent is " + std::to_string(values[3]);
}

int32_t ContextImpl::report(const char *message, std::span<const int64_t> values, int32_t flags) {
  if (flags & MICA_REPORT_LOOP)
    return reportLoop(message, values);
  if (flags & MICA_REPORT_HOST_OP)
    return reportHostOp(message, values);
  if (flags & MICA_REPORT_FLOATS)
    return reportFloat(message, values);
  std::string unwritten;
  if (flags & (MICA_REPORT_READ | MICA_REPORT_WRITE)) {
    if (!shadows || values.size() < 2)
      return 0;
    const void *address = reinterpret_cast<const void *>(values[0]);
    if (flags & MICA_REPORT_WRITE) {
      if (Result<ShadowRegion *> region = shadows->find(address, values[1]); region && !(*region)->isWhole())
        (*region)->fill(address, values[1], 1);
      return 0;
    }
    unwritten = unwrittenProblem(address, values[1]);
    if (unwritten.empty())
      return 0;
  }
  const ReportText given(message);
  FaultInfo place = given.hasId() ? program->faultInfo(given.id) : namedOperation(given.text);
  const std::string scattered =
      flags & MICA_REPORT_SIZES && place.opKind.ends_with(".scatter") ? scatterProblem(given.text, values) : "";
  if (!scattered.empty())
    flags &= ~MICA_REPORT_SIZES;
  std::string text = (flags & MICA_REPORT_SIZES ? "shape mismatch in " : "check failed: ") +
                     (given.hasId()          ? program->describeOp(given.id) + program->describeCalls(given.calls)
                      : place.opKind.empty() ? "an operation"
                                             : "") +
                     (scattered.empty() ? std::string(given.text) : scattered);
  const bool hasPlaces = text.find("{0") != text.npos;
  if (!scattered.empty()) {
    values = {};
  } else if (hasPlaces) {
    fillPlaces(text, values);
    if (flags & MICA_REPORT_SIZES)
      nameTensors(text, *program, *current->record);
  } else if (flags & MICA_REPORT_READ) {
    text += unwritten;
  } else if (flags & MICA_REPORT_ACCESS) {
    constexpr std::string_view kOutside = " outside ";
    if (const size_t at = text.rfind(kOutside); at != text.npos)
      text.replace(at + kOutside.size(), text.npos,
                   bufferName(*program, *current->record, text.substr(at + kOutside.size())));
    text += ": " + accessProblem(values.data(), int64_t(values.size()) / 3);
  } else {
    for (size_t i = 0; i < values.size(); ++i)
      text += (i ? ", " : " (") + std::to_string(values[i]);
    text += values.empty() ? "" : ")";
  }
  text += "; in the host function of entry '" + current->record->name + "'";
  if (!(flags & MICA_REPORT_WARN)) {
    // In the body of a structured op, the last values are the element of its result.
    constexpr std::string_view kElement = ", at element ";
    size_t operands = flags == 0 && !hasPlaces ? values.size() : 0;
    if (const size_t at = text.find(kElement); at != text.npos && flags == 0) {
      place.element = text.substr(at + kElement.size(), text.find(']', at) - at - kElement.size() + 1);
      operands -= std::min<size_t>(operands, size_t(std::count(place.element.begin(), place.element.end(), ',')) + 1);
    }
    for (size_t i = 0; i < operands; ++i)
      place.operands += (i ? ", " : "") + std::to_string(values[i]);
    return fail({flags & MICA_REPORT_SIZES ? ErrorCode::InvalidInput : ErrorCode::Difference, std::move(text),
                 flags & MICA_REPORT_SIZES
                     ? "look at the inputs that the sizes are computed from" + tracebackOf(given.ids())
                     : hostHint(given.ids())},
                std::move(place));
  }
  if (warned.insert(message).second)
    MICA_LOG(Runtime, Warning) << text;
  return 0;
}

void *ContextImpl::alloc(int64_t bytes) { return known(pool.allocate(bytes), bytes); }

int64_t ContextImpl::bytesOf(const char *what, int64_t elementBytes, std::span<const int64_t> sizes) {
  if (const std::optional<int64_t> bytes = checkedBytes(sizes, elementBytes); bytes && *bytes <= memoryLimit())
    return *bytes;
  const auto [op, dtype, place] = splitWhat(what);
  fail(sizeError(sizes, elementBytes, dtype, op.empty() ? "" : program->describeSized(op)),
       program->faultInfo(program->sizedOp(op)));
  return -1;
}

int32_t ContextImpl::reshape(const char *what, int32_t rule, std::span<const int64_t> from,
                             std::span<const int64_t> to) {
  if (reshapeFits(from, to, rule)) [[likely]]
    return 0;
  const auto [op, dtype, place] = splitWhat(what);
  return fail(reshapeError(from, to, rule, dtype, op.empty() ? "" : program->describeSized(op)),
              program->faultInfo(program->sizedOp(op)));
}

void *ContextImpl::allocate(const char *what, int64_t elementBytes, std::span<const int64_t> sizes, int64_t alignment) {
  const int64_t bytes = bytesOf(what, elementBytes, sizes);
  if (bytes < 0)
    return nullptr;
  Result<void *> memory = pool.allocate(bytes, alignment);
  if (!memory) {
    const auto [op, dtype, place] = splitWhat(what);
    fail(sizeError(sizes, elementBytes, dtype, op.empty() ? "" : program->describeSized(op)),
         program->faultInfo(program->sizedOp(op)));
    return nullptr;
  }
  return known(memory, bytes);
}

/// Tells whoever wants to know of `memory` for the host function; null, and the invocation fails, where that is none.
void *ContextImpl::known(Result<void *> memory, int64_t bytes) {
  if (memory && extents)
    extents->add(*memory, bytes);
  if (memory && shadows)
    if (Status known = shadows->adopt(*memory, bytes, /*written=*/false,
                                      "tensor " + std::to_string(allocations++) + " of the host function of entry '" +
                                          current->record->name + "'");
        !known)
      memory = known.error();
  // Elements are stored one by one to small tensors; to others after a wait alone.
  constexpr int64_t kSmall = 64 << 10;
  if (memory && !remotes.empty())
    if (Status told =
            tellRemotes(*memory, bytes, hostMayWrite || bytes <= kSmall ? Contents::Given : Contents::Undefined);
        !told)
      memory = told.error();
  if (memory)
    return *memory;
  fail(memory.error());
  return nullptr;
}

/// A host function asks for what the other files of the artifact do not have: one of them is of another compile, or
/// edited.
static constexpr const char *kMisfit =
    "program.so does not fit the other files of the artifact: compile the program again";

/// There is no memory for result `index`. Apart, as each call passes by it.
[[gnu::cold, gnu::noinline]] void *ContextImpl::noResult(const char *what, int64_t index,
                                                         std::span<const int64_t> sizes) {
  const DType dtype = current->record->results[size_t(index)].dtype;
  const std::string op = what ? splitWhat(what).op : "";
  fail(sizeError(sizes, dtypeBytes(dtype), dtypeName(dtype),
                 op.empty() ? "result " + std::to_string(index) + " of entry '" + current->record->name + "'"
                            : program->describeSized(op)),
       program->faultInfo(program->sizedOp(op)));
  return nullptr;
}

void *ContextImpl::result(const char *what, int64_t index, const int64_t *sizes, int64_t rank) {
  const artifact::EntryRecord &record = *current->record;
  auto refuse = [&](ErrorCode code, const std::string &what) -> void * {
    fail({code, "entry '" + record.name + "': result " + std::to_string(index) + " " + what,
          code == ErrorCode::Damaged ? kMisfit : ""});
    return nullptr;
  };
  if (index < 0 || size_t(index) >= record.results.size())
    return refuse(ErrorCode::Damaged, "does not exist");
  const artifact::TensorSpec &spec = record.results[size_t(index)];
  bool fits = rank == int64_t(spec.shape.size());
  int64_t bytes = dtypeBytes(spec.dtype);
  bool overflows = false;
  for (int64_t i = 0; fits && i < rank; ++i) {
    if (sizes[i] < 0)
      return noResult(what, index, {sizes, size_t(rank)});
    fits = spec.shape[size_t(i)] < 0 || spec.shape[size_t(i)] == sizes[i];
    overflows |= __builtin_mul_overflow(bytes, sizes[i], &bytes);
  }
  if (!fits)
    return refuse(ErrorCode::Damaged, "has shape " +
                                          shapedTypeString({sizes, sizes + (rank > 0 ? rank : 0)}, spec.dtype) +
                                          ", expected " + shapedTypeString(spec.shape, spec.dtype));
  // Sizes before a 0 may be as large as they like.
  if (overflows) {
    const std::optional<int64_t> exact = checkedBytes({sizes, size_t(rank)}, dtypeBytes(spec.dtype));
    if (!exact)
      return noResult(what, index, {sizes, size_t(rank)});
    bytes = *exact;
  }
  if (resultGiven[size_t(index)])
    return refuse(ErrorCode::Damaged, "was set twice");

  Tensor &tensor = (*results)[size_t(index)];
  tensor.dtype = spec.dtype;
  tensor.shape.assign(sizes, sizes + rank);
  if (!tensor.buffer || tensor.buffer.capacity() < bytes) {
    Result<Buffer> buffer = Buffer::allocate(bytes);
    if (!buffer)
      return noResult(what, index, {sizes, size_t(rank)});
    tensor.buffer = *std::move(buffer);
  }
  if (fillsMemory)
    fillUnwritten(tensor.buffer.data(), bytes);
  if (extents)
    extents->add(tensor.buffer.data(), bytes);
  if (shadows)
    if (Status known = shadows->adopt(tensor.buffer.data(), bytes, /*written=*/false,
                                      "result " + std::to_string(index) + " of entry '" + record.name + "'");
        !known) {
      fail(known.error());
      return nullptr;
    }
  if (!remotes.empty())
    if (Status told = tellRemotes(tensor.buffer.data(), bytes, Contents::Undefined); !told) {
      fail(told.error());
      return nullptr;
    }
  resultGiven[size_t(index)] = true;
  return tensor.buffer.data();
}

void *ContextImpl::constant(int64_t index) {
  if (index >= 0 && size_t(index) < program->manifest().constants.size()) {
    if (extents)
      extents->add(program->constant(size_t(index)), program->manifest().constants[size_t(index)].bytes);
    return const_cast<void *>(program->constant(size_t(index)));
  }
  fail({ErrorCode::Damaged,
        "entry '" + current->record->name + "': constant " + std::to_string(index) + " does not exist", kMisfit});
  return nullptr;
}

/// Lists are done when submit() returns, so nothing uses the memory any more. What devices with memory of their own
/// queued uses their copies, and whoever gets the memory tells them anew.
void ContextImpl::release(int64_t position, std::span<void *const> kept) {
  if (position < 0 || uint64_t(position) >= pool.marker())
    return;
  keptMemory.assign(kept.begin(), kept.end());
  std::sort(keptMemory.begin(), keptMemory.end(), std::less<>());
  pool.resetExcept(size_t(position), keptMemory, [&](const void *memory, int64_t bytes) {
    if (extents)
      extents->drop(memory, bytes);
    if (shadows)
      shadows->drop(memory, bytes);
  });
}

int32_t ContextImpl::submit(int64_t index, void *const *buffers, const int64_t *scalars) {
  if (failure)
    return 1;
  if (index < 0 || size_t(index) >= lists.size())
    return fail({ErrorCode::Damaged,
                 "entry '" + current->record->name + "': task list " + std::to_string(index) + " does not exist",
                 kMisfit});
  List &list = lists[size_t(index)];
  if (loopWatch) [[unlikely]] {
    std::string loop;
    if (std::optional<Error> endless = loopWatch->next(size_t(index), buffers, scalars, loop))
      return fail(*std::move(endless), program->faultInfo(loop));
  }
  MICA_LOG(Runtime, Debug) << "task list '" << program->taskLists()[size_t(index)].name
                           << "': " << program->taskLists()[size_t(index)].tasks.size() << " tasks";
  // Lists run one after the other, each with all threads: list n + 1 starts when list n is done, which respects every
  // dependency between them.
  TaskListExecutor *runner = list.runners.front().get();
  Status status;
  if (list.runners.size() == 1) {
    runningList.store(runner, std::memory_order_release);
    status = runner->run(buffers, scalars, list.arena, pool);
  } else {
    status = runParts(list, buffers, scalars, runner);
  }
  runningList.store(nullptr, std::memory_order_release);
  hostMayWrite = false;
  if (status)
    return 0;
  if (!runner->taskFailed())
    return fail(status.error());
  FaultInfo fault = runner->faultInfo();
  const int64_t lacking = runner->lacksOperands();
  if (runner->recover()) {
    if (lacking >= 0 && !failure)
      incomplete = {runner, lacking};
    return fail(status.error(), fault);
  }
  broken = status.error();
  brokenBy = std::move(fault);
  return fail(status.error(), brokenBy);
}

/// An error of code that cannot name its operations.
static Error inEntry(Error error, const artifact::EntryRecord &entry) {
  const std::string where = " in entry '" + entry.name + "'";
  for (std::string_view what : {"out of memory", "shape mismatch"})
    if (error.message.starts_with(what)) {
      error.message.insert(what.size(), where);
      return error;
    }
  error.message += where;
  return error;
}

/// The host function of `entry` ended with `code` and gave no reason.
[[gnu::cold, gnu::noinline]] void ContextImpl::failEntry(const artifact::EntryRecord &entry, int32_t code) {
  if (code != MICA_STATUS_NO_MEMORY || !hostMemory) {
    fail({ErrorCode::Internal, "entry '" + entry.name + "' ended with code " + std::to_string(code) + " and no message",
          ""});
    return;
  }
  const std::string &op = hostMemory->failedOp();
  fail(op.empty() ? inEntry(hostMemory->error(), entry) : hostMemory->error(program->describeSized(op)),
       program->faultInfo(program->sizedOp(op)));
}

/// Of a program whose task lists were edited: what memory the inputs have.
void ContextImpl::noteInputs(const Entry &entry, std::span<const TensorView> inputs) {
  extents->clear();
  for (size_t i = 0; i < inputs.size() && i < entry.args.size(); ++i) {
    const int64_t bytes = checkedBytes(inputs[i].shape, dtypeBytes(inputs[i].dtype)).value_or(0);
    extents->add(inputs[i].data, bytes);
    if (entry.args[i] != inputs[i].data)
      extents->add(entry.args[i], bytes);
  }
}

/// What `body` gives for the context, or `none` where it gets no memory: exceptions do not pass the program's code.
template <typename Body, typename Value> static Value serve(void *ctx, Value none, Body body) {
  auto &self = *static_cast<ContextImpl *>(ctx);
  try {
    return body(self);
  } catch (const std::bad_alloc &) {
    self.failWithoutMemory();
    return none;
  }
}

const mica_host_api_v1 kHostApi = {
    MICA_ABI_VERSION,
    [](void *ctx, int64_t bytes) {
      return serve(ctx, static_cast<void *>(nullptr), [&](ContextImpl &self) { return self.alloc(bytes); });
    },
    [](void *ctx, int64_t index, const int64_t *sizes, int64_t rank) {
      return serve(ctx, static_cast<void *>(nullptr),
                   [&](ContextImpl &self) { return self.result(nullptr, index, sizes, rank); });
    },
    [](void *ctx, int64_t index) {
      return serve(ctx, static_cast<void *>(nullptr), [&](ContextImpl &self) { return self.constant(index); });
    },
    [](void *ctx, int64_t list, void *const *buffers, const int64_t *scalars) {
      return serve(ctx, int32_t(1), [&](ContextImpl &self) { return self.submit(list, buffers, scalars); });
    },
    [](void *ctx) { return serve(ctx, int32_t(1), [&](ContextImpl &self) { return self.wait(); }); },
    [](void *ctx, const char *message) {
      return serve(ctx, int32_t(1), [&](ContextImpl &self) { return self.failWith(message); });
    },
    [](void *ctx, const char *message, const int64_t *values, int64_t count, int32_t flags) {
      return serve(ctx, int32_t(1), [&](ContextImpl &self) {
        return self.report(message, {values, size_t(count)}, flags);
      });
    },
    [](void *ctx, const char *what, int64_t elementBytes, const int64_t *sizes, int64_t rank) {
      return serve(ctx, static_cast<void *>(nullptr), [&](ContextImpl &self) {
        return self.allocate(what, elementBytes, {sizes, size_t(rank)}, MICA_BUFFER_ALIGNMENT);
      });
    },
    [](void *ctx, const char *what, int64_t elementBytes, const int64_t *sizes, int64_t rank) {
      return serve(ctx, int64_t(-1), [&](ContextImpl &self) {
        return self.bytesOf(what, elementBytes, {sizes, size_t(rank)});
      });
    },
    [](void *ctx, const char *what, int64_t elementBytes, const int64_t *sizes, int64_t rank, int64_t alignment) {
      return serve(ctx, static_cast<void *>(nullptr), [&](ContextImpl &self) {
        return self.allocate(what, elementBytes, {sizes, size_t(rank)}, alignment);
      });
    },
    [](void *ctx, const char *what, int64_t index, const int64_t *sizes, int64_t rank) {
      return serve(ctx, static_cast<void *>(nullptr),
                   [&](ContextImpl &self) { return self.result(what, index, sizes, rank); });
    },
    [](void *ctx, const char *what, int32_t rule, const int64_t *from, int64_t fromRank, const int64_t *to,
       int64_t toRank) {
      return serve(ctx, int32_t(1), [&](ContextImpl &self) {
        return self.reshape(what, rule, {from, size_t(fromRank)}, {to, size_t(toRank)});
      });
    },
    [](void *ctx) { return static_cast<ContextImpl *>(ctx)->mark(); },
    [](void *ctx, int64_t position, void *const *kept, int64_t numKept) {
      serve(ctx, 0, [&](ContextImpl &self) {
        self.release(position, {kept, size_t(numKept)});
        return 0;
      });
    },
};

} // namespace mica::runtime
