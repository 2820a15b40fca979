//===- Host.h - the contract between a compiled host function and the runtime ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// An entry's host function does shape arithmetic and control flow, and submits task lists; it computes no tensor
// itself. The runtime gives it a table of services. Plain C; see Kernel.h for versioning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_HOST_H
#define MICA_ABI_HOST_H

#include "mica/ABI/Kernel.h"
#include "mica/ABI/Memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Of `report`: the values are those of an access, index, size and extent for each dimension.
#define MICA_REPORT_ACCESS 1
/// And: say it, and go on.
#define MICA_REPORT_WARN 2
/// The values are address and bytes of an element that is about to be used: it is a failure only if it is
/// uninitialized.
#define MICA_REPORT_READ 4
/// Likewise, of an element that is about to be written: no failure, the runtime notes it.
#define MICA_REPORT_WRITE 8
/// Sizes or positions do not fit: inputs that the program cannot take, no fault that a check looked for.
#define MICA_REPORT_SIZES 16

/// A NaN or an infinity originates: the values are the bits, as doubles, of the result and of the operands. The message
/// ends with the operation and the number of operands: ": math.log 1". No failure, unless nan-check asks for it.
#define MICA_REPORT_FLOATS 32
/// A loop goes on: the values are the number of its iterations and what it carries, of the types that the message ends
/// with: ": pure if", an integer and the bits of a double; "memory" in the place of "pure" where it also goes by
/// memory. A failure where the loop is to end.
#define MICA_REPORT_LOOP 64

/// Services of the runtime. `ctx` is the invocation the host function was called for. Functions that return a pointer
/// return NULL on failure, those that return int32_t a nonzero code; the host function then returns nonzero at once
/// (the runtime keeps the reason).
typedef struct mica_host_api_v1 {
  /// MICA_ABI_VERSION of the runtime.
  uint32_t abi_version;
  /// Memory of `bytes` bytes, MICA_BUFFER_ALIGNMENT aligned, that lives until the invocation ends.
  void *(*alloc)(void *ctx, int64_t bytes);
  /// Fixes the shape of result `index` (`rank` sizes) and returns the memory to write it to. Once per result.
  void *(*result)(void *ctx, int64_t index, const int64_t *sizes, int64_t rank);
  /// Address of constant `index` (position in the manifest's list of constants).
  void *(*constant)(void *ctx, int64_t index);
  /// Queues task list `list` (position in tasks.json). `buffers`: one address per parameter of the list; `scalars`: its
  /// scalar parameters. Both are copied. Returns before the work is done; lists run in the order of submission where
  /// one depends on another's buffers.
  int32_t (*submit)(void *ctx, int64_t list, void *const *buffers, const int64_t *scalars);
  /// Returns when everything submitted in this invocation is done; nonzero if any task failed.
  int32_t (*wait)(void *ctx);
  /// Fails the invocation with a message (a NUL-terminated constant of the program).
  int32_t (*fail)(void *ctx, const char *message);
  /// A check of the host function failed: `message`, a NUL-terminated constant of the program, is the id of the
  /// operation (12 characters, blanks where it has none) and what was wrong; `values` are its numbers, in the places of
  /// `{0}`, `{1}`, .. or else behind it. `flags`: MICA_REPORT_*. Nonzero where the invocation is to end. Needs
  /// MICA_FEATURE_CHECKS.
  int32_t (*report)(void *ctx, const char *message, const int64_t *values, int64_t num_values, int32_t flags);
  /// As alloc, for a tensor of `rank` sizes with elements of `element_bytes`. A negative size, and a product that does
  /// not fit, is refused. `what`, a NUL-terminated constant of the program, is the id of the operation (12 characters,
  /// blanks where it has none), a blank, and the element type; where it has none, possibly a blank and its position
  /// "model.mlir:3:8". NULL where the invocation is to end. Needs MICA_FEATURE_SIZES, as does the next.
  void *(*allocate)(void *ctx, const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank);
  /// The bytes of such a tensor, checked in the same way; -1 where the invocation is to end.
  int64_t (*bytes)(void *ctx, const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank);
  /// As allocate; `alignment` is a power of two. Needs MICA_FEATURE_SHAPES, as do the next two.
  void *(*allocate_aligned)(void *ctx, const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank,
                            int64_t alignment);
  /// As result; `what` names the operation that writes it, as in allocate.
  void *(*result_of)(void *ctx, const char *what, int64_t index, const int64_t *sizes, int64_t rank);
  /// 0 where memory of a tensor of the sizes `from` can be seen as one of the sizes `to` by `rule` (MICA_RESHAPE_* of
  /// Memory.h), and no size is negative; nonzero where the invocation is to end.
  int32_t (*reshape)(void *ctx, const char *what, int32_t rule, const int64_t *from, int64_t from_rank,
                     const int64_t *to, int64_t to_rank);
} mica_host_api_v1;

/// A host function: the symbol `mica_entry_<entry>` of program.so. `args`: one address per argument of the entry;
/// `dims`: every dimension of every argument, static ones included, flattened in order. Returns 0 or nonzero on
/// failure.
typedef int32_t (*mica_host_fn_v1)(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_HOST_H
