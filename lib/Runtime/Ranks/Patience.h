//===- Patience.h - waiting for what another process does --------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Libraries for communication are asked whether a call is complete: short calls are seen at once, and ranks that share
// a CPU get it.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_PATIENCE_H
#define MICA_LIB_RUNTIME_RANKS_PATIENCE_H

#include <time.h>

namespace mica::runtime {

/// Waits between two looks at a request: at first not at all, then longer.
class Patience {
public:
  /// True now and then, when there is time for more than a look.
  bool wait() {
    if (++looks < 64)
      return false;
    const timespec pause{0, looks < 1024 ? 1000 : 50000};
    ::nanosleep(&pause, nullptr);
    return looks % 1024 == 0;
  }

private:
  int looks = 0;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_PATIENCE_H
