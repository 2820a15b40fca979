//===- EvalLLVMLibrary.cpp - library functions called by the LLVM dialect ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// malloc and free, the print helpers of upstream's runner, memrefCopy, and functions of the C math library. Printed
// values must be defined.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/Reference/EvalLLVM.h"
#include "dialects/Mica/Reference/PrintedText.h"

#include <cinttypes>
#include <cmath>

using namespace mlir;

namespace mica::reference {

namespace {

using In = ArrayRef<LLVMValue>;

LogicalResult newObject(Operation *op, const LLVMScalar &size, int64_t alignment, bool isZero, LLVMValue &out,
                        LLVMInterpreter &interpreter) {
  if (failed(interpreter.require(op, size, "a size")))
    return failure();
  FailureOr<uint32_t> made =
      interpreter.allocate(op, LLVMObject::Kind::Heap, int64_t(std::min<uint64_t>(size.bits, INT64_MAX)), alignment);
  if (failed(made))
    return failure();
  if (isZero) {
    LLVMObject &object = interpreter.object(*made);
    std::fill(object.undefined.begin(), object.undefined.end(), 0);
  }
  out.push_back(interpreter.pointerTo(*made));
  return success();
}

LogicalResult callMalloc(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  return newObject(op, in[0][0], 16, false, out, interpreter);
}

LogicalResult callAlignedAlloc(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  if (failed(interpreter.require(op, in[0][0], "an alignment")))
    return failure();
  const uint64_t alignment = in[0][0].bits;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    return interpreter.broken(op, "an alignment of " + Twine(alignment) + " is no power of two");
  return newObject(op, in[1][0], int64_t(alignment), false, out, interpreter);
}

LogicalResult callCalloc(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  if (failed(interpreter.require(op, in[0][0], "a size")) || failed(interpreter.require(op, in[1][0], "a size")))
    return failure();
  return newObject(op, {in[0][0].bits * in[1][0].bits, 0, 0, 0, false}, 16, true, out, interpreter);
}

LogicalResult callFree(Operation *op, StringRef, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  return interpreter.release(op, in[0][0]);
}

LogicalResult callAbort(Operation *op, StringRef name, In, LLVMValue &, LLVMInterpreter &interpreter) {
  return interpreter.stop(op, "the program calls " + name);
}

template <bool mayOverlap>
LogicalResult callCopy(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  out = in[0];
  if (failed(interpreter.require(op, in[2][0], "a size")))
    return failure();
  return interpreter.copy(op, in[0][0], in[1][0], int64_t(in[2][0].bits), mayOverlap);
}

LogicalResult callFill(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  out = in[0];
  if (failed(interpreter.require(op, in[2][0], "a size")))
    return failure();
  LLVMScalar byte = in[1][0];
  byte.bits &= 0xff;
  byte.undefined &= 0xff;
  return interpreter.fill(op, in[0][0], byte, int64_t(in[2][0].bits));
}

std::string numberText(const LLVMScalar &value, Type type, bool isUnsigned) {
  char digits[64];
  if (isa<FloatType>(type))
    std::snprintf(digits, sizeof digits, "%g", llvmFloat(value.bits, type));
  else if (isUnsigned || llvmBits(type) == 1)
    std::snprintf(digits, sizeof digits, "%" PRIu64, value.bits);
  else
    std::snprintf(digits, sizeof digits, "%" PRId64, signedOf(value.bits, llvmBits(type)));
  return digits;
}

LogicalResult callPrint(Operation *op, StringRef name, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  if (in.empty()) {
    interpreter.print(name == "printNewline" ? "\n" : name == "printOpen" ? "( " : name == "printClose" ? " )" : ", ");
    return success();
  }
  if (failed(interpreter.require(op, in[0][0], "a printed number")))
    return failure();
  interpreter.printNumber(numberText(in[0][0], op->getOperand(0).getType(), name == "printU64"));
  return success();
}

/// The characters from `pointer` to the next 0.
LogicalResult readString(Operation *op, LLVMScalar pointer, std::string &text, LLVMInterpreter &interpreter) {
  const Type byte = IntegerType::get(op->getContext(), 8);
  for (;; ++pointer.bits) {
    LLVMValue loaded;
    if (failed(interpreter.load(op, pointer, byte, 1, loaded)) ||
        failed(interpreter.require(op, loaded[0], "a printed character")))
      return failure();
    if (loaded[0].bits == 0)
      return success();
    text += char(loaded[0].bits);
  }
}

LogicalResult callPrintString(Operation *op, StringRef, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  std::string text;
  if (failed(readString(op, in[0][0], text, interpreter)))
    return failure();
  interpreter.print(text);
  return success();
}

LogicalResult callPutchar(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  if (failed(interpreter.require(op, in[0][0], "a printed character")))
    return failure();
  interpreter.print(std::string(1, char(in[0][0].bits)));
  out = in[0];
  return success();
}

/// printf of C, with integers, floats, characters and strings.
LogicalResult callPrintf(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  std::string format;
  if (failed(readString(op, in[0][0], format, interpreter)))
    return failure();
  size_t next = 1;
  bool isBroken = false; // an error was emitted
  auto convert = [&](const Conversion &conversion) -> LogicalResult {
    if (next == in.size())
      return failure();
    const Type type = op->getOperand(unsigned(next)).getType();
    const LLVMScalar &value = in[next++][0];
    std::string text;
    if (failed(interpreter.require(op, value, "a printed number")) ||
        (conversion.kind == 's' && failed(readString(op, value, text, interpreter))))
      return isBroken = true, failure();
    const bool isSigned = conversion.kind == 'd' || conversion.kind == 'i';
    if (conversion.kind == 's' && isa<LLVM::LLVMPointerType>(type))
      interpreter.print(text);
    else if (conversion.isOfFloat() && type.isF64())
      interpreter.printNumber(conversion.format(llvmFloat(value.bits, type)));
    else if (conversion.kind == 'c' && isa<IntegerType>(type))
      interpreter.print(conversion.format(int64_t(value.bits)));
    else if (conversion.isOfInteger() && isa<IntegerType>(type))
      interpreter.printNumber(conversion.format(isSigned ? signedOf(value.bits, llvmBits(type)) : int64_t(value.bits)));
    else
      return failure();
    return success();
  };
  if (failed(printFormat(
          format, [&](StringRef text) { interpreter.print(text); }, convert)))
    return isBroken ? failure()
                    : interpreter.stop(
                          op, "not taken: a conversion in the format of printf without an operand that fits it");
  out.resize(op->getNumResults());
  return success();
}

/// Called by lowered assertions before abort.
LogicalResult callPuts(Operation *op, StringRef name, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  if (failed(callPrintString(op, name, in, out, interpreter)))
    return failure();
  interpreter.print("\n");
  out.resize(op->getNumResults());
  return success();
}

/// A descriptor in memory: the pointers, the offset, the extents, the strides.
struct Descriptor {
  LLVMScalar aligned;
  int64_t offset = 0;
  SmallVector<int64_t> sizes, strides;
};

LogicalResult readDescriptor(Operation *op, LLVMScalar pointer, int64_t rank, Descriptor &found,
                             LLVMInterpreter &interpreter) {
  const Type address = LLVM::LLVMPointerType::get(op->getContext()), number = IntegerType::get(op->getContext(), 64);
  pointer.bits += 8;
  auto next = [&](Type type, LLVMScalar &value) -> LogicalResult {
    LLVMValue loaded;
    if (failed(interpreter.load(op, pointer, type, 8, loaded)) ||
        failed(interpreter.require(op, loaded[0], "a descriptor")))
      return failure();
    pointer.bits += 8;
    value = loaded[0];
    return success();
  };
  LLVMScalar value;
  if (failed(next(address, found.aligned)) || failed(next(number, value)))
    return failure();
  found.offset = int64_t(value.bits);
  for (SmallVector<int64_t> *list : {&found.sizes, &found.strides})
    for (int64_t i = 0; i < rank; ++i) {
      if (failed(next(number, value)))
        return failure();
      list->push_back(int64_t(value.bits));
    }
  return success();
}

LLVMScalar elementOf(const Descriptor &descriptor, ArrayRef<int64_t> at, int64_t bytes) {
  LLVMScalar pointer = descriptor.aligned;
  pointer.bits += uint64_t((descriptor.offset + linearize(at, descriptor.strides)) * bytes);
  return pointer;
}

/// The rank and the descriptor of an unranked buffer, passed as two arguments or by one pointer.
LogicalResult unranked(Operation *op, In in, LLVMScalar &rank, LLVMScalar &descriptor, LLVMInterpreter &interpreter) {
  if (in.size() == 2) {
    rank = in[0][0];
    descriptor = in[1][0];
  } else {
    LLVMValue loaded;
    LLVMScalar pointer = in[0][0];
    if (failed(interpreter.load(op, pointer, IntegerType::get(op->getContext(), 64), 8, loaded)))
      return failure();
    pointer.bits += 8;
    if (failed(interpreter.load(op, pointer, LLVM::LLVMPointerType::get(op->getContext()), 8, loaded)))
      return failure();
    rank = loaded[0];
    descriptor = loaded[1];
  }
  return interpreter.require(op, rank, "a rank");
}

LogicalResult callPrintMemref(Operation *op, StringRef name, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  MLIRContext *context = op->getContext();
  const StringRef suffix = name.drop_front(name.rfind("Memref") + 6);
  const Type type = llvm::StringSwitch<Type>(suffix)
                        .Case("F64", Float64Type::get(context))
                        .Case("F32", Float32Type::get(context))
                        .Case("F16", Float16Type::get(context))
                        .Case("BF16", BFloat16Type::get(context))
                        .Case("I64", IntegerType::get(context, 64))
                        .Case("Ind", IntegerType::get(context, 64))
                        .Case("I32", IntegerType::get(context, 32))
                        .Default(IntegerType::get(context, 8));
  LLVMScalar rank, pointer;
  Descriptor descriptor;
  if (failed(unranked(op, in, rank, pointer, interpreter)) ||
      failed(readDescriptor(op, pointer, int64_t(rank.bits), descriptor, interpreter)))
    return failure();
  auto text = [&](StringRef words) { interpreter.print(words); };
  auto number = [&](StringRef digits) { interpreter.printNumber(digits); };
  auto element = [&](ArrayRef<int64_t> at) -> LogicalResult {
    LLVMValue loaded;
    if (failed(interpreter.load(op, elementOf(descriptor, at, llvmSize(type)), type, 1, loaded)) ||
        failed(interpreter.require(op, loaded[0], "a printed number")))
      return failure();
    if (type.isInteger(8)) // upstream's library prints a character
      interpreter.print(std::string(1, char(loaded[0].bits)));
    else
      interpreter.printNumber(numberText(loaded[0], type, false));
    return success();
  };
  return printBuffer({.offset = descriptor.offset, .sizes = descriptor.sizes, .strides = descriptor.strides},
                     {text, number}, element);
}

/// memrefCopy of upstream's runtime: copies one buffer to another, element by element.
LogicalResult callMemrefCopy(Operation *op, StringRef, In in, LLVMValue &, LLVMInterpreter &interpreter) {
  if (failed(interpreter.require(op, in[0][0], "a size")))
    return failure();
  const auto bytes = int64_t(in[0][0].bits);
  Descriptor from, to;
  for (auto [k, descriptor] : {std::pair(1, &from), std::pair(2, &to)}) {
    LLVMScalar rank, pointer;
    if (failed(unranked(op, In(in[size_t(k)]), rank, pointer, interpreter)) ||
        failed(readDescriptor(op, pointer, int64_t(rank.bits), *descriptor, interpreter)))
      return failure();
  }
  return tryEachPosition(from.sizes, [&](ArrayRef<int64_t> at) {
    return interpreter.copy(op, elementOf(to, at, bytes), elementOf(from, at, bytes), bytes, /*mayOverlap=*/true);
  });
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);
template <Unary f>
LogicalResult callUnary(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  return applyLanes(
      op, in, out, interpreter,
      [](LLVMLane &lane, const LLVMScalar *args) {
        return lane.defined(llvmFloatBits(f(llvmFloat(args[0].bits, lane.in)), lane.out));
      },
      /*takesUndefined=*/false);
}
template <Binary f>
LogicalResult callBinary(Operation *op, StringRef, In in, LLVMValue &out, LLVMInterpreter &interpreter) {
  return applyLanes(
      op, in, out, interpreter,
      [](LLVMLane &lane, const LLVMScalar *args) {
        return lane.defined(
            llvmFloatBits(f(llvmFloat(args[0].bits, lane.in), llvmFloat(args[1].bits, lane.in)), lane.out));
      },
      /*takesUndefined=*/false);
}

void addMath(llvm::StringMap<LLVMInterpreter::LibraryFn> &library, StringRef name, LLVMInterpreter::LibraryFn fn) {
  library[name] = library[(name + "f").str()] = fn;
}

} // namespace

void addLLVMLibrary(LLVMInterpreter &interpreter) {
  auto &library = interpreter.library;
  library["malloc"] = library["_mlir_memref_to_llvm_alloc"] = callMalloc;
  library["aligned_alloc"] = library["_mlir_memref_to_llvm_aligned_alloc"] = callAlignedAlloc;
  library["calloc"] = callCalloc;
  library["free"] = library["_mlir_memref_to_llvm_free"] = callFree;
  library["abort"] = library["exit"] = callAbort;
  library["memcpy"] = callCopy<false>;
  library["memmove"] = callCopy<true>;
  library["memset"] = callFill;
  library["memrefCopy"] = callMemrefCopy;
  for (StringRef name :
       {"printI64", "printU64", "printF32", "printF64", "printNewline", "printOpen", "printClose", "printComma"})
    library[name] = callPrint;
  library["printString"] = callPrintString;
  library["puts"] = callPuts;
  library["putchar"] = callPutchar;
  library["printf"] = callPrintf;
  for (const char *type : {"F64", "F32", "F16", "BF16", "I64", "I32", "I8", "Ind"}) {
    library[std::string("printMemref") + type] = callPrintMemref;
    library[std::string("_mlir_ciface_printMemref") + type] = callPrintMemref;
  }
  addMath(library, "exp", callUnary<std::exp>);
  addMath(library, "expm1", callUnary<std::expm1>);
  addMath(library, "log", callUnary<std::log>);
  addMath(library, "log1p", callUnary<std::log1p>);
  addMath(library, "sin", callUnary<std::sin>);
  addMath(library, "cos", callUnary<std::cos>);
  addMath(library, "tan", callUnary<std::tan>);
  addMath(library, "sinh", callUnary<std::sinh>);
  addMath(library, "cosh", callUnary<std::cosh>);
  addMath(library, "tanh", callUnary<std::tanh>);
  addMath(library, "asin", callUnary<std::asin>);
  addMath(library, "acos", callUnary<std::acos>);
  addMath(library, "atan", callUnary<std::atan>);
  addMath(library, "asinh", callUnary<std::asinh>);
  addMath(library, "acosh", callUnary<std::acosh>);
  addMath(library, "atanh", callUnary<std::atanh>);
  addMath(library, "erf", callUnary<std::erf>);
  addMath(library, "erfc", callUnary<std::erfc>);
  addMath(library, "cbrt", callUnary<std::cbrt>);
  addMath(library, "sqrt", callUnary<std::sqrt>);
  addMath(library, "floor", callUnary<std::floor>);
  addMath(library, "ceil", callUnary<std::ceil>);
  addMath(library, "round", callUnary<std::round>);
  addMath(library, "trunc", callUnary<std::trunc>);
  addMath(library, "fmod", callBinary<std::fmod>);
  addMath(library, "pow", callBinary<std::pow>);
  addMath(library, "atan2", callBinary<std::atan2>);
}

} // namespace mica::reference
