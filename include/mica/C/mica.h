//===- mica.h - running Mica programs from a host program ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The C API of libmica.so: load an artifact, look at its entries, run them. Tensors cross as DLPack. See docs/ABI.md
// and docs/examples/c/run.c.
//
// Functions that can fail return MICA_OK or the kind of failure, and fill `error` where that is not NULL. Handles are
// opaque; each is released by its own function, in any order (what one needs of another it keeps alive). NULL may be
// released. A program may be used by any number of threads at the same time, a context too (its invocations run one
// after the other).
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_C_MICA_H
#define MICA_C_MICA_H

#include "mica/C/DLPack.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of this header. mica_api_version() gives the library's: one that is equal or higher serves this header.
#define MICA_C_API_VERSION 3u

/// Kinds of failure.
typedef enum mica_code {
  MICA_OK = 0,
  MICA_INVALID_INPUT = 1, ///< an argument, input or value is wrong
  MICA_NOT_FOUND = 2,     ///< a file, entry or symbol does not exist
  MICA_DAMAGED = 3,       ///< a file is truncated or inconsistent
  MICA_UNSUPPORTED = 4,   ///< this library or machine cannot serve it
  MICA_IO = 5,            ///< the system refused: memory, disk, permission
  MICA_CHECK_FAILED =
      6,         ///< a task failed while running; unless a check of its kernel did, the context takes no further work
  MICA_HANG = 7, ///< no progress
  MICA_INTERNAL = 8, ///< Mica's own fault
} mica_code;

/// The operation that failed while a program ran: what the message says in words. Texts that are not known are "",
/// numbers 0. Later versions may add members at the end.
typedef struct mica_error_place {
  const char *kernel;    ///< that ran it; "" for what is checked outside of kernels
  const char *operation; ///< "mica.div"; of several that are meant the first, a kernel's root
  const char *id;        ///< of the operation, 12 hexadecimal digits
  const char *file;      ///< where it was written
  int64_t line;          ///< from 1
  int64_t column;        ///< from 1
  const char *operands;  ///< where they matter: "-2" of an origin of NaN, "7, 0" of a division
  const char *element;   ///< and the element of the operation's result: "[0, 4]"
} mica_error_place;

/// A failure in words. Start with MICA_ERROR_INIT; what the pointers give is the library's, until mica_error_clear() or
/// the next failure that is written to the same structure.
typedef struct mica_error {
  mica_code code;
  const char *message;           ///< what failed, one line
  const char *hint;              ///< what to try next, and a source traceback; may be empty
  const mica_error_place *place; ///< NULL where no operation of the program failed
} mica_error;

#define MICA_ERROR_INIT                                                                                                \
  { MICA_OK, NULL, NULL, NULL }

typedef struct mica_program mica_program;       ///< a loaded artifact
typedef struct mica_context mica_context;       ///< what running it needs: threads, memory
typedef struct mica_invocation mica_invocation; ///< a run on its way

/// Type of an argument or result. A dimension of -1 takes any size. Pointers are the program's.
typedef struct mica_tensor_info {
  const char *name; ///< may be empty
  DLDataType dtype;
  int32_t ndim;
  const int64_t *shape;
} mica_tensor_info;

/// How to make a context. Start with zeros and set `struct_size`, so that later versions can add members.
typedef struct mica_context_options {
  size_t struct_size; ///< sizeof(mica_context_options)
  int32_t threads;    ///< that compute, the calling one included; 0: one per CPU
} mica_context_options;

/// What the library says of its work, and where: the values of the MICA_LOGS variables (docs/Environment.md). Start
/// with zeros and set `struct_size`; NULL is the variable's own value.
typedef struct mica_log_options {
  size_t struct_size;  ///< sizeof(mica_log_options)
  const char *topics;  ///< MICA_LOGS, "+runtime,guards"
  const char *file;    ///< MICA_LOGS_OUT
  const char *folder;  ///< MICA_LOG_DIR
  const char *format;  ///< MICA_LOGS_FORMAT
  const char *kernels; ///< MICA_LOGS_KERNEL
  const char *ranks;   ///< MICA_LOGS_RANK
} mica_log_options;

/// Frees what `error` holds and makes it MICA_ERROR_INIT again.
void mica_error_clear(mica_error *error);

/// "0.1.0".
const char *mica_version(void);
uint32_t mica_api_version(void);

/// Puts `options` in force for the whole process, from now on; may be called at any time, from any thread. On failure
/// all stays as it was. Without a call the environment holds, read when the first program is loaded.
mica_code mica_set_logs(const mica_log_options *options, mica_error *error);

/// Sets switches ("op-log-level=trace,device-sync-mode", docs/Environment.md) for the contexts that are made, and the
/// programs that are loaded (mmap-weights=off), from now on; the
/// program's word counts more than MICA_DEBUG's. A wrong name or value sets none. Where contexts exist already, which
/// stay as they are, a warning says so.
mica_code mica_set_switches(const char *switches, mica_error *error);

/// Loads the artifact in `folder`. It is code: load only those you trust. Weights of more than 16 MiB are mapped, so
/// that who cuts off constants.bin during a call ends the process by SIGBUS; with the switch mmap-weights=off they are
/// read into memory (docs/ABI.md).
mica_code mica_program_load(const char *folder, mica_program **program, mica_error *error);
void mica_program_release(mica_program *program);

size_t mica_program_entry_count(const mica_program *program);
/// NULL if there is no such entry.
const char *mica_program_entry_name(const mica_program *program, size_t entry);
/// The position of entry `name`; NULL or "" is the only entry.
mica_code mica_program_find_entry(const mica_program *program, const char *name, size_t *entry, mica_error *error);
/// 0 if there is no such entry.
size_t mica_program_argument_count(const mica_program *program, size_t entry);
size_t mica_program_result_count(const mica_program *program, size_t entry);
mica_code mica_program_argument(const mica_program *program, size_t entry, size_t index, mica_tensor_info *info,
                                mica_error *error);
mica_code mica_program_result(const mica_program *program, size_t entry, size_t index, mica_tensor_info *info,
                              mica_error *error);

/// `options` may be NULL.
mica_code mica_context_create(mica_program *program, const mica_context_options *options, mica_context **context,
                              mica_error *error);
void mica_context_release(mica_context *context);

/// Runs `entry` and returns when it is done. Inputs: packed, row-major, on the CPU; read, not kept, not copied where
/// their memory is aligned to 64 bytes. `results` takes mica_program_result_count() tensors, which are the caller's:
/// call the `deleter` of each. On failure none is given.
mica_code mica_invoke(mica_context *context, size_t entry, const DLTensor *const *inputs, size_t input_count,
                      DLManagedTensorVersioned **results, size_t result_count, mica_error *error);

/// Starts `entry` and returns at once. Inputs must stay as they are until mica_invocation_wait() has returned or the
/// invocation is released. Invocations run in the order of submission.
mica_code mica_submit(mica_context *context, size_t entry, const DLTensor *const *inputs, size_t input_count,
                      mica_invocation **invocation, mica_error *error);
/// 1 once mica_invocation_wait() would not block.
int32_t mica_invocation_done(const mica_invocation *invocation);
/// Waits for the end and gives the results, once, as mica_invoke().
mica_code mica_invocation_wait(mica_invocation *invocation, DLManagedTensorVersioned **results, size_t result_count,
                               mica_error *error);
/// Waits if nobody did.
void mica_invocation_release(mica_invocation *invocation);

/// What an isolated call may take. Start with zeros and set `struct_size`; 0 is no limit.
typedef struct mica_isolation_options {
  size_t struct_size; ///< sizeof(mica_isolation_options)
  int32_t threads;    ///< as mica_context_options
  uint64_t memory;    ///< bytes of its address space, and of its answer
  double seconds;     ///< of wall time
} mica_isolation_options;

/// Opens the artifact in `folder` as mica_program_load() does, but for its code, of which nothing is loaded or run: for
/// its signatures, and for mica_run_isolated(). mica_context_create() refuses it.
mica_code mica_program_open(const char *folder, mica_program **program, mica_error *error);

/// Runs `entry` once, in a process of its own (mica-run, started anew) that the kernel confines: it reads the artifact
/// and the system's libraries, writes no file, and reaches neither the network nor other processes (docs/Security.md).
/// Inputs and results as mica_invoke(); both are copied, through memory that is shared with the process. Beside the
/// errors of mica_invoke(): MICA_CHECK_FAILED where a signal ended the process, as a crash of a kernel does, MICA_HANG
/// beyond `seconds`, MICA_UNSUPPORTED where the kernel of this machine cannot confine, or mica-run is not found; then
/// nothing has run. `options` may be NULL. May be called from any thread, also for one program at the same time; no
/// process, file or thread is left when it returns.
mica_code mica_run_isolated(mica_program *program, size_t entry, const mica_isolation_options *options,
                            const DLTensor *const *inputs, size_t input_count, DLManagedTensorVersioned **results,
                            size_t result_count, mica_error *error);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_C_MICA_H
