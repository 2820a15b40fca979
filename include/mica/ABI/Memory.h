//===- Memory.h - dynamic allocation in kernels and reference-lowered code -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Generated code never calls malloc. Temporaries of a kernel whose size is known at compile time lie in `scratch`
// (Kernel.h) or on the stack. For all others a program exports a pointer, MICA_MEMORY_API_SYMBOL, which the runtime
// fills with its table when it loads the program. The same table serves the functions of the reference lowering. Plain
// C; see Kernel.h for versioning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_MEMORY_H
#define MICA_ABI_MEMORY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MICA_MEMORY_API_VERSION 2u
#define MICA_MEMORY_API_SYMBOL "mica_memory_api"

/// The rules of `reshape`: equal numbers of elements; equal sizes; or the sum of the sizes `from` does not overflow
/// (`to` is empty).
#define MICA_RESHAPE_ELEMENTS 0
#define MICA_RESHAPE_SIZES 1
#define MICA_RESHAPE_SUM 2

/// Status of a kernel whose allocation failed or whose shapes do not match; the runtime keeps the reason. A kernel need
/// not return it: the service ends the call.
#define MICA_STATUS_NO_MEMORY 19781

typedef struct mica_memory_api_v1 {
  uint32_t version; ///< MICA_MEMORY_API_VERSION
  /// Allocates memory for a tensor of `rank` sizes with elements of `element_bytes`, aligned to MICA_BUFFER_ALIGNMENT.
  /// It lives until the call that allocated it ends, or until `release`. `what` names the element type in messages,
  /// after "#", the number of the operation in the kernel's op_ids with 11 digits, and a space; " 3:8" behind it is
  /// the place in the source, which may be inside of that operation. In functions of the reference lowering it is
  /// `what` of mica_host_api_v1::allocate. If a size is negative, the size in bytes overflows, or there is not enough
  /// memory, this does not return, and the call ends with MICA_STATUS_NO_MEMORY.
  void *(*allocate)(const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank);
  /// Releases memory that `allocate` returned in the same call.
  void (*release)(void *memory);
  /// As allocate; `alignment` is a power of two. This and the next function are members since version 2 of the table,
  /// and need MICA_FEATURE_SHAPES.
  void *(*allocate_aligned)(const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank,
                            int64_t alignment);
  /// Returns if a buffer of shape `from` can be reshaped to `to` by `rule` (MICA_RESHAPE_*), and no size is negative.
  /// Otherwise the call ends as in allocate.
  void (*reshape)(const char *what, int32_t rule, const int64_t *from, int64_t from_rank, const int64_t *to,
                  int64_t to_rank);
} mica_memory_api_v1;

/// Version of the arrays `mica_signature_<kernel>`, `mica_entry_signature_<entry>` and `mica_list_signatures`; their
/// first element.
#define MICA_SIGNATURE_VERSION 1

/// Signatures: program.so exports the assumptions of its code as arrays of int64_t, and the runtime checks
/// manifest.json and tasks.json against them when it loads the program. Programs without these symbols are not checked.
/// After the version:
///
/// `mica_signature_<kernel>`: flags (MICA_SIGNATURE_*), scratch bytes, grid, number of scalars after the dynamic
/// dimensions, number of bindings; per binding its access (0 read, 1 write, 2 both, -1 unknown), bytes per element,
/// rank and dimensions (-1: dynamic). `mica_entry_signature_<entry>`: flags; number of arguments; per argument bytes
/// per element, rank and dimensions. `mica_list_signatures`: number of task lists; per list the number of buffers and
/// of scalars that it is submitted with, and the number of tasks; per task mica_name_hash of its kernel, the number of
/// scalars that it passes on, and their positions. The relations between the sizes and other scalars of a kernel are
/// recorded in no file, so an edited list must pass the same scalars.
#define MICA_SIGNATURE_PREFIX "mica_signature_"
#define MICA_ENTRY_SIGNATURE_PREFIX "mica_entry_signature_"
#define MICA_LIST_SIGNATURES_SYMBOL "mica_list_signatures"

/// FNV-1a of a kernel's name.
static inline int64_t mica_name_hash(const char *name, int64_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  int64_t i;
  for (i = 0; i < length; ++i)
    hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3u;
  return (int64_t)hash;
}

/// The kernel, or the entry's host function, calls mica_memory_api_v1.
#define MICA_SIGNATURE_ALLOCATES 1

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_MEMORY_H
