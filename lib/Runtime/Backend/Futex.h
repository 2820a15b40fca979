//===- Backend/Futex.h - sleeping on a word of memory ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_BACKEND_FUTEX_H
#define MICA_LIB_RUNTIME_BACKEND_FUTEX_H

#include <atomic>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mica::runtime {

static_assert(sizeof(std::atomic<uint32_t>) == 4, "a futex is a plain 32-bit word");

/// Sleeps while `word` is `expected`. May return early: callers look again.
inline void futexWait(std::atomic<uint32_t> &word, uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

/// Wakes at most `count` sleepers on `word`, whose value the caller has changed.
inline void futexWake(std::atomic<uint32_t> &word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_BACKEND_FUTEX_H
