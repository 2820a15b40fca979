//===- Constants.h - weights between IR and constants.bin ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Snapshots print the handles of resources, never their bytes, which are stored once in constants.bin. A record's
// constants.json gives the place of each handle, so that any snapshot file can be compiled again:
//
//     {"schema": 1, "file": "../constants.bin", "constants": [{"name": "mica_9f..", "offset": 64, "bytes": 4096}]}
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_PROGRAM_CONSTANTS_H
#define MICA_COMPILER_PROGRAM_CONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mica::compiler {

/// The handles that the attributes of the ops under `root` use, each once, in program order.
std::vector<mlir::DenseResourceElementsAttr> collectResources(mlir::Operation *root);

/// The bytes of a constant's elements in the layout of host tensors (row-major, i1 in one byte, splats expanded);
/// nothing for element types that are not whole bytes.
std::optional<std::vector<char>> bytesOfConstant(mlir::ElementsAttr value);

/// A weight with its place in constants.bin.
struct PlacedConstant {
  std::string name;
  mlir::DenseResourceElementsAttr value;
  llvm::ArrayRef<char> data; ///< lives as long as the context
  int64_t offset = 0;
};

/// Assigns each of `constants` a 64-byte aligned offset, in order; equal bytes share one place. Returns the size of the
/// file.
int64_t placeConstants(std::vector<PlacedConstant> &constants);

/// Writes constants.bin, of which the first `present` bytes exist already. Returns "" or an error message.
std::string writeConstants(llvm::StringRef path, const std::vector<PlacedConstant> &constants, int64_t present = 0);

/// The text of constants.json; `file` is relative to the folder of constants.json.
std::string printConstantsIndex(llvm::StringRef file, const std::vector<PlacedConstant> &constants);

/// Reads the entries of such an index, with the size of each but not its bytes. None if there is no such file. Returns
/// false and sets `error` if it is damaged.
bool readConstantsIndex(llvm::StringRef path, std::vector<PlacedConstant> &constants, std::string &error);

/// Attaches bytes to the resources under `root` that have none, from the record of `directory`: constants.json in it,
/// or passes_dump/constants.json of the artifact that contains it. Succeeds if there is no record. Fails, with `error`
/// set, if the record's files are missing or damaged.
bool attachConstants(mlir::Operation *root, llvm::StringRef directory, std::string &error);

} // namespace mica::compiler

#endif // MICA_COMPILER_PROGRAM_CONSTANTS_H
