//===- Names.cpp - what a report calls things ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Names.h"

#include "lib/Report/Elements.h"
#include "lib/Report/Log/Redact.h"
#include "mica/Trace/JsonScan.h"

#include <algorithm>
#include <cstdio>

namespace mica::report {

std::string fullName(const artifact::OpRecord &op) {
  std::string name;
  for (const std::string &scope : op.scopes)
    name += scope + "/";
  return name + op.name;
}

namespace {
constexpr std::string_view kDialects[] = {"mica",    "mica_sched", "mica_check",    "tosa",       "linalg", "tensor",
                                          "arith",   "math",       "scf",           "func",       "memref", "affine",
                                          "vector",  "cf",         "bufferization", "ml_program", "index",  "llvm",
                                          "builtin", "ub",         "complex"};
/// Files that every artifact has.
constexpr std::string_view kFiles[] = {"input.mlirbc",
                                       "input.orig.mlirbc",
                                       "constants.bin",
                                       "program.so",
                                       "host/schedule.mlir",
                                       "host/host.ll",
                                       "host/host.o",
                                       "host/tasks.json",
                                       "passes_dump/index.json",
                                       "passes_dump/constants.json",
                                       "report/remarks.json",
                                       "report/fusion.json",
                                       "report/memory.json",
                                       "report/perf_hints.json",
                                       "report/input_ranges.json"};
} // namespace

std::string Names::numbered(const std::string &prefix, const std::string &name) {
  if (!redact || name.empty())
    return trace::validUtf8(name);
  const auto [found, isNew] = numbers.emplace(prefix + '\n' + name, counts[prefix]);
  counts[prefix] += isNew;
  return prefix + std::to_string(found->second);
}

std::string Names::id(const std::string &id) {
  if (!redact || id.empty())
    return trace::validUtf8(id);
  const auto [found, isNew] = numbers.emplace("id\n" + id, counts["id"]);
  counts["id"] += isNew;
  char text[16];
  std::snprintf(text, sizeof text, "%012x", static_cast<unsigned>(found->second) + 1);
  return text;
}

std::string Names::opKind(const std::string &kind) {
  const std::string_view dialect = std::string_view(kind).substr(0, kind.find('.'));
  const bool known = std::find(std::begin(kDialects), std::end(kDialects), dialect) != std::end(kDialects);
  return known ? trace::validUtf8(kind) : text(kind);
}

std::string Names::anchor(const std::string &op) {
  if (!redact || op.empty())
    return trace::validUtf8(op);
  if (numbers.contains("kernel\n" + op))
    return kernel(op);
  const size_t dot = op.find('.');
  return dot == std::string::npos ? function(op) : anchor(op.substr(0, dot)) + "." + anchor(op.substr(dot + 1));
}

std::string Names::path(const std::string &path) {
  if (!redact || std::find(std::begin(kFiles), std::end(kFiles), path) != std::end(kFiles))
    return trace::validUtf8(path);
  const size_t slash = path.find('/');
  const size_t dot = path.rfind('.');
  const std::string ending = dot == std::string::npos ? "" : path.substr(dot);
  const std::string kept =
      ending == ".mlir" || ending == ".ll" || ending == ".s" || ending == ".o" || ending == ".json" ? ending : "";
  if (path.starts_with("kernels/")) {
    const size_t second = path.find('/', 8);
    if (second != std::string::npos)
      return "kernels/" + kernel(path.substr(8, second - 8)) + "/" +
             (path.substr(second + 1).starts_with("kernel.") || path.ends_with("/launch.json")
                  ? path.substr(second + 1)
                  : numbered("file", path) + kept);
  }
  if (path.starts_with("passes_dump/")) {
    const size_t at = path.find('@');
    if (at == std::string::npos || dot < at)
      return path;
    return path.substr(0, at + 1) + anchor(path.substr(at + 1, dot - at - 1)) + kept;
  }
  return (slash == std::string::npos ? "" : "folder/") + numbered("file", path) + kept;
}

std::string Names::position(const std::string &position) {
  if (!redact)
    return trace::validUtf8(position);
  // Line and column are structure; the file is not.
  size_t end = position.size();
  for (int i = 0; i < 2; ++i) {
    const size_t colon = position.rfind(':', end ? end - 1 : 0);
    if (colon == std::string::npos || colon == 0)
      break;
    end = colon;
  }
  return sourceFile(position.substr(0, end)) + position.substr(end);
}

std::string Names::text(std::string_view text) const {
  bool ignored = true;
  return this->text(text, ignored);
}

std::string Names::text(std::string_view text, bool &holdsElements) const {
  // Elements are searched for only if the answer is not known or the text needs them gone.
  if (holdsElements && (redact || constants))
    return textWithoutElements(text);
  std::string elided = elideElements(text);
  holdsElements = holdsElements || elided != text;
  return textWithoutElements(redact || constants ? text : std::string_view(elided));
}

std::string Names::textWithoutElements(std::string_view text) const {
  return redact ? maskText(text) : trace::validUtf8(text);
}

} // namespace mica::report
