//===- Sim.h - the contract between kernels compiled for the simulator and the runtime -------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A GPU kernel compiled for the simulator is split at its convergence points: barriers, shuffles and all other
// operations at which the threads of a warp or block must meet. The code between two points is a region: a function
// that runs it for those threads of one warp that wait at its point, one after the other, and stores for each thread
// the point at which it waits next. Values that are live across a point lie in the thread's frame. So a warp can be
// suspended at every point, and the runtime decides which warp continues, in which order its threads run, and what
// happens at a point.
//
// A program with such kernels exports a pointer, MICA_SIM_API_SYMBOL, which the runtime fills with its table when it
// loads the program. Plain C; see Kernel.h for versioning.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_ABI_SIM_H
#define MICA_ABI_SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MICA_SIM_ABI_VERSION 5u
#define MICA_SIM_API_SYMBOL "mica_sim_api"

/// Threads of a warp.
#define MICA_SIM_LANES 32

/// `next` of a thread that has exited. Other values are positions in `points`.
#define MICA_SIM_DONE 0xFFFFu

/// Bytes that a thread passes to a point, and receives from it. Operands and results lie at multiples of 16, in order.
/// The most are the 128 sums that a thread has of a product of 64x256, and two descriptors.
#define MICA_SIM_EXCHANGE_BYTES 576

/// An address that is out of bounds, as the code reported already.
#define MICA_SIM_NO_ADDRESS (-1)

/// What the threads that meet at a point do there. `imm` of a point is described here. Operands of a thread lie one
/// behind the other, each at a multiple of 16 bytes; so do results.
enum mica_sim_point_kind {
  MICA_SIM_ENTRY = 0,   ///< the kernel begins; always point 0
  MICA_SIM_BARRIER = 1, ///< the whole block meets
  MICA_SIM_SHUFFLE =
      2, ///< operands value, offset (i32), width (i32); results value, valid (i1). imm: mode, bytes of value
  MICA_SIM_BALLOT = 3, ///< operand i1; result i32 or i64. imm: bytes of the result
  MICA_SIM_BROADCAST =
      4, ///< operand value, and with imm 0 a lane (i32); result value. imm: specific 0, first active 1; bytes
  MICA_SIM_LDMATRIX =
      5, ///< operand address, or MICA_SIM_NO_ADDRESS of a row that reads as 0; result registers. imm: tiles, transposed
  MICA_SIM_MMA = 6, ///< operands a, b, c; result d. imm: m, n, k, mica_sim_mma_type of the inputs
  MICA_SIM_ALL = 7, ///< operand i1; result i1. imm: all 0, any 1
  MICA_SIM_WAIT =
      8, ///< a loop that another thread has to end: it goes on when others had their turn. Operands: of each
         ///< load that its end depends on, address and value (i64). imm: loads, bytes of the first
  MICA_SIM_MEET = 9, ///< the whole warp meets
  MICA_SIM_SUBGROUP_MMA =
      10, ///< as MICA_SIM_MMA; element e of thread l is the (l + 32 e)-th of its matrix, counted by rows
  MICA_SIM_WARP_BARRIER = 11,  ///< operand mask (i32): these threads of the warp meet
  MICA_SIM_NAMED_BARRIER = 12, ///< operands number (i32), threads (i32; 0: all of the block), which meet
  MICA_SIM_ARRIVE = 13,        ///< operand number (i32): counts for that barrier, and goes on
  MICA_SIM_MATCH = 14,         ///< operand value; results mask (i32), whether it is not 0. imm: any 0, all 1; bytes
  /// Operands address (i64), count (i32), bytes (i32), whether it happens (i1); result the phase before it (i64). imm:
  /// mica_sim_mbarrier_action, whether it may not complete the phase.
  MICA_SIM_MBARRIER = 15,
  /// Operands address (i64), phase (i64); result whether it is complete (i1). imm: whether `phase` is a parity, whether
  /// it waits until the phase is complete, and otherwise only until nothing else goes on.
  MICA_SIM_MBARRIER_WAIT = 16,
  /// Between global and workgroup memory. Operands tensor map (or, of rank 0, global address; i64), address in
  /// workgroup memory (i64), mbarrier (i64; of stores 0), whether it happens (i1), then `rank` coordinates, of rank 0
  /// the number of bytes (i32). imm: mica_sim_bulk_direction, rank.
  MICA_SIM_BULK_COPY = 17,
  /// imm: commits 0, waits 1, waits until sources have been read 2; how many groups may be open then.
  MICA_SIM_BULK_GROUP = 18,
  /// A product of four warps. Operands descriptors of a and b (i64), c; result d: registers as the PTX ISA lays them
  /// out. imm: n, mica_sim_wgmma_type of a and b and whether sums are f16 (8 bits each), bits of mica_sim_wgmma_flag.
  MICA_SIM_WGMMA = 19,
};

enum mica_sim_shuffle_mode { MICA_SIM_XOR = 0, MICA_SIM_DOWN = 1, MICA_SIM_UP = 2, MICA_SIM_IDX = 3 };

/// Input types of products. The accumulator is f32 for the float types except F16_F16 and F64, and i32 for I8 and U8.
enum mica_sim_mma_type {
  MICA_SIM_MMA_F16 = 0,
  MICA_SIM_MMA_BF16 = 1,
  MICA_SIM_MMA_TF32 = 2,
  MICA_SIM_MMA_I8 = 3,
  MICA_SIM_MMA_F64 = 4,
  MICA_SIM_MMA_F16_F16 = 5,
  MICA_SIM_MMA_U8 = 6,
};

enum mica_sim_mbarrier_action {
  MICA_SIM_MBARRIER_INIT = 0,       ///< of `count` arrivals
  MICA_SIM_MBARRIER_INVALIDATE = 1, ///< its memory may be used otherwise
  MICA_SIM_MBARRIER_ARRIVE = 2,     ///< `count` times, after expecting `bytes` more
  MICA_SIM_MBARRIER_DROP = 3,       ///< the same, and later phases have `count` fewer
  MICA_SIM_MBARRIER_COMPLETE = 4,   ///< `bytes` have come
  MICA_SIM_MBARRIER_COPIED = 5, ///< arrives once the thread's asynchronous copies are made; expects `count` more first
};

enum mica_sim_bulk_direction { MICA_SIM_BULK_LOAD = 0, MICA_SIM_BULK_STORE = 1 };

enum mica_sim_wgmma_type {
  MICA_SIM_WGMMA_F16 = 0,
  MICA_SIM_WGMMA_BF16 = 1,
  MICA_SIM_WGMMA_TF32 = 2,
  MICA_SIM_WGMMA_E4M3 = 3,
  MICA_SIM_WGMMA_E5M2 = 4,
  MICA_SIM_WGMMA_S8 = 5,
  MICA_SIM_WGMMA_U8 = 6,
};

enum mica_sim_wgmma_flag {
  MICA_SIM_WGMMA_A_BY_COLUMNS = 1, ///< a lies by columns
  MICA_SIM_WGMMA_B_BY_ROWS = 2,    ///< b lies by rows
  MICA_SIM_WGMMA_NO_SUM = 4,       ///< c counts as 0
  MICA_SIM_WGMMA_NEGATE_A = 8,
  MICA_SIM_WGMMA_NEGATE_B = 16,
  MICA_SIM_WGMMA_SATURATE = 32,
};

typedef struct mica_sim_point_v1 {
  int32_t kind;
  int32_t site; ///< position in the kernel's sites; -1: none
  int32_t imm[4];
} mica_sim_point_v1;

/// An operation of the program, named in reports.
typedef struct mica_sim_site_v1 {
  const char *text; ///< "memref.store at k.mlir:12:5"
} mica_sim_site_v1;

/// The checks that a kernel was compiled with, as bits.
enum mica_sim_check {
  MICA_SIM_CHECK_BOUNDS = 1,
  MICA_SIM_CHECK_RACE = 2,
  MICA_SIM_CHECK_INIT = 4,
  MICA_SIM_CHECK_BARRIER = 8,
  MICA_SIM_CHECK_ASYNC = 16,
  MICA_SIM_CHECK_ALIGNMENT = 32,
  MICA_SIM_CHECK_BANK = 64,
  MICA_SIM_CHECK_COALESCING = 128,
  MICA_SIM_CHECK_BARRIER_USE = 256,
  MICA_SIM_CHECK_HANG = 512,       ///< always on
  MICA_SIM_CHECK_ASSERTION = 1024, ///< assertions, divisions and shifts; with `BOUNDS`
};

enum mica_sim_kernel_flag {
  /// Threads compute addresses from integers or load them from memory: `host_memory` does not know all that they may
  /// access.
  MICA_SIM_RAW_ADDRESSES = 1,
  /// Some threads of a block meet without the others: accesses are looked at one by one.
  MICA_SIM_PARTIAL_BARRIERS = 2,
};

struct mica_sim_warp_v1;

/// Runs the threads `lanes` of a warp from one point to their next points.
typedef void (*mica_sim_region_v1)(struct mica_sim_warp_v1 *warp);

typedef struct mica_sim_kernel_v1 {
  const char *name;
  int32_t num_points;
  int32_t num_sites;
  const mica_sim_region_v1 *regions; ///< one per point
  const mica_sim_point_v1 *points;
  const mica_sim_site_v1 *sites;
  int64_t frame_bytes;     ///< of one thread; a multiple of 16
  int64_t workgroup_bytes; ///< of static workgroup memory
  int32_t checks;          ///< mica_sim_check
  int32_t granule;         ///< bytes of memory that one shadow cell stands for: 1, 2 or 4
  int32_t flags;           ///< mica_sim_kernel_flag
  int32_t reserved;        ///< 0
} mica_sim_kernel_v1;

/// One launch. `args`: the kernel's arguments, each at a multiple of 16 bytes.
typedef struct mica_sim_launch_v1 {
  const mica_sim_kernel_v1 *kernel;
  int64_t grid[3];
  int64_t block[3];
  int64_t dynamic_bytes; ///< of dynamic workgroup memory
  const void *args;
  const char *site; ///< "gpu.launch_func at k.mlir:40:5"
} mica_sim_launch_v1;

/// A shadow cell: the last write of its granule, the last read, and the last read before it by another thread. Each has
/// 64 bits, from the top: epoch (32), thread in its block (10), flags (2), site (20). `settled`: the epoch in which
/// further reads by any thread are correct and change nothing. See lib/Runtime/Sim/Shadow.h for epochs.
typedef struct mica_sim_cell_v1 {
  uint64_t write;
  uint64_t read;
  uint64_t other_read;
  uint64_t settled;
} mica_sim_cell_v1;

/// Positions in `uniform`.
enum mica_sim_uniform {
  MICA_SIM_ARGS,
  MICA_SIM_BLOCK_ID_X,
  MICA_SIM_BLOCK_ID_Y,
  MICA_SIM_BLOCK_ID_Z,
  MICA_SIM_GRID_DIM_X,
  MICA_SIM_GRID_DIM_Y,
  MICA_SIM_GRID_DIM_Z,
  MICA_SIM_BLOCK_DIM_X,
  MICA_SIM_BLOCK_DIM_Y,
  MICA_SIM_BLOCK_DIM_Z,
  MICA_SIM_SUBGROUP_ID,
  MICA_SIM_NUM_SUBGROUPS,
  MICA_SIM_WORKGROUP,       ///< address of the block's workgroup memory, static before dynamic
  MICA_SIM_WORKGROUP_BYTES, ///< of both
  MICA_SIM_DYNAMIC,         ///< address of the dynamic part
  MICA_SIM_DYNAMIC_BYTES,
  MICA_SIM_SHADOW,       ///< address of the cells of the workgroup memory
  MICA_SIM_STAMP,        ///< the current epoch of the block
  MICA_SIM_BLOCK_START,  ///< its first epoch
  MICA_SIM_LAUNCH_START, ///< the launch's first epoch
  MICA_SIM_PAGES,        ///< address of the table of shadows of global memory, MICA_SIM_PAGE_SLOTS entries
  MICA_SIM_NUM_UNIFORMS,
};

/// Global memory has shadow cells by page: page number p (address divided by MICA_SIM_PAGE_BYTES) is in slot p mod
/// MICA_SIM_PAGE_SLOTS, if it has any.
#define MICA_SIM_PAGE_BYTES 65536
#define MICA_SIM_PAGE_SLOTS 256

typedef struct mica_sim_page_v1 {
  uint64_t page;
  mica_sim_cell_v1 *cells; ///< of the page's first byte
} mica_sim_page_v1;

/// A warp of the current block.
typedef struct mica_sim_warp_v1 {
  int64_t uniform[MICA_SIM_NUM_UNIFORMS];
  char *frames;  ///< thread l's frame is at frames + l * frame_bytes
  char *inputs;  ///< the operands that thread l passes to a point, at inputs + l * MICA_SIM_EXCHANGE_BYTES
  char *outputs; ///< the results of a point, likewise
  int64_t num_lanes;
  uint8_t lanes[MICA_SIM_LANES];     ///< the threads to run, in this order: num_lanes of them
  uint16_t next[MICA_SIM_LANES];     ///< per thread: the point at which it waits
  int64_t thread[3][MICA_SIM_LANES]; ///< thread ids x, y, z
} mica_sim_warp_v1;

/// The kind of an access, for `touch`.
enum mica_sim_access {
  MICA_SIM_READ = 0,
  MICA_SIM_WRITE = 1,
  MICA_SIM_ATOMIC = 2,
  MICA_SIM_ACCESS_KIND = 3, ///< the bits of the above
  MICA_SIM_GLOBAL = 4,      ///< or-ed in: not known to be in workgroup memory
};

/// What `host_memory` says of memory.
enum mica_sim_host_memory {
  MICA_SIM_HOST_FREED = 0,
  MICA_SIM_HOST_KNOWN = 1,
};

/// What the runtime does for programs. `lane` is the thread of `warp` that asks, `site` the operation.
typedef struct mica_sim_api_v1 {
  uint32_t version; ///< MICA_SIM_ABI_VERSION
  /// Runs a launch to its end. Returns NULL, or the findings of its checks as text, valid until the next launch.
  const char *(*launch)(const mica_sim_launch_v1 *launch);
  /// Allocates uninitialized device memory. `host_shared`: the host may write it, so it counts as initialized. Returns
  /// NULL if there is not enough memory: later launches then fail with a message.
  void *(*alloc)(int64_t bytes, int32_t host_shared);
  void (*dealloc)(void *memory);
  /// The host copied or set `bytes` bytes of global memory. `from` NULL: the bytes are initialized.
  void (*copied)(void *to, const void *from, int64_t bytes);
  /// Checks an access that the inline check could not decide, or that has none. `kind`: mica_sim_access. Returns 0 if
  /// the access must not be executed.
  int32_t (*touch)(mica_sim_warp_v1 *warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site);
  /// Counts an access for bank conflicts and memory transactions.
  void (*count)(mica_sim_warp_v1 *warp, int32_t lane, int64_t address, int64_t bytes, int32_t kind, int32_t site);
  /// Reports a failed inline check: the values of an access (index, size, extent per dimension), or those of `message`.
  void (*report)(mica_sim_warp_v1 *warp, int32_t lane, int32_t site, const char *message, const int64_t *values,
                 int64_t num_values);
  /// Checks that an address is a multiple of `alignment`.
  void (*align)(mica_sim_warp_v1 *warp, int32_t lane, int64_t address, int64_t alignment, int32_t site);
  /// An asynchronous copy of `bytes` bytes: the first `read_bytes` come from `from`, the others are 0.
  void (*async_copy)(mica_sim_warp_v1 *warp, int32_t lane, int64_t to, int64_t from, int64_t bytes, int64_t read_bytes,
                     int32_t site);
  /// Closes the group of the copies since the last group.
  void (*async_group)(mica_sim_warp_v1 *warp, int32_t lane, int32_t site);
  /// Waits until at most `pending` groups are open.
  void (*async_wait)(mica_sim_warp_v1 *warp, int32_t lane, int64_t pending, int32_t site);
  /// gpu.printf: `format` as in C; each value widened to 8 bytes, `kinds` has a letter for each: i, f (a double) or s.
  void (*print)(mica_sim_warp_v1 *warp, int32_t lane, const char *format, const char *kinds, const int64_t *values);
  /// Memory of the host that kernels may access from now on, or (`state`: mica_sim_host_memory) not any more; of that,
  /// `bytes` is not read. What is neither memory of the device nor known is not accessed: `bounds` reports it.
  void (*host_memory)(void *begin, int64_t bytes, int32_t state);
  /// Describes a tensor in global memory for bulk copies, as cuTensorMapEncodeTiled does: `memref` is the descriptor
  /// of a buffer of `rank` dimensions, `element`, `interleave`, `swizzle`, `promotion` and `fill` are the driver's
  /// constants, `box` has the sizes of what a copy moves, the outermost first. Lives as long as the device; what is
  /// wrong with it is reported where it is used.
  void *(*tensor_map)(int64_t rank, const void *memref, int64_t element, int64_t interleave, int64_t swizzle,
                      int64_t promotion, int64_t fill, const int64_t *box);
} mica_sim_api_v1;

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MICA_ABI_SIM_H
