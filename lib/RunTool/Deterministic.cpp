//===- Deterministic.cpp - whether runs repeat -------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Deterministic.h"

#include "mica/Runtime/Context.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>

namespace mica::runtool {
namespace {

/// Place, iteration within its call, and binding.
using Key = std::tuple<size_t, int64_t, size_t>;

/// The tensors that the launches of one call wrote.
std::map<Key, const dump::Tensor *> writtenIn(const dump::Dump &dump, int64_t call) {
  std::map<size_t, int64_t> first; ///< per place, the iteration that the call begins with
  for (const dump::Launch &launch : dump.launches())
    if (launch.call == call && !first.try_emplace(launch.site, launch.iteration).second)
      first[launch.site] = std::min(first[launch.site], launch.iteration);
  std::map<Key, const dump::Tensor *> written;
  for (const dump::Tensor &tensor : dump.tensors()) {
    const dump::Launch &launch = dump.launchOf(tensor);
    if (launch.call == call && tensor.isAfter && !tensor.hash.empty())
      written.emplace(Key(launch.site, launch.iteration - first[launch.site], tensor.binding), &tensor);
  }
  return written;
}

std::string describe(const dump::Dump &dump, const dump::Tensor &tensor) {
  const dump::Binding &binding = dump.bindingOf(tensor);
  const dump::Op *op = dump.opOf(tensor);
  std::string text = (binding.name.empty() ? "buffer " + std::to_string(tensor.binding) : binding.name) + " (" +
                     shapedTypeString(tensor.shape, tensor.dtype) + ") of kernel " + dump.siteOf(tensor).kernel;
  if (op)
    text += ", " + op->kind + " [" + op->id + "]" + (op->source.empty() ? "" : " at " + op->source);
  return text;
}

std::string numbers(const dump::Statistics &values) {
  char text[160];
  std::snprintf(text, sizeof text, "min %.9g, max %.9g, mean %.9g, %lld NaN, %lld Inf, %lld zeros", values.min,
                values.max, values.mean, static_cast<long long>(values.nan), static_cast<long long>(values.inf),
                static_cast<long long>(values.zero));
  return text;
}

} // namespace

std::string determinismText(const dump::Dump &dump, int64_t calls, bool &same) {
  const std::map<Key, const dump::Tensor *> first = writtenIn(dump, 1);
  // Of all that differ, the earliest: what depends on it differs too.
  const dump::Tensor *culprit = nullptr, *other = nullptr;
  int64_t different = 0, inCall = 0;
  auto numberOf = [&](const dump::Tensor &tensor) { return dump.launchOf(tensor).number; };
  for (int64_t call = 2; call <= calls; ++call)
    for (const auto &[key, tensor] : writtenIn(dump, call)) {
      const auto it = first.find(key);
      if (it == first.end() || it->second->hash == tensor->hash)
        continue;
      ++different;
      if (culprit && numberOf(*culprit) <= numberOf(*it->second))
        continue;
      culprit = it->second;
      other = tensor;
      inCall = call;
    }
  same = culprit == nullptr;
  std::string text =
      "deterministic: " + groupDigits(calls) + " runs, " + groupDigits(int64_t(first.size())) + " tensors each: ";
  if (same)
    return text + "all have the same bits\n";
  return text + "DIFFERENT: " + groupDigits(different) + " tensors of later runs differ from the first\n  first " +
         describe(dump, *culprit) + "\n  run 1: " + numbers(culprit->statistics) + "\n  run " + std::to_string(inCall) +
         ": " + numbers(other->statistics) + "\n";
}

/// The first result that does not have the same bits.
static std::optional<size_t> differentResult(const std::vector<runtime::Tensor> &first,
                                             const std::vector<runtime::Tensor> &other) {
  for (size_t i = 0; i < first.size(); ++i)
    if (first[i].shape != other[i].shape ||
        (first[i].bytes() > 0 && std::memcmp(first[i].buffer.data(), other[i].buffer.data(), size_t(first[i].bytes()))))
      return i;
  return std::nullopt;
}

Result<bool> checkDeterministic(const Options &options, const std::shared_ptr<const runtime::Program> &program,
                                size_t entry, std::span<const runtime::TensorView> inputs, const RunFolder &run) {
  runtime::ContextOptions contextOptions;
  contextOptions.threads = options.threads;
  contextOptions.switches = options.debug;
  const std::filesystem::path folder = run.path() / "fingerprints";
  std::optional<std::pair<size_t, int64_t>> different; ///< result and run
  MICA_RETURN_IF_ERROR(contextOptions.switches.set("dump-tensors", "3", SwitchSource::Flag));
  MICA_RETURN_IF_ERROR(contextOptions.switches.set("dump-dir", folder.string(), SwitchSource::Flag));
  {
    MICA_ASSIGN_OR_RETURN(const auto context, runtime::Context::create(program, std::move(contextOptions)));
    std::vector<runtime::Tensor> results, first;
    for (int64_t i = 0; i < options.checkDeterministic; ++i) {
      MICA_RETURN_IF_ERROR(context->invoke(entry, inputs, i == 0 ? first : results));
      if (std::optional<size_t> index = i == 0 ? std::nullopt : differentResult(first, results); index && !different)
        different = std::pair(*index, i + 1);
    }
  }
  MICA_ASSIGN_OR_RETURN(const dump::Dump dump, dump::Dump::open(folder));
  bool same = false;
  std::printf("%s", determinismText(dump, options.checkDeterministic, same).c_str());
  if (!same || !different)
    return same;
  // No kernel wrote it: a host function did.
  std::printf("deterministic: DIFFERENT: result %zu of run %lld differs from that of the first, and no tensor of a "
              "kernel does: a host function is at fault\n",
              different->first, static_cast<long long>(different->second));
  return false;
}

} // namespace mica::runtool
