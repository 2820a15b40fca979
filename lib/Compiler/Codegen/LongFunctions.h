//===- LongFunctions.h - functions that take LLVM more than proportional time -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Some passes of LLVM take time that grows with the square of a function's length, or faster. What is here finds the
// functions for which that matters, which no program of usual size has, and spares them these passes. Times by size:
// docs/Performance.md, test/Bench/bench_growth.py.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_LONGFUNCTIONS_H
#define MICA_LIB_COMPILER_CODEGEN_LONGFUNCTIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace mica::compiler {

/// Whether a host function of `module` is so long that it is not optimized: LLVM's time for scheduling, register
/// allocation and vectorization grows with the square of its length. Code of this length calls kernels, and takes no
/// time of its own; where much of it computes, it is optimized.
bool hasLongCalls(llvm::Module &module);

/// Whether a block of `module` computes so many scalars that LLVM should not look for vectors among them. Vectors that
/// Mica's passes made are not counted.
bool hasLongScalarBlocks(const llvm::Module &module);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_LONGFUNCTIONS_H
