//===- TouchFunctions.cpp - the common cases of an access to shadowed memory ------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Makes, for a kind of access, a function that looks at the cells of what is touched. Where all is well it notes the access and
// gives 1; where anything is out of the ordinary (a conflict, an edge, an address nothing is known of) it asks the runtime, whose
// lib/Runtime/Sim/Shadow.cpp says what each case means. Both must agree on what they write into cells.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Tables.h"

#include <cstddef>

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace {

/// Arithmetic of 64-bit numbers, in one place of the function.
struct Code {
  OpBuilder &builder;
  Location loc;
  Tables &tables;

  Type i64() { return builder.getI64Type(); }
  Value constant(uint64_t value) { return tables.number(builder, loc, i64(), int64_t(value)); }
  Value add(Value a, Value b) { return LLVM::AddOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) { return LLVM::SubOp::create(builder, loc, a, b); }
  Value band(Value a, Value b) { return LLVM::AndOp::create(builder, loc, a, b); }
  Value bor(Value a, Value b) { return LLVM::OrOp::create(builder, loc, a, b); }
  Value bxor(Value a, Value b) { return LLVM::XOrOp::create(builder, loc, a, b); }
  Value shl(Value a, uint64_t bits) { return LLVM::ShlOp::create(builder, loc, a, constant(bits)); }
  Value shr(Value a, uint64_t bits) { return LLVM::LShrOp::create(builder, loc, a, constant(bits)); }
  Value below(Value a, Value b) { return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, a, b); }
  Value equal(Value a, Value b) { return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, a, b); }
  Value either(Value condition, Value a, Value b) { return LLVM::SelectOp::create(builder, loc, condition, a, b); }
  Value load(Value pointer, int64_t at) {
    return LLVM::LoadOp::create(builder, loc, i64(), tables.offset(builder, loc, pointer, at));
  }
  void store(Value value, Value pointer, int64_t at) {
    LLVM::StoreOp::create(builder, loc, value, tables.offset(builder, loc, pointer, at));
  }
  Value pointer(Value address) { return LLVM::IntToPtrOp::create(builder, loc, tables.pointer, address); }
};

constexpr unsigned kCellBits = 5;
static_assert(sizeof(mica_sim_cell_v1) == 1u << kCellBits && sizeof(mica_sim_page_v1) == 16, "addresses are shifted");
constexpr uint64_t kSeveral = 1u << 20, kOtherBlock = 1u << 21, kFlags = kSeveral | kOtherBlock;

} // namespace

/// The function's arguments: warp, thread, address, bytes, kind, site, then these uniforms.
ArrayRef<mica_sim_uniform> Tables::touchUniforms() {
  static constexpr mica_sim_uniform kUniforms[] = {
      MICA_SIM_WORKGROUP,   MICA_SIM_WORKGROUP_BYTES, MICA_SIM_SHADOW,      MICA_SIM_STAMP,
      MICA_SIM_BLOCK_START, MICA_SIM_LAUNCH_START,    MICA_SIM_SUBGROUP_ID, MICA_SIM_PAGES,
  };
  return kUniforms;
}

/// A read of a cell of workgroup memory that is not settled yet: gives 1 and notes it where nothing is wrong with it, else 0. Its
/// arguments fit in registers: cell, what to note, the present stamp, the block's first.
LLVM::LLVMFuncOp Tables::noteReadFunction() {
  constexpr llvm::StringLiteral name = "mica_sim_note_read";
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Code c{builder, loc, *this};
  Type i32 = builder.getI32Type(), i64 = c.i64();
  auto type = LLVM::LLVMFunctionType::get(i32, {pointer, i64, i64, i64});
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type, LLVM::Linkage::Internal);
  function.setNoInline(true);
  // The code that calls it is a loop, whose values stay in registers this way.
  function.setCConv(LLVM::cconv::CConv::PreserveMost);
  Block *entry = function.addEntryBlock(builder);
  Block *note = builder.createBlock(&function.getBody(), function.getBody().end()),
        *refuse = builder.createBlock(&function.getBody(), function.getBody().end());
  Value cell = entry->getArgument(0), half = entry->getArgument(1), stamp = entry->getArgument(2),
        blockStart = entry->getArgument(3);
  builder.setInsertionPointToEnd(entry);
  Value written = c.shr(c.load(cell, offsetof(mica_sim_cell_v1, write)), 32);
  LLVM::CondBrOp::create(builder, loc, c.below(c.sub(written, blockStart), c.sub(stamp, blockStart)), note, refuse);
  builder.setInsertionPointToEnd(note);
  noteRead(builder, cell, /*at=*/0, c.load(cell, offsetof(mica_sim_cell_v1, read)), half, /*ordered=*/{}, stamp,
           blockStart, /*isGlobal=*/false, /*launchStart=*/{});
  LLVM::ReturnOp::create(builder, loc, number(builder, loc, i32, 1));
  builder.setInsertionPointToEnd(refuse);
  LLVM::ReturnOp::create(builder, loc, number(builder, loc, i32, 0));
  return function;
}

/// The stores for a read of the cell at `cell` + `at`, whose last is `read`: `half` goes in its place, with what is known of others.
/// A second thread's read in this interval settles the cell: whatever else reads there until the next barrier changes nothing.
/// `ordered`: whether that is so for every thread, and not for the one alone that wrote there; null where it is.
void Tables::noteRead(OpBuilder &builder, Value cell, int64_t at, Value read, Value half, Value ordered, Value stamp,
                      Value blockStart, bool isGlobal, Value launchStart) {
  Code c{builder, module.getLoc(), *this};
  Value wasRead = c.shr(read, 32), none = c.constant(0);
  Value other = c.bxor(c.shr(read, 22), c.shr(half, 22));
  Value several = c.either(c.equal(other, none), none, c.constant(kSeveral));
  Value kept = c.bor(c.band(read, c.constant(kFlags)), several);
  Value flags = c.either(c.equal(wasRead, stamp), kept, none);
  Value isSettled =
      LLVM::ICmpOp::create(builder, c.loc, LLVM::ICmpPredicate::ne, c.band(flags, c.constant(kSeveral)), none);
  if (ordered)
    isSettled = c.band(isSettled, ordered);
  c.store(c.either(isSettled, stamp, none), cell, at + offsetof(mica_sim_cell_v1, settled));
  if (isGlobal) {
    Value otherBlock =
        c.either(c.below(wasRead, blockStart), c.constant(kOtherBlock), c.band(read, c.constant(kOtherBlock)));
    flags = c.bor(flags, c.either(c.below(wasRead, launchStart), none, otherBlock));
  }
  Value otherThread = c.band(other, c.constant(1023));
  Value isOwn = c.band(c.equal(otherThread, none), c.below(c.sub(blockStart, c.constant(1)), wasRead));
  Value before = c.load(cell, at + offsetof(mica_sim_cell_v1, other_read));
  c.store(c.either(isOwn, before, read), cell, at + offsetof(mica_sim_cell_v1, other_read));
  c.store(c.bor(half, flags), cell, at + offsetof(mica_sim_cell_v1, read));
}

/// Accesses to one cell of workgroup memory are most of all there are: what they mostly find is decided in a few instructions,
/// and the rest is called. A read mostly finds that the cell is settled; a write, that everything there is before the last barrier.
LLVM::LLVMFuncOp Tables::shortTouchFunction(StringRef name, LLVM::LLVMFuncOp whole, bool writes, int64_t granule) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Code c{builder, loc, *this};
  Type i32 = builder.getI32Type(), i64 = c.i64();
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, whole.getFunctionType(), LLVM::Linkage::Internal);
  function.setAlwaysInline(true);
  Block *entry = function.addEntryBlock(builder);
  Region &body = function.getBody();
  Block *look = builder.createBlock(&body, body.end()), *known = builder.createBlock(&body, body.end()),
        *rest = builder.createBlock(&body, body.end());
  auto uniform = [&](unsigned i) -> Value { return entry->getArgument(6 + i); };
  Value base = uniform(0), size = uniform(1), shadow = uniform(2), stamp = uniform(3), blockStart = uniform(4);
  auto goOn = [&](Value isCommon, Block *common) {
    constexpr std::pair<uint32_t, uint32_t> kMostly{1000, 1};
    LLVM::CondBrOp::create(builder, loc, isCommon, common, ValueRange(), rest, ValueRange(), kMostly);
  };

  // Rotated, an offset that is no multiple of the granule is beyond all sizes.
  builder.setInsertionPointToEnd(entry);
  const unsigned shift = llvm::Log2_64(granule);
  Value offset = c.sub(entry->getArgument(2), base);
  Value number = LLVM::FshrOp::create(builder, loc, i64, offset, offset, c.constant(shift));
  goOn(c.below(number, c.shr(size, shift)), look);

  builder.setInsertionPointToEnd(look);
  Value cell = c.pointer(c.add(shadow, c.shl(number, kCellBits)));
  auto half = [&] {
    Value thread = c.add(c.shl(uniform(6), 5), LLVM::ZExtOp::create(builder, loc, i64, entry->getArgument(1)));
    Value key = c.bor(c.shl(stamp, 32), c.shl(thread, 22));
    return c.bor(key, LLVM::ZExtOp::create(builder, loc, i64, entry->getArgument(5)));
  };
  if (writes) {
    Value written = c.shr(c.load(cell, offsetof(mica_sim_cell_v1, write)), 32);
    Value read = c.shr(c.load(cell, offsetof(mica_sim_cell_v1, read)), 32);
    goOn(c.band(c.below(written, stamp), c.below(read, stamp)), known);
  } else {
    Block *note = builder.createBlock(&body, rest->getIterator());
    builder.setInsertionPointToEnd(look);
    constexpr std::pair<uint32_t, uint32_t> kOften{8, 1};
    LLVM::CondBrOp::create(builder, loc, c.equal(c.load(cell, offsetof(mica_sim_cell_v1, settled)), stamp), known,
                           ValueRange(), note, ValueRange(), kOften);
    builder.setInsertionPointToEnd(note);
    auto noted = LLVM::CallOp::create(builder, loc, noteReadFunction(), ValueRange{cell, half(), stamp, blockStart});
    noted.setCConv(LLVM::cconv::CConv::PreserveMost);
    goOn(LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, noted.getResult(),
                              this->number(builder, loc, i32, 0)),
         known);
  }

  builder.setInsertionPointToEnd(known);
  if (writes)
    c.store(half(), cell, offsetof(mica_sim_cell_v1, write));
  LLVM::ReturnOp::create(builder, loc, this->number(builder, loc, i32, 1));

  builder.setInsertionPointToEnd(rest);
  auto told = LLVM::CallOp::create(builder, loc, whole, entry->getArguments());
  LLVM::ReturnOp::create(builder, loc, told.getResult());
  return function;
}

LLVM::LLVMFuncOp Tables::touchFunction(int32_t kind, int64_t bytes, int64_t granule) {
  const bool isGlobal = kind & MICA_SIM_GLOBAL, writes = (kind & MICA_SIM_ACCESS_KIND) == MICA_SIM_WRITE;
  std::string name = "mica_sim_touch_" + std::string(isGlobal ? "global" : "workgroup") +
                     (writes ? "_write_" : "_read_") + std::to_string(bytes);
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  const bool isShort = !isGlobal && bytes == granule;
  const std::string shortName = name;
  name += isShort ? "_whole" : "";
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Code c{builder, loc, *this};
  Type i32 = builder.getI32Type(), i64 = c.i64();
  SmallVector<Type> types{pointer, i32, i64, i64, i32, i32};
  types.append(touchUniforms().size(), i64);
  auto function =
      LLVM::LLVMFuncOp::create(builder, loc, name, LLVM::LLVMFunctionType::get(i32, types), LLVM::Linkage::Internal);
  function.setAlwaysInline(isGlobal && bytes == granule);
  function.setNoInline(isShort);
  Block *entry = function.addEntryBlock(builder);
  Region &body = function.getBody();
  Block *look = builder.createBlock(&body, body.end());
  Block *note = builder.createBlock(&body, body.end());
  Block *ask = builder.createBlock(&body, body.end());
  Value warp = entry->getArgument(0), lane = entry->getArgument(1), address = entry->getArgument(2);
  Value site = entry->getArgument(5);
  auto uniform = [&](unsigned i) -> Value { return entry->getArgument(6 + i); };
  Value base = uniform(0), size = uniform(1), shadow = uniform(2), stamp = uniform(3), blockStart = uniform(4),
        launchStart = uniform(5), subgroup = uniform(6), pages = uniform(7);

  // Where the cells are.
  builder.setInsertionPointToEnd(entry);
  Value aligned = c.equal(c.band(address, c.constant(granule - 1)), c.constant(0));
  Value cells, near;
  const unsigned shift = llvm::Log2_64(granule);
  if (isGlobal) {
    Value page = c.shr(address, llvm::Log2_64(MICA_SIM_PAGE_BYTES));
    Value slot = c.pointer(c.add(pages, c.shl(c.band(page, c.constant(MICA_SIM_PAGE_SLOTS - 1)), 4)));
    Value inPage = c.band(address, c.constant(MICA_SIM_PAGE_BYTES - 1));
    near = c.band(c.equal(c.load(slot, offsetof(mica_sim_page_v1, page)), page),
                  c.below(inPage, c.constant(MICA_SIM_PAGE_BYTES - bytes + 1)));
    cells = c.add(c.load(slot, offsetof(mica_sim_page_v1, cells)), c.shl(c.shr(inPage, shift), kCellBits));
  } else {
    Value offset = c.sub(address, base);
    Value limit = c.sub(size, c.constant(bytes - 1));
    near = c.below(offset, c.either(c.below(size, c.constant(bytes)), c.constant(0), limit));
    cells = c.add(shadow, c.shl(c.shr(offset, shift), kCellBits));
  }
  LLVM::CondBrOp::create(builder, loc, c.band(aligned, near), look, ask);
  Block *known = builder.createBlock(&body, body.end());
  builder.setInsertionPointToEnd(known);
  LLVM::ReturnOp::create(builder, loc, number(builder, loc, i32, 1));

  // Whether all of them are as they should be.
  builder.setInsertionPointToEnd(look);
  Value first = c.pointer(cells);
  const int64_t count = bytes / granule;
  if (!writes && !isShort) {
    Value differs;
    for (int64_t i = 0; i < count; ++i) {
      Value settled = c.load(first, i * int64_t(sizeof(mica_sim_cell_v1)) + offsetof(mica_sim_cell_v1, settled));
      Value other = c.bxor(settled, stamp);
      differs = differs ? c.bor(differs, other) : other;
    }
    Block *compare = builder.createBlock(&body, note->getIterator());
    builder.setInsertionPointToEnd(look);
    LLVM::CondBrOp::create(builder, loc, c.equal(differs, c.constant(0)), known, compare);
    builder.setInsertionPointToEnd(compare);
  }
  Value thread = c.add(c.shl(subgroup, 5), LLVM::ZExtOp::create(builder, loc, i64, lane));
  Value key = c.bor(c.shl(stamp, 32), c.shl(thread, 22));
  Value place = LLVM::ZExtOp::create(builder, loc, i64, site);
  Value present = c.sub(stamp, blockStart);
  SmallVector<Value> reads, orders;
  Value fine;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = i * int64_t(sizeof(mica_sim_cell_v1));
    Value write = c.load(first, at + offsetof(mica_sim_cell_v1, write)), written = c.shr(write, 32);
    Value read = c.load(first, at + offsetof(mica_sim_cell_v1, read)), wasRead = c.shr(read, 32);
    reads.push_back(read);
    Value own = c.below(c.bxor(write, key), c.constant(1u << 22));
    Value ordered = isGlobal ? c.bor(c.below(written, launchStart), c.below(c.sub(written, blockStart), present))
                    : writes ? c.below(written, stamp)
                             : c.below(c.sub(written, blockStart), present);
    orders.push_back(ordered);
    Value ok = c.bor(ordered, own);
    if (writes) {
      Value ownRead = c.below(c.bxor(read, key), c.constant(1u << 20)); // by nobody else
      Value earlier = isGlobal ? c.bor(c.below(wasRead, launchStart),
                                       c.band(c.below(c.sub(wasRead, blockStart), present),
                                              c.equal(c.band(read, c.constant(kOtherBlock)), c.constant(0))))
                               : c.below(wasRead, stamp);
      ok = c.band(ok, c.bor(earlier, ownRead));
    }
    fine = fine ? c.band(fine, ok) : ok;
  }
  LLVM::CondBrOp::create(builder, loc, fine, note, ask);

  builder.setInsertionPointToEnd(note);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = i * int64_t(sizeof(mica_sim_cell_v1));
    if (writes)
      c.store(c.bor(key, place), first, at + offsetof(mica_sim_cell_v1, write));
    else
      noteRead(builder, first, at, reads[i], c.bor(key, place), orders[i], stamp, blockStart, isGlobal, launchStart);
  }
  LLVM::ReturnOp::create(builder, loc, number(builder, loc, i32, 1));

  builder.setInsertionPointToEnd(ask);
  Value told = callService(builder, loc, *serviceOffset("touch"), {i32},
                           {warp, lane, address, entry->getArgument(3), entry->getArgument(4), site});
  LLVM::ReturnOp::create(builder, loc, told);
  return isShort ? shortTouchFunction(shortName, function, writes, granule) : function;
}
