//===- JsonLine.h - one JSON object on a line ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Prints the thousands of small objects of a record. It does not use llvm::json for two reasons: printing is a
// measurable part of a record's cost, and a signal handler prints them after a crash, so it must not allocate. Use
// llvm::json for files with few objects.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_PROGRAM_JSONLINE_H
#define MICA_LIB_COMPILER_PROGRAM_JSONLINE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::compiler {

/// An output of text.
class TextSink {
public:
  virtual void append(llvm::StringRef text) = 0;

protected:
  ~TextSink() = default;
};

class StringSink final : public TextSink {
public:
  explicit StringSink(std::string &text) : text(text) {}
  void append(llvm::StringRef more) override { text.append(more.data(), more.size()); }

private:
  std::string &text;
};

/// An open file, written when the buffer is full and on destruction; async-signal-safe.
class FileSink final : public TextSink {
public:
  explicit FileSink(int file) : file(file) {}
  ~FileSink() { flush(); }
  FileSink(const FileSink &) = delete;
  FileSink &operator=(const FileSink &) = delete;
  void append(llvm::StringRef text) override;
  void flush();

private:
  int file;
  size_t used = 0;
  char buffer[4096];
};

/// Appends `value` as a JSON string; if it is not UTF-8, non-ASCII bytes are replaced.
void appendQuoted(TextSink &sink, llvm::StringRef value);

/// Appends an object.
class JsonLine {
public:
  explicit JsonLine(TextSink &sink) : sink(sink) { sink.append("{"); }
  ~JsonLine() { sink.append("}"); }
  JsonLine(const JsonLine &) = delete;
  JsonLine &operator=(const JsonLine &) = delete;

  void add(llvm::StringRef name, llvm::StringRef value) { appendQuoted(key(name), value); }
  void add(llvm::StringRef name, int64_t value);
  void add(llvm::StringRef name, const std::vector<std::string> &values);
  /// `value` is JSON.
  void addRaw(llvm::StringRef name, llvm::StringRef value) { key(name).append(value); }
  /// Appends the key `name`; its value must be appended to the returned sink.
  TextSink &key(llvm::StringRef name);

private:
  TextSink &sink;
  bool isFirst = true;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_PROGRAM_JSONLINE_H
