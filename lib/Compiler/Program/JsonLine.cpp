//===- JsonLine.cpp - one JSON object on a line -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See JsonLine.h. Nothing here allocates memory.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Program/JsonLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <charconv>
#include <cstring>

#include <unistd.h>

using namespace mica::compiler;

void FileSink::append(llvm::StringRef text) {
  while (!text.empty()) {
    const size_t part = std::min(text.size(), sizeof(buffer) - used);
    std::memcpy(buffer + used, text.data(), part);
    used += part;
    text = text.drop_front(part);
    if (used == sizeof(buffer))
      flush();
  }
}

void FileSink::flush() {
  for (size_t done = 0; done < used;) {
    const ssize_t written = ::write(file, buffer + done, used - done);
    if (written <= 0)
      break;
    done += static_cast<size_t>(written);
  }
  used = 0;
}

/// Whether `c` needs no escape in a JSON string.
static bool isPlain(char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; }

void mica::compiler::appendQuoted(TextSink &sink, llvm::StringRef value) {
  sink.append("\"");
  if (llvm::all_of(value, isPlain)) {
    sink.append(value);
    return sink.append("\"");
  }
  static constexpr char kDigits[] = "0123456789abcdef";
  const bool isUtf8 = llvm::json::isUTF8(value);
  for (const char &c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const char escaped[] = {'\\', 'u', '0', '0', kDigits[byte >> 4], kDigits[byte & 15]};
    if (isPlain(c) || (byte >= 128 && isUtf8))
      sink.append(llvm::StringRef(&c, 1));
    else if (byte >= 128)
      sink.append("\\ufffd");
    else
      sink.append(llvm::StringRef(escaped, sizeof(escaped)));
  }
  sink.append("\"");
}

TextSink &JsonLine::key(llvm::StringRef name) {
  sink.append(isFirst ? "" : ",");
  isFirst = false;
  appendQuoted(sink, name);
  sink.append(":");
  return sink;
}

void JsonLine::add(llvm::StringRef name, int64_t value) {
  char digits[24];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), value);
  key(name).append(llvm::StringRef(digits, end.ptr - digits));
}

void JsonLine::add(llvm::StringRef name, const std::vector<std::string> &values) {
  key(name).append("[");
  for (const std::string &value : values) {
    sink.append(&value == &values.front() ? "" : ",");
    appendQuoted(sink, value);
  }
  sink.append("]");
}
