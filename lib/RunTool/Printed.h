//===- Printed.h - what programs print --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: keeps what a run writes to the standard output.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTOOL_PRINTED_H
#define MICA_LIB_RUNTOOL_PRINTED_H

#include <filesystem>

namespace mica::runtool {

/// While it lives, what the process writes to its standard output goes to a file. Only the thread that made it may
/// write others' text.
class StandardOutputCapture {
public:
  /// `file` is made; if that fails, nothing is captured.
  explicit StandardOutputCapture(const std::filesystem::path &file);
  ~StandardOutputCapture() { end(); }
  StandardOutputCapture(const StandardOutputCapture &) = delete;
  StandardOutputCapture &operator=(const StandardOutputCapture &) = delete;

  /// Gives the standard output back.
  void end();

private:
  int saved = -1;
};

} // namespace mica::runtool

#endif // MICA_LIB_RUNTOOL_PRINTED_H
