//===- OpGrammar.h - how operations are written -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The grammar of an operation's text, for errors about text that does not parse.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_DIAGNOSTICS_OPGRAMMAR_H
#define MICA_LIB_COMPILER_DIAGNOSTICS_OPGRAMMAR_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mica::compiler {

/// How `op` ("mica.add") is written: "mica.add $lhs, $rhs attr-dict : functional-type(operands, results)". "" where it
/// is no operation of Mica's dialects, or has a parser of its own.
llvm::StringRef grammarOf(llvm::StringRef op);

/// The operation of Mica's dialects that `text`, a program up to a position, ends in. "" where it ends in none.
llvm::StringRef opBefore(llvm::StringRef text);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_DIAGNOSTICS_OPGRAMMAR_H
