//===- TensorDump.cpp - writing down what launches read and write ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Where a tensor that is read comes from follows from addresses: each launch that begins notes the memory that it will
// write. Launches begin in an order that the dependencies allow, so the latest note is the writer. What is read is
// compared with what that launch had left, by hash, but at level 3, where elements that a launch wrote are looked at
// once.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/TensorDump.h"

#include "lib/Runtime/InsideTensors.h"
#include "lib/Runtime/OpLog/EventLines.h"
#include "mica/Dump/Dump.h"
#include "mica/Runtime/ForwardingBackend.h"
#include "mica/Support/Log.h"
#include "mica/Support/Text.h"

#include <charconv>
#include <unistd.h>

namespace mica::runtime {
namespace {

/// A number as JSON has it.
void appendDouble(std::string &text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void appendText(std::string &text, std::string_view key, std::string_view value) {
  text += '"';
  text += key;
  text += "\":\"";
  text += jsonSafe(value);
  text += '"';
}

void appendStatistics(std::string &text, const dump::ContentHash &hash, const dump::Statistics &values) {
  text += ",\"hash\":\"";
  text += dump::hashText(hash);
  text += "\",\"stats\":[";
  for (double value : {values.min, values.max, values.mean, values.absMax}) {
    appendDouble(text, value);
    text += ',';
  }
  appendNumber(text, values.nan);
  text += ',';
  appendNumber(text, values.inf);
  text += ',';
  appendNumber(text, values.zero);
  text += ']';
}

dump::Binding::Role roleOf(artifact::Access access) {
  return access == artifact::Access::Read    ? dump::Binding::Role::Input
         : access == artifact::Access::Write ? dump::Binding::Role::Output
                                             : dump::Binding::Role::InOut;
}

void appendSizes(std::string &text, const std::vector<int64_t> &sizes) {
  text += '[';
  for (size_t i = 0; i < sizes.size(); ++i) {
    text += i ? "," : "";
    appendNumber(text, sizes[i]);
  }
  text += ']';
}

/// Of most lines.
constexpr size_t kLineBytes = 1024;

constexpr std::string_view kConstant = "constant ", kArgument = "argument ";

bool isConstant(std::string_view producer) { return producer.starts_with(kConstant); }

class DumpBackend final : public ForwardingBackend {
public:
  DumpBackend(std::unique_ptr<Backend> inner, TensorDump &dump) : ForwardingBackend(std::move(inner)), dump(dump) {}

  void launch(Launch &launch) override {
    if (launch.cancelled->load(std::memory_order_relaxed))
      return inner->launch(launch);
    if (DeviceMemory *memory = inner->deviceMemory()) {
      // What it writes is brought to the host before the next one begins.
      const TensorDump::Begun begun = dump.begin(launch, name(), memory);
      launchAndWait(launch);
      dump.end(launch, begun, memory, ran(launch));
      return launch.done(launch);
    }
    Dumped &dumped = launches.of(launch);
    dumped.start(completed);
    dumped.backend = this;
    dumped.hasBegun.store(false, std::memory_order_relaxed);
    dumped.entry = dump.begin(launch, name(), nullptr);
    inner->launch(dumped.inner);
  }

private:
  struct Dumped final : WrappedLaunch {
    void begun() override {
      hasBegun.store(true, std::memory_order_relaxed);
      WrappedLaunch::begun();
    }
    DumpBackend *backend = nullptr;
    TensorDump::Begun entry;
    std::atomic<bool> hasBegun{false};
  };

  static bool ran(const Launch &launch) { return !launch.cancelled->load(std::memory_order_relaxed); }

  static void completed(Launch &launch) {
    auto &dumped = static_cast<Dumped &>(WrappedLaunch::of(launch));
    dumped.backend->dump.end(launch, dumped.entry, nullptr,
                             ran(launch) || dumped.hasBegun.load(std::memory_order_relaxed));
    dumped.finish();
  }

  TensorDump &dump;
  WrappedLaunches<Dumped> launches;
};

} // namespace

Result<std::unique_ptr<TensorDump>> TensorDump::create(const Switches &switches, const Program &program) {
  MICA_ASSIGN_OR_RETURN(std::optional<DumpPlan> plan, DumpPlan::from(switches, program));
  if (!plan)
    return std::unique_ptr<TensorDump>();
  const std::string &folder = switches.text(Switch::DumpDir);
  if (folder.empty())
    return Error{ErrorCode::InvalidInput, "dump-tensors needs a folder for the dump", "set dump-dir=DIR too"};
  std::unique_ptr<TensorDump> made(new TensorDump(program, *std::move(plan)));
  made->iterations.resize(made->plan.places());
  made->isExact = switches.flag(Switch::DumpExact);
  made->sampleLimit = switches.bytes(Switch::DumpSampleBytes);
  const artifact::Manifest &manifest = program.manifest();
  std::string header = "\"level\":" + std::to_string(made->plan.level()) + ",";
  std::error_code ignored;
  appendText(header, "program", std::filesystem::absolute(program.folder(), ignored).string());
  header += ',';
  appendText(header, "program_hash", manifest.inputHash);
  header += ',';
  appendText(header, "target", manifest.target);
  header += ",\"byte_order\":\"little\",\"pid\":" + std::to_string(::getpid()) + ",";
  MICA_ASSIGN_OR_RETURN(made->writer, dump::Writer::create(folder, header));
  for (size_t i = 0; i < manifest.constants.size(); ++i) {
    const auto begin = reinterpret_cast<uintptr_t>(program.constant(i));
    made->noteWritten(begin, {begin + uintptr_t(manifest.constants[i].bytes), -1, -1,
                              std::string(kConstant) + manifest.constants[i].name, false, std::nullopt});
  }
  return made;
}

TensorDump::~TensorDump() {
  std::string line = "{\"end\":{\"launches\":";
  appendNumber(line, launches);
  line += ",\"calls\":";
  appendNumber(line, call);
  line += ",\"lost\":";
  appendNumber(line, lost);
  line += ",\"payload_bytes\":";
  appendNumber(line, writer ? writer->payloadBytes() : 0);
  line += "}}\n";
  if (!writer)
    return;
  writer->addLine(line);
  writer->close();
  if (Status written = writer->status(); !written)
    MICA_LOG(Runtime, Warning) << "the dump is incomplete: " << written.error().message;
}

std::unique_ptr<Backend> TensorDump::wrap(std::unique_ptr<Backend> inner) {
  return std::make_unique<DumpBackend>(std::move(inner), *this);
}

void TensorDump::beginCall(std::span<const artifact::TensorSpec> specs, std::span<void *const> arguments,
                           std::span<const int64_t> dims) {
  std::lock_guard<std::mutex> lock(mutex);
  ++call;
  hasFailed = false;
  // Memory of the call before may be anybody's now.
  std::erase_if(producers, [](const auto &entry) { return !isConstant(entry.second.what); });
  std::erase_if(given, [&](const auto &entry) {
    const auto begin = reinterpret_cast<uintptr_t>(std::get<0>(entry.first));
    return !producerOf(begin, begin + uintptr_t(std::get<1>(entry.first)));
  });
  for (size_t i = 0; i < arguments.size(); ++i) {
    int64_t bytes = dtypeBytes(specs[i].dtype);
    for (const int64_t size : dims.first(specs[i].shape.size()))
      bytes *= size;
    dims = dims.subspan(specs[i].shape.size());
    const auto begin = reinterpret_cast<uintptr_t>(arguments[i]);
    noteWritten(begin,
                {begin + uintptr_t(bytes), -1, -1, std::string(kArgument) + std::to_string(i), false, std::nullopt});
  }
}

/// What lies in its memory is forgotten.
void TensorDump::noteWritten(uintptr_t begin, Producer producer) {
  if (begin >= producer.end)
    return;
  auto it = producers.lower_bound(begin);
  if (it != producers.begin() && std::prev(it)->second.end > begin)
    --it;
  while (it != producers.end() && it->first < producer.end)
    it = producers.erase(it);
  producers.emplace(begin, std::move(producer));
}

TensorDump::Producer *TensorDump::producerOf(uintptr_t begin, uintptr_t end) {
  auto it = producers.upper_bound(begin);
  if (it == producers.begin() || (--it)->second.end < end)
    return nullptr;
  return &it->second;
}

void TensorDump::addSite(std::string &line, size_t place, const Launch &launch, std::string_view device) {
  const artifact::Manifest &manifest = program.manifest();
  const artifact::KernelRecord &kernel = *launch.record;
  const bool known = place < manifest.sites.size();
  const int64_t site = known ? int64_t(place) : -1;
  line += "{\"site\":";
  appendNumber(line, int64_t(place));
  line += ',';
  appendText(line, "kernel", kernel.name);
  line += ',';
  appendText(line, "kind", kernel.rootKind);
  line += ',';
  appendText(line, "device", device);
  line += ",\"ops\":[";
  const std::vector<std::string> &ids = known ? manifest.sites[place].opIds : kernel.opIds;
  for (size_t i = 0; i < ids.size(); ++i) {
    const FaultInfo op = program.faultInfo(kernel.name, site, int64_t(i));
    line += i ? ",{" : "{";
    appendText(line, "id", ids[i]);
    line += ',';
    appendText(line, "kind", op.opKind.empty() && i < kernel.opKinds.size() ? kernel.opKinds[i] : op.opKind);
    if (!op.file.empty()) {
      line += ',';
      appendText(line, "source", op.file + ":" + std::to_string(op.line) + ":" + std::to_string(op.column));
    }
    line += '}';
  }
  line += "],\"bindings\":[";
  for (size_t i = 0; i < kernel.bindings.size(); ++i) {
    const artifact::BindingRecord &binding = kernel.bindings[i];
    line += i ? ",{" : "{";
    appendText(line, "role", dump::roleName(roleOf(binding.access)));
    line += ',';
    appendText(line, "dtype", dtypeName(binding.type.dtype));
    line += ",\"shape\":";
    appendSizes(line, binding.type.shape);
    line += ',';
    appendText(line, "name", program.tensorName(kernel, site, i));
    if (binding.op >= 0 && size_t(binding.op) < ids.size()) {
      line += ",\"op\":";
      appendNumber(line, binding.op);
    }
    line += '}';
  }
  if (isExact && kernel.dumpReplay)
    for (const artifact::DumpReplay::Tensor &tensor : kernel.dumpReplay->tensors) {
      line += kernel.bindings.empty() && line.back() == '[' ? "{" : ",{";
      appendText(line, "role", dump::roleName(dump::Binding::Role::Inside));
      line += ',';
      appendText(line, "dtype", dtypeName(tensor.type.dtype));
      line += ",\"shape\":";
      appendSizes(line, tensor.type.shape);
      line += ',';
      appendText(line, "name", size_t(tensor.op) < ids.size() ? program.nameOfOp(ids[size_t(tensor.op)]) : "");
      if (size_t(tensor.op) < ids.size()) {
        line += ",\"op\":";
        appendNumber(line, tensor.op);
      }
      line += '}';
    }
  line += "]}\n";
}

void TensorDump::addElements(std::string &line, DType dtype, const void *data, int64_t count, DumpDetail detail) {
  const dump::Fingerprint found = dump::fingerprintOf(dtype, data, count);
  appendStatistics(line, found.hash, found.statistics);
  const int64_t bytes = count * dtypeBytes(dtype);
  if (detail != DumpDetail::Elements || !plan.takesBytes(bytes))
    return;
  std::string why;
  if (const int64_t offset = writer->addPayload(data, bytes, found.hash, why); offset >= 0) {
    line += ",\"offset\":";
    appendNumber(line, offset);
  } else {
    line += ',';
    appendText(line, "missing", why);
  }
}

void TensorDump::addInside(std::string &line, const Launch &launch, const Begun &begun, mica_kernel_fn_v1 replay) {
  const std::vector<artifact::DumpReplay::Tensor> &records = launch.record->dumpReplay->tensors;
  const std::vector<DumpDetail> &details = plan.detailsOf(begun.place);
  const size_t first = launch.record->bindings.size();
  if (std::all_of(details.begin() + ptrdiff_t(first), details.end(),
                  [](DumpDetail detail) { return detail == DumpDetail::Nothing; }))
    return;
  std::string why;
  std::vector<InsideTensor> tensors;
  if (program.isEdited() || !replay)
    why = "the program was edited by hand: what is inside of its kernels is not known";
  else if (Result<std::vector<InsideTensor>> computed = computeInside(launch, replay); computed)
    tensors = *std::move(computed);
  else
    why = "inside of the kernel: " + computed.error().message;
  line += ",\"inside\":[";
  for (size_t i = 0; i < records.size() && first + i < details.size(); ++i) {
    if (details[first + i] == DumpDetail::Nothing)
      continue;
    line += line.back() == '[' ? "{\"binding\":" : ",{\"binding\":";
    appendNumber(line, int64_t(first + i));
    const bool isDynamic = !records[i].sizes.empty();
    if (isDynamic) {
      std::vector<int64_t> shape = why.empty() ? tensors[i].shape : records[i].type.shape;
      std::replace_if(
          shape.begin(), shape.end(), [](int64_t size) { return size < 0; }, 0);
      line += ",\"shape\":";
      appendSizes(line, shape);
    }
    if (why.empty()) {
      addElements(line, records[i].type.dtype, tensors[i].data.data(), tensors[i].elements, details[first + i]);
    } else {
      line += ',';
      appendText(line, "missing", why);
    }
    line += '}';
  }
  line += ']';
}

void TensorDump::addTensor(std::string &line, const Launch &launch, const Begun &begun, size_t index, bool isAfter,
                           DeviceMemory *memory, const int64_t *sizes) {
  const artifact::BindingRecord &binding = launch.record->bindings[index];
  const DumpDetail detail = plan.detailsOf(begun.place)[index];
  void *const data = launch.buffers[index];
  line += line.back() == '[' ? "{\"binding\":" : ",{\"binding\":";
  appendNumber(line, int64_t(index));
  int64_t count = 1;
  bool isDynamic = false;
  const int64_t *size = sizes;
  for (int64_t extent : binding.type.shape) {
    isDynamic |= extent < 0;
    count *= extent < 0 ? *size++ : extent;
  }
  if (isDynamic) {
    line += ",\"shape\":[";
    for (int64_t extent : binding.type.shape) {
      appendNumber(line, extent < 0 ? *sizes++ : extent);
      line += ',';
    }
    line.back() = ']';
  }
  const int64_t bytes = count * dtypeBytes(binding.type.dtype);
  const auto begin = reinterpret_cast<uintptr_t>(data);
  bool isGiven = false, isKnown = false;
  std::optional<dump::ContentHash> left;
  if (!isAfter) {
    std::lock_guard<std::mutex> lock(mutex);
    if (const Producer *from = producerOf(begin, begin + uintptr_t(bytes)); from && bytes > 0) {
      if (from->launch >= 0) {
        line += ",\"launch\":";
        appendNumber(line, from->launch);
        line += ",\"of\":";
        appendNumber(line, from->binding);
        // A part of it is a tensor of its own.
        const bool isWhole = producers.count(begin) != 0 && from->end == begin + uintptr_t(bytes);
        isKnown = isWhole && from->isDumped;
        if (isWhole)
          left = from->hash;
      } else {
        line += ',';
        appendText(line, "from", from->what);
        isGiven = true;
      }
    }
  }
  // Level 3 looks at what a launch wrote once.
  if (isKnown && detail == DumpDetail::Statistics) {
    line += '}';
    return;
  }
  std::string why;
  if (memory && bytes > 0)
    if (const Status brought = memory->toHost(data, bytes); !brought)
      why = "cannot be read from the device: " + brought.error().message;
  dump::ContentHash hash{};
  if (why.empty()) {
    std::string text;
    // Reading all weights of a model once can take longer than what the model does with them.
    const int64_t sampled = isGiven && detail == DumpDetail::Statistics ? dump::sampleBytes(bytes, sampleLimit) : bytes;
    const std::tuple<const void *, int64_t, int64_t> key(data, bytes, sampled);
    if (isGiven) {
      std::lock_guard<std::mutex> lock(mutex);
      if (const auto it = given.find(key); it != given.end())
        std::tie(hash, text) = it->second;
    }
    if (text.empty()) {
      const dump::Fingerprint found = dump::fingerprintOfSample(binding.type.dtype, data, count, sampled);
      hash = found.hash;
      appendStatistics(text, hash, found.statistics);
      if (sampled < bytes) {
        text += ",\"sampled\":";
        appendNumber(text, sampled);
      }
      if (isGiven) {
        std::lock_guard<std::mutex> lock(mutex);
        given.emplace(key, std::pair(hash, text));
      }
    }
    line += text;
    if (left && *left != hash)
      line += ",\"changed\":true";
    if (detail == DumpDetail::Elements && plan.takesBytes(bytes)) {
      const int64_t offset = writer->addPayload(data, bytes, hash, why);
      if (offset >= 0) {
        line += ",\"offset\":";
        appendNumber(line, offset);
      }
    }
  }
  if (!why.empty()) {
    line += ',';
    appendText(line, "missing", why);
  }
  line += '}';
  if (!isAfter)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (const auto it = producers.find(begin); it != producers.end() && it->second.launch == begun.number) {
    it->second.hash = hash;
    it->second.isDumped = why.empty();
  }
}

/// Calls `body` with position, record and dynamic sizes of each binding.
template <typename Body> static void forEachBinding(const Launch &launch, Body body) {
  const int64_t *size = launch.scalars;
  for (size_t i = 0; i < launch.record->bindings.size(); ++i) {
    const artifact::BindingRecord &binding = launch.record->bindings[i];
    body(i, binding, size);
    for (int64_t extent : binding.type.shape)
      size += extent < 0;
  }
}

TensorDump::Begun TensorDump::begin(const Launch &launch, std::string_view device, DeviceMemory *memory) {
  Begun begun;
  begun.place = plan.placeOf(launch.site, *launch.record);
  begun.isLogged = plan.isLogged(begun.place);
  const std::vector<DumpDetail> &details = plan.detailsOf(begun.place);
  std::string line;
  line.reserve(kLineBytes);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (hasFailed)
      return {};
    begun.number = ++launches;
    const int64_t iteration = iterations[begun.place]++;
    if (begun.isLogged) {
      if (iteration == 0)
        addSite(line, begun.place, launch, device);
      line += "{\"launch\":";
      appendNumber(line, begun.number);
      line += ",\"site\":";
      appendNumber(line, int64_t(begun.place));
      line += ",\"call\":";
      appendNumber(line, call);
      line += ",\"iteration\":";
      appendNumber(line, iteration);
      line += ",\"before\":[";
    }
  }
  if (begun.isLogged) {
    forEachBinding(launch, [&](size_t i, const artifact::BindingRecord &binding, const int64_t *sizes) {
      if (binding.access != artifact::Access::Write && details[i] != DumpDetail::Nothing)
        addTensor(line, launch, begun, i, false, memory, sizes);
    });
    line += ']';
    if (isExact && launch.record->dumpReplay) {
      // The replay reads what was brought from the device for the line, or what was not asked for.
      if (memory)
        forEachBinding(launch, [&](size_t i, const artifact::BindingRecord &binding, const int64_t *sizes) {
          if (binding.access != artifact::Access::Write && details[i] == DumpDetail::Nothing)
            (void)memory->toHost(launch.buffers[i], bindingBytes(binding, sizes));
        });
      const int64_t kernel = program.findKernel(launch.record->name);
      addInside(line, launch, begun, kernel >= 0 ? program.dumpReplayFunction(size_t(kernel)) : nullptr);
    }
    line += "}\n";
    writer->addLine(line);
  }
  std::lock_guard<std::mutex> lock(mutex);
  forEachBinding(launch, [&](size_t i, const artifact::BindingRecord &binding, const int64_t *sizes) {
    if (binding.access == artifact::Access::Read)
      return;
    const auto begin = reinterpret_cast<uintptr_t>(launch.buffers[i]);
    noteWritten(begin, {begin + uintptr_t(bindingBytes(binding, sizes)), begun.number, int64_t(i), "", false, {}});
  });
  return begun;
}

void TensorDump::end(const Launch &launch, const Begun &begun, DeviceMemory *memory, bool ran) try {
  if (begun.number == 0)
    return;
  const int32_t status = launch.status.load(std::memory_order_relaxed);
  if (status != 0) {
    std::lock_guard<std::mutex> lock(mutex);
    hasFailed = true;
  }
  if (!begun.isLogged)
    return;
  const std::vector<DumpDetail> &details = plan.detailsOf(begun.place);
  std::string line;
  line.reserve(kLineBytes);
  line += status != 0 ? "{\"failed\":" : ran ? "{\"done\":" : "{\"skipped\":";
  appendNumber(line, begun.number);
  if (status != 0) {
    line += ",\"status\":";
    appendNumber(line, status);
  }
  line += ",\"after\":[";
  if (ran || status != 0)
    forEachBinding(launch, [&](size_t i, const artifact::BindingRecord &binding, const int64_t *sizes) {
      if (binding.access != artifact::Access::Read && details[i] != DumpDetail::Nothing)
        addTensor(line, launch, begun, i, true, memory, sizes);
    });
  line += "]}\n";
  writer->addLine(line);
} catch (const std::bad_alloc &) {
  // The launch itself is complete.
  std::lock_guard<std::mutex> lock(mutex);
  ++lost;
}

} // namespace mica::runtime
