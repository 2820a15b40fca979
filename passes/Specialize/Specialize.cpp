//===- Specialize.cpp - setting the dynamic dimensions of an entry ----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One walk in program order. When the type of a value becomes more static, its former type is remembered; each user
// either accepts the new type, if its result types can be inferred, or gets a cast to the former type. A user that does
// not verify with the new types is restored, so that an invalid inference costs static sizes but never a program.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Specialize/Passes.h"

#include "dialects/Mica/IR/MicaDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace mica {
#define GEN_PASS_DEF_SPECIALIZE
#include "passes/Specialize/Passes.h.inc"
} // namespace mica

using namespace mlir;

namespace {

/// The value of an index, if it follows from constants and static types.
std::optional<int64_t> evaluate(Value value, int depth = 0) {
  constexpr int kDeepest = 16;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  Operation *op = value.getDefiningOp();
  if (!op || depth == kDeepest || !isMemoryEffectFree(op) || op->getNumRegions() > 0)
    return std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> known =
        operand.getType().isIntOrIndex() ? evaluate(operand, depth + 1) : std::optional<int64_t>();
    operands.push_back(known ? Attribute(IntegerAttr::get(operand.getType(), *known)) : Attribute());
  }
  SmallVector<OpFoldResult> folded;
  // An in-place fold returns no results.
  Operation *copy = op->clone();
  const bool isFolded = succeeded(copy->fold(operands, folded)) && folded.size() == op->getNumResults();
  copy->destroy();
  if (!isFolded)
    return std::nullopt;
  if (auto attribute = dyn_cast<Attribute>(folded[cast<OpResult>(value).getResultNumber()]))
    if (auto integer = dyn_cast<IntegerAttr>(attribute))
      return integer.getValue().getSExtValue();
  return std::nullopt;
}

/// `type` with its dynamic sizes replaced by those of `known`; kDynamic: unknown.
RankedTensorType refined(RankedTensorType type, ArrayRef<int64_t> known) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [size, more] : llvm::zip_equal(shape, known))
    if (ShapedType::isDynamic(size))
      size = more;
  return type.clone(shape);
}

class Refinement {
public:
  explicit Refinement(func::FuncOp function) : function(function) {}

  /// Gives `value` the type `type`.
  void refine(Value value, Type type) {
    before.try_emplace(value, value.getType());
    value.setType(type);
  }

  void run() {
    SmallVector<Operation *> ops;
    function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (auto empty = dyn_cast<tensor::EmptyOp>(op))
        refineEmpty(empty);
      else if (llvm::any_of(op->getOperands(), [&](Value operand) { return before.contains(operand); }))
        refineUser(op);
    }
  }

private:
  /// Moves constant sizes into the type.
  void refineEmpty(tensor::EmptyOp op) {
    SmallVector<int64_t> shape(op.getType().getShape());
    SmallVector<Value> dynamic;
    auto size = op.getDynamicSizes().begin();
    for (int64_t &dimension : shape) {
      if (!ShapedType::isDynamic(dimension))
        continue;
      std::optional<int64_t> known = evaluate(*size);
      if (known && *known >= 0)
        dimension = *known;
      else
        dynamic.push_back(*size);
      ++size;
    }
    if (dynamic.size() == op.getDynamicSizes().size())
      return;
    op.getDynamicSizesMutable().assign(dynamic);
    refine(op.getResult(), op.getType().clone(shape));
  }

  void refineUser(Operation *op) {
    // These accept a tensor of any type, and have no inferred results.
    if (isa<tensor::DimOp>(op) || (isa<func::ReturnOp>(op) && function.getBody().hasOneBlock()))
      return;
    std::optional<SmallVector<Type>> types;
    if (auto cast = dyn_cast<tensor::CastOp>(op))
      return refineCast(cast);
    if (isa<linalg::LinalgOp>(op))
      types = destinationTypes(cast<DestinationStyleOpInterface>(op));
    else if (isElementwise(op))
      types = elementwiseTypes(op);
    else if (auto shaped = dyn_cast<InferShapedTypeOpInterface>(op);
             shaped && isa_and_present<tosa::TosaDialect>(op->getDialect()))
      types = inferredTypes(op, shaped);
    else if (auto reified = dyn_cast<ReifyRankedShapedTypeOpInterface>(op);
             reified && isa_and_present<mica::MicaDialect>(op->getDialect()))
      types = reifiedTypes(op, reified);
    if (!types || !take(op, *types))
      castOperandsBack(op);
  }

  /// A cast to a less static type is removed; the static sizes are propagated to its users.
  void refineCast(tensor::CastOp op) {
    auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto result = dyn_cast<RankedTensorType>(op.getType());
    if (!source || !result)
      return;
    RankedTensorType type = refined(result, source.getShape());
    if (type != result)
      refine(op.getResult(), type);
  }

  bool isElementwise(Operation *op) const {
    return op->hasTrait<OpTrait::Elementwise>() && op->getNumRegions() == 0 &&
           llvm::all_of(op->getOperands(), [](Value operand) { return isa<RankedTensorType>(operand.getType()); });
  }

  /// All operands have the same shape: a static size of one holds for all.
  std::optional<SmallVector<Type>> elementwiseTypes(Operation *op) {
    auto shape = cast<RankedTensorType>(op->getOperand(0).getType());
    for (Value operand : op->getOperands()) {
      auto type = cast<RankedTensorType>(operand.getType());
      if (type.getRank() != shape.getRank())
        return std::nullopt;
      shape = refined(shape, type.getShape());
    }
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = cast<RankedTensorType>(operand.get().getType());
      auto wanted = type.clone(shape.getShape());
      if (type != wanted && tensor::CastOp::areCastCompatible(type, wanted))
        operand.set(tensor::CastOp::create(builder, op->getLoc(), wanted, operand.get()));
    }
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(cast<RankedTensorType>(type).clone(shape.getShape()));
    return types;
  }

  static std::optional<SmallVector<Type>> destinationTypes(DestinationStyleOpInterface op) {
    if (!op.hasPureTensorSemantics())
      return std::nullopt;
    SmallVector<Type> types;
    for (OpOperand &init : op.getDpsInitsMutable())
      types.push_back(init.get().getType());
    return types;
  }

  static std::optional<SmallVector<Type>> inferredTypes(Operation *op, InferShapedTypeOpInterface shaped) {
    SmallVector<ShapedTypeComponents> shapes;
    if (failed(shaped.inferReturnTypeComponents(op->getContext(), op->getLoc(), op->getOperands(),
                                                op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
                                                op->getRegions(), shapes)) ||
        shapes.size() != op->getNumResults())
      return std::nullopt;
    SmallVector<Type> types;
    for (auto [type, shape] : llvm::zip_equal(op->getResultTypes(), shapes)) {
      auto ranked = dyn_cast<RankedTensorType>(type);
      SmallVector<int64_t> known;
      if (shape.hasRank())
        for (int64_t size : shape.getDims())
          known.push_back(size);
      types.push_back(ranked && known.size() == static_cast<size_t>(ranked.getRank()) ? refined(ranked, known) : type);
    }
    return types;
  }

  /// Evaluates the result sizes `reified`.
  static std::optional<SmallVector<Type>> reifiedTypes(Operation *op, ReifyRankedShapedTypeOpInterface reified) {
    OpBuilder builder(op);
    Operation *previous = op->getPrevNode();
    ReifiedRankedShapedTypeDims shapes;
    std::optional<SmallVector<Type>> types;
    if (succeeded(reified.reifyResultShapes(builder, shapes)) && shapes.size() == op->getNumResults()) {
      types.emplace();
      for (auto [type, shape] : llvm::zip_equal(op->getResultTypes(), shapes)) {
        auto ranked = dyn_cast<RankedTensorType>(type);
        SmallVector<int64_t> known;
        for (OpFoldResult size : shape) {
          std::optional<int64_t> constant = getConstantIntValue(size);
          if (auto value = dyn_cast<Value>(size); value && !constant)
            constant = evaluate(value);
          known.push_back(constant && *constant >= 0 ? *constant : ShapedType::kDynamic);
        }
        const bool fits = ranked && known.size() == static_cast<size_t>(ranked.getRank());
        types->push_back(fits ? Type(refined(ranked, known)) : type);
      }
    }
    // Erases the ops that were created to compute the sizes.
    for (Operation *made = op->getPrevNode(); made && made != previous;) {
      Operation *earlier = made->getPrevNode();
      if (made->use_empty())
        made->erase();
      made = earlier;
    }
    return types;
  }

  /// Sets the result types of `op`, if it verifies with them.
  bool take(Operation *op, ArrayRef<Type> types) {
    SmallVector<Type> old(op->getResultTypes());
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      result.setType(type);
    {
      ScopedDiagnosticHandler silent(op->getContext(), [](Diagnostic &) { return success(); });
      if (succeeded(verify(op, /*verifyRecursively=*/false))) {
        for (auto [result, type] : llvm::zip_equal(op->getResults(), old))
          if (result.getType() != type)
            before.try_emplace(result, type);
        return true;
      }
    }
    for (auto [result, type] : llvm::zip_equal(op->getResults(), old))
      result.setType(type);
    return false;
  }

  void castOperandsBack(Operation *op) {
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands())
      if (auto type = before.find(operand.get()); type != before.end())
        operand.set(tensor::CastOp::create(builder, op->getLoc(), type->second, operand.get()));
  }

  func::FuncOp function;
  llvm::DenseMap<Value, Type> before;
};

class Specialize : public mica::impl::SpecializeBase<Specialize> {
public:
  using SpecializeBase::SpecializeBase;

  void runOnOperation() override {
    ModuleOp program = getOperation();
    auto function = program.lookupSymbol<func::FuncOp>(entry);
    if (!function || function.isExternal() || function.isPrivate()) {
      program.emitError("there is no entry '" + entry + "' to specialize");
      return signalPassFailure();
    }
    if (!SymbolTable::symbolKnownUseEmpty(function, program)) {
      function.emitError("entry '" + entry + "' cannot be specialized: the program itself calls it");
      return signalPassFailure();
    }
    SmallVector<Type> types(function.getArgumentTypes());
    for (const std::string &assignment : sizes)
      if (failed(assign(function, assignment, types)))
        return signalPassFailure();
    Refinement refinement(function);
    for (auto [argument, type] : llvm::zip_equal(function.getArguments(), types))
      if (argument.getType() != type)
        refinement.refine(argument, type);
    function.setFunctionType(
        FunctionType::get(&getContext(), types, SmallVector<Type>(function.getFunctionType().getResults())));
    refinement.run();
    if (auto results = dyn_cast<func::ReturnOp>(function.getBody().back().getTerminator());
        results && function.getBody().hasOneBlock())
      types.assign(results.getOperandTypes().begin(), results.getOperandTypes().end());
    else
      types.assign(function.getResultTypes().begin(), function.getResultTypes().end());
    function.setFunctionType(FunctionType::get(&getContext(), function.getArgumentTypes(), types));
    dropOthers(program, function);
  }

private:
  /// Sets the size given by "ARGUMENT.DIMENSION=SIZE".
  static LogicalResult assign(func::FuncOp function, llvm::StringRef assignment, MutableArrayRef<Type> types) {
    auto [place, sizeText] = assignment.split('=');
    auto [argumentText, dimensionText] = place.split('.');
    size_t argument = 0, dimension = 0;
    int64_t size = 0;
    if (argumentText.getAsInteger(10, argument) || dimensionText.getAsInteger(10, dimension) ||
        sizeText.getAsInteger(10, size) || size < 0)
      return function.emitError("'" + assignment + "' is no size: it should be ARGUMENT.DIMENSION=SIZE, as 0.0=32");
    if (argument >= types.size())
      return function.emitError("'" + assignment + "': there are " + llvm::Twine(types.size()) + " arguments");
    auto type = dyn_cast<RankedTensorType>(types[argument]);
    if (!type)
      return function.emitError("'" + assignment + "': argument " + llvm::Twine(argument) +
                                " is no tensor, and tensors alone can be specialized");
    if (dimension >= static_cast<size_t>(type.getRank()) || !type.isDynamicDim(dimension))
      return function.emitError("'" + assignment + "': argument " + llvm::Twine(argument) +
                                " has no dynamic dimension " + llvm::Twine(dimension));
    SmallVector<int64_t> shape(type.getShape());
    shape[dimension] = size;
    types[argument] = type.clone(shape);
    return success();
  }

  /// Erases everything except `function` and its callees.
  static void dropOthers(ModuleOp program, func::FuncOp function) {
    for (auto other : program.getOps<func::FuncOp>())
      if (other != function)
        other.setPrivate();
    for (bool changed = true; changed;) {
      changed = false;
      for (auto other : llvm::make_early_inc_range(program.getOps<func::FuncOp>()))
        if (other != function && SymbolTable::symbolKnownUseEmpty(other, program)) {
          other.erase();
          changed = true;
        }
    }
  }
};
} // namespace
