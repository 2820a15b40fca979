//===- OpLog/EventLines.cpp - the schema mica.events ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header. The pair of times in the head turns steady times into dates.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpLog/EventLines.h"

#include "mica/Support/Schemas.h"

#include "lib/Runtime/Clock.h"

#include <charconv>
#include <chrono>
#include <unistd.h>

namespace mica::runtime {
namespace {

void appendMember(std::string &text, std::string_view key, std::string_view value) {
  text += ",\"";
  text += key;
  text += "\":\"";
  text += value;
  text += '"';
}

void appendMember(std::string &text, std::string_view key, int64_t value) {
  text += ",\"";
  text += key;
  text += "\":";
  appendNumber(text, value);
}

} // namespace

void appendNumber(std::string &text, int64_t value) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::string jsonSafe(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
      c = '_';
  return result;
}

std::string jsonList(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "\"" : ",\"") + jsonSafe(name) + "\"";
  return text;
}

void appendShapes(std::string &text, const artifact::KernelRecord &kernel, const int64_t *scalars, int64_t known) {
  int64_t scalar = 0;
  for (size_t i = 0; i < kernel.bindings.size(); ++i) {
    text += i ? "," : "";
    for (int64_t size : kernel.bindings[i].type.shape) {
      if (size < 0) {
        size = scalar < known ? scalars[scalar] : -1;
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

std::string eventSchema() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::string text = "\"schema\":\"" + schemaFormat(Schema::Events) + "\"";
  appendMember(text, "version", schemaNumber(Schema::Events));
  appendMember(text, "clock", "steady");
  appendMember(text, "unix_ns", std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  appendMember(text, "steady_ns", steadyNs());
  appendMember(text, "pid", ::getpid());
  return text;
}

void appendEventLine(std::string &text, const EventLine &event) {
  text += event.isComplete ? "{\"event\":\"complete\"" : "{\"event\":\"launch\"";
  appendMember(text, "id", int64_t(event.id));
  appendMember(text, "ns", event.isComplete ? event.endNs : event.handedNs);
  appendMember(text, "kernel", event.kernel);
  appendMember(text, "device", event.device);
  appendMember(text, "site", event.site);
  if (event.isComplete) {
    appendMember(text, "start_ns", event.startNs);
    appendMember(text, "queue_ns", event.startNs - event.handedNs);
    appendMember(text, "parts", event.parts);
    appendMember(text, "thread", event.thread);
    appendMember(text, "status", event.status);
    if (event.skipped)
      text += ",\"skipped\":true";
  } else {
    appendMember(text, "kind", event.kind);
    text += ",\"op\":[";
    text += event.ops;
    text += ']';
    appendMember(text, "shapes", event.shapes);
    if (!event.source.empty())
      appendMember(text, "source", event.source);
  }
  text += "}\n";
}

} // namespace mica::runtime
