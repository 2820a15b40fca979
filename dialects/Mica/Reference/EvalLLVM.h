//===- EvalLLVM.h - finding undefined behavior in the LLVM dialect -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Interprets functions of the LLVM dialect, such as upstream's conversions create, as defined by LLVM's language
// reference. Values track which of their bits are undefined, whether they are poison, and the origin of that; memory
// tracks the same per byte. A pointer is an address and the object it belongs to. Internal to dialects/Mica/Reference.
//
// A value is a list of scalars: one, or one per lane of a vector, or one per leaf of a struct or array.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_EVALLLVM_H
#define MICA_DIALECTS_MICA_REFERENCE_EVALLLVM_H

#include "dialects/Mica/Reference/Undefined.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <functional>

namespace mica::reference {

/// The bits of an integer, float or pointer.
struct LLVMScalar {
  uint64_t bits = 0;
  uint64_t undefined = 0; ///< which bits are undefined (undef, or uninitialized memory)
  uint32_t object = 0;    ///< of a pointer: the object it points into, or kAnyObject; 0: none
  uint32_t origin = 0;    ///< of poison and undefined bits; 0: not in the LLVM dialect
  bool isPoison = false;

  bool isDefined() const { return !isPoison && undefined == 0; }
};
using LLVMValue = llvm::SmallVector<LLVMScalar, 1>;

/// The object of a pointer that was converted from an integer: the one that contains its address.
inline constexpr uint32_t kAnyObject = ~0u;

/// Sizes and offsets of types in memory: LLVM's default data layout, with 64-bit pointers.
bool isTakenLLVMType(mlir::Type type);
int64_t llvmScalarCount(mlir::Type type);
unsigned llvmBits(mlir::Type scalar);
int64_t llvmSize(mlir::Type type);
int64_t llvmAlignment(mlir::Type type);
/// The element type of a vector; any other type itself.
mlir::Type llvmLaneType(mlir::Type type);
/// Calls `visit` with each scalar of `type` and its offset in bytes.
void eachLLVMScalar(mlir::Type type, int64_t offset, llvm::function_ref<void(int64_t, mlir::Type)> visit);

inline uint64_t lowBits(unsigned bits) { return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
inline int64_t signedOf(uint64_t value, unsigned bits) { return int64_t(value << (64 - bits)) >> (64 - bits); }
/// Converts floats of any width to f64, and back with rounding.
double llvmFloat(uint64_t bits, mlir::Type type);
uint64_t llvmFloatBits(double value, mlir::Type type);

/// A memory object.
struct LLVMObject {
  enum class Kind : uint8_t { Heap, Stack, Global, Argument, Function };
  mlir::Operation *op = nullptr;
  Kind kind = Kind::Heap;
  uint64_t address = 0;
  int64_t size = 0;
  bool isConstant = false;
  mlir::Operation *endedBy = nullptr;
  /// If set: the object shows memory of the tensor evaluator. Copies `size` bytes from `offset` on from it, or to it.
  std::function<void(LLVMObject &object, int64_t offset, int64_t size, bool isWrite)> exchange;
  /// Per byte: its value, its undefined bits, whether it is poison, the origin of that, and the object of the pointer
  /// that it is a part of.
  std::vector<uint8_t> bytes, undefined, poison;
  std::vector<uint32_t> origins, pointees;

  /// Ends its lifetime: later accesses are errors.
  void end(mlir::Operation *by);
};

class LLVMInterpreter {
public:
  LLVMInterpreter(const EvalOptions &options, UndefinedValues &found);

  /// Succeeds if everything reachable from `root`, a function or an op, is supported; else emits errors, one per kind
  /// of op.
  llvm::LogicalResult checkTaken(mlir::Operation *root);
  /// Runs `entry`. A buffer is passed as its elements, for a pointer or for the members of a descriptor.
  llvm::LogicalResult runEntry(mlir::LLVM::LLVMFuncOp entry, llvm::ArrayRef<HostTensor> args);

  using Handler = llvm::LogicalResult (*)(mlir::Operation *, llvm::ArrayRef<LLVMValue>, LLVMValue &, LLVMInterpreter &);
  using LibraryFn = llvm::LogicalResult (*)(mlir::Operation *, llvm::StringRef, llvm::ArrayRef<LLVMValue>, LLVMValue &,
                                            LLVMInterpreter &);

  // Reports of ops.
  /// Emits an error at `op`: it has undefined behavior.
  llvm::LogicalResult broken(mlir::Operation *op, const llvm::Twine &what);
  /// The same, caused by another op.
  llvm::LogicalResult broken(mlir::Operation *op, const llvm::Twine &what, mlir::Operation *began,
                             const llvm::Twine &did);
  /// Fails if `value` is undefined; `what` uses it.
  llvm::LogicalResult require(mlir::Operation *op, const LLVMScalar &value, const llvm::Twine &what);
  llvm::LogicalResult requireAll(mlir::Operation *op, const LLVMValue &value, const llvm::Twine &what);
  /// Stops for another reason than undefined behavior.
  llvm::LogicalResult stop(mlir::Operation *op, const llvm::Twine &why);
  LLVMScalar poison(mlir::Operation *op, const llvm::Twine &what);
  LLVMScalar undef(mlir::Operation *op, unsigned bits, const llvm::Twine &what);
  /// What made `value` undefined; it has an origin.
  const std::string &originText(const LLVMScalar &value) const { return origins[value.origin - 1].what; }

  // Memory.
  llvm::FailureOr<uint32_t> allocate(mlir::Operation *op, LLVMObject::Kind kind, int64_t size, int64_t alignment);
  LLVMScalar pointerTo(uint32_t object) const;
  /// The object of which `pointer` may access `size` bytes, and the offset in it.
  llvm::FailureOr<std::pair<LLVMObject *, int64_t>> access(mlir::Operation *op, const LLVMScalar &pointer, int64_t size,
                                                           int64_t alignment, bool isWrite);
  llvm::LogicalResult load(mlir::Operation *op, const LLVMScalar &pointer, mlir::Type type, int64_t alignment,
                           LLVMValue &out);
  llvm::LogicalResult store(mlir::Operation *op, const LLVMScalar &pointer, mlir::Type type, int64_t alignment,
                            const LLVMValue &value);
  llvm::LogicalResult copy(mlir::Operation *op, const LLVMScalar &to, const LLVMScalar &from, int64_t size,
                           bool mayOverlap);
  llvm::LogicalResult fill(mlir::Operation *op, const LLVMScalar &to, const LLVMScalar &byte, int64_t size);
  llvm::LogicalResult release(mlir::Operation *op, const LLVMScalar &pointer);
  /// The number of the object that contains `address`, or ends at it; 0: none.
  uint32_t objectAt(uint64_t address) const;
  LLVMObject &object(uint32_t number) { return objects[number]; }
  void endStack(size_t height, mlir::Operation *by);
  size_t stackHeight() const { return stack.size(); }

  llvm::LogicalResult call(mlir::Operation *op, mlir::LLVM::LLVMFuncOp callee, llvm::ArrayRef<LLVMValue> args,
                           LLVMValue &out);
  llvm::FailureOr<uint32_t> globalObject(mlir::Operation *op, mlir::LLVM::GlobalOp global);
  llvm::FailureOr<uint32_t> functionObject(mlir::LLVM::LLVMFuncOp function);
  /// After an op: what it wrote to objects that show other memory is copied there.
  void exchangeWritten();
  void print(llvm::StringRef text);
  void printNumber(llvm::StringRef digits);
  /// Memory, or something outside of the program, is not what it was: no loop is back where it was before.
  void noteEffect() { ++effects; }

  /// The value of a constant attribute; fails for other attributes.
  llvm::LogicalResult constant(mlir::Operation *op, mlir::Attribute value, mlir::Type type, LLVMValue &out);

  mlir::SymbolTableCollection symbols;
  llvm::StringMap<Handler> handlers;
  llvm::StringMap<LibraryFn> library;

private:
  llvm::LogicalResult run(mlir::Operation *op, llvm::ArrayRef<LLVMValue> in, LLVMValue &out);
  llvm::LogicalResult runBody(mlir::Region &body, llvm::ArrayRef<LLVMValue> args, LLVMValue &out);
  bool hasToEnd(mlir::Operation *branch) const;
  llvm::FailureOr<LLVMValue> argument(mlir::LLVM::LLVMFuncOp entry, mlir::Type type, const HostTensor &value,
                                      uint32_t object);
  void noteLeaks(const LLVMValue &result);

  const EvalOptions &options;
  UndefinedValues &found;
  std::vector<LLVMObject> objects;     ///< by number, from 1, with increasing addresses
  std::vector<EvaluatedPlace> origins; ///< by LLVMScalar::origin, from 1
  llvm::DenseMap<mlir::Operation *, uint32_t> originOf, globals;
  std::vector<uint32_t> stack;
  struct Range {
    uint32_t object;
    int64_t offset, size;
  };
  llvm::SmallVector<Range> written; ///< to objects that show other memory, since exchangeWritten
  uint64_t nextAddress = 0x10000;
  int64_t effects = 0; ///< so far
  unsigned depth = 0;
};

// One per EvalLLVM*.cpp.
void addLLVMArithmetic(LLVMInterpreter &interpreter);
void addLLVMValues(LLVMInterpreter &interpreter);
void addLLVMMemory(LLVMInterpreter &interpreter);
void addLLVMIntrinsics(LLVMInterpreter &interpreter);
void addLLVMBits(LLVMInterpreter &interpreter);
void addLLVMPredicated(LLVMInterpreter &interpreter);
void addLLVMLibrary(LLVMInterpreter &interpreter);

/// The context of a function that is applied to lanes.
struct LLVMLane {
  mlir::Operation *op;
  LLVMInterpreter &interpreter;
  mlir::Type in, out; ///< of the first operand and the result
  unsigned bits, outBits;
  std::optional<std::string> trap = std::nullopt; ///< set if the op has undefined behavior

  LLVMScalar poison(const llvm::Twine &what) const { return interpreter.poison(op, what); }
  /// `bits` in the result's type; undefined bits of `a` or `b` make all of it undefined.
  LLVMScalar defined(uint64_t value) const { return {value & lowBits(outBits), 0, 0, 0, false}; }
};
using LLVMLaneFn = LLVMScalar (*)(LLVMLane &lane, const LLVMScalar *args);
/// Applies `fn` lane by lane. Poison is propagated. Unless `takesUndefined`, undefined bits make all bits undefined.
llvm::LogicalResult applyLanes(mlir::Operation *op, llvm::ArrayRef<LLVMValue> in, LLVMValue &out,
                               LLVMInterpreter &interpreter, LLVMLaneFn fn, bool takesUndefined);
/// The handler that applies `fn` lane by lane, to defined operands.
template <LLVMLaneFn fn>
llvm::LogicalResult eachLaneOf(mlir::Operation *op, llvm::ArrayRef<LLVMValue> in, LLVMValue &out,
                               LLVMInterpreter &interpreter) {
  return applyLanes(op, in, out, interpreter, fn, /*takesUndefined=*/false);
}

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_EVALLLVM_H
