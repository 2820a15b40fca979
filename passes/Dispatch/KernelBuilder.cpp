//===- KernelBuilder.cpp - building kernels from groups of ops --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See KernelBuilder.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Dispatch/KernelBuilder.h"

#include "mica/Support/Checked.h"

#include "dialects/Mica/IR/MicaDialect.h"
#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/KernelArguments.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Dispatch/KernelFlops.h"
#include "passes/Dispatch/KernelNames.h"
#include "passes/Dispatch/OpClasses.h"
#include "passes/Schedule/UpdatedMemory.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace mica;

//===------------------------------------------------------------------------------------------------------------===//
// Inputs and outputs of a group
//===------------------------------------------------------------------------------------------------------------===//

/// All values that an op uses from outside of itself, including uses in its regions.
static void collectUses(Operation *op, llvm::SetVector<Value> &values) {
  values.insert(op->operand_begin(), op->operand_end());
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, region, values);
}

/// Whether `value`, a constant, is a factor of a contraction or convolution: a weight, which stays an operand even if
/// all its elements are equal.
static bool isWeightOf(ArrayRef<Operation *> ops, Value value) {
  return llvm::any_of(ops, [&](Operation *op) {
    OpClass opClass = classify(op);
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return (opClass == OpClass::Contraction || opClass == OpClass::Convolution) &&
           llvm::is_contained(linalgOp.getDpsInputs(), value);
  });
}

namespace {
/// Classifies the values that a group uses by the kinds of GroupInterface.
class UseSorter {
public:
  explicit UseSorter(GroupInterface &group) : group(group), members(group.ops.begin(), group.ops.end()) {}

  LogicalResult add(Value value, Operation *user) {
    Operation *def = value.getDefiningOp();
    if (def && members.contains(def))
      return success();
    Type type = value.getType();
    if (def && !isTensorOperand(value) && isRecomputed(def)) {
      for (Value operand : def->getOperands())
        if (failed(add(operand, user)))
          return failure();
      group.recomputed.insert(def);
      return success();
    }
    if (isa<RankedTensorType>(type)) {
      group.tensors.insert(value);
    } else if (type.isIntOrIndex()) {
      group.scalars.insert(value);
    } else if (type.isFloat()) {
      group.boxedScalars.insert(value);
    } else {
      return user->emitOpError()
             << "uses a value of type " << type
             << ", which cannot be passed to a kernel; kernels take tensors, floats, integers and index";
    }
    return success();
  }

  /// Whether `value` is a tensor that the kernel reads, and does not compute itself.
  bool isTensorOperand(Value value) const {
    if (!isa<RankedTensorType>(value.getType()))
      return false;
    Operation *def = value.getDefiningOp();
    return !def || !isCheapToRecompute(def) || (!isa<tensor::EmptyOp>(def) && isWeightOf(group.ops, value));
  }

private:
  /// Constants, tensor.empty, and sizes of tensors that the kernel reads anyway.
  bool isRecomputed(Operation *def) const {
    if (isCheapToRecompute(def))
      return true;
    auto dim = dyn_cast<tensor::DimOp>(def);
    return dim && dim.getConstantIndex() && group.tensors.contains(dim.getSource());
  }

  GroupInterface &group;
  llvm::SmallPtrSet<Operation *, 16> members;
};
} // namespace

/// Whether the insertion whose target is `target` is in a loop of the host function, and may be done in the memory of
/// the target: nothing else needs what was there, or a copy before the loop is enough. Elsewhere, copying and inserting
/// are one kernel.
static bool insertsInPlace(OpOperand &target) {
  if (!target.getOwner()->getParentOfType<LoopLikeOpInterface>())
    return false;
  return findSharedOperand(target) != &target;
}

/// Finds the tensors that the group updates and nothing else in it reads: those of loops marked kInPlaceAttr, and those
/// that an iteration of a loop inserts into.
static void findUpdated(GroupInterface &group) {
  llvm::DenseMap<Value, Value> resultOf;
  for (Operation *op : group.ops) {
    if (isa<tensor::InsertOp, tensor::InsertSliceOp>(op)) {
      OpOperand &target = *cast<DestinationStyleOpInterface>(op).getDpsInitOperand(0);
      if (insertsInPlace(target))
        resultOf[target.get()] = op->getResult(0);
      continue;
    }
    auto loop = dyn_cast<scf::ForallOp>(op);
    if (!loop || !loop->hasAttr(kInPlaceAttr))
      continue;
    for (auto [output, result] : llvm::zip_equal(loop.getOutputs(), loop.getResults()))
      resultOf[output] = result;
  }
  for (Value tensor : group.tensors) {
    Value result = resultOf.lookup(tensor);
    int64_t uses = 0;
    for (OpOperand &use : tensor.getUses())
      uses += llvm::any_of(group.ops, [&](Operation *op) { return op->isAncestor(use.getOwner()); });
    if (result && uses == 1 && llvm::is_contained(group.results, result))
      group.updated.insert({tensor, result});
  }
  SmallVector<Value> ordered = llvm::map_to_vector(group.updated, [](auto &entry) { return entry.second; });
  for (Value result : group.results)
    if (!llvm::is_contained(ordered, result))
      ordered.push_back(result);
  group.results = ordered;
}

FailureOr<GroupInterface> mica::analyzeGroup(ArrayRef<Operation *> ops) {
  GroupInterface group;
  group.ops.assign(ops.begin(), ops.end());
  UseSorter sorter(group);
  // Tensors first, so that their sizes are available.
  for (bool tensors : {true, false})
    for (Operation *op : ops) {
      llvm::SetVector<Value> uses;
      collectUses(op, uses);
      for (Value value : uses) {
        if (sorter.isTensorOperand(value) == tensors && failed(sorter.add(value, op)))
          return failure();
      }
    }
  llvm::SmallPtrSet<Operation *, 16> members(ops.begin(), ops.end());
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(op->getBlock()->findAncestorOpInBlock(*user));
          }))
        group.results.push_back(result);
  findUpdated(group);
  return group;
}

//===------------------------------------------------------------------------------------------------------------===//
// The kernel's module
//===------------------------------------------------------------------------------------------------------------===//

/// A splat or tensor.empty inside of a kernel: never a tensor constant, so that kernels contain no data.
static Value recompute(OpBuilder &builder, Operation *def, IRMapping &mapping) {
  SplatElementsAttr splat;
  // A complex number is no attribute with a type; such programs have no kernels, but a compile may begin here.
  if (!matchPattern(def, m_Constant(&splat)) || !isa<RankedTensorType>(def->getResult(0).getType()) ||
      isa<ComplexType>(splat.getElementType()))
    return builder.clone(*def, mapping)->getResult(0);
  auto type = cast<RankedTensorType>(def->getResult(0).getType());
  Location loc = builder.getUnknownLoc();
  Value scalar = arith::ConstantOp::create(builder, loc, splat.getSplatValue<TypedAttr>());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

/// Gives ops without ids (constants, tensor.empty, buffers' tensors) the location of their first user, since they are
/// not computations of their own. An id of a tensor.empty is dropped, so that kernels do not differ by who shares it.
static void locateByUsers(func::FuncOp func) {
  for (Operation &op : llvm::reverse(func.getBody().front())) {
    if (!isa<tensor::EmptyOp, bufferization::ToTensorOp, tensor::DimOp>(op) && hasOpIds(op.getLoc()))
      continue;
    Operation *first = nullptr;
    for (Operation *user : op.getUsers()) {
      Operation *ancestor = func.getBody().front().findAncestorOpInBlock(*user);
      if (!first || ancestor->isBeforeInBlock(first))
        first = ancestor;
    }
    if (first)
      op.setLoc(first->getLoc());
  }
}

/// Whether `value` of a host function is computed from sizes of tensors and constants alone. False also where more than
/// `most` values have to be looked at, so that the cost per kernel is bounded.
static bool isComputedFromSizes(Value value) {
  constexpr size_t most = 256;
  llvm::SetVector<Value> sources;
  sources.insert(value);
  for (size_t at = 0; at < sources.size(); ++at) {
    Operation *op = sources[at].getDefiningOp();
    if (op && (isa<tensor::DimOp, memref::DimOp>(op) || op->hasTrait<OpTrait::ConstantLike>()))
      continue;
    if (!op || op->getNumRegions() > 0 || op->getNumOperands() == 0 || !sources[at].getType().isIntOrIndex() ||
        !isPure(op) || sources.size() > most)
      return false;
    sources.insert_range(op->getOperands());
  }
  return true;
}

/// Whether an operation in the body of one of `ops` reads an element of a tensor.
static bool readsComputedPositions(ArrayRef<Operation *> ops) {
  return llvm::any_of(ops, [](Operation *op) {
    return op->walk([](tensor::ExtractOp) { return WalkResult::interrupt(); }).wasInterrupted();
  });
}

/// Whether `position`, in the body of a structured op, is computed from an element of a constant tensor.
static bool comesFromConstant(Value position) {
  SmallVector<Value> pending{position};
  llvm::DenseSet<Value> visited;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    if (Operation *op = value.getDefiningOp()) {
      if (isa<ShapedType>(value.getType()) && (isa<linalg::FillOp>(op) || matchPattern(value, m_Constant())))
        return true;
      llvm::append_range(pending, op->getOperands());
      continue;
    }
    auto argument = cast<BlockArgument>(value);
    if (auto structured = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp()))
      pending.push_back(structured.getMatchingOpOperand(argument)->get());
  }
  return false;
}

/// Whether `op` reads or updates a tensor at a constant position, or with constant sizes, of which its type does not
/// show that they are inside. Verifiers look at attributes only.
static bool hasUnverifiedConstants(Operation *op) {
  auto isInside = [](ArrayRef<int64_t> shape, ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                     ArrayRef<OpFoldResult> strides) {
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      std::optional<int64_t> offset = getConstantIntValue(offsets[dim]), size = getConstantIntValue(sizes[dim]),
                             stride = getConstantIntValue(strides[dim]);
      if (!offset && !size)
        continue; // computed: mica-check-insert decides
      if (!offset || !size || !stride || ShapedType::isDynamic(extent) || *offset < 0 || *size < 0)
        return false;
      const std::optional<int64_t> way = checkedMul(std::max<int64_t>(*size - 1, 0), *stride),
                                   last = way ? checkedAdd(*offset, *way) : std::nullopt;
      if (*size > 0 && (!last || *last < 0 || *last >= extent))
        return false;
    }
    return true;
  };
  auto isConstant = [](Value operand) { return operand.getType().isIndex() && matchPattern(operand, m_Constant()); };
  if (isa<tensor::ExtractOp>(op) && llvm::any_of(op->getOperands().drop_front(), comesFromConstant))
    return true;
  if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(op);
      slice && llvm::any_of(slice.getOffsets(), comesFromConstant))
    return true;
  if (llvm::none_of(op->getOperands(), isConstant))
    return false;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    Builder b(op->getContext());
    const SmallVector<OpFoldResult> ones(extract.getIndices().size(), b.getIndexAttr(1));
    return !isInside(extract.getTensor().getType().getShape(), getAsOpFoldResult(extract.getIndices()), ones, ones);
  }
  ArrayRef<int64_t> shape;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    shape = slice.getSourceType().getShape();
  else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    shape = slice.getDestType().getShape();
  else if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(op))
    shape = slice.getDestType().getShape();
  else
    return false;
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
  return !isInside(shape, slice.getMixedOffsets(), slice.getMixedSizes(), slice.getMixedStrides());
}

/// Marks the accesses to memory in `op` that the program itself makes.
static void tagAccesses(Operation *op) {
  op->walk([](Operation *inner) {
    // Elements of tensors are checked where data decides, and those of a view by its sizes.
    auto element = dyn_cast<tensor::ExtractOp>(inner);
    const bool isOfView =
        element && isa_and_present<tensor::ExtractSliceOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
                       element.getTensor().getDefiningOp());
    if (isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp, memref::GenericAtomicRMWOp, memref::SubViewOp,
            affine::AffineLoadOp, affine::AffineStoreOp, affine::AffineVectorLoadOp, affine::AffineVectorStoreOp,
            vector::LoadOp, vector::StoreOp, vector::TransferReadOp, vector::TransferWriteOp, vector::MaskedLoadOp,
            vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp, vector::ExpandLoadOp, vector::CompressStoreOp,
            tensor::InsertOp>(inner) ||
        isOfView || hasUnverifiedConstants(inner)) {
      inner->setLoc(withTag(inner->getLoc(), kAccessTag));
      // A loop of one iteration is replaced by its body, whose insertion then has the location of the loop.
      if (isa<tensor::ParallelInsertSliceOp>(inner))
        if (auto loop = inner->getParentOfType<scf::ForallOp>())
          loop->setLoc(withTag(loop->getLoc(), kAccessTag));
    }
  });
}

static MemRefType bufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Builds the function of a kernel for `group`, named "kernel", at the end of `module`.
static func::FuncOp buildFunction(ModuleOp module, const GroupInterface &group, Location loc) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> argAttrs;
  auto argument = [&](Type type, StringRef access) {
    types.push_back(type);
    NamedAttrList attrs;
    if (!access.empty())
      attrs.append(sched::kAccessAttr, builder.getStringAttr(access));
    argAttrs.push_back(attrs.getDictionary(builder.getContext()));
  };
  for (Value tensor : group.tensors)
    argument(bufferType(tensor.getType()), group.updated.count(tensor) ? "readwrite" : "read");
  for (Value scalar : group.boxedScalars)
    argument(MemRefType::get({}, scalar.getType()), "read");
  ArrayRef<Value> written = ArrayRef<Value>(group.results).drop_front(group.updated.size());
  for (Value result : written)
    argument(bufferType(result.getType()), "write");
  for (Value scalar : group.scalars) {
    argument(scalar.getType(), "");
    if (isComputedFromSizes(scalar))
      argAttrs.back() = builder.getDictionaryAttr(builder.getNamedAttr(sched::kSizeAttr, builder.getUnitAttr()));
  }

  auto func = func::FuncOp::create(builder, loc, "kernel", builder.getFunctionType(types, {}),
                                   ArrayRef<NamedAttribute>(), argAttrs);
  if (readsComputedPositions(group.ops))
    func->setAttr(sched::kComputedPositionsAttr, builder.getUnitAttr());
  Block *body = func.addEntryBlock();
  for (BlockArgument argument : body->getArguments())
    argument.setLoc(builder.getUnknownLoc());
  builder.setInsertionPointToStart(body);
  Location unknown = builder.getUnknownLoc();

  IRMapping mapping;
  unsigned next = 0;
  SmallVector<Value> targets;
  for (Value tensor : group.tensors) {
    bool updated = group.updated.count(tensor);
    if (updated)
      targets.push_back(body->getArgument(next));
    mapping.map(tensor, bufferization::ToTensorOp::create(builder, unknown, tensor.getType(), body->getArgument(next++),
                                                          /*restrict=*/true, /*writable=*/updated)
                            .getResult());
  }
  for (Value scalar : group.boxedScalars) {
    Value box = bufferization::ToTensorOp::create(builder, unknown, RankedTensorType::get({}, scalar.getType()),
                                                  body->getArgument(next++), /*restrict=*/true);
    mapping.map(scalar, tensor::ExtractOp::create(builder, unknown, box, ValueRange()).getResult());
  }
  for ([[maybe_unused]] Value result : written)
    targets.push_back(body->getArgument(next++));
  for (Value scalar : group.scalars)
    mapping.map(scalar, body->getArgument(next++));
  for (Operation *def : group.recomputed)
    mapping.map(def->getResult(0), recompute(builder, def, mapping));
  for (Operation *op : group.ops) {
    Operation *copy = builder.clone(*op, mapping);
    copy->removeAttr(sched::kGroupAttr);
    copy->removeAttr(kKindAttr);
    tagAccesses(copy);
  }
  for (auto [result, target] : llvm::zip_equal(group.results, targets))
    bufferization::MaterializeInDestinationOp::create(builder, result.getLoc(), Type(), mapping.lookup(result), target,
                                                      /*restrict=*/true, /*writable=*/true);
  func::ReturnOp::create(builder, loc);
  locateByUsers(func);
  return func;
}

/// The op after which a kernel is named: the first one of the highest class.
static Operation *findRootOp(ArrayRef<Operation *> ops) {
  return *std::max_element(ops.begin(), ops.end(),
                           [](Operation *a, Operation *b) { return classify(a) < classify(b); });
}

/// All ids in the kernel, those of its root first, with the kind of op of each.
static void collectIds(func::FuncOp func, Operation *root, llvm::SetVector<StringRef> &ids,
                       SmallVectorImpl<std::string> &kinds) {
  auto add = [&](Operation *named, Location loc) {
    for (StringRef id : getOpIds(loc))
      if (ids.insert(id))
        kinds.push_back(named->getName().getStringRef().str());
  };
  add(root, root->getLoc());
  // Computations first: a constant or buffer has its reader's location, and would determine the name.
  for (bool work : {true, false})
    for (Operation &op : func.getBody().front())
      if (isKernelWork(&op) == work)
        op.walk<WalkOrder::PreOrder>([&](Operation *inner) { add(&op, inner->getLoc()); });
}

/// The kernel as text, without names and locations, but with the numbers of the ids that each operation carries:
/// kernels with equal text are merged.
static std::string canonicalText(func::FuncOp func, const llvm::SetVector<StringRef> &ids) {
  std::string text;
  llvm::raw_string_ostream os(text);
  func->print(os, OpPrintingFlags().printGenericOpForm().useLocalScope().enableDebugInfo(false));
  llvm::StringMap<unsigned> ordinals;
  for (auto [ordinal, id] : llvm::enumerate(ids))
    ordinals[id] = ordinal;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == func)
      return;
    os << '|';
    llvm::interleave(
        getOpIds(op), os, [&](StringRef id) { os << ordinals.lookup(id); }, ",");
  });
  return text;
}

KernelBuilder::KernelBuilder(ModuleOp program) : program(program), symbols(program) {}

BuiltKernel KernelBuilder::build(const GroupInterface &group) {
  MLIRContext *context = program.getContext();
  Builder builder(context);
  SmallVector<Location> locations = llvm::map_to_vector(group.ops, [](Operation *op) { return op->getLoc(); });
  Location loc = FusedLoc::get(context, locations);

  OwningOpRef<ModuleOp> fresh = ModuleOp::create(loc);
  func::FuncOp func = buildFunction(*fresh, group, loc);
  Operation *root = findRootOp(group.ops);
  llvm::SetVector<StringRef> ids;
  SmallVector<std::string> kinds;
  collectIds(func, root, ids, kinds);
  SmallVector<StringRef> idList(ids.begin(), ids.end());
  ArrayAttr opIds = builder.getStrArrayAttr(idList);

  std::string text = canonicalText(func, ids);
  auto [entry, isNew] = byText.try_emplace(text);
  if (!isNew)
    return {entry->second, opIds};

  StringAttr name = builder.getStringAttr(uniqueKernelName(kernelName(group.ops, root), symbols));
  func.setSymNameAttr(name);
  ModuleOp kernel = fresh.release();
  kernel.setSymNameAttr(name);
  kernel->setAttr(sched::kKernelAttr, builder.getUnitAttr());
  kernel->setAttr(sched::kRootKindAttr, builder.getStringAttr(kernelKind(group.ops, root)));
  kernel->setAttr(sched::kOpIdsAttr, opIds);
  SmallVector<StringRef> kindList(kinds.begin(), kinds.end());
  kernel->setAttr(sched::kOpKindsAttr, builder.getStrArrayAttr(kindList));
  llvm::SHA256 hash;
  hash.update(text);
  kernel->setAttr(sched::kHashAttr, builder.getStringAttr(llvm::toHex(hash.final(), /*LowerCase=*/true).substr(0, 16)));
  if (std::optional<int64_t> flops = countFlops(func))
    kernel->setAttr(sched::kFlopsAttr, builder.getI64IntegerAttr(*flops));
  symbols.insert(kernel, lastKernel ? std::next(Block::iterator(lastKernel)) : program.getBody()->begin());
  lastKernel = kernel;
  entry->second = kernel;
  return {kernel, opIds};
}
