//===- Touch.c - the common cases of an access to shadowed memory -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What a kernel in the simulator does at an access: it looks at the cells of what is touched. Where all is well it
// notes the access and gives 1; where anything is out of the ordinary (a conflict, an edge, an address nothing is known
// of) it asks the runtime, whose lib/Runtime/Sim/Shadow.cpp says what each case means. Both must agree on what they
// write into cells.
//
// Compiled when Mica is built, to bitcode and from there to the LLVM dialect. TouchFunctions.cpp puts the functions
// into the module of a kernel, and makes one for each kind of access that calls them with constants; once they are
// inlined, only the case is left that the access is.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/ABI/Sim.h"

typedef uint64_t u64;
typedef mica_sim_cell_v1 Cell;

/// The bits of a cell's numbers (mica_sim_cell_v1).
enum {
  kSeveral = 1 << 20,
  kOtherBlock = 1 << 21,
  kFlags = kSeveral | kOtherBlock,
  kThreadShift = 22,
  kStampShift = 32
};

/// What is the same for all threads of a block between two barriers; the order is that of Tables::touchUniforms.
#define UNIFORMS u64 base, u64 size, u64 shadow, u64 stamp, u64 block_start, u64 launch_start, u64 subgroup, u64 pages
#define ACCESS mica_sim_warp_v1 *warp, uint32_t lane, u64 address, u64 bytes, int32_t kind, uint32_t site

/// The number of iterations is a constant once the function is inlined.
#define UNROLLED _Pragma("clang loop unroll(full)")
#define ALWAYS_INLINE __attribute__((always_inline))
#define MOSTLY(condition) __builtin_expect_with_probability(!!(condition), 1, 0.999)
#define OFTEN(condition) __builtin_expect_with_probability(!!(condition), 1, 0.889)

/// The runtime's word; defined with the kernel.
int32_t mica_sim_ask(ACCESS);

/// What this access writes into a cell.
static ALWAYS_INLINE u64 entry_of(u64 stamp, u64 subgroup, uint32_t lane, uint32_t site) {
  return stamp << kStampShift | ((subgroup << 5) + lane) << kThreadShift | site;
}

/// Notes a read. A second thread's read in this interval settles the cell: whatever else reads there until the next
/// barrier changes nothing. `ordered`: whether that is so for every thread, and not for the one alone that wrote there.
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

/// A read of a cell of workgroup memory that is not settled yet: gives 1 and notes it where nothing is wrong with it,
/// else 0. The code that calls it is a loop, whose values stay in registers this way.
__attribute__((noinline, preserve_most)) int32_t mica_sim_note_read(Cell *cell, u64 entry, u64 stamp, u64 block_start) {
  const u64 written = cell->write >> kStampShift;
  if (written - block_start >= stamp - block_start)
    return 0;
  note_read(cell, entry, /*ordered=*/1, stamp, block_start, /*is_global=*/0, 0);
  return 1;
}

/// An access of `bytes`, which are several cells of `granule` bytes, or one where `is_settled_known`.
ALWAYS_INLINE int32_t mica_sim_touch(ACCESS, UNIFORMS, u64 granule, _Bool is_settled_known) {
  const _Bool is_global = kind & MICA_SIM_GLOBAL, writes = (kind & MICA_SIM_ACCESS_KIND) == MICA_SIM_WRITE;
  const u64 count = bytes / granule;
  // Where the cells are.
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

  // Whether all of them are as they should be.
  if (!writes && !is_settled_known) {
    u64 differs = 0;
    UNROLLED for (u64 i = 0; i < count; ++i) differs |= cells[i].settled ^ stamp;
    if (!differs)
      return 1;
  }
  const u64 entry = entry_of(stamp, subgroup, lane, site), key = entry_of(stamp, subgroup, lane, 0);
  const u64 present = stamp - block_start;
  _Bool is_fine = 1;
  u64 ordered = 0; // A bit for each cell.
  UNROLLED for (u64 i = 0; i < count; ++i) {
    const u64 write = cells[i].write, written = write >> kStampShift;
    const u64 read = cells[i].read, was_read = read >> kStampShift;
    const _Bool is_ordered = is_global ? (written < launch_start) | (written - block_start < present)
                             : writes  ? written < stamp
                                       : written - block_start < present;
    ordered |= (u64)is_ordered << i;
    _Bool is_right = is_ordered | ((write ^ key) < (u64)1 << kThreadShift);
    if (writes) {
      const _Bool is_own_read = (read ^ key) < kSeveral; // by nobody else
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

/// Accesses to one cell of workgroup memory are most of all there are: what they mostly find is decided in a few
/// instructions, and the rest is called. A read mostly finds that the cell is settled; a write, that everything there
/// is before the last barrier. `whole`: the function of all cases.
ALWAYS_INLINE int32_t mica_sim_touch_cell(ACCESS, UNIFORMS, u64 granule, int32_t (*whole)(ACCESS, UNIFORMS)) {
  const _Bool writes = (kind & MICA_SIM_ACCESS_KIND) == MICA_SIM_WRITE;
  const u64 shift = __builtin_ctzll(granule);
  // Rotated, an offset that is no multiple of the granule is beyond all sizes.
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
