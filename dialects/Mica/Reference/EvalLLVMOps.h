//===- EvalLLVMOps.h - ops of the llvm dialect in functions of func ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Internal to dialects/Mica/Reference.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_EVALLLVMOPS_H
#define MICA_DIALECTS_MICA_REFERENCE_EVALLLVMOPS_H

#include "dialects/Mica/Reference/EvalLLVM.h"
#include "dialects/Mica/Reference/Evaluator.h"

namespace mica::reference {

/// Whether a tensor holds a number for a value of `type`: a pointer, a struct or an array.
bool isNumberedLLVMType(mlir::Type type);
/// Whether the op only computes numbers and vectors from others.
bool isPureOnNumbers(mlir::Operation *op);

/// The interpreter, with the memory of the program's llvm ops, and the values that tensors hold the numbers of.
class HostedLLVM {
public:
  explicit HostedLLVM(const EvalOptions &options);

  /// `tensor` as a value of `type`. Elements that are undefined in a search are undefined bits without an origin.
  LLVMValue fromTensor(const Tensor &tensor, mlir::Type type, bool isSearch);
  Tensor toTensor(LLVMValue value, mlir::Type type);
  /// An object that shows the memory of `buffer`. `isSearch`: bounds mean undefined elements.
  llvm::FailureOr<uint32_t> objectOf(mlir::Operation *op, const Tensor &buffer, bool isSearch);
  bool readsBounds = false; ///< an element that has a bound was read

private:
  UndefinedValues unused;
  std::vector<LLVMValue> values;
  llvm::DenseMap<BufferMemory *, uint32_t> shown;

public:
  LLVMInterpreter interpreter;
};

/// In its scope, stack memory of llvm ops belongs to `function`.
class LLVMStackScope {
public:
  LLVMStackScope(mlir::Operation *function, Evaluator &evaluator);
  ~LLVMStackScope();

private:
  mlir::Operation *function;
  Evaluator &evaluator;
  size_t height;
};

/// Why `interpreter` does not take `op`, or a function that it calls; "": it takes it.
std::string whyLLVMOpIsNotTaken(mlir::Operation *op, LLVMInterpreter &interpreter);

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_EVALLLVMOPS_H
