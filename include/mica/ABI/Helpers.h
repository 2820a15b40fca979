//===- Helpers.h - the functions that programs may call by name ------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// A program may declare functions of upstream's runner libraries, which print, compare and read the time, and call
// them. The runtime implements them. A program that calls helper F exports a pointer `mica_helper_F`, which the runtime
// fills when it loads the program, before the first call.
//
// Names that begin with _mlir_ciface_ take pointers to memref descriptors, as upstream's do.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_HELPERS_H
#define MICA_ABI_HELPERS_H

/// Element types for which printMemref*, printMemrefShape* and verifyMemRef* exist: suffix, element.
#define MICA_HELPER_ELEMENTS(X) X(I8) X(I16) X(I32) X(I64) X(Ind) X(F16) X(BF16) X(F32) X(F64) X(C32) X(C64)

/// Helpers on scalars.
// clang-format off
#define MICA_HELPER_FUNCTIONS(X) \
  X(printI64) X(printU64) X(printF16) X(printBF16) X(printF32) X(printF64) X(printString) X(printCString) X(printOpen) \
  X(printClose) X(printComma) X(printNewline) X(printFlops) X(rtclock) X(nanoTime)
// clang-format on

/// Helpers on buffers whose rank is part of the name: printMemref of these ranks.
// clang-format off
#define MICA_HELPER_RANKED(X) \
  X(0dF32) X(1dF32) X(2dF32) X(3dF32) X(4dF32) X(1dF64) X(1dI8) X(1dI32) X(1dI64) X(1dInd) X(1dC32) X(1dC64)
// clang-format on

/// `i64 ()`: the lowest stack address that a program's code may reach on the calling thread. Programs with recursive
/// functions call it on entry.
#define MICA_HELPER_STACK_LIMIT "mica_stack_limit"

/// The prefix of a program's pointer to a helper.
#define MICA_HELPER_PREFIX "mica_helper_"

#endif // MICA_ABI_HELPERS_H
