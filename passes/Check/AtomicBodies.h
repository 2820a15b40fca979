//===- AtomicBodies.h - checks of what atomic updates compute ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------------===//
//
// The body of a memref.generic_atomic_rmw may have no side effects, so no report either. It may run several times, but
// the op's result is the value that the last run was given.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CHECK_ATOMICBODIES_H
#define MICA_PASSES_CHECK_ATOMICBODIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mica {

/// Whether the body of an atomic update in `function` has an integer division by what may be 0.
bool mayTrapInUpdate(mlir::func::FuncOp function);

/// Before:
///   %r = memref.generic_atomic_rmw %m[%i] { ^bb0(%x: i32): %q = arith.divsi %x, %y : i32 .. }
/// After: in the body, %y is replaced by 1 where the division is undefined; behind the op, where checks can be
/// inserted, stands
///   %q1 = arith.divsi %r, %y : i32
void checkAfterwards(mlir::func::FuncOp function);

} // namespace mica

#endif // MICA_PASSES_CHECK_ATOMICBODIES_H
