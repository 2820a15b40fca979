//===- mica.h - running Mica programs from a host program ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The C API of libmica.so: load an artifact, query its entries, run them. Tensors are passed as DLPack. See docs/ABI.md
// and docs/examples/c/run.c.
//
// Functions that can fail return MICA_OK or the kind of failure, and fill `error` unless it is NULL. Handles are
// opaque; each is released by its own function, in any order (handles keep alive what they depend on). NULL may be
// released. Any number of threads may use a program at the same time, and also a context (its invocations run one after
// the other).
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

/// Version of this header. A library serves this header if its mica_api_version() is equal or higher.
#define MICA_C_API_VERSION 3u

/// Kinds of failure.
typedef enum mica_code {
  MICA_OK = 0,
  MICA_INVALID_INPUT = 1, ///< an argument, input or value is wrong
  MICA_NOT_FOUND = 2,     ///< a file, entry or symbol does not exist
  MICA_DAMAGED = 3,       ///< a file is truncated or inconsistent
  MICA_UNSUPPORTED = 4,   ///< this library or machine does not support it
  MICA_IO = 5,            ///< the system refused: memory, disk, permission
  MICA_CHECK_FAILED = 6,  ///< a task failed; unless a check of its kernel failed, the context cannot be used any more
  MICA_HANG = 7,          ///< no progress
  MICA_INTERNAL = 8,      ///< a fault of Mica
} mica_code;

/// The operation at which a program failed; the message has the same as text. Unknown texts are "", unknown numbers 0.
/// Later versions may add members at the end.
typedef struct mica_error_place {
  const char *kernel;    ///< in which it failed; "" for checks outside of kernels
  const char *operation; ///< "mica.div"; of several fused operations the first, a kernel's root
  const char *id;        ///< of the operation, 12 hexadecimal digits
  const char *file;      ///< of its source position
  int64_t line;          ///< from 1
  int64_t column;        ///< from 1
  const char *operands;  ///< if relevant: "-2" of an origin of NaN, "7, 0" of a division
  const char *element;   ///< and the element of the operation's result: "[0, 4]"
} mica_error_place;

/// A failure. Initialize with MICA_ERROR_INIT; the library owns the memory behind the pointers, which is valid until
/// mica_error_clear() or the next failure that is written to the same structure.
typedef struct mica_error {
  mica_code code;
  const char *message;           ///< what failed, one line
  const char *hint;              ///< what to try next, and a source traceback; may be empty
  const mica_error_place *place; ///< NULL if no operation of the program failed
} mica_error;

#define MICA_ERROR_INIT                                                                                                \
  { MICA_OK, NULL, NULL, NULL }

typedef struct mica_program mica_program;       ///< a loaded artifact
typedef struct mica_context mica_context;       ///< an execution context: threads, memory
typedef struct mica_invocation mica_invocation; ///< an invocation in progress

/// Type of an argument or result. A dimension of -1 accepts any size. The program owns the memory behind the pointers.
typedef struct mica_tensor_info {
  const char *name; ///< may be empty
  DLDataType dtype;
  int32_t ndim;
  const int64_t *shape;
} mica_tensor_info;

/// Options of a context. Zero-initialize, then set `struct_size`, so that later versions can add members.
typedef struct mica_context_options {
  size_t struct_size; ///< sizeof(mica_context_options)
  int32_t threads;    ///< compute threads, including the calling one; 0: one per CPU
} mica_context_options;

/// What the library logs, and where: the values of the MICA_LOGS variables (docs/Environment.md). Zero-initialize, then
/// set `struct_size`; NULL means the variable's own value.
typedef struct mica_log_options {
  size_t struct_size;  ///< sizeof(mica_log_options)
  const char *topics;  ///< MICA_LOGS, "+runtime,guards"
  const char *file;    ///< MICA_LOGS_OUT
  const char *folder;  ///< MICA_LOG_DIR
  const char *format;  ///< MICA_LOGS_FORMAT
  const char *kernels; ///< MICA_LOGS_KERNEL
  const char *ranks;   ///< MICA_LOGS_RANK
} mica_log_options;

/// Frees the contents of `error` and resets it to MICA_ERROR_INIT.
void mica_error_clear(mica_error *error);

/// "0.1.0".
const char *mica_version(void);
uint32_t mica_api_version(void);

/// Applies `options` to the whole process from now on; may be called at any time, from any thread. On failure nothing
/// changes. Without a call the environment variables apply, which are read when the first program is loaded.
mica_code mica_set_logs(const mica_log_options *options, mica_error *error);

/// Sets switches ("op-log-level=trace,device-sync-mode", docs/Environment.md) for contexts and programs
/// (mmap-weights=off) that are created from now on; they override MICA_DEBUG. On a wrong name or value none is set.
/// Existing contexts do not change, and a warning says so.
mica_code mica_set_switches(const char *switches, mica_error *error);

/// Loads the artifact in `folder`. It is code: load only artifacts that you trust. Weights of more than 16 MiB are
/// mapped, so truncating constants.bin during a call ends the process by SIGBUS; with the switch mmap-weights=off they
/// are read into memory (docs/ABI.md).
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
/// The same for one rank of a program for several (docs/Ranks.md), by a communicator of the caller's: functions that
/// send messages, as include/mica/ABI/Ranks.h describes them. They stay valid as long as the context, and are called by
/// one thread at a time; `abort` and `close` are not called. Inputs and results of calls are whole tensors, on each
/// rank. `ranks` NULL: as mica_context_create(), for which a launcher of MPI says which rank this is.
struct mica_ranks_api_v1;
mica_code mica_context_create_ranked(mica_program *program, const mica_context_options *options,
                                     const struct mica_ranks_api_v1 *ranks, mica_context **context, mica_error *error);
/// into[i] = into[i] and other[i], for reductions of such functions; `dtype` and `reduction` are those of the call.
void mica_ranks_combine(int32_t dtype, int32_t reduction, void *into, const void *other, int64_t count);

void mica_context_release(mica_context *context);

/// Runs `entry` and returns when it is done. Inputs: packed, row-major, on the CPU; they are only read during the call,
/// and not copied if their memory is aligned to 64 bytes. `results` receives mica_program_result_count() tensors, which
/// the caller owns: call the `deleter` of each. On failure none is written.
mica_code mica_invoke(mica_context *context, size_t entry, const DLTensor *const *inputs, size_t input_count,
                      DLManagedTensorVersioned **results, size_t result_count, mica_error *error);

/// Starts `entry` and returns at once. Inputs must stay valid and unchanged until mica_invocation_wait() has returned
/// or the invocation is released. Invocations run in the order of submission.
mica_code mica_submit(mica_context *context, size_t entry, const DLTensor *const *inputs, size_t input_count,
                      mica_invocation **invocation, mica_error *error);
/// Returns 1 if mica_invocation_wait() would not block.
int32_t mica_invocation_done(const mica_invocation *invocation);
/// Waits for the end and returns the results, once, as mica_invoke().
mica_code mica_invocation_wait(mica_invocation *invocation, DLManagedTensorVersioned **results, size_t result_count,
                               mica_error *error);
/// Waits for the invocation first if mica_invocation_wait() was not called.
void mica_invocation_release(mica_invocation *invocation);

/// Limits of an isolated call. Zero-initialize, then set `struct_size`; 0 is no limit.
typedef struct mica_isolation_options {
  size_t struct_size; ///< sizeof(mica_isolation_options)
  int32_t threads;    ///< as mica_context_options
  uint64_t memory;    ///< bytes of its address space, and of its results
  double seconds;     ///< of wall time
} mica_isolation_options;

/// Opens the artifact in `folder` as mica_program_load() does, but loads and runs none of its code: for its signatures,
/// and for mica_run_isolated(). mica_context_create() rejects it.
mica_code mica_program_open(const char *folder, mica_program **program, mica_error *error);

/// Runs `entry` once, in a separate process (mica-run) that the kernel confines: it can read the artifact and the
/// system's libraries, but cannot write files or access the network or other processes (docs/Security.md). Inputs and
/// results as mica_invoke(); both are copied, through memory that is shared with the process. Errors beside those of
/// mica_invoke(): MICA_CHECK_FAILED if a signal ended the process, as in a crash of a kernel; MICA_HANG beyond
/// `seconds`; MICA_UNSUPPORTED if this machine's kernel cannot confine processes, or mica-run is not found; then
/// nothing has run. `options` may be NULL. May be called from any thread, also concurrently for one program; no
/// process, file or thread is left when it returns.
mica_code mica_run_isolated(mica_program *program, size_t entry, const mica_isolation_options *options,
                            const DLTensor *const *inputs, size_t input_count, DLManagedTensorVersioned **results,
                            size_t result_count, mica_error *error);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_C_MICA_H
