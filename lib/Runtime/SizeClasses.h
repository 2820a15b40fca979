//===- SizeClasses.h - sizes of device memory that is kept ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Devices with memory of their own keep what is given back by size class, so that a repeated invocation gets the same
// addresses and asks the driver for nothing.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_SIZECLASSES_H
#define MICA_LIB_RUNTIME_SIZECLASSES_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace mica::runtime {

/// The next power of two from 256 up to 1 MiB, beyond it multiples of a quarter of the power below.
inline int64_t sizeClass(int64_t bytes) {
  const auto need = uint64_t(std::max<int64_t>(bytes, 256));
  if (need <= (uint64_t(1) << 20))
    return int64_t(std::bit_ceil(need));
  const uint64_t step = std::bit_floor(need) / 4;
  return int64_t((need + step - 1) / step * step);
}

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_SIZECLASSES_H
