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

#include "lib/Runtime/OpLog/EventLines.h"

#include <algorithm>

namespace mica::runtime {
namespace {

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

} // namespace

OpFormat::OpFormat(const artifact::Manifest &manifest, const std::vector<std::string> &devices, OpLogForm form,
                   OpLogLevel level)
    : manifest(manifest), devices(devices), form(form), level(level) {
  auto textOf = [&](const artifact::KernelRecord *kernel, const std::vector<std::string> &ids) {
    SiteText text;
    text.kind = jsonSafe(kernel ? kernel->rootKind : "");
    text.kernel = jsonSafe(kernel ? kernel->name : "");
    for (const std::string &id : ids)
      text.ops += (text.ops.empty() ? "" : ",") + jsonSafe(id);
    text.opList = jsonList(ids);
    for (const artifact::OpRecord &op : manifest.ops)
      if (!ids.empty() && op.id == ids.front() && !op.positions.empty()) {
        const artifact::SourcePosition &at = op.positions.back();
        text.source = jsonSafe(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
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
  if (form == OpLogForm::JsonLines)
    return "{" + eventSchema() + "}\n";
  return "{\"displayTimeUnit\":\"ns\",\"otherData\":{" + eventSchema() + "},\"traceEvents\":[";
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

/// As the launch had them, as far as they are kept.
void OpFormat::appendShapes(std::string &text, const OpEvent &event) const {
  runtime::appendShapes(text, manifest.kernels[size_t(event.kernel)], event.scalars,
                        std::min<int64_t>(event.scalarCount, OpEvent::kMostScalars));
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

void OpFormat::appendJson(std::string &text, const OpEvent &event) {
  const SiteText &site = siteOf(event);
  EventLine line;
  line.isComplete = event.isComplete;
  line.id = event.id;
  line.handedNs = event.handedNs;
  line.startNs = event.startNs;
  line.endNs = event.endNs;
  line.kernel = site.kernel;
  line.device = devices[event.device];
  line.site = event.site;
  line.kind = site.kind;
  line.ops = site.opList;
  line.source = site.source;
  line.parts = event.parts;
  line.thread = event.thread;
  line.status = event.status;
  line.skipped = event.skipped;
  if (!event.isComplete) {
    shapes.clear();
    appendShapes(shapes, event);
    line.shapes = shapes;
  }
  appendEventLine(text, line);
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
