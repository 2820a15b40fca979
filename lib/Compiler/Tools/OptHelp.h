//===- OptHelp.h - mica-opt --help --------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// Prints a page with the common flags. The full list contains every pass with its options and all flags of LLVM's back
// ends.
//
//===--------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_TOOLS_OPTHELP_H
#define MICA_LIB_COMPILER_TOOLS_OPTHELP_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"

namespace mica::compiler {

/// Whether one of `arguments` asks for the page. --help-all asks for the full list, which is upstream's --help.
bool wantsOptHelp(llvm::ArrayRef<char *> arguments);

/// Prints the page to stdout, in the format of a --help=FORMAT among `arguments`: Mica's own flags, in `category`, and
/// the most common flags of mlir-opt with their registered descriptions. Returns false, with an error printed, for an
/// unknown format. Registers the flags of mlir-opt; nothing else may do so in this process.
bool printOptHelp(llvm::ArrayRef<char *> arguments, const llvm::cl::OptionCategory &category,
                  mlir::DialectRegistry &registry);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_TOOLS_OPTHELP_H
