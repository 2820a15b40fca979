//===- Flatten.cpp - values that become several, or none ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Tuples become their elements, and tokens vanish: the program has one process, and its ops with effects keep their
// order. Functions, calls and control flow carry the elements instead:
//
//   func.func @f(%t: tuple<tensor<f32>, tensor<i32>>, %k: !stablehlo.token) -> tensor<i32>
// becomes
//   func.func @f(%a: tensor<f32>, %b: tensor<i32>) -> tensor<i32>
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/MicaDialect.h"
#include "passes/StableHLO/Complex.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mica;
using namespace mica::hlotypes;
namespace hlo = mica::stablehlo;

Operation *hlotypes::rebuilt(OpBuilder &builder, Operation *op, ValueRange operands, TypeRange results) {
  OperationState state(op->getLoc(), op->getName(), operands, results, op->getAttrs());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  return builder.create(state);
}

void mica::flattenSignature(func::FuncOp function, llvm::function_ref<SmallVector<Type>(Type)> flatten) {
  const FunctionType type = function.getFunctionType();
  const auto types = [&](TypeRange from) {
    SmallVector<Type> all;
    for (Type one : from)
      llvm::append_range(all, flatten(one));
    return all;
  };
  // A new type would fill up or cut the lists of attributes.
  ArrayAttr ofArguments = function.getArgAttrsAttr(), ofResults = function.getResAttrsAttr();
  function.setType(FunctionType::get(function.getContext(), types(type.getInputs()), types(type.getResults())));
  const auto spread = [&](ArrayAttr attributes, TypeRange from) {
    SmallVector<Attribute> all;
    for (auto [attribute, one] : llvm::zip_equal(attributes, from))
      all.append(flatten(one).size(), attribute);
    return ArrayAttr::get(function.getContext(), all);
  };
  if (ofArguments)
    function.setArgAttrsAttr(spread(ofArguments, type.getInputs()));
  if (ofResults)
    function.setResAttrsAttr(spread(ofResults, type.getResults()));
}

void mica::markImaginaryParts(func::FuncOp function, FunctionType before) {
  if (!function.isPublic())
    return;
  const auto unit = UnitAttr::get(function.getContext());
  const auto forEachImaginary = [](TypeRange types, llvm::function_ref<void(unsigned)> mark) {
    unsigned number = 0;
    for (Type type : types) {
      auto element = dyn_cast<ComplexType>(getElementTypeOrSelf(type));
      number += element ? 2 : 1;
      if (element && (element.getElementType().isF32() || element.getElementType().isF64()))
        mark(number - 1);
    }
  };
  const StringAttr name = StringAttr::get(function.getContext(), kImaginaryAttr);
  forEachImaginary(before.getInputs(), [&](unsigned number) { function.setArgAttr(number, name, unit); });
  forEachImaginary(before.getResults(), [&](unsigned number) { function.setResultAttr(number, name, unit); });
}

static bool isFlattened(Type type) { return isa<TupleType, hlo::TokenType>(type); }

static SmallVector<Type> leavesOf(Type type) {
  if (isa<hlo::TokenType>(type))
    return {};
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return {type};
  SmallVector<Type> all;
  for (Type element : tuple.getTypes())
    llvm::append_range(all, leavesOf(element));
  return all;
}

namespace {
class Flattener {
public:
  void run(func::FuncOp function) {
    flattenRegion(function.getBody());
    flattenSignature(function, leavesOf);
    for (Operation *op : llvm::reverse(replaced)) {
      op->dropAllUses();
      op->erase();
    }
    for (BlockArgument argument : llvm::reverse(arguments))
      argument.getOwner()->eraseArgument(argument.getArgNumber());
  }

private:
  void flattenRegion(Region &region) {
    for (Block &block : region) {
      for (BlockArgument argument : SmallVector<BlockArgument>(block.getArguments())) {
        if (!isFlattened(argument.getType()))
          continue;
        unsigned next = argument.getArgNumber() + 1;
        for (Type type : leavesOf(argument.getType()))
          leaves[argument].push_back(block.insertArgument(next++, type, argument.getLoc()));
        arguments.push_back(argument);
      }
      for (Operation &op : llvm::make_early_inc_range(block))
        flattenOp(&op);
    }
  }

  SmallVector<Value> leavesOfAll(ValueRange values) {
    SmallVector<Value> all;
    for (Value value : values) {
      if (isFlattened(value.getType()))
        llvm::append_range(all, leaves.lookup(value));
      else
        all.push_back(value);
    }
    return all;
  }

  void flattenOp(Operation *op) {
    for (Region &region : op->getRegions())
      flattenRegion(region);
    if (llvm::none_of(op->getOperandTypes(), isFlattened) && llvm::none_of(op->getResultTypes(), isFlattened))
      return;
    replaced.push_back(op);
    if (isa<hlo::TupleOp, hlo::AfterAllOp, hlo::CreateTokenOp>(op)) {
      leaves[op->getResult(0)] = leavesOfAll(op->getOperands());
      return;
    }
    if (auto get = dyn_cast<hlo::GetTupleElementOp>(op)) {
      const auto types = cast<TupleType>(get.getOperand().getType()).getTypes();
      size_t first = 0;
      for (Type type : types.take_front(get.getIndex()))
        first += leavesOf(type).size();
      const SmallVector<Value> all = leaves.lookup(get.getOperand());
      setLeaves(get.getResult(), ArrayRef<Value>(all).slice(first, leavesOf(get.getType()).size()));
      return;
    }
    OpBuilder builder(op);
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      llvm::append_range(types, leavesOf(type));
    Operation *made = rebuilt(builder, op, leavesOfAll(op->getOperands()), types);
    SmallVector<Value> values(made->getResults());
    ArrayRef<Value> rest(values);
    for (Value result : op->getResults()) {
      const size_t count = leavesOf(result.getType()).size();
      setLeaves(result, rest.take_front(count));
      rest = rest.drop_front(count);
    }
  }

  void setLeaves(Value value, ArrayRef<Value> values) {
    if (isFlattened(value.getType()))
      leaves[value] = SmallVector<Value>(values);
    else
      value.replaceAllUsesWith(values.front());
  }

  llvm::DenseMap<Value, SmallVector<Value>> leaves;
  SmallVector<Operation *> replaced;
  SmallVector<BlockArgument> arguments;
};
} // namespace

void hlotypes::flattenTuples(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    Flattener().run(function);
}
