//===- TraceProducts.h - an artifact as products of a trace -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the texts of an artifact as records. Each names its file ("mica": {"file": ...}), so that a reader can put them
// together again and show what an artifact shows: passes, provenance, tasks, memory. Layers go as they lie, packed: to
// print the few that end a phase would take a twentieth of the compile.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_TRACEPRODUCTS_H
#define MICA_LIB_COMPILER_TRACEPRODUCTS_H

#include "lib/Compiler/CompileTrace.h"

#include "mica/Artifact/Artifact.h"

#include <map>
#include <string>

namespace mica::compiler {

/// Writes the products of `artifact`: what belongs to the program with the first entry, a kernel's with the entry that
/// `entryOfKernel` gives. No weights. Files that cannot be read are left out. The milliseconds of the passes by phase.
std::map<std::string, double> writeProducts(trace::Writer &writer, const artifact::Artifact &artifact,
                                            const TraceUnits &unit, const std::map<std::string, size_t> &entryOfKernel);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_TRACEPRODUCTS_H
