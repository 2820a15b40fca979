//===- Print.h - tensors in NumPy's print format -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The text of numpy's str(array) at its default options: 8 digits, lines of 75 characters, the first and last 3 of each
// dimension beyond 1000 elements.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_PRINT_H
#define MICA_COMPARE_PRINT_H

#include "mica/Support/HostTensor.h"

#include <string>

namespace mica {

/// The tensor as text, without a trailing newline.
std::string formatTensor(const HostTensor &tensor);

/// One element as NumPy prints a scalar: the shortest digits that parse to the same value ("0.1", "1e-05", "True",
/// "-3").
std::string formatElement(const HostTensor &tensor, int64_t index);

} // namespace mica

#endif // MICA_COMPARE_PRINT_H
