//===- Touch.c - common cases of accesses to shadowed memory ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The code for an access in a simulated kernel: it reads the shadow cells of the accessed memory. In the common cases
// it records the access and returns 1; in all others (a conflict, a partial cell, an unknown address) it calls the
// runtime, where lib/Runtime/Sim/Shadow.cpp documents each case. Both must write the same cell contents.
//
// Compiled to bitcode when Mica is built, and from there to the LLVM dialect. TouchFunctions.cpp adds the functions to
// the module of a kernel, with one function per kind of access that calls them with constants; after inlining only the
// code for that kind is left.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/ABI/Sim.h"

typedef uint64_t u64;
typedef mica_sim_cell_v1 Cell;

/// The bit fields of a cell's words (mica_sim_cell_v1).
enum {
  kSeveral = 1 << 20,
  kOtherBlock = 1 << 21,
  kFlags = kSeveral | kOtherBlock,
  kThreadShift = 22,
  kStampShift = 32
};

/// Values that are equal for all threads of a block between two barriers, in the order of Tables::touchUniforms.
#define UNIFORMS u64 base, u64 size, u64 shadow, u64 stamp, u64 block_start, u64 launch_start, u64 subgroup, u64 pages
#define ACCESS mica_sim_warp_v1 *warp, uint32_t lane, u64 address, u64 bytes, int32_t kind, uint32_t site

/// The number of iterations is a constant once the function is inlined.
#define UNROLLED _Pragma("clang loop unroll(full)")
#define ALWAYS_INLINE __attribute__((always_inline))
#define MOSTLY(condition) __builtin_expect_with_probability(!!(condition), 1, 0.999)
#define OFTEN(condition) __builtin_expect_with_probability(!!(condition), 1, 0.889)

/// Calls the runtime; defined with the kernel.
int32_t mica_sim_ask(ACCESS);

/// The word that this access writes into a cell.
static ALWAYS_INLINE u64 entry_of(u64 stamp, u64 subgroup, uint32_t lane, uint32_t site) {
  return stamp << kStampShift | ((subgroup << 5) + lane) << kThreadShift | site;
}

/// Records a read. A second thread's read in this interval settles the cell: further reads until the next barrier
/// change nothing. `ordered`: whether that holds for every thread, and not only for the one that wrote there.
static ALWAYS_INLINE void note_read(Cell *cell, u64 entry, _Bool ordered, u64 stamp, u64 block_start, _Bool is_global,
                                    u64 launch_start) {
  const u64 read = cell->read, was_read = read >> kStampShift;
  const u64 other = read >> kThreadShift ^ entry >> kThreadShift;
  u64 flags = was_read == stamp ? (read & kFlags) | (other ? kSeveral : 0) : 0;
  cell->settled = (flags & kSeveral) && ordered ? stamp : 0;
  if (is_global && was_read >= launch_start)
    flags |= was_read < block_start ? kOtherBlock : read & kOtherBlock;
  const _Bool is_own = (other & 1023) == 0 && was_read > block_start - 1;
  cell->other_read = is_own ? cell->other_read : read;
  cell->read = entry | flags;
}

/// A read of a cell of workgroup memory that is not settled: returns 1 and records it if it is correct, else 0. The
/// calling code is a loop, whose values stay in registers this way.
__attribute__((noinline, preserve_most)) int32_t mica_sim_note_read(Cell *cell, u64 entry, u64 stamp, u64 block_start) {
  const u64 written = cell->write >> kStampShift;
  if (written - block_start >= stamp - block_start)
    return 0;
  note_read(cell, entry, /*ordered=*/1, stamp, block_start, /*is_global=*/0, 0);
  return 1;
}

/// An access of `bytes`, which covers several cells of `granule` bytes, or one if `is_settled_known`.
ALWAYS_INLINE int32_t mica_sim_touch(ACCESS, UNIFORMS, u64 granule, _Bool is_settled_known) {
  const _Bool is_global = kind & MICA_SIM_GLOBAL, writes = (kind & MICA_SIM_ACCESS_KIND) == MICA_SIM_WRITE;
  const u64 count = bytes / granule;
  // The address of the cells.
  Cell *cells;
  _Bool is_near;
  if (is_global) {
    const u64 page = address / MICA_SIM_PAGE_BYTES, in_page = address % MICA_SIM_PAGE_BYTES;
    const mica_sim_page_v1 *slot = (const mica_sim_page_v1 *)pages + page % MICA_SIM_PAGE_SLOTS;
    is_near = slot->page == page && in_page <= MICA_SIM_PAGE_BYTES - bytes;
    cells = slot->cells + in_page / granule;
  } else {
    const u64 offset = address - base;
    is_near = size >= bytes && offset <= size - bytes;
    cells = (Cell *)shadow + offset / granule;
  }
  if (address % granule != 0 || !is_near)
    return mica_sim_ask(warp, lane, address, bytes, kind, site);

  // Whether the cells need no change.
  if (!writes && !is_settled_known) {
    u64 differs = 0;
    UNROLLED for (u64 i = 0; i < count; ++i) differs |= cells[i].settled ^ stamp;
    if (!differs)
      return 1;
  }
  const u64 entry = entry_of(stamp, subgroup, lane, site), key = entry_of(stamp, subgroup, lane, 0);
  const u64 present = stamp - block_start;
  _Bool is_fine = 1;
  u64 ordered = 0; // a bit for each cell
  UNROLLED for (u64 i = 0; i < count; ++i) {
    const u64 write = cells[i].write, written = write >> kStampShift;
    const u64 read = cells[i].read, was_read = read >> kStampShift;
    const _Bool is_ordered =
        is_global ? (written < launch_start) | ((written - block_start < present) & !(write & kOtherBlock))
        : writes  ? written < stamp
                  : written - block_start < present;
    ordered |= (u64)is_ordered << i;
    _Bool is_right = is_ordered | ((write ^ key) < kSeveral); // or written by this thread, plainly and alone
    if (writes) {
      const _Bool is_own_read = (read ^ key) < kSeveral; // by no other thread
      const _Bool is_earlier =
          is_global ? (was_read < launch_start) | ((was_read - block_start < present) & !(read & kOtherBlock))
                    : was_read < stamp;
      is_right &= is_earlier | is_own_read;
    }
    is_fine &= is_right;
  }
  if (!is_fine)
    return mica_sim_ask(warp, lane, address, bytes, kind, site);
  UNROLLED for (u64 i = 0; i < count; ++i) {
    if (writes)
      cells[i].write = entry;
    else
      note_read(&cells[i], entry, ordered >> i & 1, stamp, block_start, is_global, launch_start);
  }
  return 1;
}

/// Most accesses are to one cell of workgroup memory: their most common outcomes are decided in a few instructions, and
/// the rest is called. For a read this is a settled cell; for a write, that all recorded accesses precede the last
/// barrier. `whole`: the function for all cases.
ALWAYS_INLINE int32_t mica_sim_touch_cell(ACCESS, UNIFORMS, u64 granule, int32_t (*whole)(ACCESS, UNIFORMS)) {
  const _Bool writes = (kind & MICA_SIM_ACCESS_KIND) == MICA_SIM_WRITE;
  const u64 shift = __builtin_ctzll(granule);
  // After rotation, an offset that is not a multiple of the granule exceeds all sizes.
  const u64 number = __builtin_rotateright64(address - base, shift);
  if (MOSTLY(number < size >> shift)) {
    Cell *cell = (Cell *)shadow + number;
    const u64 entry = entry_of(stamp, subgroup, lane, site);
    if (writes) {
      if (MOSTLY((cell->write >> kStampShift < stamp) & (cell->read >> kStampShift < stamp))) {
        cell->write = entry;
        return 1;
      }
    } else if (OFTEN(cell->settled == stamp) || MOSTLY(mica_sim_note_read(cell, entry, stamp, block_start))) {
      return 1;
    }
  }
  return whole(warp, lane, address, bytes, kind, site, base, size, shadow, stamp, block_start, launch_start, subgroup,
               pages);
}
