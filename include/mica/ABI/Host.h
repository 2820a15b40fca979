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

/// Flag of `report`: the values are those of an access: index, size and extent per dimension.
#define MICA_REPORT_ACCESS 1
/// Flag of `report`: print a warning and continue.
#define MICA_REPORT_WARN 2
/// The values are the address and size in bytes of an element that is about to be read: a failure only if the element
/// is uninitialized.
#define MICA_REPORT_READ 4
/// The values are the address and size in bytes of an element that is about to be written: not a failure; the runtime
/// marks the element as initialized.
#define MICA_REPORT_WRITE 8
/// Sizes or positions are inconsistent: an input that the program does not support, not a failed check.
#define MICA_REPORT_SIZES 16

/// First NaN or infinity: the values are the bits, as doubles, of the result and the operands. The message ends with
/// the operation and the number of operands: ": math.log 1". A failure only if the switch nan-check makes it one.
#define MICA_REPORT_FLOATS 32
/// A loop continues: the values are the iteration count and the loop-carried values, of the types that the message ends
/// with: ": pure if" is an integer and the bits of a double; "memory" instead of "pure" if the condition also depends
/// on memory, and "launches" if the loop submits task lists; "launches n" is the index of a loop that ends by itself. A
/// failure if the loop is to be stopped.
#define MICA_REPORT_LOOP 64
/// Ops that no kernel takes begin (value 0) or are done (value 1): not a failure. The message is the id and the name
/// of the function that has them. Needs MICA_FEATURE_HOST_OPS.
#define MICA_REPORT_HOST_OP 128

/// Services of the runtime. `ctx` is the invocation for which the host function was called. Functions that return a
/// pointer return NULL on failure, those that return int32_t a nonzero code; the host function must then return nonzero
/// at once (the runtime keeps the error message).
typedef struct mica_host_api_v1 {
  /// MICA_ABI_VERSION of the runtime.
  uint32_t abi_version;
  /// Allocates `bytes` bytes, aligned to MICA_BUFFER_ALIGNMENT, which live until the invocation ends or `release`
  /// releases them.
  void *(*alloc)(void *ctx, int64_t bytes);
  /// Sets the shape of result `index` (`rank` sizes) and returns the memory for its elements. Called once per result.
  void *(*result)(void *ctx, int64_t index, const int64_t *sizes, int64_t rank);
  /// Returns the address of constant `index` (position in the manifest's list of constants).
  void *(*constant)(void *ctx, int64_t index);
  /// Queues task list `list` (position in tasks.json). `buffers`: one address per parameter of the list; `scalars`: its
  /// scalar parameters. Both are copied. Returns before the work is done; lists run in the order of submission where
  /// one depends on another's buffers.
  int32_t (*submit)(void *ctx, int64_t list, void *const *buffers, const int64_t *scalars);
  /// Waits for everything that was submitted in this invocation; returns nonzero if a task failed.
  int32_t (*wait)(void *ctx);
  /// Fails the invocation with a message (a NUL-terminated constant of the program).
  int32_t (*fail)(void *ctx, const char *message);
  /// Reports a failed check of the host function. `message`, a NUL-terminated constant of the program, is the id of the
  /// operation (12 characters, blanks if it has none) followed by the text; `values` replace `{0}`, `{1}`, .. in the
  /// text, or are appended to it. `flags`: MICA_REPORT_*. Returns nonzero if the invocation is to end. Needs
  /// MICA_FEATURE_CHECKS.
  int32_t (*report)(void *ctx, const char *message, const int64_t *values, int64_t num_values, int32_t flags);
  /// As alloc, for a tensor of `rank` sizes with elements of `element_bytes`. Fails on a negative size and if the size
  /// in bytes overflows. `what`, a NUL-terminated constant of the program, is the id of the operation (12 characters,
  /// blanks if it has none), a blank, and the element type; if there is no id, a blank and the position
  /// "model.mlir:3:8" may follow. Returns NULL if the invocation is to end. This and the next function need
  /// MICA_FEATURE_SIZES.
  void *(*allocate)(void *ctx, const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank);
  /// Returns the size in bytes of such a tensor, with the same checks; -1 if the invocation is to end.
  int64_t (*bytes)(void *ctx, const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank);
  /// As allocate; `alignment` is a power of two. This and the next two functions need MICA_FEATURE_SHAPES.
  void *(*allocate_aligned)(void *ctx, const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank,
                            int64_t alignment);
  /// As result; `what` names the operation that writes it, as in allocate.
  void *(*result_of)(void *ctx, const char *what, int64_t index, const int64_t *sizes, int64_t rank);
  /// Returns 0 if a buffer of shape `from` can be reshaped to `to` by `rule` (MICA_RESHAPE_* of Memory.h), and no size
  /// is negative; nonzero if the invocation is to end.
  int32_t (*reshape)(void *ctx, const char *what, int32_t rule, const int64_t *from, int64_t from_rank,
                     const int64_t *to, int64_t to_rank);
  /// Returns the position in the list of what was allocated in this invocation and not released. This and the next
  /// function need MICA_FEATURE_RELEASES.
  int64_t (*mark)(void *ctx);
  /// Releases what was allocated since `mark` returned `position`, except memory that one of the `num_kept` addresses
  /// `kept` points into. Later allocations may return the same memory.
  void (*release)(void *ctx, int64_t position, void *const *kept, int64_t num_kept);
} mica_host_api_v1;

/// A host function: the symbol `mica_entry_<entry>` of program.so. `args`: one address per argument of the entry;
/// `dims`: every dimension of every argument, static ones included, flattened in order. Returns 0 or nonzero on
/// failure.
typedef int32_t (*mica_host_fn_v1)(const mica_host_api_v1 *api, void *ctx, void *const *args, const int64_t *dims);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_HOST_H
