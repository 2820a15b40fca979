//===- Clock.h - the runtime's clock ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_CLOCK_H
#define MICA_LIB_RUNTIME_CLOCK_H

#include <chrono>
#include <cstdint>

namespace mica::runtime {

/// Nanoseconds of the steady clock; only differences mean anything.
inline int64_t steadyNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_CLOCK_H
