//===- FaultInfo.h - what a failure is about, in parts ------------------------------------------------------------===//
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

/// The operation that failed while a program ran. The error's message says the same in words; here a host program finds
/// it without reading text. What is not known is empty.
struct FaultInfo {
  std::string kernel; ///< that ran it; empty for what a host function checks
  std::string opId;   ///< 12 hex digits; of several operations that are meant, the first: a kernel's root
  std::string opKind; ///< "mica.div"
  std::string file;   ///< where the operation was written, innermost position
  int64_t line = 0;   ///< from 1; 0: not known
  int64_t column = 0;
  std::string
      operands; ///< its operands, where they matter: "-2" or "inf, -inf" of an origin of NaN, "7, 0" of a division
  std::string element; ///< and the element of its result: "[0, 4]"

  bool known() const { return !kernel.empty() || !opId.empty(); }
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_FAULTINFO_H
