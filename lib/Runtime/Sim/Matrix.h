//===- Matrix.h - products of a warp -----------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// A thread holds parts of a matrix. For mma.sync, the shape and the element type say which.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_MATRIX_H
#define MICA_RUNTIME_SIM_MATRIX_H

#include "mica/ABI/Sim.h"

namespace mica::runtime::sim {

/// d = a * b + c of a warp, whose 32 threads have handed over their fragments; `imm`: m, n, k, mica_sim_mma_type.
void multiplyFragments(mica_sim_warp_v1 &warp, const int32_t *imm);

/// The same of MICA_SIM_SUBGROUP_MMA.
void multiplySubgroupMatrices(mica_sim_warp_v1 &warp, const int32_t *imm);

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_MATRIX_H
