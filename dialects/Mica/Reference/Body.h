//===- Body.h - regions that are evaluated per element ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The bodies of linalg ops, tensor.generate and tensor.pad are evaluated once per point of an index space. `Body`
// compiles such a block to a short list of instructions on numbered registers, so that a point takes some nanoseconds;
// a block with unsupported ops (such as scf.if) is interpreted op by op instead.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_BODY_H
#define MICA_DIALECTS_MICA_REFERENCE_BODY_H

#include "dialects/Mica/Reference/Undefined.h"

namespace mica::reference {

/// A compiled block of scalar ops. Values from outside are read once, by the constructor.
class Body {
public:
  /// `rounded`: float results are rounded to their op's type; otherwise they stay f64 (explicit casts still round).
  Body(mlir::Block &block, Evaluator &evaluator, bool rounded);

  /// The register of block argument `i`, to be set before each run.
  Cell &arg(unsigned i) { return registers[i]; }
  /// Runs the block at `point` (for linalg.index). Fails with an error at the op that has no result.
  llvm::LogicalResult run(llvm::ArrayRef<int64_t> point);
  /// Operand `i` of the terminator, after a run.
  Cell yielded(unsigned i) const { return registers[yields[i]]; }

  /// Whether bounds are computed (Bounds.h); then those of the arguments are also set before each run, and read after
  /// it.
  bool isBounded() const { return bounded; }
  double &argBound(unsigned i) { return bounds[i]; }
  double yieldedBound(unsigned i) const { return bounds[yields[i]]; }
  /// Whether the block adds to or multiplies argument `i`, so that its rounding depends on the order of the points.
  bool accumulatesInto(unsigned i) const;
  /// After a run, the largest finite magnitude that was added to argument `i`, or multiplied with it; 0 if unknown.
  double accumulated(unsigned i) const;

private:
  using Register = unsigned;
  struct Instruction {
    ScalarOp scalar;     ///< applied if it has a function; else this is a tensor.extract
    unsigned source = 0; ///< tensor.extract: which of `tensors`
    Register result = 0;
    llvm::SmallVector<Register, 3> operands;
    mlir::Operation *op = nullptr;
    ScalarRule rule = {};
    PoisonRule poison = {}; ///< its undefined behavior
    ElementType unit;       ///< the type whose rounding determines bounds
  };
  void setBounds(const Instruction &instruction, const Cell *args, Cell raw);

  bool compile(mlir::Operation *op);
  Register use(mlir::Value value);
  llvm::LogicalResult extract(const Instruction &instruction);
  llvm::LogicalResult interpret(llvm::ArrayRef<int64_t> point);

  mlir::Block &block;
  Evaluator &evaluator;
  bool rounded, bounded, isStrict; ///< isStrict: bounds represent undefined values
  bool compiled = true;            ///< false: no instructions, the block is interpreted
  std::vector<Instruction> program;
  llvm::SmallVector<Cell> registers;
  llvm::SmallVector<double> bounds; ///< of the registers
  llvm::DenseMap<mlir::Value, Register> registerOf;
  llvm::SmallVector<std::pair<Register, unsigned>> indexRegisters; ///< register, dimension: for linalg.index
  llvm::SmallVector<Register> yields;
  llvm::SmallVector<Tensor> tensors; ///< operands of tensor.extract
};

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_BODY_H
