//===- FaultInfo.h - the place of a failure -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_FAULTINFO_H
#define MICA_RUNTIME_FAULTINFO_H

#include <cstdint>
#include <string>

namespace mica::runtime {

/// The operation that failed while a program ran, for host programs; the error's message has the same as text. Unknown
/// members are empty.
struct FaultInfo {
  std::string kernel; ///< empty for checks of host functions
  std::string opId;   ///< 12 hex digits; of several fused operations the first: a kernel's root
  std::string opKind; ///< "mica.div"
  std::string file;   ///< source position of the operation, the innermost one
  int64_t line = 0;   ///< from 1; 0: unknown
  int64_t column = 0;
  std::string
      operands; ///< its operands, where they matter: "-2" or "inf, -inf" of an origin of NaN, "7, 0" of a division
  std::string element; ///< and the element of its result: "[0, 4]"

  bool known() const { return !kernel.empty() || !opId.empty() || !opKind.empty() || line > 0; }
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_FAULTINFO_H
