//===- Instrument.cpp - instrumenting memory accesses of the simulator's kernels --------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   %v = llvm.load %p            ->   %ok = llvm.call @mica_sim_touch_N(%address, %bytes)
//                                     llvm.cond_br %ok, ^do, ^after(%zero)
//                                   ^do:
//                                     %v = llvm.load %p
//                                     llvm.br ^after(%v)
//
// The marker becomes a call of a function that decides the common cases inline (TouchFunctions.cpp). Accesses of a
// thread's private memory are not instrumented.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Sim/Instrument.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mica;
using namespace mica::sim;

namespace {

class Instrumenter {
public:
  Instrumenter(LLVM::LLVMFuncOp kernel, Tables &tables, int32_t checks)
      : kernel(kernel), tables(tables), checks(checks), builder(kernel.getContext()),
        layout(DataLayout::closest(kernel)), i32(builder.getI32Type()), i64(builder.getI64Type()) {}

  void instrument(Operation *op);

private:
  /// Checks one part of an access: `address` is a pointer, `bytes` a number. Returns whether it is allowed; null if it
  /// always is.
  Value check(Operation *op, Value address, Value bytes, int32_t kind, int64_t alignment);
  Value call(StringRef name, ArrayRef<int32_t> constants, ValueRange operands, bool gives);
  Value number(Location loc, int64_t value) { return tables.number(builder, loc, i64, value); }
  /// What an access of `type` touches: of a vector its elements, without the padding that a vector in memory has.
  int64_t bytesOf(Type type) {
    if (auto vector = dyn_cast<VectorType>(type); vector && !vector.isScalable())
      return llvm::divideCeil(
          vector.getNumElements() * int64_t(layout.getTypeSizeInBits(vector.getElementType()).getFixedValue()), 8);
    return static_cast<int64_t>(layout.getTypeSize(type).getFixedValue());
  }
  int64_t naturalAlignment(Type type);
  /// Executes `op` only if `ok`; its result is 0 otherwise.
  void guard(Operation *op, Value ok);
  Value bytesOn(Location loc, Value mask, VectorType type);
  void checkMasked(Operation *op, Value base, Value mask, VectorType type, int32_t kind, Value pointers);

  LLVM::LLVMFuncOp kernel;
  Tables &tables;
  int32_t checks;
  OpBuilder builder;
  DataLayout layout;
  Type i32, i64;
  int32_t site = -1;
  Value allOk; ///< of the parts of the access
};

constexpr int32_t kTouches = MICA_SIM_CHECK_BOUNDS | MICA_SIM_CHECK_RACE | MICA_SIM_CHECK_INIT | MICA_SIM_CHECK_ASYNC |
                             MICA_SIM_CHECK_BARRIER_USE;
constexpr int32_t kCounts = MICA_SIM_CHECK_BANK | MICA_SIM_CHECK_COALESCING;

} // namespace

bool sim::isOwnMemory(Value pointer) {
  for (Operation *op = pointer.getDefiningOp(); op; op = pointer.getDefiningOp()) {
    if (isa<LLVM::AllocaOp>(op))
      return true;
    if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op)) {
      pointer = op->getOperand(0);
      continue;
    }
    auto extract = dyn_cast<LLVM::ExtractValueOp>(op);
    if (!extract)
      return false;
    // Looks through the structure from which it is extracted.
    Value container = extract.getContainer(), found;
    while (auto insert = container.getDefiningOp<LLVM::InsertValueOp>()) {
      if (insert.getPosition() == extract.getPosition()) {
        found = insert.getValue();
        break;
      }
      container = insert.getContainer();
    }
    if (!found)
      return false;
    pointer = found;
  }
  return false;
}

Value Instrumenter::call(StringRef name, ArrayRef<int32_t> constants, ValueRange operands, bool gives) {
  SmallVector<Attribute> service{builder.getStringAttr(name)};
  for (int32_t constant : constants)
    service.push_back(builder.getI32IntegerAttr(constant));
  LLVM::LLVMFuncOp function = tables.declareService(service, SmallVector<Type>(operands.getTypes()),
                                                    gives ? i32 : LLVM::LLVMVoidType::get(builder.getContext()));
  auto made = LLVM::CallOp::create(builder, kernel.getLoc(), function, operands);
  return gives ? made.getResult() : Value();
}

Value Instrumenter::check(Operation *op, Value pointer, Value bytes, int32_t kind, int64_t alignment) {
  if (isOwnMemory(pointer))
    return {};
  Location loc = op->getLoc();
  if (cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() != kWorkgroupSpace)
    kind |= MICA_SIM_GLOBAL;
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointer);
  if (checks & kCounts)
    call("count", {kind, site}, {address, bytes}, false);
  if ((checks & MICA_SIM_CHECK_ALIGNMENT) && alignment > 1)
    call("align", {site}, {address, number(loc, alignment)}, false);
  if (!(checks & kTouches))
    return {};
  Value touched = call("touch", {kind, site}, {address, bytes}, true);
  Value zero = tables.number(builder, loc, i32, 0);
  Value ok = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, touched, zero);
  allOk = allOk ? LLVM::AndOp::create(builder, loc, allOk, ok).getResult() : ok;
  return ok;
}

void Instrumenter::guard(Operation *op, Value ok) {
  Location loc = op->getLoc();
  Block *before = op->getBlock();
  Block *inside = before->splitBlock(op);
  Block *after = inside->splitBlock(++Block::iterator(op));
  builder.setInsertionPointToEnd(before);
  SmallVector<Value> zeros;
  for (Type type : op->getResultTypes())
    zeros.push_back(LLVM::ZeroOp::create(builder, loc, type));
  for (Value result : op->getResults())
    result.replaceAllUsesWith(after->addArgument(result.getType(), loc));
  LLVM::CondBrOp::create(builder, loc, ok, inside, ValueRange(), after, zeros);
  builder.setInsertionPointToEnd(inside);
  LLVM::BrOp::create(builder, loc, op->getResults(), after);
}

/// The alignment that a device requires for an access of `type` without alignment: vectors are accessed in pieces of at
/// most 16 bytes, arrays element by element.
int64_t Instrumenter::naturalAlignment(Type type) {
  constexpr int64_t kWidestAccess = 16;
  while (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    type = array.getElementType();
  if (!isa<VectorType>(type) && !type.isIntOrFloat())
    return static_cast<int64_t>(layout.getTypeABIAlignment(type));
  return std::min(kWidestAccess, static_cast<int64_t>(llvm::PowerOf2Ceil(bytesOf(type))));
}

/// Element by element: masked-off elements have 0 bytes. Elements that are not allowed are masked off.
void Instrumenter::checkMasked(Operation *op, Value base, Value mask, VectorType type, int32_t kind, Value pointers) {
  Location loc = op->getLoc();
  auto elements = static_cast<int32_t>(type.getNumElements());
  int64_t bytes = bytesOf(type.getElementType());
  Value left = mask;
  for (int32_t i = 0; i < elements; ++i) {
    Value index = tables.number(builder, loc, i32, i);
    Value on = LLVM::ExtractElementOp::create(builder, loc, mask, index);
    Value pointer =
        base ? LLVM::GEPOp::create(builder, loc, base.getType(), type.getElementType(), base, ArrayRef<LLVM::GEPArg>{i})
                   .getResult()
             : LLVM::ExtractElementOp::create(builder, loc, pointers, index).getResult();
    Value size = LLVM::SelectOp::create(builder, loc, on, number(loc, bytes), number(loc, 0));
    if (Value ok = check(op, pointer, size, kind, 0))
      left = LLVM::InsertElementOp::create(builder, loc, left, LLVM::AndOp::create(builder, loc, on, ok), index);
  }
  if (left != mask && (checks & MICA_SIM_CHECK_BOUNDS))
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == mask)
        operand.set(left);
}

/// Bytes of the elements of `type` that are on in `mask`, which lie next to each other.
Value Instrumenter::bytesOn(Location loc, Value mask, VectorType type) {
  Value bytes = number(loc, 0);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value on = LLVM::ExtractElementOp::create(builder, loc, mask, tables.number(builder, loc, i32, i));
    Value size = LLVM::SelectOp::create(builder, loc, on, number(loc, bytesOf(type.getElementType())), number(loc, 0));
    bytes = LLVM::AddOp::create(builder, loc, bytes, size);
  }
  return bytes;
}

void Instrumenter::instrument(Operation *op) {
  builder.setInsertionPoint(op);
  Location loc = op->getLoc();
  allOk = {};
  auto prepare = [&] { site = siteOf(kernel, siteText(loc)); };
  // Threads run one after the other, so an atomic update may be a load and a store.
  const bool isPartOfUpdate = siteText(loc).starts_with(memref::GenericAtomicRMWOp::getOperationName());
  auto alignmentOf = [&](Type type) {
    auto said = op->getAttrOfType<IntegerAttr>(kAlignmentAttr);
    op->removeAttr(kAlignmentAttr);
    return said && said.getInt() > 0 ? std::max(said.getInt(), naturalAlignment(getElementTypeOrSelf(type)))
                                     : naturalAlignment(type);
  };
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    prepare();
    check(op, load.getAddr(), number(loc, bytesOf(load.getType())), isPartOfUpdate ? MICA_SIM_ATOMIC : MICA_SIM_READ,
          alignmentOf(load.getType()));
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    prepare();
    Type type = store.getValue().getType();
    check(op, store.getAddr(), number(loc, bytesOf(type)), isPartOfUpdate ? MICA_SIM_ATOMIC : MICA_SIM_WRITE,
          alignmentOf(type));
  } else if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    prepare();
    Type type = atomic.getVal().getType();
    check(op, atomic.getPtr(), number(loc, bytesOf(type)), MICA_SIM_ATOMIC, alignmentOf(type));
  } else if (auto exchange = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    prepare();
    Type type = exchange.getVal().getType();
    check(op, exchange.getPtr(), number(loc, bytesOf(type)), MICA_SIM_ATOMIC, alignmentOf(type));
  } else if (auto load = dyn_cast<LLVM::MaskedLoadOp>(op)) {
    prepare();
    checkMasked(op, load.getData(), load.getMask(), cast<VectorType>(load.getType()), MICA_SIM_READ, {});
  } else if (auto store = dyn_cast<LLVM::MaskedStoreOp>(op)) {
    prepare();
    checkMasked(op, store.getData(), store.getMask(), cast<VectorType>(store.getValue().getType()), MICA_SIM_WRITE, {});
  } else if (auto gather = dyn_cast<LLVM::masked_gather>(op)) {
    prepare();
    checkMasked(op, {}, gather.getMask(), cast<VectorType>(gather.getType()), MICA_SIM_READ, gather.getPtrs());
  } else if (auto scatter = dyn_cast<LLVM::masked_scatter>(op)) {
    prepare();
    checkMasked(op, {}, scatter.getMask(), cast<VectorType>(scatter.getValue().getType()), MICA_SIM_WRITE,
                scatter.getPtrs());
  } else if (auto expand = dyn_cast<LLVM::masked_expandload>(op)) {
    prepare();
    check(op, expand.getPtr(), bytesOn(loc, expand.getMask(), cast<VectorType>(expand.getType())), MICA_SIM_READ, 0);
  } else if (auto compress = dyn_cast<LLVM::masked_compressstore>(op)) {
    prepare();
    auto type = cast<VectorType>(compress.getValue().getType());
    check(op, compress.getPtr(), bytesOn(loc, compress.getMask(), type), MICA_SIM_WRITE, 0);
  } else if (isa<LLVM::MemcpyOp, LLVM::MemmoveOp, LLVM::MemcpyInlineOp>(op)) {
    prepare();
    auto inlined = dyn_cast<LLVM::MemcpyInlineOp>(op);
    Value length = inlined ? number(loc, inlined.getLen().getSExtValue()) : op->getOperand(2);
    check(op, op->getOperand(1), length, MICA_SIM_READ, 0);
    check(op, op->getOperand(0), length, MICA_SIM_WRITE, 0);
  } else if (auto set = dyn_cast<LLVM::MemsetOp>(op)) {
    prepare();
    check(op, set.getDst(), set.getLen(), MICA_SIM_WRITE, 0);
  }
  bool isMasked = isa<LLVM::MaskedLoadOp, LLVM::MaskedStoreOp, LLVM::masked_gather, LLVM::masked_scatter>(op);
  if (allOk && !isMasked && (checks & MICA_SIM_CHECK_BOUNDS))
    guard(op, allOk);
}

/// Alignments in the program are checked, not assumed: this machine supports unaligned accesses.
template <typename OpTy> static void forgetAlignment(OpTy op) {
  if (!isOwnMemory(op.getAddr())) {
    op->setAttr(kAlignmentAttr, Builder(op.getContext()).getI64IntegerAttr(op.getAlignment().value_or(0)));
    op.setAlignment(1);
  }
}

LogicalResult sim::instrumentKernel(LLVM::LLVMFuncOp kernel, Tables &tables) {
  auto said = kernel->getAttrOfType<IntegerAttr>(kChecksAttr);
  int32_t checks = said ? int32_t(said.getInt()) : 0;
  kernel.walk([](Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op); load && load.getOrdering() == LLVM::AtomicOrdering::not_atomic)
      forgetAlignment(load);
    else if (auto store = dyn_cast<LLVM::StoreOp>(op); store && store.getOrdering() == LLVM::AtomicOrdering::not_atomic)
      forgetAlignment(store);
  });
  SmallVector<Operation *> accesses;
  kernel.walk([&](Operation *op) {
    // What allocating reads and writes is the runtime's.
    const std::string site = siteText(op->getLoc());
    if (StringRef(site).starts_with("memref.alloc ") || StringRef(site).starts_with("memref.dealloc "))
      return;
    if (isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp, LLVM::MaskedLoadOp,
            LLVM::MaskedStoreOp, LLVM::masked_gather, LLVM::masked_scatter, LLVM::masked_expandload,
            LLVM::masked_compressstore, LLVM::MemcpyOp, LLVM::MemcpyInlineOp, LLVM::MemmoveOp, LLVM::MemsetOp>(op))
      accesses.push_back(op);
  });
  Instrumenter instrumenter(kernel, tables, checks);
  for (Operation *op : accesses)
    instrumenter.instrument(op);
  return success();
}
