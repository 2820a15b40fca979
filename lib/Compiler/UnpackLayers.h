//===- UnpackLayers.h - text of the layers of a pack ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What a compile puts off until somebody looks: printing the layers, and finding the ids of their lines.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_UNPACKLAYERS_H
#define MICA_LIB_COMPILER_UNPACKLAYERS_H

#include "mica/Compiler/LayerPrinter.h"
#include "mica/Support/Status.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace mica::compiler {

/// Prints the layers of the pack `data`, which errors call `file`, with their maps, and hands them to `take` with their names; in no order,
/// and from several threads where `context` has some. Loads the dialects that they use. Errors: Damaged.
Status unpackLayers(llvm::StringRef data, const std::string &file, mlir::MLIRContext *context,
                    const LayerOptions &options,
                    llvm::function_ref<void(const std::string &name, const Layer &, const std::string &map)> take);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_UNPACKLAYERS_H
