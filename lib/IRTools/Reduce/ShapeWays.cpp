//===- ShapeWays.cpp - simplifying sizes, ranks and element types -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Ways.h. Each change is applied to the whole module at once, because users of a value must match its definition.
// The test decides whether the result verifies.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/IRTools/Reduce/Ways.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mica;
using namespace mica::irtools;

/// Calls `take` with the type of every value of `module`.
static void forEachType(ModuleOp module, llvm::function_ref<void(Type)> take) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Type type : op->getResultTypes())
      take(type);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          take(type);
    // Declarations have no values.
    op->getAttrDictionary().walk<WalkOrder::PreOrder>([&](TypeAttr type) { type.getValue().walk(take); });
  });
}

/// A type like `type` with another shape; null if there is none.
static ShapedType withShape(Type type, llvm::ArrayRef<int64_t> shape) {
  if (auto memref = dyn_cast<MemRefType>(type); memref && memref.getLayout().isIdentity())
    return MemRefType::get(shape, memref.getElementType(), MemRefLayoutAttrInterface(), memref.getMemorySpace());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return RankedTensorType::get(shape, tensor.getElementType(), tensor.getEncoding());
  if (auto vector = dyn_cast<VectorType>(type); vector && !vector.isScalable())
    return VectorType::get(shape, vector.getElementType());
  return nullptr;
}

/// The leading elements of `elements`, cropped to the shape of `type`.
static DenseElementsAttr cropped(DenseIntOrFPElementsAttr elements, ShapedType type) {
  if (elements.isSplat())
    return elements.resizeSplat(type);
  llvm::ArrayRef<int64_t> shape = type.getShape(), from = elements.getType().getShape();
  auto values = elements.getValues<Attribute>();
  llvm::SmallVector<Attribute> kept;
  for (int64_t i = 0, count = type.getNumElements(); i < count; ++i) {
    int64_t rest = i, at = 0, stride = 1;
    for (int64_t d = type.getRank() - 1; d >= 0; --d) {
      at += rest % shape[d] * stride;
      rest /= shape[d];
      stride *= from[d];
    }
    kept.push_back(values[at]);
  }
  return DenseElementsAttr::get(type, kept);
}

//===------------------------------------------------------------------------------------------------------------===//
// Sizes
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// A replacement of a size in the whole module.
struct SizeChange {
  int64_t from = 0, to = 0; ///< `from` 0: every size is halved
  bool multiples = false;   ///< multiples of `from` become the same multiples of `to`
  bool numbers = false;     ///< and so do constants that are indices

  int64_t of(int64_t size) const {
    if (ShapedType::isDynamic(size) || size < 2)
      return size;
    if (from == 0)
      return (size + 1) / 2;
    if (size == from)
      return to;
    return multiples && size % from == 0 ? size / from * to : size;
  }
};
} // namespace

/// The replacements of a size, simplest first, each in several manners.
static llvm::SmallVector<SizeChange> changesOf(int64_t size) {
  llvm::SmallVector<SizeChange> changes;
  llvm::SmallSetVector<int64_t, 4> targets;
  for (int64_t to : {int64_t(1), int64_t(2), size / 2})
    if (to < size && (size == 0 || to > 0))
      targets.insert(to);
  if (size == 0)
    return {{0, 0, false, true}, {0, 0, false, false}};
  for (int64_t to : targets)
    for (bool multiples : {true, false})
      for (bool numbers : {true, false})
        changes.push_back({size, to, multiples, numbers});
  return changes;
}

static void listSizes(ModuleOp module, ReductionItems &items) {
  llvm::SetVector<int64_t> sizes;
  forEachType(module, [&](Type type) {
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
      for (int64_t size : shaped.getShape())
        if (!ShapedType::isDynamic(size) && size > 1)
          sizes.insert(size);
  });
  if (sizes.empty())
    return;
  llvm::SmallVector<int64_t> ordered = llvm::to_vector(sizes);
  llvm::sort(ordered);
  ordered.push_back(0);
  // A sweep begins at the end: with all sizes at once, then with the largest.
  for (int64_t size : ordered)
    for (int64_t choice = static_cast<int64_t>(changesOf(size).size()) - 1; choice >= 0; --choice)
      items.push_back({module, size, choice});
}

static AffineMap changedMap(AffineMap map, const SizeChange &change) {
  llvm::DenseMap<AffineExpr, AffineExpr> changed;
  for (AffineExpr result : map.getResults())
    result.walk([&](AffineExpr part) {
      if (auto constant = dyn_cast<AffineConstantExpr>(part))
        changed[part] = getAffineConstantExpr(change.of(constant.getValue()), map.getContext());
    });
  return changed.empty() ? map : map.replace(changed, map.getNumDims(), map.getNumSymbols());
}

static void addShapes(AttrTypeReplacer &replacer, std::function<SmallVector<int64_t>(ArrayRef<int64_t>)> change) {
  replacer.addReplacement([=](Type type) -> std::optional<std::pair<Type, WalkResult>> {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasRank())
      return std::nullopt;
    ShapedType changed = withShape(type, change(shaped.getShape()));
    return std::pair<Type, WalkResult>(changed ? Type(changed) : type, WalkResult::skip());
  });
}

static bool changeSizes(llvm::ArrayRef<ReductionItem> items) {
  const SizeChange change = changesOf(items.front().index)[items.front().choice];
  AttrTypeReplacer replacer;
  auto shapeOf = [change](ArrayRef<int64_t> shape) {
    return llvm::map_to_vector(shape, [&](int64_t size) { return change.of(size); });
  };
  addShapes(replacer, shapeOf);
  using Changed = std::optional<std::pair<Attribute, WalkResult>>;
  auto as = [](Attribute attr) { return std::pair<Attribute, WalkResult>(attr, WalkResult::skip()); };
  replacer.addReplacement([=](DenseIntOrFPElementsAttr elements) -> Changed {
    ShapedType type = withShape(elements.getType(), shapeOf(elements.getType().getShape()));
    DenseElementsAttr changed = type ? cropped(elements, type) : DenseElementsAttr(elements);
    Type element = changed.getElementType();
    if (!change.numbers || !(element.isIndex() || element.isInteger(64)))
      return as(changed);
    auto mapped = llvm::map_to_vector(changed.getValues<APInt>(), [&](const APInt &value) {
      return APInt(value.getBitWidth(), change.of(value.getSExtValue()), /*isSigned=*/true);
    });
    return as(DenseElementsAttr::get(changed.getType(), mapped));
  });
  replacer.addReplacement([=](IntegerAttr number) -> Changed {
    if (!change.numbers || !(number.getType().isIndex() || number.getType().isInteger(64)))
      return as(number);
    return as(IntegerAttr::get(number.getType(), change.of(number.getInt())));
  });
  if (change.numbers) {
    replacer.addReplacement([=](DenseI64ArrayAttr numbers) -> Changed {
      return as(DenseI64ArrayAttr::get(numbers.getContext(), shapeOf(numbers.asArrayRef())));
    });
    replacer.addReplacement(
        [=](AffineMapAttr map) -> Changed { return as(AffineMapAttr::get(changedMap(map.getValue(), change))); });
  }
  replacer.recursivelyReplaceElementsIn(items.front().op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Ranks
//===------------------------------------------------------------------------------------------------------------===//

using Shape = SmallVector<int64_t>;

static llvm::SetVector<ArrayRef<int64_t>> shapesOf(ModuleOp module) {
  llvm::SetVector<ArrayRef<int64_t>> shapes;
  forEachType(module, [&](Type type) {
    if (auto shaped = dyn_cast<ShapedType>(type); shaped && shaped.hasRank())
      shapes.insert(shaped.getShape());
  });
  return shapes;
}

static void listUnitDims(ModuleOp module, ReductionItems &items) {
  for (auto [i, shape] : llvm::enumerate(shapesOf(module)))
    for (auto [d, size] : llvm::enumerate(shape))
      if (size == 1)
        items.push_back({module, static_cast<int64_t>(i), static_cast<int64_t>(d)});
}

static Shape without(ArrayRef<int64_t> shape, int64_t dim) {
  Shape rest(shape);
  rest.erase(rest.begin() + dim);
  return rest;
}

/// The position of the first index operand of an access; nothing if `op` is not an access.
static std::optional<unsigned> firstIndex(Operation *op) {
  if (isa<memref::LoadOp, tensor::ExtractOp, vector::LoadOp>(op))
    return 1;
  if (isa<memref::StoreOp, tensor::InsertOp, vector::StoreOp>(op))
    return 2;
  return std::nullopt;
}

/// Drops dimension `dim` of values of `shape` from the operands and maps of `op`.
static void dropIndices(Operation *op, ArrayRef<int64_t> shape, int64_t dim) {
  auto isShape = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasRank() && shaped.getShape() == shape;
  };
  if (std::optional<unsigned> first = firstIndex(op)) {
    if (isShape(op->getOperand(*first - 1).getType()) && op->getNumOperands() > *first + dim)
      op->eraseOperand(*first + dim);
  } else if (isa<affine::AffineLoadOp, affine::AffineStoreOp>(op)) {
    if (isShape(op->getOperand(isa<affine::AffineLoadOp>(op) ? 0 : 1).getType())) {
      AffineMap map = cast<AffineMapAttr>(op->getAttr("map")).getValue();
      op->setAttr("map", AffineMapAttr::get(map.dropResult(dim)));
    }
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    for (auto [map, operand] : llvm::zip_equal(maps, op->getOperands()))
      if (isShape(operand.getType()))
        map = map.dropResult(dim);
    // Loops over a dimension that occurs in no map are removed too.
    const llvm::SmallBitVector unused = getUnusedDimsBitVector(maps);
    SmallVector<Attribute> loops;
    for (auto [i, loop] : llvm::enumerate(generic.getIteratorTypes()))
      if (!unused.test(i))
        loops.push_back(loop);
    for (AffineMap &map : maps)
      map = compressDims(map, unused);
    generic.setIteratorTypesAttr(ArrayAttr::get(op->getContext(), loops));
    generic.setIndexingMapsAttr(Builder(op->getContext()).getAffineMapArrayAttr(maps));
  }
}

static bool dropUnitDim(llvm::ArrayRef<ReductionItem> items) {
  const ReductionItem &item = items.front();
  const Shape shape(shapesOf(cast<ModuleOp>(item.op))[item.index]);
  const int64_t dim = item.choice;
  item.op->walk([&](Operation *op) { dropIndices(op, shape, dim); });
  AttrTypeReplacer replacer;
  auto shapeOf = [=](ArrayRef<int64_t> is) { return is == ArrayRef<int64_t>(shape) ? without(is, dim) : Shape(is); };
  addShapes(replacer, shapeOf);
  replacer.addReplacement([=](DenseIntOrFPElementsAttr elements) -> std::optional<std::pair<Attribute, WalkResult>> {
    ShapedType type = withShape(elements.getType(), shapeOf(elements.getType().getShape()));
    return std::pair<Attribute, WalkResult>(type ? elements.reshape(type) : DenseElementsAttr(elements),
                                            WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(item.op, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  return true;
}

//===------------------------------------------------------------------------------------------------------------===//
// Element types
//===------------------------------------------------------------------------------------------------------------===//

/// f32 for floats, i32 for integers; null if that is not simpler.
static Type plainerType(Type type) {
  if (isa<FloatType>(type) && !type.isF32())
    return Float32Type::get(type.getContext());
  if (type.isSignlessInteger() && !type.isSignlessInteger(1) && !type.isSignlessInteger(32))
    return IntegerType::get(type.getContext(), 32);
  return nullptr;
}

static llvm::SetVector<Type> elementTypesOf(ModuleOp module) {
  llvm::SetVector<Type> types;
  forEachType(module, [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    if (plainerType(element))
      types.insert(element);
  });
  return types;
}

static void listElementTypes(ModuleOp module, ReductionItems &items) {
  for (size_t i = 0; i < elementTypesOf(module).size(); ++i)
    items.push_back({module, static_cast<int64_t>(i)});
}

/// A number, or several, in another type.
static Attribute converted(Attribute attr, Type from, Type to) {
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return number.getType() == from ? IntegerAttr::get(to, number.getValue().sextOrTrunc(32)) : number;
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getType() == from ? FloatAttr::get(to, number.getValueAsDouble()) : number;
  auto elements = dyn_cast<DenseIntOrFPElementsAttr>(attr);
  if (!elements || elements.getElementType() != from)
    return attr;
  auto type = cast<ShapedType>(elements.getType()).clone(to);
  if (elements.isSplat())
    return DenseElementsAttr::get(type, converted(elements.getSplatValue<Attribute>(), from, to));
  return DenseElementsAttr::get(type, llvm::map_to_vector(elements.getValues<Attribute>(),
                                                          [&](Attribute value) { return converted(value, from, to); }));
}

static bool changeElementType(llvm::ArrayRef<ReductionItem> items) {
  auto module = cast<ModuleOp>(items.front().op);
  const Type from = elementTypesOf(module)[items.front().index], to = plainerType(from);
  module->walk([&](Operation *op) {
    // Other attributes of such a type are properties of the op: an alignment, an axis.
    const bool holdsData = op->hasTrait<OpTrait::ConstantLike>() || isa<memref::GlobalOp>(op);
    using Changed = std::optional<std::pair<Attribute, WalkResult>>;
    AttrTypeReplacer replacer;
    auto convert = [=](Attribute attr) -> Changed {
      return std::pair<Attribute, WalkResult>(holdsData ? converted(attr, from, to) : attr, WalkResult::skip());
    };
    replacer.addReplacement([=](Type type) -> std::optional<Type> { return type == from ? to : type; });
    replacer.addReplacement([=](IntegerAttr attr) -> Changed { return convert(attr); });
    replacer.addReplacement([=](FloatAttr attr) -> Changed { return convert(attr); });
    replacer.addReplacement([=](DenseIntOrFPElementsAttr attr) -> Changed { return convert(attr); });
    replacer.addReplacement(
        [=](DenseArrayAttr attr) -> Changed { return std::pair<Attribute, WalkResult>(attr, WalkResult::skip()); });
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  });
  return true;
}

llvm::ArrayRef<ReductionWay> irtools::shapeWays() {
  static constexpr ReductionWay ways[] = {
      {listSizes, changeSizes, 1}, {listUnitDims, dropUnitDim, 1}, {listElementTypes, changeElementType, 1}};
  return ways;
}
