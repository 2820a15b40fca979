//===- OptHelp.h - mica-opt --help --------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------===//
//
// A page of the flags that people use. The full list has every pass with its options and all flags of LLVM's back ends.
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

/// Prints the page to stdout: flags of `category`, which are Mica's own, and the most used of mlir-opt with the texts
/// that they are registered with. Registers the flags of mlir-opt; nothing else may do so in this process.
void printOptHelp(const llvm::cl::OptionCategory &category, mlir::DialectRegistry &registry);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_TOOLS_OPTHELP_H
