//===- JaxExport.h - files of jax.export ---------------------------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// What `jax.export.export(f)(x).serialize()` returns: a flatbuffer that holds the program as bytecode of StableHLO.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_IMPORT_STABLEHLO_JAXEXPORT_H
#define MICA_IMPORT_STABLEHLO_JAXEXPORT_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mica::importer {

/// The bytecode within `file`, a part of it; none if `file` is not what `serialize()` returns. Costs no more than
/// reading the table at its beginning.
std::optional<llvm::StringRef> moduleOfJaxExport(llvm::StringRef file);

} // namespace mica::importer

#endif // MICA_IMPORT_STABLEHLO_JAXEXPORT_H
