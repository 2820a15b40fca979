//===- Channel.h - messages of the language server protocol ------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A message is a text of JSON behind a header with its length, or, in tests by hand, before a line `// -----`. LLVM's
// JSONTransport answers each message itself; what is passed on here stays as it was sent.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_LANGUAGESERVER_CHANNEL_H
#define MICA_LIB_LANGUAGESERVER_CHANNEL_H

#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace mica::languageserver {

/// Reads messages from a file descriptor, which it owns.
class MessageReader {
public:
  MessageReader(int fd, bool isDelimited) : stream(fdopen(fd, "rb")), isDelimited(isDelimited) {}
  ~MessageReader();
  /// The next message; none at the end of the input.
  std::optional<std::string> read();

private:
  std::optional<std::string> readLine();

  FILE *stream;
  bool isDelimited;
};

/// Writes messages to a file descriptor, which it owns; from several threads.
class MessageWriter {
public:
  MessageWriter(int fd, bool isDelimited) : fd(fd), isDelimited(isDelimited) {}
  ~MessageWriter() { close(); }
  void write(std::string_view message);
  void close();

private:
  std::mutex mutex;
  int fd;
  bool isDelimited;
};

} // namespace mica::languageserver

#endif // MICA_LIB_LANGUAGESERVER_CHANNEL_H
