//===- OpLog/OpFormat.cpp - events as text, JSON lines and Chrome's JSON ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Names that come from files (devices, sources) are made safe for JSON once, when the texts of sites are made.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpLog/OpFormat.h"

#include "lib/Runtime/Clock.h"

#include <charconv>
#include <chrono>
#include <unistd.h>

namespace mica::runtime {
namespace {

constexpr int kEventsVersion = 1;

void appendNumber(std::string &text, int64_t value) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Nanoseconds in microseconds: "12.345".
void appendMicros(std::string &text, int64_t ns) {
  if (ns < 0) {
    text += '-';
    ns = -ns;
  }
  appendNumber(text, ns / 1000);
  const int64_t rest = ns % 1000;
  const char digits[] = {'.', char('0' + rest / 100), char('0' + rest / 10 % 10), char('0' + rest % 10)};
  text.append(digits, 4);
}

/// Without what JSON would have to escape.
std::string safe(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
      c = '_';
  return result;
}

} // namespace

OpFormat::OpFormat(const artifact::Manifest &manifest, const std::vector<std::string> &devices, OpLogForm form,
                   OpLogLevel level)
    : manifest(manifest), devices(devices), form(form), level(level) {
  auto textOf = [&](const artifact::KernelRecord *kernel, const std::vector<std::string> &ids) {
    SiteText text;
    text.kind = safe(kernel ? kernel->rootKind : "");
    text.kernel = safe(kernel ? kernel->name : "");
    for (const std::string &id : ids)
      text.ops += (text.ops.empty() ? "" : ",") + safe(id);
    for (const artifact::OpRecord &op : manifest.ops)
      if (!ids.empty() && op.id == ids.front() && !op.positions.empty()) {
        const artifact::SourcePosition &at = op.positions.back();
        text.source = safe(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
      }
    return text;
  };
  for (const artifact::SiteRecord &site : manifest.sites) {
    const artifact::KernelRecord *found = nullptr;
    for (const artifact::KernelRecord &kernel : manifest.kernels)
      if (kernel.name == site.kernel)
        found = &kernel;
    texts.push_back(textOf(found, site.opIds));
  }
  for (const artifact::KernelRecord &kernel : manifest.kernels)
    texts.push_back(textOf(&kernel, kernel.opIds));
}

const OpFormat::SiteText &OpFormat::siteOf(const OpEvent &event) const {
  const bool known = event.site >= 0 && size_t(event.site) < manifest.sites.size();
  return texts[known ? size_t(event.site) : manifest.sites.size() + size_t(event.kernel)];
}

std::string OpFormat::head() const {
  if (form == OpLogForm::Text)
    return "";
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::string clock = "\"unix_ns\":";
  appendNumber(clock, std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  clock += ",\"steady_ns\":";
  appendNumber(clock, steadyNs());
  clock += ",\"pid\":" + std::to_string(::getpid()) + "}";
  const std::string schema = "\"schema\":\"mica.events\",\"version\":" + std::to_string(kEventsVersion);
  if (form == OpLogForm::JsonLines)
    return "{" + schema + ",\"clock\":\"steady\"," + clock + "\n";
  return "{\"displayTimeUnit\":\"ns\",\"otherData\":{" + schema + "," + clock + ",\"traceEvents\":[";
}

void OpFormat::append(std::string &text, const OpEvent &event) {
  switch (form) {
  case OpLogForm::Text:
    return appendText(text, event);
  case OpLogForm::JsonLines:
    return appendJson(text, event);
  case OpLogForm::Chrome:
    return appendChrome(text, event);
  }
}

/// "2x3xf32,3xf32,2x3xf32": every buffer of the kernel as it is in this launch.
void OpFormat::appendShapes(std::string &text, const OpEvent &event) const {
  const artifact::KernelRecord &kernel = manifest.kernels[size_t(event.kernel)];
  int scalar = 0;
  for (size_t i = 0; i < kernel.bindings.size(); ++i) {
    text += i ? "," : "";
    for (int64_t size : kernel.bindings[i].type.shape) {
      // The first scalars of a launch are its dynamic sizes, in the order of its buffers.
      if (size < 0) {
        size = scalar < std::min<int>(event.scalarCount, OpEvent::kMostScalars) ? event.scalars[scalar] : -1;
        ++scalar;
      }
      if (size < 0)
        text += '?';
      else
        appendNumber(text, size);
      text += 'x';
    }
    text += dtypeName(kernel.bindings[i].type.dtype);
  }
}

void OpFormat::appendText(std::string &text, const OpEvent &event) const {
  const SiteText &site = siteOf(event);
  text += event.isComplete ? (event.skipped  ? "[OP] SKIP "
                              : event.status ? "[OP] FAIL "
                                             : "[OP] COMPLETE ")
                           : "[OP] LAUNCH ";
  text += site.kind;
  text += " [id=";
  appendNumber(text, int64_t(event.id));
  text += "] target=";
  text += devices[event.device];
  if (event.isComplete && !event.skipped) {
    text += " time=";
    appendMicros(text, event.endNs - event.startNs);
    text += "us";
    if (event.status) {
      text += " status=";
      appendNumber(text, event.status);
    }
  }
  // Whoever asked for completions alone learns here what completed.
  if (!event.isComplete || level >= OpLogLevel::Info) {
    text += " op=";
    text += site.ops;
  }
  if (level == OpLogLevel::Trace || event.status) {
    text += " kernel=";
    text += site.kernel;
  }
  if (level == OpLogLevel::Trace) {
    if (event.isComplete) {
      text += " wait=";
      appendMicros(text, event.startNs - event.handedNs);
      text += "us parts=";
      appendNumber(text, event.parts);
      text += " stream=";
      appendNumber(text, event.thread);
    } else {
      text += " shapes=";
      appendShapes(text, event);
      if (!site.source.empty()) {
        text += " at ";
        text += site.source;
      }
    }
  }
  text += '\n';
}

void OpFormat::appendJson(std::string &text, const OpEvent &event) const {
  const SiteText &site = siteOf(event);
  text += event.isComplete ? "{\"event\":\"complete\",\"id\":" : "{\"event\":\"launch\",\"id\":";
  appendNumber(text, int64_t(event.id));
  text += ",\"ns\":";
  appendNumber(text, event.isComplete ? event.endNs : event.handedNs);
  text += ",\"kernel\":\"";
  text += site.kernel;
  text += "\",\"device\":\"";
  text += devices[event.device];
  text += "\",\"site\":";
  appendNumber(text, event.site);
  if (event.isComplete) {
    text += ",\"start_ns\":";
    appendNumber(text, event.startNs);
    text += ",\"queue_ns\":";
    appendNumber(text, event.startNs - event.handedNs);
    text += ",\"parts\":";
    appendNumber(text, event.parts);
    text += ",\"thread\":";
    appendNumber(text, event.thread);
    text += ",\"status\":";
    appendNumber(text, event.status);
    if (event.skipped)
      text += ",\"skipped\":true";
  } else {
    text += ",\"kind\":\"";
    text += site.kind;
    text += "\",\"op\":[";
    for (size_t begin = 0; begin < site.ops.size();) {
      const size_t end = std::min(site.ops.find(',', begin), site.ops.size());
      text += begin ? ",\"" : "\"";
      text.append(site.ops, begin, end - begin);
      text += '"';
      begin = end + 1;
    }
    text += "],\"shapes\":\"";
    appendShapes(text, event);
    text += '"';
    if (!site.source.empty()) {
      text += ",\"source\":\"";
      text += site.source;
      text += '"';
    }
  }
  text += "}\n";
}

void OpFormat::appendChrome(std::string &text, const OpEvent &event) {
  if (!event.isComplete)
    return;
  const SiteText &site = siteOf(event);
  text += first ? "\n{\"ph\":\"X\",\"name\":\"" : ",\n{\"ph\":\"X\",\"name\":\"";
  first = false;
  text += site.kernel;
  text += "\",\"cat\":\"";
  text += site.kind;
  text += "\",\"pid\":\"";
  text += devices[event.device];
  text += "\",\"tid\":";
  appendNumber(text, event.thread);
  text += ",\"ts\":";
  appendMicros(text, event.startNs);
  text += ",\"dur\":";
  appendMicros(text, event.endNs - event.startNs);
  text += ",\"args\":{\"id\":";
  appendNumber(text, int64_t(event.id));
  text += ",\"op\":\"";
  text += site.ops;
  text += "\",\"shapes\":\"";
  appendShapes(text, event);
  text += "\",\"source\":\"";
  text += site.source;
  text += "\",\"queue_us\":";
  appendMicros(text, event.startNs - event.handedNs);
  text += ",\"status\":";
  appendNumber(text, event.status);
  text += "}}";
}

} // namespace mica::runtime
