//===- OpGrammar.h - the assembly grammar of ops ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The assembly format of ops, for errors about text that does not parse.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DIAGNOSTICS_OPGRAMMAR_H
#define MICA_LIB_COMPILER_DIAGNOSTICS_OPGRAMMAR_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mica::compiler {

/// The assembly format of `op` ("mica.add"): "mica.add $lhs, $rhs attr-dict : functional-type(operands, results)". ""
/// if it is not an op of Mica's dialects, or has a custom parser.
llvm::StringRef grammarOf(llvm::StringRef op);

/// A line that uses `op`, from its page in docs/Dialects; "" if there is none.
llvm::StringRef exampleOf(llvm::StringRef op);

/// The op of Mica's dialects at the end of `text`, a program up to a position; "" if there is none.
llvm::StringRef opBefore(llvm::StringRef text);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DIAGNOSTICS_OPGRAMMAR_H
