//===- EvalLLVMMemory.cpp - memory of the LLVM dialect -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Objects, loads and stores, pointer arithmetic. LLVM's language reference: "Pointer Aliasing Rules", "load", "store",
// "getelementptr", "alloca", "llvm.memcpy". An object's address has exactly the alignment that its op requires, so that
// an access with a larger alignment is detected, independent of an allocator.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVM.h"

#include "mica/Support/MemoryLimit.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace mica::reference {

//===------------------------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------------------------===//

bool isTakenLLVMType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type, LLVM::LLVMPointerType, LLVM::LLVMVoidType>(type))
    return true;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable() && isTakenLLVMType(vector.getElementType());
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return isTakenLLVMType(array.getElementType());
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  return structure && !structure.isOpaque() && llvm::all_of(structure.getBody(), isTakenLLVMType);
}

int64_t llvmScalarCount(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements();
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return int64_t(array.getNumElements()) * llvmScalarCount(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    int64_t count = 0;
    for (Type member : structure.getBody())
      count += llvmScalarCount(member);
    return count;
  }
  return isa<LLVM::LLVMVoidType>(type) ? 0 : 1;
}

Type llvmLaneType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getElementType() : type;
}

unsigned llvmBits(Type scalar) {
  return isa<LLVM::LLVMPointerType>(scalar) ? 64 : scalar.isIntOrFloat() ? scalar.getIntOrFloatBitWidth() : 0;
}

int64_t llvmAlignment(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return llvmAlignment(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    int64_t alignment = 1;
    for (Type member : structure.getBody())
      alignment = structure.isPacked() ? 1 : std::max(alignment, llvmAlignment(member));
    return alignment;
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return int64_t(llvm::PowerOf2Ceil(uint64_t(vector.getNumElements() * llvmSize(vector.getElementType()))));
  return int64_t(llvm::PowerOf2Ceil((llvmBits(type) + 7) / 8));
}

int64_t llvmSize(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return int64_t(array.getNumElements()) * llvmSize(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    int64_t size = 0;
    for (Type member : structure.getBody())
      size = (structure.isPacked() ? size : int64_t(llvm::alignTo(uint64_t(size), uint64_t(llvmAlignment(member))))) +
             llvmSize(member);
    return int64_t(llvm::alignTo(uint64_t(size), uint64_t(llvmAlignment(type))));
  }
  if (auto vector = dyn_cast<VectorType>(type))
    return int64_t(llvm::alignTo(uint64_t(vector.getNumElements() * llvmSize(vector.getElementType())),
                                 uint64_t(llvmAlignment(type))));
  return int64_t(llvm::PowerOf2Ceil((llvmBits(type) + 7) / 8));
}

void eachLLVMScalar(Type type, int64_t offset, function_ref<void(int64_t, Type)> visit) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    const int64_t step = llvmSize(array.getElementType());
    for (int64_t i = 0, e = int64_t(array.getNumElements()); i < e; ++i)
      eachLLVMScalar(array.getElementType(), offset + i * step, visit);
  } else if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    for (Type member : structure.getBody()) {
      if (!structure.isPacked())
        offset = int64_t(llvm::alignTo(uint64_t(offset), uint64_t(llvmAlignment(member))));
      eachLLVMScalar(member, offset, visit);
      offset += llvmSize(member);
    }
  } else if (auto vector = dyn_cast<VectorType>(type)) {
    const int64_t step = llvmSize(vector.getElementType());
    for (int64_t i = 0, e = vector.getNumElements(); i < e; ++i)
      visit(offset + i * step, vector.getElementType());
  } else if (!isa<LLVM::LLVMVoidType>(type)) {
    visit(offset, type);
  }
}

double llvmFloat(uint64_t bits, Type type) {
  if (type.isF64())
    return llvm::bit_cast<double>(bits);
  if (type.isF32())
    return llvm::bit_cast<float>(uint32_t(bits));
  llvm::APFloat value(cast<FloatType>(type).getFloatSemantics(), llvm::APInt(16, bits & 0xffff));
  bool isInexact = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return value.convertToDouble();
}

uint64_t llvmFloatBits(double value, Type type) {
  if (type.isF64())
    return llvm::bit_cast<uint64_t>(value);
  if (type.isF32())
    return llvm::bit_cast<uint32_t>(float(value));
  llvm::APFloat rounded(value);
  bool isInexact = false;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return rounded.bitcastToAPInt().getZExtValue();
}

/// Vectors of sub-byte integers are packed in memory, which is not supported here.
static bool isPacked(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return isPacked(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return llvm::any_of(structure.getBody(), isPacked);
  return isa<VectorType>(type) && llvmBits(llvmLaneType(type)) % 8 != 0;
}

//===------------------------------------------------------------------------------------------------------------===//
// Objects
//===------------------------------------------------------------------------------------------------------------===//

static std::string nameOf(const LLVMObject &object) {
  switch (object.kind) {
  case LLVMObject::Kind::Heap:
    return "memory of the heap";
  case LLVMObject::Kind::Stack:
    return "memory of llvm.alloca";
  case LLVMObject::Kind::Global:
    return "a global";
  case LLVMObject::Kind::Argument:
    return "an argument's memory";
  case LLVMObject::Kind::Function:
    return "a function";
  }
  llvm_unreachable("all kinds are listed");
}

FailureOr<uint32_t> LLVMInterpreter::allocate(Operation *op, LLVMObject::Kind kind, int64_t size, int64_t alignment) {
  if (size < 0 || size > std::min<int64_t>(options.maxElements, memoryLimit() / 16))
    return stop(op, "an object of " + Twine(uint64_t(size)) + " bytes is more than the reference evaluator allows");
  noteEffect();
  LLVMObject object;
  object.op = op;
  object.kind = kind;
  object.size = size;
  // Aligned to exactly `alignment`.
  const uint64_t unit = uint64_t(std::max<int64_t>(alignment, 1));
  nextAddress = llvm::alignTo(nextAddress + 64, 4096 > 2 * unit ? 4096 : 2 * unit) + unit;
  object.address = nextAddress;
  nextAddress += uint64_t(size);
  object.bytes.resize(size_t(size));
  object.undefined.resize(size_t(size), 0xff);
  object.poison.resize(size_t(size));
  object.origins.resize(size_t(size));
  object.pointees.resize(size_t(size));
  objects.push_back(std::move(object));
  if (kind == LLVMObject::Kind::Stack)
    stack.push_back(uint32_t(objects.size() - 1));
  return uint32_t(objects.size() - 1);
}

LLVMScalar LLVMInterpreter::pointerTo(uint32_t number) const { return {objects[number].address, 0, number, 0, false}; }

uint32_t LLVMInterpreter::objectAt(uint64_t address) const {
  const auto after = std::upper_bound(objects.begin() + 1, objects.end(), address,
                                      [](uint64_t at, const LLVMObject &object) { return at < object.address; });
  const auto number = uint32_t(after - objects.begin()) - 1;
  return number != 0 && address - objects[number].address <= uint64_t(objects[number].size) ? number : 0;
}

void LLVMObject::end(Operation *by) {
  endedBy = by;
  for (std::vector<uint8_t> *list : {&bytes, &undefined, &poison})
    std::vector<uint8_t>().swap(*list);
  for (std::vector<uint32_t> *list : {&origins, &pointees})
    std::vector<uint32_t>().swap(*list);
}

void LLVMInterpreter::endStack(size_t height, Operation *by) {
  for (size_t i = height; i < stack.size(); ++i)
    objects[stack[i]].end(by);
  stack.resize(std::min(height, stack.size()));
}

LogicalResult LLVMInterpreter::release(Operation *op, const LLVMScalar &pointer) {
  if (failed(require(op, pointer, "an address that is freed")))
    return failure();
  if (pointer.bits == 0)
    return success();
  const uint32_t number = pointer.object == kAnyObject ? objectAt(pointer.bits) : pointer.object;
  if (number == 0)
    return broken(op, "an address is freed that no object has");
  LLVMObject &freed = objects[number];
  if (freed.endedBy && freed.kind == LLVMObject::Kind::Heap)
    return broken(op, "double free", freed.endedBy, "freed here first");
  if (freed.kind != LLVMObject::Kind::Heap && freed.kind != LLVMObject::Kind::Argument)
    return broken(op, nameOf(freed) + " is freed, which is not of the heap", freed.op, "the memory is made here");
  if (pointer.bits != freed.address)
    return broken(op,
                  "an address is freed that is " + Twine(int64_t(pointer.bits - freed.address)) +
                      " bytes after the begin of its object",
                  freed.op, "the memory is made here");
  noteEffect();
  freed.end(op);
  return success();
}

FailureOr<std::pair<LLVMObject *, int64_t>> LLVMInterpreter::access(Operation *op, const LLVMScalar &pointer,
                                                                    int64_t size, int64_t alignment, bool isWrite) {
  if (failed(require(op, pointer, "an address")))
    return failure();
  const uint32_t number = pointer.object == kAnyObject ? objectAt(pointer.bits) : pointer.object;
  if (number == 0)
    return broken(op, pointer.bits == 0 ? Twine("the null pointer is accessed")
                                        : Twine("address ") + Twine(pointer.bits) + " belongs to no object");
  LLVMObject &accessed = objects[number];
  const auto offset = int64_t(pointer.bits - accessed.address);
  if (accessed.endedBy) {
    const bool isStack = accessed.kind == LLVMObject::Kind::Stack;
    return broken(op, nameOf(accessed) + (isStack ? " is used after its lifetime" : " is used after it is freed"),
                  accessed.endedBy, isStack ? "the lifetime ends here" : "the memory is freed here");
  }
  if (accessed.kind == LLVMObject::Kind::Function)
    return broken(op, "a function is accessed as memory");
  if (offset < 0 || offset + size > accessed.size)
    return broken(op,
                  Twine(size) + " bytes at offset " + Twine(offset) + " are out of bounds of " + Twine(accessed.size) +
                      " bytes",
                  accessed.op, "the memory is made here");
  if (alignment > 1 && pointer.bits % uint64_t(alignment) != 0)
    return broken(op,
                  "not aligned to " + Twine(alignment) + " bytes: offset " + Twine(offset) + " of " + nameOf(accessed),
                  accessed.op, "the memory is made here");
  if (isWrite && accessed.isConstant)
    return broken(op, "a constant global is written", accessed.op, "the global is constant");
  if (accessed.exchange)
    accessed.exchange(accessed, offset, size, /*isWrite=*/false);
  if (accessed.exchange && isWrite)
    written.push_back({number, offset, size});
  return std::make_pair(&accessed, offset);
}

LogicalResult LLVMInterpreter::load(Operation *op, const LLVMScalar &pointer, Type type, int64_t alignment,
                                    LLVMValue &out) {
  if (isPacked(type))
    return stop(op, "vectors of bits in memory are not taken");
  auto place = access(op, pointer, llvmSize(type), alignment, /*isWrite=*/false);
  if (failed(place))
    return failure();
  auto [object, begin] = *place;
  eachLLVMScalar(type, 0, [&, object = object, begin = begin](int64_t offset, Type scalar) {
    LLVMScalar value;
    const unsigned bits = llvmBits(scalar), bytes = (bits + 7) / 8;
    const bool isPointer = isa<LLVM::LLVMPointerType>(scalar);
    for (unsigned i = 0; i < bytes; ++i) {
      const auto at = size_t(begin + offset + i);
      value.bits |= uint64_t(object->bytes[at]) << (8 * i);
      value.undefined |= uint64_t(object->undefined[at]) << (8 * i);
      if (object->poison[at])
        value.isPoison = true;
      if ((object->undefined[at] || object->poison[at]) && value.origin == 0)
        value.origin = object->origins[at] ? object->origins[at]
                                           : undef(object->op, 1, "uninitialized bytes of " + nameOf(*object)).origin;
      if (isPointer)
        value.object = i == 0 || value.object == object->pointees[at] ? object->pointees[at] : 0;
    }
    value.bits &= lowBits(bits);
    value.undefined &= lowBits(bits);
    if (value.isDefined())
      value.origin = 0;
    out.push_back(value);
  });
  return success();
}

LogicalResult LLVMInterpreter::store(Operation *op, const LLVMScalar &pointer, Type type, int64_t alignment,
                                     const LLVMValue &value) {
  if (isPacked(type))
    return stop(op, "vectors of bits in memory are not taken");
  auto place = access(op, pointer, llvmSize(type), alignment, /*isWrite=*/true);
  if (failed(place))
    return failure();
  auto [object, begin] = *place;
  size_t next = 0;
  eachLLVMScalar(type, 0, [&, object = object, begin = begin](int64_t offset, Type scalar) {
    const LLVMScalar &part = value[next++];
    const unsigned bits = llvmBits(scalar), bytes = (bits + 7) / 8;
    uint32_t pointee = isa<LLVM::LLVMPointerType>(scalar) ? part.object : 0;
    if (pointee == kAnyObject)
      pointee = objectAt(part.bits);
    for (unsigned i = 0; i < bytes; ++i) {
      const auto at = size_t(begin + offset + i);
      // What is written again as it is leaves the state of a loop as it is.
      if (object->bytes[at] != uint8_t(part.bits >> (8 * i)) || object->poison[at] != uint8_t(part.isPoison) ||
          object->undefined[at] != uint8_t(part.undefined >> (8 * i)) || object->pointees[at] != pointee)
        noteEffect();
      object->bytes[at] = uint8_t(part.bits >> (8 * i));
      object->undefined[at] = uint8_t(part.undefined >> (8 * i));
      object->poison[at] = part.isPoison;
      object->origins[at] = part.origin;
      object->pointees[at] = pointee;
    }
  });
  return success();
}

LogicalResult LLVMInterpreter::copy(Operation *op, const LLVMScalar &to, const LLVMScalar &from, int64_t size,
                                    bool mayOverlap) {
  if (size == 0)
    return success();
  auto source = access(op, from, size, 1, /*isWrite=*/false);
  if (failed(source))
    return failure();
  auto target = access(op, to, size, 1, /*isWrite=*/true);
  if (failed(target))
    return failure();
  auto [a, begin] = *source;
  auto [b, into] = *target;
  if (!mayOverlap && a == b && begin != into && begin < into + size && into < begin + size)
    return broken(op, "what is copied overlaps: " + Twine(size) + " bytes from offset " + Twine(begin) + " to offset " +
                          Twine(into));
  noteEffect();
  auto move = [&, begin = begin, into = into](auto &target, const auto &source) {
    const std::vector<typename std::decay_t<decltype(target)>::value_type> kept(source.begin() + begin,
                                                                                source.begin() + begin + size);
    std::copy(kept.begin(), kept.end(), target.begin() + into);
  };
  // Uninitialized bytes stay uninitialized, and keep their origin.
  const uint32_t origin = undef(a->op, 1, "uninitialized bytes of " + nameOf(*a)).origin;
  for (int64_t i = 0; i < size; ++i)
    if (a->undefined[size_t(begin + i)] && a->origins[size_t(begin + i)] == 0)
      a->origins[size_t(begin + i)] = origin;
  move(b->origins, a->origins);
  move(b->bytes, a->bytes);
  move(b->undefined, a->undefined);
  move(b->poison, a->poison);
  move(b->pointees, a->pointees);
  return success();
}

LogicalResult LLVMInterpreter::fill(Operation *op, const LLVMScalar &to, const LLVMScalar &byte, int64_t size) {
  if (size == 0)
    return success();
  auto target = access(op, to, size, 1, /*isWrite=*/true);
  if (failed(target))
    return failure();
  noteEffect();
  auto [object, begin] = *target;
  for (auto at = size_t(begin); at < size_t(begin + size); ++at) {
    object->bytes[at] = uint8_t(byte.bits);
    object->undefined[at] = uint8_t(byte.undefined);
    object->poison[at] = byte.isPoison;
    object->origins[at] = byte.origin;
    object->pointees[at] = 0;
  }
  return success();
}

FailureOr<uint32_t> LLVMInterpreter::functionObject(LLVM::LLVMFuncOp function) {
  if (auto it = globals.find(function); it != globals.end())
    return it->second;
  FailureOr<uint32_t> number = allocate(function, LLVMObject::Kind::Function, 1, 16);
  if (succeeded(number))
    globals[function] = *number;
  return number;
}

void LLVMInterpreter::exchangeWritten() {
  for (const Range &range : written)
    if (!objects[range.object].endedBy)
      objects[range.object].exchange(objects[range.object], range.offset, range.size, /*isWrite=*/true);
  written.clear();
}

FailureOr<uint32_t> LLVMInterpreter::globalObject(Operation *op, LLVM::GlobalOp global) {
  if (auto it = globals.find(global); it != globals.end())
    return it->second;
  const Type type = global.getGlobalType();
  if (!isTakenLLVMType(type))
    return stop(op, "the type of the global is not taken");
  FailureOr<uint32_t> number =
      allocate(global, LLVMObject::Kind::Global, llvmSize(type),
               std::max<int64_t>(int64_t(global.getAlignment().value_or(1)), llvmAlignment(type)));
  if (failed(number))
    return failure();
  globals[global] = *number;
  LLVMValue value;
  if (Attribute initial = global.getValueOrNull()) {
    if (failed(constant(global, initial, type, value)))
      return failure();
  } else if (Block *block = global.getInitializerBlock()) {
    if (failed(runBody(*block->getParent(), {}, value)))
      return failure();
  } else {
    return stop(op, "a global without a value in this module is not taken");
  }
  if (failed(store(global, pointerTo(*number), type, 1, value)))
    return failure();
  objects[*number].isConstant = global.getConstant();
  return *number;
}

//===------------------------------------------------------------------------------------------------------------===//
// Ops
//===------------------------------------------------------------------------------------------------------------===//

namespace {

using In = ArrayRef<LLVMValue>;

LogicalResult evalAlloca(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  auto alloca = cast<LLVM::AllocaOp>(op);
  if (failed(interpreter.require(op, in[0][0], "a size")))
    return failure();
  const Type type = alloca.getElemType();
  const int64_t count = signedOf(in[0][0].bits, llvmBits(alloca.getArraySize().getType()));
  if (!isTakenLLVMType(type))
    return interpreter.stop(op, "the type is not taken");
  if (count < 0 || count > (int64_t(1) << 40) / std::max<int64_t>(llvmSize(type), 1))
    return interpreter.stop(op, "the stack has no room for " + Twine(count) + " elements");
  FailureOr<uint32_t> object =
      interpreter.allocate(op, LLVMObject::Kind::Stack, count * llvmSize(type),
                           std::max<int64_t>(int64_t(alloca.getAlignment().value_or(0)), llvmAlignment(type)));
  if (failed(object))
    return failure();
  out.push_back(interpreter.pointerTo(*object));
  return success();
}

LogicalResult evalLoad(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  auto load = cast<LLVM::LoadOp>(op);
  if (load.getVolatile_())
    interpreter.noteEffect();
  const Type type = load.getType();
  return interpreter.load(op, in[0][0], type, int64_t(load.getAlignment().value_or(uint64_t(llvmAlignment(type)))),
                          out);
}

LogicalResult evalStore(Operation *op, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  auto store = cast<LLVM::StoreOp>(op);
  if (store.getVolatile_())
    interpreter.noteEffect();
  const Type type = store.getValue().getType();
  return interpreter.store(op, in[1][0], type, int64_t(store.getAlignment().value_or(uint64_t(llvmAlignment(type)))),
                           in[0]);
}

/// Offsets one pointer by `indices` through `type`.
LLVMScalar moved(LLVM::GEPOp op, LLVMScalar base, ArrayRef<LLVMScalar> indices, LLVMInterpreter &interpreter) {
  for (const LLVMScalar &index : indices)
    if (!index.isDefined()) {
      LLVMScalar result = index;
      result.isPoison |= base.isPoison;
      result.undefined = index.isPoison ? 0 : ~uint64_t(0);
      return result;
    }
  if (!base.isDefined())
    return base;
  using Flags = LLVM::GEPNoWrapFlags;
  const Flags flags = op.getNoWrapFlags();
  __int128 offset = 0;
  bool isNegative = false;
  Type type = op.getElemType();
  for (auto [i, index] : llvm::enumerate(indices)) {
    const auto number = int64_t(index.bits);
    if (i == 0) {
      offset += __int128(number) * llvmSize(type);
    } else if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
      int64_t at = 0;
      for (int64_t member = 0; member <= number; ++member) {
        const Type inner = structure.getBody()[size_t(member)];
        if (!structure.isPacked())
          at = int64_t(llvm::alignTo(uint64_t(at), uint64_t(llvmAlignment(inner))));
        if (member < number)
          at += llvmSize(inner);
      }
      offset += at;
      type = structure.getBody()[size_t(number)];
      continue;
    } else {
      type = isa<LLVM::LLVMArrayType>(type) ? cast<LLVM::LLVMArrayType>(type).getElementType() : llvmLaneType(type);
      offset += __int128(number) * llvmSize(type);
    }
    isNegative |= number < 0;
  }
  LLVMScalar result = base;
  result.bits += uint64_t(offset);
  const bool isInbounds = (uint32_t(flags) & uint32_t(Flags::inboundsFlag)) != 0;
  if ((uint32_t(flags) & uint32_t(Flags::nusw)) != 0 && (offset < INT64_MIN || offset > INT64_MAX))
    return interpreter.poison(op, "the offset does not fit (nusw)");
  if ((uint32_t(flags) & uint32_t(Flags::nuw)) != 0 &&
      (isNegative || __int128(base.bits) + offset > __int128(UINT64_MAX)))
    return interpreter.poison(op, "the offset " + Twine(int64_t(offset)) + " wraps (nuw)");
  if (!isInbounds || offset == 0)
    return result;
  const uint32_t number = base.object == kAnyObject ? interpreter.objectAt(base.bits) : base.object;
  if (number == 0)
    return interpreter.poison(op, "inbounds of no object");
  const LLVMObject &object = interpreter.object(number);
  auto isInside = [&](uint64_t address) {
    return address >= object.address && address <= object.address + uint64_t(object.size);
  };
  if (!isInside(base.bits) || !isInside(result.bits))
    return interpreter.poison(op, "offset " + Twine(int64_t(result.bits - object.address)) + " of an object of " +
                                      Twine(object.size) + " bytes is not inbounds");
  return result;
}

LogicalResult evalGEP(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  auto gep = cast<LLVM::GEPOp>(op);
  if (!isTakenLLVMType(gep.getElemType()))
    return interpreter.stop(op, "the type is not taken");
  const int64_t lanes = llvmScalarCount(gep.getType());
  for (int64_t lane = 0; lane < lanes; ++lane) {
    auto of = [&](const LLVMValue &value) { return value[value.size() == 1 ? 0 : size_t(lane)]; };
    SmallVector<LLVMScalar> indices;
    size_t next = 1;
    for (int32_t constant : gep.getRawConstantIndices()) {
      if (constant != LLVM::GEPOp::kDynamicIndex) {
        indices.push_back({uint64_t(int64_t(constant)), 0, 0, 0, false});
        continue;
      }
      LLVMScalar index = of(in[next]);
      index.bits = uint64_t(signedOf(index.bits, llvmBits(llvmLaneType(op->getOperand(unsigned(next)).getType()))));
      ++next;
      indices.push_back(index);
    }
    out.push_back(moved(gep, of(in[0]), indices, interpreter));
  }
  return success();
}

LogicalResult evalAddressOf(Operation *op, In, LLVMValue &out, LLVMInterpreter &interpreter) {
  auto address = cast<LLVM::AddressOfOp>(op);
  Operation *symbol = interpreter.symbols.lookupNearestSymbolFrom(op, address.getGlobalNameAttr());
  auto global = dyn_cast_or_null<LLVM::GlobalOp>(symbol);
  auto function = dyn_cast_or_null<LLVM::LLVMFuncOp>(symbol);
  if (!global && !function)
    return interpreter.stop(op, "only the address of a global or a function is taken");
  FailureOr<uint32_t> object = global ? interpreter.globalObject(op, global) : interpreter.functionObject(function);
  if (failed(object))
    return failure();
  out.push_back(interpreter.pointerTo(*object));
  return success();
}

template <bool mayOverlap> LogicalResult evalMemcpy(Operation *op, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  if (failed(interpreter.require(op, in[2][0], "a size")))
    return failure();
  return interpreter.copy(op, in[0][0], in[1][0], int64_t(in[2][0].bits), mayOverlap);
}

LogicalResult evalMemset(Operation *op, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  if (failed(interpreter.require(op, in[2][0], "a size")))
    return failure();
  return interpreter.fill(op, in[0][0], in[1][0], int64_t(in[2][0].bits));
}

/// Visits the active lanes of a masked access: fails if a mask bit is undefined.
LogicalResult eachLane(Operation *op, const LLVMValue &mask, LLVMInterpreter &interpreter,
                       function_ref<LogicalResult(size_t)> visit) {
  for (size_t i = 0; i < mask.size(); ++i) {
    if (failed(interpreter.require(op, mask[i], "a mask")))
      return failure();
    if (mask[i].bits && failed(visit(i)))
      return failure();
  }
  return success();
}

LLVMScalar beyond(LLVMScalar pointer, int64_t bytes) {
  pointer.bits += uint64_t(bytes);
  return pointer;
}

int64_t alignmentOf(Operation *op) {
  auto alignment = op->getAttrOfType<IntegerAttr>("alignment");
  return alignment ? alignment.getInt() : 1;
}

/// Loads consecutive, gathered or expanded lanes.
LogicalResult evalMaskedLoad(Operation *op, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  const bool isGather = isa<LLVM::masked_gather>(op), isExpand = isa<LLVM::masked_expandload>(op);
  const Type type = llvmLaneType(op->getResult(0).getType());
  const LLVMScalar off = interpreter.undef(op, llvmBits(type), "a lane that is masked off");
  out.assign(in[1].size(), off);
  if (in.size() > 2)
    out = in[2];
  int64_t next = 0;
  return eachLane(op, in[1], interpreter, [&](size_t i) {
    const int64_t number = isExpand ? next++ : int64_t(i);
    const LLVMScalar pointer = isGather ? in[0][i] : beyond(in[0][0], number * llvmSize(type));
    LLVMValue loaded;
    const int64_t alignment = isGather || number == 0 ? alignmentOf(op) : 1;
    if (failed(interpreter.load(op, pointer, type, alignment, loaded)))
      return failure();
    out[i] = loaded[0];
    return success();
  });
}

LogicalResult evalMaskedStore(Operation *op, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  const bool isScatter = isa<LLVM::masked_scatter>(op), isCompress = isa<LLVM::masked_compressstore>(op);
  const Type type = llvmLaneType(op->getOperand(0).getType());
  int64_t next = 0;
  return eachLane(op, in[2], interpreter, [&](size_t i) {
    const int64_t number = isCompress ? next++ : int64_t(i);
    const LLVMScalar pointer = isScatter ? in[1][i] : beyond(in[1][0], number * llvmSize(type));
    return interpreter.store(op, pointer, type, isScatter || number == 0 ? alignmentOf(op) : 1, {in[0][i]});
  });
}

LogicalResult evalLifetime(Operation *op, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  if (in[0][0].object == 0 || in[0][0].object == kAnyObject)
    return success();
  LLVMObject &object = interpreter.object(in[0][0].object);
  const bool begins = isa<LLVM::LifetimeStartOp>(op);
  if (object.bytes.size() != size_t(object.size))
    return success(); // it has ended already
  interpreter.noteEffect();
  object.endedBy = begins ? nullptr : op;
  if (begins) {
    std::fill(object.undefined.begin(), object.undefined.end(), 0xff);
    std::fill(object.origins.begin(), object.origins.end(), 0);
  }
  return success();
}

LogicalResult evalStackSave(Operation *, In, LLVMValue &out, LLVMInterpreter &interpreter) {
  out.push_back({interpreter.stackHeight(), 0, 0, 0, false});
  return success();
}

LogicalResult evalStackRestore(Operation *op, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  interpreter.endStack(size_t(in[0][0].bits), op);
  return success();
}

} // namespace

void addLLVMMemory(LLVMInterpreter &interpreter) {
  auto &handlers = interpreter.handlers;
  handlers["llvm.alloca"] = evalAlloca;
  handlers["llvm.load"] = evalLoad;
  handlers["llvm.store"] = evalStore;
  handlers["llvm.getelementptr"] = evalGEP;
  handlers["llvm.mlir.addressof"] = evalAddressOf;
  handlers["llvm.intr.memcpy"] = evalMemcpy<false>;
  handlers["llvm.intr.memmove"] = evalMemcpy<true>;
  handlers["llvm.intr.memset"] = evalMemset;
  handlers["llvm.intr.masked.load"] = handlers["llvm.intr.masked.gather"] = evalMaskedLoad;
  handlers["llvm.intr.masked.expandload"] = evalMaskedLoad;
  handlers["llvm.intr.masked.store"] = handlers["llvm.intr.masked.scatter"] = evalMaskedStore;
  handlers["llvm.intr.masked.compressstore"] = evalMaskedStore;
  handlers["llvm.intr.lifetime.start"] = handlers["llvm.intr.lifetime.end"] = evalLifetime;
  handlers["llvm.intr.stacksave"] = evalStackSave;
  handlers["llvm.intr.stackrestore"] = evalStackRestore;
}

} // namespace mica::reference
