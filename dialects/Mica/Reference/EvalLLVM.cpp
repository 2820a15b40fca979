//===- EvalLLVM.cpp - finding undefined behavior in the LLVM dialect ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See EvalLLVM.h. This file: reports, blocks and calls, arguments and results.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVM.h"

#include "dialects/Mica/Reference/EndlessLoop.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace mica::reference {

/// Deeper calls are treated as infinite recursion.
static constexpr unsigned kMaxLLVMCallDepth = 200;

LLVMInterpreter::LLVMInterpreter(const EvalOptions &options, UndefinedValues &found)
    : options(options), found(found), objects(1) {
  addLLVMArithmetic(*this);
  addLLVMValues(*this);
  addLLVMMemory(*this);
  addLLVMIntrinsics(*this);
  addLLVMBits(*this);
  addLLVMPredicated(*this);
  addLLVMLibrary(*this);
}

//===------------------------------------------------------------------------------------------------------------===//
// Reports
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult LLVMInterpreter::broken(Operation *op, const Twine &what) { return op->emitError() << what; }

LogicalResult LLVMInterpreter::broken(Operation *op, const Twine &what, Operation *began, const Twine &did) {
  const std::string said = what.str();
  if (!found.visible) {
    found.began = placeOf(began, did);
    found.isImmediate = true;
    found.visible = placeOf(op, said);
  }
  return op->emitError() << said;
}

LogicalResult LLVMInterpreter::require(Operation *op, const LLVMScalar &value, const Twine &what) {
  if (value.isDefined())
    return success();
  const std::string said = what.str() + (value.isPoison ? " is poison" : " is undefined");
  if (!found.visible) {
    if (value.origin)
      found.began = origins[value.origin - 1];
    found.visible = placeOf(op, said);
  }
  return op->emitError() << said;
}

LogicalResult LLVMInterpreter::requireAll(Operation *op, const LLVMValue &value, const Twine &what) {
  for (const LLVMScalar &scalar : value)
    if (failed(require(op, scalar, what)))
      return failure();
  return success();
}

LogicalResult LLVMInterpreter::stop(Operation *op, const Twine &why) {
  found.stopsAtLimit = true;
  return op->emitError() << why;
}

LLVMScalar LLVMInterpreter::poison(Operation *op, const Twine &what) {
  LLVMScalar value = undef(op, 1, what);
  value.undefined = 0;
  value.isPoison = true;
  return value;
}

LLVMScalar LLVMInterpreter::undef(Operation *op, unsigned bits, const Twine &what) {
  // An op has one description: that of its first such value.
  auto [it, isNew] = originOf.try_emplace(op, uint32_t(origins.size() + 1));
  if (isNew)
    origins.push_back(placeOf(op, what));
  return {0, lowBits(bits), 0, it->second, false};
}

void LLVMInterpreter::print(StringRef text) {
  noteEffect();
  if (options.printed)
    *options.printed += text.str();
  else
    llvm::outs() << text;
}

void LLVMInterpreter::printNumber(StringRef digits) {
  print(digits);
  if (options.printedBounds)
    options.printedBounds->push_back(0);
}

LogicalResult LLVMInterpreter::checkTaken(Operation *root) {
  llvm::SetVector<Operation *> functions;
  llvm::StringMap<bool> said;
  bool isTaken = true;
  auto complain = [&](Operation *op, const Twine &what) {
    isTaken = false;
    if (said.insert({what.str(), true}).second)
      op->emitError() << what;
  };
  auto check = [&](Operation *op) {
    const StringRef kind = op->getName().getStringRef();
    if (!handlers.contains(kind) && !isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp, LLVM::ReturnOp>(op))
      return complain(op, "not taken: " + kind);
    for (Type type : llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes()))
      if (!isTakenLLVMType(type)) {
        std::string text;
        llvm::raw_string_ostream(text) << type;
        complain(op, "not taken: type " + text);
      }
    // A call through a pointer reaches a function whose address is taken.
    auto call = dyn_cast<LLVM::CallOp>(op);
    auto address = dyn_cast<LLVM::AddressOfOp>(op);
    FlatSymbolRefAttr name = call ? call.getCalleeAttr() : address ? address.getGlobalNameAttr() : FlatSymbolRefAttr();
    auto callee = name ? symbols.lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(op, name) : LLVM::LLVMFuncOp();
    if (callee)
      functions.insert(callee);
    else if (call && name)
      complain(op, "not taken: a call of a function that is not in this module");
  };
  if (isa<LLVM::LLVMFuncOp>(root))
    functions.insert(root);
  else
    check(root);
  for (size_t i = 0; i < functions.size(); ++i) {
    auto function = cast<LLVM::LLVMFuncOp>(functions[i]);
    if (function.isExternal()) {
      if (!library.contains(function.getName()))
        complain(function, "not taken: a call of '" + function.getName() + "', which has no body");
      continue;
    }
    if (function.isVarArg())
      complain(function, "not taken: a function with any number of arguments");
    function.getBody().walk(check);
  }
  return success(isTaken);
}

//===------------------------------------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------------------------------------===//

LogicalResult LLVMInterpreter::run(Operation *op, ArrayRef<LLVMValue> in, LLVMValue &out) {
  auto it = handlers.find(op->getName().getStringRef());
  // Functions were checked before, but not initializers of globals.
  return it == handlers.end() ? stop(op, "not taken: " + op->getName().getStringRef()) : it->second(op, in, out, *this);
}

/// Whether LLVM may take the loop of `branch` to end: it, or its function, makes progress.
bool LLVMInterpreter::hasToEnd(Operation *branch) const {
  if (auto loop = branch->getAttrOfType<LLVM::LoopAnnotationAttr>("loop_annotation");
      loop && loop.getMustProgress() && loop.getMustProgress().getValue())
    return true;
  auto function = branch->getParentOfType<LLVM::LLVMFuncOp>();
  if (!function)
    return false;
  auto isPromise = [](Attribute attribute) {
    auto name = dyn_cast<StringAttr>(attribute);
    return name && (name.getValue() == "mustprogress" || name.getValue() == "willreturn");
  };
  std::optional<ArrayAttr> others = function.getPassthrough();
  return function.getWillReturn().value_or(false) || (others && llvm::any_of(*others, isPromise));
}

namespace {
/// The state of a function at a branch back: the arguments of its blocks, the block that comes next, and memory.
class LLVMCycles : public BranchOrder {
public:
  using BranchOrder::BranchOrder;
  int64_t turn(Block *next, ArrayRef<LLVMValue> args, const llvm::DenseMap<Value, LLVMValue> &values, int64_t effects) {
    auto isSame = [&] {
      return effects == keptEffects && next == keptBlock && equal(args, keptArgs) &&
             llvm::all_of(kept, [&](const auto &entry) { return equal(values.lookup(entry.first), entry.second); });
    };
    auto keep = [&] {
      keptBlock = next;
      keptEffects = effects;
      keptArgs.assign(args.begin(), args.end());
      kept.clear();
      for (Block &block : *next->getParent())
        if (&block != next)
          for (BlockArgument argument : block.getArguments())
            if (auto it = values.find(argument); it != values.end())
              kept.emplace_back(argument, it->second);
    };
    return search.turn(isSame, keep);
  }

private:
  static bool equal(const LLVMValue &a, const LLVMValue &b) {
    return llvm::equal(a, b, [](const LLVMScalar &one, const LLVMScalar &other) {
      return one.bits == other.bits && one.undefined == other.undefined && one.object == other.object &&
             one.isPoison == other.isPoison;
    });
  }
  static bool equal(ArrayRef<LLVMValue> a, ArrayRef<LLVMValue> b) {
    return llvm::equal(a, b, [](const LLVMValue &one, const LLVMValue &other) { return equal(one, other); });
  }

  CycleSearch search;
  Block *keptBlock = nullptr;
  int64_t keptEffects = 0;
  SmallVector<LLVMValue> keptArgs;
  SmallVector<std::pair<Value, LLVMValue>> kept;
};
} // namespace

LogicalResult LLVMInterpreter::runBody(Region &body, ArrayRef<LLVMValue> args, LLVMValue &out) {
  llvm::DenseMap<Value, LLVMValue> values;
  Block *block = &body.front();
  SmallVector<LLVMValue> passed(args);
  LLVMCycles cycles(body);
  while (true) {
    for (auto [argument, value] : llvm::zip_equal(block->getArguments(), passed))
      values[argument] = value;
    for (Operation &op : block->without_terminator()) {
      SmallVector<LLVMValue> in;
      for (Value operand : op.getOperands())
        in.push_back(values[operand]);
      LLVMValue result;
      if (failed(run(&op, in, result)))
        return failure();
      if (op.getNumResults() == 1)
        values[op.getResult(0)] = std::move(result);
    }
    Operation *last = block->getTerminator();
    passed.clear();
    Block *from = block;
    auto pass = [&](Block *next, ValueRange operands) {
      for (Value operand : operands)
        passed.push_back(values[operand]);
      block = next;
    };
    if (auto branch = dyn_cast<LLVM::BrOp>(last)) {
      pass(branch.getDest(), branch.getDestOperands());
    } else if (auto branch = dyn_cast<LLVM::CondBrOp>(last)) {
      const LLVMScalar condition = values[branch.getCondition()][0];
      if (failed(require(branch, condition, "a condition")))
        return failure();
      if (condition.bits)
        pass(branch.getTrueDest(), branch.getTrueDestOperands());
      else
        pass(branch.getFalseDest(), branch.getFalseDestOperands());
    } else if (auto branch = dyn_cast<LLVM::SwitchOp>(last)) {
      const LLVMScalar flag = values[branch.getValue()][0];
      if (failed(require(branch, flag, "a condition")))
        return failure();
      std::optional<size_t> taken;
      if (std::optional<DenseIntElementsAttr> cases = branch.getCaseValues())
        for (auto [i, value] : llvm::enumerate(cases->getValues<APInt>()))
          if (value.getZExtValue() == flag.bits && !taken)
            taken = i;
      if (taken)
        pass(branch.getCaseDestinations()[*taken], branch.getCaseOperands(unsigned(*taken)));
      else
        pass(branch.getDefaultDestination(), branch.getDefaultOperands());
    } else if (isa<LLVM::ReturnOp>(last)) {
      if (last->getNumOperands())
        out = values[last->getOperand(0)];
      return success();
    } else {
      return run(last, {}, out);
    }
    if (!cycles.goesBack(from, block))
      continue;
    if (!mayTurn(last, options, found))
      return failure();
    if (const int64_t length = cycles.turn(block, passed, values, effects))
      return hasToEnd(last) ? broken(last, cycleText(length)) : stop(last, cycleText(length));
  }
}

LogicalResult LLVMInterpreter::call(Operation *op, LLVM::LLVMFuncOp callee, ArrayRef<LLVMValue> args, LLVMValue &out) {
  for (auto [i, arg] : llvm::enumerate(args))
    if (i < callee.getNumArguments() && callee.getArgAttr(unsigned(i), LLVM::LLVMDialect::getNoUndefAttrName()) &&
        failed(requireAll(op, arg, "argument " + Twine(i) + ", which is noundef,")))
      return failure();
  if (callee.isExternal())
    return library.find(callee.getName())->second(op, callee.getName(), args, out, *this);
  if (depth >= kMaxLLVMCallDepth)
    return stop(op, "calls nest more than " + Twine(kMaxLLVMCallDepth) + " deep");
  ++depth;
  const size_t height = stack.size();
  const LogicalResult status = runBody(callee.getBody(), args, out);
  endStack(height, callee);
  --depth;
  if (failed(status) || !callee.getResAttrsAttr() || !callee.getResultAttr(0, LLVM::LLVMDialect::getNoUndefAttrName()))
    return status;
  return requireAll(op, out, "the result of @" + callee.getName() + ", which is noundef,");
}

//===------------------------------------------------------------------------------------------------------------===//
// The entry
//===------------------------------------------------------------------------------------------------------------===//

FailureOr<LLVMValue> LLVMInterpreter::argument(LLVM::LLVMFuncOp entry, Type type, const HostTensor &value,
                                               uint32_t object) {
  if (isa<LLVM::LLVMPointerType>(type))
    return LLVMValue{pointerTo(object)};
  if (value.numElements() != 1 || !type.isIntOrFloat())
    return stop(entry, "an argument of " + value.typeString() + " does not fit");
  if (isa<FloatType>(type))
    return LLVMValue{{llvmFloatBits(value.asDouble(0), type), 0, 0, 0, false}};
  return LLVMValue{{uint64_t(value.asInt(0)) & lowBits(llvmBits(type)), 0, 0, 0, false}};
}

LogicalResult LLVMInterpreter::runEntry(LLVM::LLVMFuncOp entry, ArrayRef<HostTensor> args) {
  ArrayRef<Type> types = entry.getFunctionType().getParams();
  SmallVector<LLVMValue> values;
  auto number = [](int64_t value) { return LLVMValue{{uint64_t(value), 0, 0, 0, false}}; };
  for (const HostTensor &arg : args) {
    uint32_t object = 0;
    const size_t left = types.size() - std::min(types.size(), values.size());
    if (left > 0 && isa<LLVM::LLVMPointerType>(types[values.size()])) {
      FailureOr<uint32_t> made = allocate(entry, LLVMObject::Kind::Argument, int64_t(arg.data.size()), 64);
      if (failed(made))
        return failure();
      object = *made;
      for (size_t i = 0; i < arg.data.size(); ++i) {
        objects[object].bytes[i] = uint8_t(arg.data[i]);
        objects[object].undefined[i] = 0;
      }
    }
    // A descriptor passed as its members: the pointer twice, the offset, the sizes, the strides.
    const size_t rank = arg.shape.size();
    const bool isDescriptor =
        left >= 3 + 2 * rank && object != 0 && isa<LLVM::LLVMPointerType>(types[values.size() + 1]) &&
        llvm::all_of(types.slice(values.size() + 2, 1 + 2 * rank), [](Type type) { return type.isInteger(64); });
    if (isDescriptor) {
      values.append(2, LLVMValue{pointerTo(object)});
      values.push_back(number(0));
      int64_t stride = arg.numElements();
      SmallVector<int64_t> strides;
      for (int64_t extent : arg.shape)
        strides.push_back(stride = extent ? stride / extent : 1);
      for (int64_t extent : arg.shape)
        values.push_back(number(extent));
      for (int64_t each : strides)
        values.push_back(number(each));
      continue;
    }
    if (left == 0)
      break;
    FailureOr<LLVMValue> value = argument(entry, types[values.size()], arg, object);
    if (failed(value))
      return failure();
    values.push_back(std::move(*value));
  }
  if (values.size() != types.size())
    return stop(entry, "'" + entry.getName() + "' takes " + Twine(types.size()) + " arguments, " + Twine(args.size()) +
                           " were given");
  LLVMValue result;
  if (failed(call(entry, entry, values, result)))
    return failure();
  // All members of a descriptor, and of any struct, are part of the result.
  if (failed(requireAll(entry, result, "the result")))
    return failure();
  noteLeaks(result);
  return success();
}

void LLVMInterpreter::noteLeaks(const LLVMValue &result) {
  std::vector<bool> isReached(objects.size());
  SmallVector<uint32_t> todo;
  auto reach = [&](uint32_t number) {
    if (number == 0 || number >= objects.size() || isReached[number])
      return;
    isReached[number] = true;
    todo.push_back(number);
  };
  for (const LLVMScalar &scalar : result)
    reach(scalar.object == kAnyObject ? objectAt(scalar.bits) : scalar.object);
  for (uint32_t i = 1; i < objects.size(); ++i)
    if (objects[i].kind == LLVMObject::Kind::Argument || objects[i].kind == LLVMObject::Kind::Global)
      reach(i);
  while (!todo.empty()) {
    const uint32_t number = todo.pop_back_val();
    for (uint32_t pointee : objects[number].pointees)
      reach(pointee);
  }
  llvm::MapVector<Operation *, int64_t> bytes;
  for (uint32_t i = 1; i < objects.size(); ++i)
    if (objects[i].kind == LLVMObject::Kind::Heap && !objects[i].endedBy && !isReached[i])
      bytes[objects[i].op] += objects[i].size;
  for (const auto &[op, sum] : bytes)
    found.leaks.push_back(placeOf(op, std::to_string(sum) + " bytes are never freed"));
}

} // namespace mica::reference
