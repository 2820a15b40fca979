//===- JsonLine.h - one JSON object on a line ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A record of a compile holds thousands of small objects. They are printed as texts of their own, for two reasons:
// printing is a part of what a record costs, and where a pass crashes a signal handler prints them, which must not
// allocate. For files of a few objects take llvm::json.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_PROGRAM_JSONLINE_H
#define MICA_LIB_COMPILER_PROGRAM_JSONLINE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::compiler {

/// Where text goes.
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

/// An open file. Writes when it is full and at its end; works in a signal handler.
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

/// Appends `value` as a JSON string; of text that is not UTF-8 what is not ASCII is replaced.
void appendQuoted(TextSink &sink, llvm::StringRef value);

/// Appends an object, from its beginning to its end.
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
  /// Where the value of `name` is to be appended next.
  TextSink &key(llvm::StringRef name);

private:
  TextSink &sink;
  bool isFirst = true;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_PROGRAM_JSONLINE_H
