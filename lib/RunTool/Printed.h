//===- Printed.h - capturing the standard output ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: captures what a run prints.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_PRINTED_H
#define MICA_LIB_RUNTOOL_PRINTED_H

#include <filesystem>

namespace mica::runtool {

/// In its scope, the process's standard output goes to a file. Only the thread that created it may write to the
/// original one.
class StandardOutputCapture {
public:
  /// Creates `file`; if that fails, nothing is captured.
  explicit StandardOutputCapture(const std::filesystem::path &file);
  ~StandardOutputCapture() { end(); }
  StandardOutputCapture(const StandardOutputCapture &) = delete;
  StandardOutputCapture &operator=(const StandardOutputCapture &) = delete;

  /// Restores the standard output.
  void end();

private:
  int saved = -1;
};

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_PRINTED_H
