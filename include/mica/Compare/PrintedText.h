//===- PrintedText.h - comparing what programs print --------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What a program prints is compared as numbers, words and marks.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_PRINTEDTEXT_H
#define MICA_COMPARE_PRINTEDTEXT_H

#include <string>
#include <vector>

namespace mica {

/// "" where `actual` says what `expected` does: words and marks equal (white space and addresses apart), each number
/// within its bound and the six digits that are printed; else what differs first, as "line 3: got X, expected Y".
/// `bounds` has one for each number of `expected`.
std::string comparePrinted(const std::string &actual, const std::string &expected, const std::vector<double> &bounds);

/// Bounds for comparePrinted where none are known: `relative` times the largest float that `expected` prints in the
/// same line, or in the lines right before and behind it; 0 for numbers that both texts print as integers.
std::vector<double> printedTolerances(const std::string &actual, const std::string &expected, double relative);

} // namespace mica

#endif // MICA_COMPARE_PRINTEDTEXT_H
