//===- ReturnUpdates.cpp - returning modified buffers ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The code of a program on buffers is not changed. Each entry is wrapped by a function that provides its arguments and
// returns their final contents:
//
//   func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) { <store to %y> }
//   =>
//   func.func private @mica_plain_body_f(%x: memref<4xf32>, %y: memref<4xf32>) { <store to %y> }
//   func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) -> (memref<4xf32> {mica_sched.updates = 1}) {
//     %copy = memref.alloc ; memref.copy %y, %copy
//     call @mica_plain_body_f(%x, %copy)
//     return %copy
//   }
//
// Globals are reset to their initial values at the start of every call of an entry.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/HostOp.h"
#include "dialects/ReducedSubviews.h"
#include "passes/Codegen/Reference/Memory.h"
#include "passes/Codegen/Reference/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mica {
#define GEN_PASS_DEF_RETURNUPDATES
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

/// A tensor map stands for its buffer.
static bool isBuffer(Value value) { return isa<BaseMemRefType, nvgpu::TensorMapDescriptorType>(value.getType()); }

//===------------------------------------------------------------------------------------------------------------===//
// Finding modified arguments
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// The effects of a function on one of its buffers.
struct Fate {
  bool isStored = false;
  llvm::SmallDenseSet<unsigned> results; ///< those that are the buffer, or a view of it
};
} // namespace

/// Adds what `successor` gets in the place of `buffer`, one of the `operands` that are passed to it.
static void addSuccessor(Value buffer, RegionSuccessor successor, ValueRange operands, Operation *op,
                         SmallVectorImpl<Value> &aliases) {
  ValueRange inputs = successor.getSuccessor() ? successor.getSuccessorInputs() : ValueRange(op->getResults());
  for (auto [operand, input] : llvm::zip(operands, inputs))
    if (operand == buffer)
      aliases.push_back(input);
}

/// Adds the values that may be `buffer`, or a view of it, because `op` uses it: for loops and branches those that get
/// it, else all results and arguments of regions.
static void addCarried(Operation *op, Value buffer, SmallVectorImpl<Value> &aliases) {
  SmallVector<RegionSuccessor> successors;
  if (auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op);
      terminator && isa<RegionBranchOpInterface>(op->getParentOp())) {
    terminator.getSuccessorRegions(SmallVector<Attribute>(op->getNumOperands()), successors);
    for (RegionSuccessor &successor : successors)
      addSuccessor(buffer, successor, terminator.getSuccessorOperands(successor), op->getParentOp(), aliases);
    return;
  }
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (RegionSuccessor &successor : successors)
      addSuccessor(buffer, successor, branch.getEntrySuccessorOperands(successor), op, aliases);
    return;
  }
  llvm::append_range(aliases, op->getResults());
  for (Region &region : op->getRegions())
    llvm::append_range(aliases, region.getArguments());
  if (op->hasTrait<OpTrait::IsTerminator>() && !isa<func::FuncOp>(op->getParentOp()))
    llvm::append_range(aliases, op->getParentOp()->getResults());
}

static bool writes(Operation *op, Value buffer) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (isa<affine::AffinePrefetchOp, memref::PrefetchOp, nvgpu::TmaPrefetchOp, nvgpu::TmaFenceOp>(op))
    return false;
  if (!effects) // an op without results and effects interface may write
    return op->getNumRegions() == 0 && op->getNumResults() == 0 && !op->hasTrait<OpTrait::IsTerminator>();
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [&](MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect()) && effect.getValue() == buffer;
  });
}

/// Whether `op` converts a buffer to an address, which is not tracked, so that the buffer may be written.
static bool givesAddress(Operation *op) {
  if (isa<memref::ExtractAlignedPointerAsIndexOp>(op))
    return true;
  return isa<UnrealizedConversionCastOp>(op) && !llvm::all_of(op->getResults(), isBuffer);
}

/// `active`: the values that the recursion is visiting.
static Fate fateOf(Value buffer, llvm::SmallDenseSet<Value> active = {}) {
  Fate fate;
  if (!active.insert(buffer).second)
    return fate;
  llvm::SmallDenseSet<Value> seen;
  SmallVector<Value> pending{buffer};
  while (!pending.empty()) {
    Value alias = pending.pop_back_val();
    if (!isBuffer(alias) || !seen.insert(alias).second)
      continue;
    for (OpOperand &use : alias.getUses()) {
      Operation *user = use.getOwner();
      if (isa<func::ReturnOp>(user)) {
        fate.results.insert(use.getOperandNumber());
        continue;
      }
      if (auto launch = dyn_cast<gpu::LaunchFuncOp>(user)) {
        auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernelAttr());
        const unsigned first = launch.getKernelOperands().getBeginOperandIndex();
        fate.isStored |= !kernel || fateOf(kernel.getArgument(use.getOperandNumber() - first), active).isStored;
        continue;
      }
      auto call = dyn_cast<func::CallOp>(user);
      if (!call) {
        fate.isStored |= writes(user, alias) || givesAddress(user);
        addCarried(user, alias, pending);
        continue;
      }
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
      if (!callee || callee.isExternal()) {
        StringRef name = call.getCallee();
        name.consume_front("_mlir_ciface_");
        fate.isStored |= !name.starts_with("print") && !name.starts_with("verify");
        continue;
      }
      Fate inner = fateOf(callee.getArgument(use.getOperandNumber()), active);
      fate.isStored |= inner.isStored;
      for (unsigned result : inner.results)
        pending.push_back(call.getResult(result));
    }
  }
  return fate;
}

bool mica::mayStoreTo(Value buffer) { return fateOf(buffer).isStored; }

//===------------------------------------------------------------------------------------------------------------===//
// The wrapper of an entry
//===------------------------------------------------------------------------------------------------------------===//

/// `type` with the identity layout, in host memory.
static MemRefType contiguous(MemRefType type) { return MemRefType::get(type.getShape(), type.getElementType()); }

namespace {
class UpdatedEntryBuilder {
public:
  UpdatedEntryBuilder(func::FuncOp entry, func::FuncOp body)
      : entry(entry), body(body), b(entry.getContext()), loc(entry.getLoc()) {}

  LogicalResult build(ArrayRef<bool> stored);

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  SmallVector<Value> sizesOf(Value buffer);
  Value allocateLike(Value buffer);
  Value laidOut(Value buffer, MemRefType type, bool isCopied);
  void beginGlobals();

  func::FuncOp entry, body;
  OpBuilder b;
  Location loc;
};
} // namespace

SmallVector<Value> UpdatedEntryBuilder::sizesOf(Value buffer) {
  SmallVector<Value> sizes;
  auto type = cast<MemRefType>(buffer.getType());
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, d));
  return sizes;
}

/// Memory for a contiguous copy of `buffer`.
Value UpdatedEntryBuilder::allocateLike(Value buffer) {
  return allocate(b, loc, contiguous(cast<MemRefType>(buffer.getType())), sizesOf(buffer));
}

/// The contiguous `buffer`, or a copy of it, in the layout that the function takes; null if the layout is not
/// supported.
Value UpdatedEntryBuilder::laidOut(Value buffer, MemRefType type, bool isCopied) {
  Value copy = buffer;
  auto from = cast<MemRefType>(buffer.getType());
  bool isCast = from == type || memref::CastOp::areCastCompatible(from, type);
  if (isCast && isCopied) {
    copy = allocateLike(buffer);
    memref::CopyOp::create(b, loc, buffer, copy);
  }
  if (isCast)
    return from == type ? copy : memref::CastOp::create(b, loc, type, copy).getResult();
  // Allocates memory from the first element of the layout to the last.
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return Value();
  if (ShapedType::isDynamic(offset))
    offset = 0;
  SmallVector<OpFoldResult> sizes, steps;
  Value extent = index(offset + 1), packed = index(1);
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    Value size =
        from.isDynamicDim(d) ? memref::DimOp::create(b, loc, buffer, d).getResult() : index(from.getDimSize(d));
    if (!ShapedType::isDynamic(strides[d]) && strides[d] < 0)
      return Value();
    Value stride = ShapedType::isDynamic(strides[d]) ? packed : index(strides[d]);
    packed = arith::MulIOp::create(b, loc, stride, size);
    // At least one element, even if a size is 0.
    Value last = arith::MaxSIOp::create(b, loc, arith::SubIOp::create(b, loc, size, index(1)), index(0));
    extent = arith::AddIOp::create(b, loc, extent, arith::MulIOp::create(b, loc, last, stride));
    sizes.insert(sizes.begin(), from.isDynamicDim(d) ? OpFoldResult(size) : b.getIndexAttr(from.getDimSize(d)));
    steps.insert(steps.begin(), ShapedType::isDynamic(strides[d]) ? OpFoldResult(stride) : b.getIndexAttr(strides[d]));
  }
  Value memory = allocate(b, loc, MemRefType::get({ShapedType::kDynamic}, type.getElementType()), extent);
  bool isDynamicOffset = ShapedType::isDynamic(type.getStridesAndOffset().second);
  Value view = memref::ReinterpretCastOp::create(
      b, loc, type, memory, isDynamicOffset ? OpFoldResult(index(0)) : OpFoldResult(b.getIndexAttr(offset)), sizes,
      steps);
  memref::CopyOp::create(b, loc, buffer, view);
  return view;
}

void UpdatedEntryBuilder::beginGlobals() {
  for (auto global : entry->getParentOfType<ModuleOp>().getOps<memref::GlobalOp>()) {
    auto initial = dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr());
    if (!initial)
      continue;
    Value tensor = arith::ConstantOp::create(b, loc, cast<TypedAttr>(Attribute(initial)));
    Value from = bufferization::ToBufferOp::create(b, loc, contiguous(global.getType()), tensor, /*read_only=*/true);
    Value to = memref::GetGlobalOp::create(b, loc, global.getType(), global.getSymName());
    memref::CopyOp::create(b, loc, from, to);
  }
}

LogicalResult UpdatedEntryBuilder::build(ArrayRef<bool> stored) {
  SmallVector<Location> locations =
      llvm::map_to_vector(body.getArguments(), [](BlockArgument argument) { return argument.getLoc(); });
  auto outside = [](Type type) -> Type {
    auto buffer = dyn_cast<MemRefType>(type);
    return buffer ? contiguous(buffer) : type;
  };
  SmallVector<Type> inputs = llvm::map_to_vector(body.getArgumentTypes(), outside);
  SmallVector<Type> results = llvm::map_to_vector(body.getResultTypes(), outside);
  b.createBlock(&entry.getBody(), {}, inputs, locations);
  beginGlobals();
  SmallVector<Value> operands, updated;
  SmallVector<DictionaryAttr> resultAttrs;
  entry.getAllResultAttrs(resultAttrs);
  resultAttrs.resize(results.size(), b.getDictionaryAttr({}));
  for (auto [argument, type, isStored] : llvm::zip_equal(entry.getArguments(), body.getArgumentTypes(), stored)) {
    auto buffer = dyn_cast<MemRefType>(type);
    operands.push_back(buffer ? laidOut(argument, buffer, isStored) : Value(argument));
    if (!operands.back())
      return entry.emitError() << "argument " << argument.getArgNumber() << " of type " << type
                               << " has a layout that the reference lowering does not make; give one with strides";
    if (!isStored)
      continue;
    updated.push_back(operands.back());
    results.push_back(outside(type));
    resultAttrs.push_back(
        b.getDictionaryAttr(b.getNamedAttr(sched::kUpdatesAttr, b.getI64IntegerAttr(argument.getArgNumber()))));
  }
  auto call = func::CallOp::create(b, loc, body, operands);
  SmallVector<Value> returned;
  for (Value value : llvm::concat<Value>(SmallVector<Value>(call.getResults()), updated)) {
    returned.push_back(value);
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || type == contiguous(type))
      continue;
    returned.back() = allocateLike(value);
    memref::CopyOp::create(b, loc, value, returned.back());
  }
  func::ReturnOp::create(b, loc, returned);
  entry.setFunctionType(b.getFunctionType(inputs, results));
  entry.setAllResultAttrs(resultAttrs);
  return success();
}

//===------------------------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------------------------===//

namespace {
struct ReturnUpdates : mica::impl::ReturnUpdatesBase<ReturnUpdates> {
  void runOnOperation() override {
    ModuleOp program = getOperation();
    // Upstream's lower-affine crashes on a delinearize_index without results.
    program.walk([](affine::AffineDelinearizeIndexOp op) {
      if (op->getNumResults() == 0)
        op->erase();
    });
    reshapeReducedSubviews(program);
    // A program with kernels has entries on tensors.
    if (llvm::any_of(program.getOps<ModuleOp>(), [](ModuleOp module) { return sched::isKernelModule(module); }))
      return;
    bool hasGlobals = !program.getOps<memref::GlobalOp>().empty();
    SmallVector<func::FuncOp> entries;
    for (auto function : program.getOps<func::FuncOp>()) {
      auto isOnBuffers = [](Type type) { return isa<BaseMemRefType>(type); };
      // The host functions that call those for ops give and take buffers.
      const bool isHostOp = function->hasAttr(sched::kHostOpAttr);
      if (!function.isExternal() && function.isPublic() &&
          (hasGlobals || (!isHostOp && (llvm::any_of(function.getArgumentTypes(), isOnBuffers) ||
                                        llvm::any_of(function.getResultTypes(), isOnBuffers)))))
        entries.push_back(function);
    }
    SmallVector<SmallVector<bool>> stored;
    for (func::FuncOp entry : entries)
      stored.push_back(llvm::map_to_vector(entry.getArguments(), [&](BlockArgument argument) {
        return !entry->hasAttr(sched::kHostOpAttr) && isBuffer(argument) && fateOf(argument).isStored;
      }));
    for (auto [entry, isStored] : llvm::zip_equal(entries, stored))
      if (failed(surround(entry, isStored)))
        return signalPassFailure();
    // The entries set their initial values.
    for (auto global : program.getOps<memref::GlobalOp>()) {
      global.removeConstantAttr();
      global.setInitialValueAttr(UnitAttr::get(&getContext()));
    }
  }

private:
  LogicalResult surround(func::FuncOp entry, ArrayRef<bool> stored) {
    OpBuilder builder(entry);
    auto body = func::FuncOp::create(builder, entry.getLoc(), (kPlainPrefix + "body_" + entry.getName()).str(),
                                     entry.getFunctionType());
    body.setPrivate();
    if (failed(SymbolTable::replaceAllSymbolUses(entry, body.getNameAttr(), entry->getParentOfType<ModuleOp>())))
      return entry.emitError() << "uses of '" << entry.getName() << "' cannot be renamed";
    body.getBody().takeBody(entry.getBody());
    return UpdatedEntryBuilder(entry, body).build(stored);
  }
};
} // namespace
