//===- Targets.h - the list of compilation targets ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Looks up the compiler half of the targets of mica/Support/Targets.h by name.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TARGETS_H
#define MICA_PASSES_TARGETS_H

#include "passes/Codegen/Target.h"

namespace mica {

/// The target `text`, with or without a chip ("cuda", "cuda:sm_90"). Null if there is none.
const codegen::Target *lookupTarget(llvm::StringRef text);

} // namespace mica

#endif // MICA_PASSES_TARGETS_H
