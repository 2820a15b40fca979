//===- Ranks.h - plug-ins for communication between ranks ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A plug-in for communication between ranks: libmica-openmpi.so and libmica-mpich.so, one for each binary interface of
// MPI. The runtime loads the one that fits the launcher, so it is not linked against MPI. Plain C; see Kernel.h for
// versioning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_RANKS_H
#define MICA_ABI_RANKS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MICA_RANKS_VERSION 1u
#define MICA_RANKS_OPEN_SYMBOL "mica_ranks_open_v1"

/// What the members of a group do; mica::runtime::GroupCall says what each one means.
#define MICA_RANKS_ALL_GATHER 0
#define MICA_RANKS_ALL_REDUCE 1
#define MICA_RANKS_REDUCE_SCATTER 2
#define MICA_RANKS_ALL_TO_ALL 3
#define MICA_RANKS_BROADCAST 4
#define MICA_RANKS_GATHER 5
#define MICA_RANKS_REDUCE 6
#define MICA_RANKS_SCATTER 7
#define MICA_RANKS_EXCHANGE 8

/// How elements of several ranks become one.
#define MICA_RANKS_SUM 0
#define MICA_RANKS_PRODUCT 1
#define MICA_RANKS_MIN 2
#define MICA_RANKS_MAX 3
#define MICA_RANKS_AND 4
#define MICA_RANKS_OR 5
#define MICA_RANKS_XOR 6

/// into[i] = into[i] `reduction` other[i]. `dtype`: a number that the runtime knows.
typedef void (*mica_ranks_combine_v1)(int32_t dtype, int32_t reduction, void *into, const void *other, int64_t count);

typedef struct mica_ranks_call_v1 {
  int32_t kind;
  int32_t dtype;
  int32_t reduction;
  int32_t root;         ///< position among the members
  int32_t send_to;      ///< rank; -1: none
  int32_t receive_from; ///< rank; -1: none
  int32_t num_members;  ///< 0: all ranks, in a call of the runtime's own, which never meets one of the program
  int32_t self;         ///< the caller's position among the members
  const int32_t *members;
  const void *send;
  void *receive;
  int64_t count; ///< elements of a part
  int64_t element_bytes;
} mica_ranks_call_v1;

/// Functions return 0, or -1 after they have written why to `message`, of `capacity` bytes. They are called by one
/// thread at a time.
typedef struct mica_ranks_api_v1 {
  uint32_t version;             ///< MICA_RANKS_VERSION
  const char *(*library)(void); ///< name and version of the MPI library
  int32_t (*rank)(void);
  int32_t (*size)(void);
  /// Begins a call; `*request` stands for it until test() says that it is complete.
  int32_t (*start)(const mica_ranks_call_v1 *call, void **request, char *message, int64_t capacity);
  int32_t (*test)(void *request, int32_t *complete, char *message, int64_t capacity);
  void (*abort)(int32_t code); ///< ends all ranks
  void (*close)(void);         ///< no call may follow
} mica_ranks_api_v1;

/// Initializes MPI. Null after an error, which is written to `message`.
typedef const mica_ranks_api_v1 *(*mica_ranks_open_fn_v1)(mica_ranks_combine_v1 combine, char *message,
                                                          int64_t capacity);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_RANKS_H
