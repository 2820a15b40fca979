//===- OpPages.h - what editors show of an operation's kind ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IRTOOLS_OPPAGES_H
#define MICA_IRTOOLS_OPPAGES_H

#include <string_view>

namespace mica::irtools {

/// Summary, constraints and types of the operation named `op`, as its TableGen documentation has them, in markdown; ""
/// if it is of no dialect of Mica or MLIR.
std::string_view pageOfOp(std::string_view op);

} // namespace mica::irtools

#endif // MICA_IRTOOLS_OPPAGES_H
