//===- PrintedText.h - comparison of printed output ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Compares the printed output of programs as numbers, words and punctuation.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_PRINTEDTEXT_H
#define MICA_COMPARE_PRINTEDTEXT_H

#include <string>
#include <vector>

namespace mica {

/// Returns "" if the texts agree: words and punctuation are equal (ignoring white space and addresses), and each number
/// is within its bound and the six printed digits. Otherwise returns the first difference, "line 3: got X, expected Y".
/// `bounds` has one bound per number of `expected`.
std::string comparePrinted(const std::string &actual, const std::string &expected, const std::vector<double> &bounds);

/// Default bounds for comparePrinted: `relative` times the largest float that `expected` prints in the same line or an
/// adjacent one; 0 for numbers that both texts print as integers.
std::vector<double> printedTolerances(const std::string &actual, const std::string &expected, double relative);

} // namespace mica

#endif // MICA_COMPARE_PRINTEDTEXT_H
