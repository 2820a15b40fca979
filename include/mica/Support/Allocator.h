//===- Allocator.h - settings of the allocator --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// How malloc works in a process of the compiler half, which makes and drops IR of many megabytes again and again.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_SUPPORT_ALLOCATOR_H
#define MICA_SUPPORT_ALLOCATOR_H

namespace mica {

/// For main() of a compiler tool, before its threads start: freed memory stays with the process, and a heap grows by at
/// least 1 MiB. A page that is new to the process costs a fault: a microsecond, in a virtual machine up to ten. No
/// effect with a C library other than glibc.
void keepFreedMemory();

} // namespace mica

#endif // MICA_SUPPORT_ALLOCATOR_H
