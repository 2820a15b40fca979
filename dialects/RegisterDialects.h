//===- RegisterDialects.h - registering all dialects ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registers Mica's dialects, the upstream dialects and extensions in use, and all external models.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_REGISTERDIALECTS_H
#define MICA_DIALECTS_REGISTERDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mica {

/// Mica's own dialects and their external models.
void registerMicaDialects(mlir::DialectRegistry &registry);

/// Registers Mica's dialects, and all of upstream's with their extensions and translations to LLVM IR.
void registerAllDialects(mlir::DialectRegistry &registry);

/// A registry of all of these, made once.
const mlir::DialectRegistry &allDialects();

} // namespace mica

#endif // MICA_DIALECTS_REGISTERDIALECTS_H
