//===- FileDescriptor.h - owner of a file descriptor -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: owns a POSIX file descriptor.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_SUPPORT_FILEDESCRIPTOR_H
#define MICA_LIB_SUPPORT_FILEDESCRIPTOR_H

#include <string>

#include <unistd.h>

namespace mica {

/// Closes its descriptor on destruction. -1 is none.
class FileDescriptor {
public:
  explicit FileDescriptor(int value = -1) : value(value) {}
  FileDescriptor(FileDescriptor &&other) noexcept : value(other.release()) {}
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;
  ~FileDescriptor() { close(); }

  explicit operator bool() const { return value >= 0; }
  int get() const { return value; }
  int release() {
    const int held = value;
    value = -1;
    return held;
  }
  /// The result of close(2); 0 if there was nothing to close.
  int close() { return value >= 0 ? ::close(release()) : 0; }

private:
  int value;
};

/// Ten random characters for a temporary name.
std::string randomSuffix();

} // namespace mica

#endif // MICA_LIB_SUPPORT_FILEDESCRIPTOR_H
