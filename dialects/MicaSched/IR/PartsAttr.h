//===- PartsAttr.h - constants of which each rank has a part -----------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICASCHED_IR_PARTSATTR_H
#define MICA_DIALECTS_MICASCHED_IR_PARTSATTR_H

#include "llvm/ADT/StringRef.h"

namespace mica::sched {

/// (A19) of a mica_sched.constant: its value has a part for each rank of a group, one after the other.
inline constexpr llvm::StringLiteral kPartsAttr = "mica_sched.parts";

} // namespace mica::sched

#endif // MICA_DIALECTS_MICASCHED_IR_PARTSATTR_H
