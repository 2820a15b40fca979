//===- Memory.h - memory that kernels and plain code ask for ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Generated code never calls malloc. What a kernel needs and what has a size that is known when it is compiled lies in
// `scratch` (Kernel.h) or on the stack. For the rest a program exports a pointer, MICA_MEMORY_API_SYMBOL, which the
// runtime fills with its table when it loads the program. The same table serves the functions of the reference
// lowering. Plain C; see Kernel.h for versioning.
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

/// What `reshape` compares: the numbers of elements, or each size; or that the sizes `from` can be added up (`to` are
/// none).
#define MICA_RESHAPE_ELEMENTS 0
#define MICA_RESHAPE_SIZES 1
#define MICA_RESHAPE_SUM 2

/// The status of a kernel that got no memory, or whose shapes do not fit; the runtime knows why. A kernel need not
/// return it: the service ends its call.
#define MICA_STATUS_NO_MEMORY 19781

typedef struct mica_memory_api_v1 {
  uint32_t version; ///< MICA_MEMORY_API_VERSION
  /// Memory for a tensor of `rank` sizes with elements of `element_bytes`, aligned to MICA_BUFFER_ALIGNMENT; it lives
  /// until the call that asked ends, or until `release`. `what` names the element type in messages, in functions of the
  /// reference lowering as `what` of mica_host_api_v1::allocate. Sizes are checked: where one is negative,
  /// their product too large, or memory not to be had, this does not return, and the call ends with
  /// MICA_STATUS_NO_MEMORY.
  void *(*allocate)(const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank);
  /// Gives back what `allocate` gave in the same call.
  void (*release)(void *memory);
  /// As allocate; `alignment` is a power of two. Of version 2 of the table, as is the next; both need
  /// MICA_FEATURE_SHAPES.
  void *(*allocate_aligned)(const char *what, int64_t element_bytes, const int64_t *sizes, int64_t rank,
                            int64_t alignment);
  /// Returns where memory of a tensor of the sizes `from` can be seen as one of the sizes `to` by `rule`
  /// (MICA_RESHAPE_*), and no size is negative. Where not, the call ends as in allocate.
  void (*reshape)(const char *what, int32_t rule, const int64_t *from, int64_t from_rank, const int64_t *to,
                  int64_t to_rank);
} mica_memory_api_v1;

/// Version of the numbers that `mica_signature_<kernel>`, `mica_entry_signature_<entry>` and `mica_list_signatures`
/// begin with.
#define MICA_SIGNATURE_VERSION 1

/// program.so exports, as arrays of int64_t, what its code takes for granted, and the runtime holds manifest.json and
/// tasks.json against it when it loads the program. Programs without these symbols are not compared. After the version:
///
/// `mica_signature_<kernel>`: flags (MICA_SIGNATURE_*), scratch bytes, grid, how many scalars follow the dynamic
/// dimensions, how many bindings; for each its access (0 read, 1 write, 2 both, -1 unknown), bytes of an element, rank
/// and dimensions (-1: dynamic). `mica_entry_signature_<entry>`: flags; how many arguments; for each bytes of an
/// element, rank and dimensions. `mica_list_signatures`: how many task lists; for each how many buffers and how many
/// scalars it is submitted with, and how many tasks; for each task mica_name_hash of its kernel, how many scalars it
/// passes on, and their positions. Sizes that a kernel is given, and what else it is told, belong together in ways that
/// no file says: lists that were edited may pass what is passed here, and nothing else.
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
