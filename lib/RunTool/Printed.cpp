//===- Printed.cpp - capturing the standard output --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Printed.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace mica::runtool {

StandardOutputCapture::StandardOutputCapture(const std::filesystem::path &file) {
  std::fflush(stdout);
  const int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (to < 0)
    return;
  saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (saved >= 0)
    dup2(to, STDOUT_FILENO);
  close(to);
}

void StandardOutputCapture::end() {
  if (saved < 0)
    return;
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  saved = -1;
}

} // namespace mica::runtool
