//===- Exchange.h - what threads pass to a point and receive from it --------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// Operands and results lie at multiples of 16 bytes (mica/ABI/Sim.h); a larger one takes several places.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_SIM_EXCHANGE_H
#define MICA_RUNTIME_SIM_EXCHANGE_H

#include "mica/ABI/Sim.h"

#include <cstring>

namespace mica::runtime::sim {

template <typename T> T loadAs(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// The operand of thread `lane` at place `number`.
inline const char *operandAt(const mica_sim_warp_v1 &warp, int lane, int number) {
  return warp.inputs + lane * MICA_SIM_EXCHANGE_BYTES + 16 * number;
}
template <typename T> T operandOf(const mica_sim_warp_v1 &warp, int lane, int number) {
  return loadAs<T>(operandAt(warp, lane, number));
}
/// The result of thread `lane` at place `number`.
inline char *resultAt(const mica_sim_warp_v1 &warp, int lane, int number) {
  return warp.outputs + lane * MICA_SIM_EXCHANGE_BYTES + 16 * number;
}
template <typename T> void setResult(const mica_sim_warp_v1 &warp, int lane, T value) {
  std::memcpy(resultAt(warp, lane, 0), &value, sizeof(T));
}

/// A number as products on tf32 see it: the device reads the upper 19 bits alone.
inline float asTf32(const void *from) {
  const uint32_t bits = loadAs<uint32_t>(from) & 0xFFFFE000u;
  return loadAs<float>(&bits);
}

} // namespace mica::runtime::sim

#endif // MICA_RUNTIME_SIM_EXCHANGE_H
