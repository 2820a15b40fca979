//===- LongFunctions.h - detecting functions with superlinear compile time ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Some LLVM passes take time quadratic in a function's length, or worse. These predicates detect functions for which
// that matters, which are far longer than usual, so that these passes are skipped or have less to do. Times by size:
// docs/Performance.md, test/Bench/bench_growth.py.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_LONGFUNCTIONS_H
#define MICA_LIB_COMPILER_CODEGEN_LONGFUNCTIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mica::compiler {

/// Whether a host function of `module` is too long to be optimized: LLVM's time for scheduling, register allocation and
/// vectorization is quadratic in its length. Such code calls kernels and needs no optimization; a function that mostly
/// computes is still optimized.
bool hasLongCalls(llvm::Module &module);

/// Whether a block of `module` has so many scalar operations that SLP vectorization must be skipped. Vectors from
/// Mica's passes are not counted.
bool hasLongScalarBlocks(const llvm::Module &module);

/// Writes branches on conditions that many branches share as `switch`, from which EarlyCSE learns nothing: of a branch
/// it asks for each use of the condition whether the branch dominates it.
void hideSharedConditions(llvm::Module &module);

/// Writes them as branches again, which FastISel selects.
void showSharedConditions(llvm::Module &module);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_LONGFUNCTIONS_H
