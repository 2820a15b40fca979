//===- Channel.cpp - messages of the language server protocol ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Channel.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/LanguageServer/Channel.h"

#include <cerrno>
#include <charconv>
#include <unistd.h>

using namespace mica::languageserver;

/// Without blanks at both ends.
static std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t from = text.find_first_not_of(kBlanks);
  return from == text.npos ? std::string_view() : text.substr(from, text.find_last_not_of(kBlanks) + 1 - from);
}

/// The length in a header "Content-Length: 12"; none in others.
static std::optional<size_t> lengthOf(std::string_view header) {
  constexpr std::string_view kName = "content-length:";
  for (size_t i = 0; i < kName.size(); ++i)
    if (i >= header.size() || (header[i] | (kName[i] >= 'a' ? 0x20 : 0)) != kName[i])
      return std::nullopt;
  const std::string_view number = trimmed(header.substr(kName.size()));
  size_t length = 0;
  std::from_chars(number.data(), number.data() + number.size(), length);
  return length;
}

MessageReader::~MessageReader() {
  if (stream)
    std::fclose(stream);
}

std::optional<std::string> MessageReader::readLine() {
  std::string line;
  for (int c; (c = std::fgetc(stream)) != EOF;) {
    if (c == '\n')
      return line;
    line += static_cast<char>(c);
  }
  return line.empty() ? std::nullopt : std::optional(line);
}

std::optional<std::string> MessageReader::read() {
  if (!stream)
    return std::nullopt;
  if (isDelimited) {
    std::string message;
    while (std::optional<std::string> line = readLine()) {
      if (trimmed(*line) == "// -----") {
        if (!trimmed(message).empty())
          return message;
      } else if (!trimmed(*line).starts_with("//")) {
        message += *line + "\n";
      }
    }
    return trimmed(message).empty() ? std::nullopt : std::optional(message);
  }
  size_t length = 0;
  constexpr size_t kMostBytes = size_t(1) << 31;
  while (std::optional<std::string> line = readLine()) {
    const std::string_view header = trimmed(*line);
    if (const std::optional<size_t> given = lengthOf(header))
      length = *given;
    else if (header.empty() && length != 0 && length < kMostBytes) {
      std::string message(length, '\0');
      if (std::fread(message.data(), 1, length, stream) != length)
        return std::nullopt;
      return message;
    }
  }
  return std::nullopt;
}

void MessageWriter::write(std::string_view message) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  if (isDelimited)
    text = std::string(message) + "\n// -----\n";
  else
    text = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n" + std::string(message);
  for (size_t done = 0; fd >= 0 && done < text.size();) {
    const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
    if (written > 0)
      done += static_cast<size_t>(written);
    else if (errno != EINTR)
      return; // the reader has gone
  }
}

void MessageWriter::close() {
  std::lock_guard<std::mutex> lock(mutex);
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}
