//===- LayerGraph.h - which file of an artifact was made from which layer ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The manifest's graph through the record: from the program's layers to those of each kernel, to kernel.mlir, through the
// layers of phase lowered to kernel.ll. What has to be built again after an edit follows from it.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_LAYERGRAPH_H
#define MICA_LIB_COMPILER_LAYERGRAPH_H

#include "mica/Artifact/Manifest.h"

#include <string>
#include <vector>

namespace mica::compiler {

/// Sets the inputs of layers, and of the files made from layers, in `manifest`, whose files are complete. `phases`: of each
/// pass, by position - 1.
void linkLayers(artifact::Manifest &manifest, const std::vector<std::string> &phases);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_LAYERGRAPH_H
