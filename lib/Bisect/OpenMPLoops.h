//===- OpenMPLoops.h - OpenMP's loops run one iteration after the other -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: neither the reference evaluator nor the reference lowering takes the omp dialect. A state of a pipeline that
// goes through it is run with plain loops in their place, as one thread runs them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_OPENMPLOOPS_H
#define MICA_LIB_BISECT_OPENMPLOOPS_H

#include "mlir/IR/BuiltinOps.h"

namespace mica::bisect {

/// Writes the parallel regions and loops that convert-scf-to-openmp makes, and what later passes make of them, as loops
/// of scf or of branches. Others stay.
void sequenceOpenMP(mlir::ModuleOp module);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_OPENMPLOOPS_H
