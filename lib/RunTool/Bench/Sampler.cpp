//===- Sampler.cpp - where the processor's time goes ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Bench/Sampler.h"

#include "mica/Support/Files.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <map>
#include <tuple>

#include <dlfcn.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::bench {
namespace {

/// What the handler writes: it must not allocate.
std::array<std::atomic<uintptr_t>, 1 << 17> addresses;
std::atomic<size_t> taken{0};

void onTimer(int, siginfo_t *, void *context) {
  const auto *const interrupted = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
  const auto address = static_cast<uintptr_t>(interrupted->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  const auto address = static_cast<uintptr_t>(interrupted->uc_mcontext.pc);
#else
  const uintptr_t address = 0;
#endif
  const size_t index = taken.fetch_add(1, std::memory_order_relaxed);
  if (index < addresses.size())
    addresses[index].store(address, std::memory_order_relaxed);
}

/// Samples during its life.
class Timer {
public:
  Timer() {
    taken = 0;
    struct sigaction action = {};
    action.sa_sigaction = onTimer;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    isOn = ::sigaction(SIGPROF, &action, &former) == 0;
    const itimerval everyMillisecond{{0, 1000}, {0, 1000}};
    isOn = isOn && ::setitimer(ITIMER_PROF, &everyMillisecond, nullptr) == 0;
  }
  ~Timer() {
    const itimerval never{};
    ::setitimer(ITIMER_PROF, &never, nullptr);
    // A signal that is on its way still finds a handler.
    std::signal(SIGPROF, SIG_IGN);
    ::sigaction(SIGPROF, &former, nullptr);
  }
  bool isOn = false;

private:
  struct sigaction former = {};
};

/// Lines of addresses within `library`, as "function\nfile:line" each.
Result<std::vector<std::string>> symbolize(const fs::path &library, const std::vector<uintptr_t> &offsets) {
  const char *const packaged = "/usr/lib/llvm-22/bin/llvm-symbolizer";
  std::error_code error;
  std::vector<std::string> command = {fs::exists(packaged, error) ? packaged : "llvm-symbolizer",
                                      "--obj=" + library.string(), "--output-style=GNU", "--functions", "--no-inlines"};
  for (const uintptr_t offset : offsets) {
    std::array<char, 24> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), offset, 16).ptr;
    command.push_back("0x" + std::string(text.data(), end));
  }
  const fs::path output = fs::temp_directory_path(error) / ("mica-bench-lines-" + std::to_string(::getpid()));
  ProcessOptions options;
  options.standardOutput = output;
  options.standardError = "/dev/null";
  options.secondsLimit = 60;
  const Result<int> code = runProcess(command, options);
  const Result<std::string> text = readFile(output);
  fs::remove(output, error);
  if (!code || *code != 0 || !text)
    return Error{ErrorCode::NotFound, "llvm-symbolizer does not run: lines of code are not known",
                 "apt install llvm-22"};
  return splitText(*text, '\n');
}

/// "/a/b/kernel.mlir:520" -> "kernel.mlir" and 520.
void setPlace(HotLine &line, const std::string &place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos || place.starts_with("??"))
    return;
  line.file = fs::path(place.substr(0, colon)).filename().string();
  std::from_chars(place.data() + colon + 1, place.data() + place.size(), line.line);
}

} // namespace

Result<HotLines> sampleWhile(const std::function<Status()> &work, const fs::path &folder) {
  {
    const Timer timer;
    if (!timer.isOn)
      return systemError("start", "the timer for samples", errno);
    MICA_RETURN_IF_ERROR(work());
  }
  HotLines hot;
  hot.samples = static_cast<int64_t>(std::min(taken.load(), addresses.size()));
  std::map<uintptr_t, int64_t> counts;
  for (int64_t i = 0; i < hot.samples; ++i)
    ++counts[addresses[static_cast<size_t>(i)].load()];
  // By function, file and line; those of the program are looked up together.
  std::map<std::tuple<std::string, std::string, int>, int64_t> lines;
  std::vector<uintptr_t> offsets;
  std::vector<int64_t> samples;
  for (const auto &[address, count] : counts) {
    Dl_info info = {};
    const bool isKnown = ::dladdr(reinterpret_cast<void *>(address), &info) != 0 && info.dli_fname;
    const fs::path library = isKnown ? info.dli_fname : "";
    // The runtime loads it by the descriptor of an open file.
    if (library.filename() == "program.so" || library.string().starts_with("/proc/")) {
      offsets.push_back(address - reinterpret_cast<uintptr_t>(info.dli_fbase));
      samples.push_back(count);
    } else {
      Dl_info own = {};
      const bool isOwn =
          isKnown && ::dladdr(reinterpret_cast<void *>(&sampleWhile), &own) != 0 && own.dli_fbase == info.dli_fbase;
      const char *const name = isOwn ? "Mica's runtime" : isKnown && info.dli_sname ? info.dli_sname : "";
      lines[{name, isOwn ? "" : isKnown ? library.filename().string() : "the system", 0}] += count;
    }
  }
  if (!offsets.empty()) {
    MICA_ASSIGN_OR_RETURN(const std::vector<std::string> texts, symbolize(folder / "program.so", offsets));
    for (size_t i = 0; i < offsets.size() && 2 * i + 1 < texts.size(); ++i) {
      HotLine line;
      line.function = texts[2 * i];
      setPlace(line, texts[2 * i + 1]);
      lines[{line.function, line.file, line.line}] += samples[i];
    }
  }
  for (const auto &[place, count] : lines)
    hot.lines.push_back({std::get<0>(place), std::get<1>(place), std::get<2>(place), count});
  std::stable_sort(hot.lines.begin(), hot.lines.end(),
                   [](const HotLine &left, const HotLine &right) { return left.samples > right.samples; });
  return hot;
}

} // namespace mica::bench
