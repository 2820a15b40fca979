//===- Constants.h - weights between IR and constants.bin ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Snapshots show the handles of resources, never their bytes; the bytes lie once in constants.bin. A record's
// constants.json says which handle is where, so that any snapshot file can be run again:
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

/// The handles that the attributes of the ops in `root` name, each once, in the order of the program.
std::vector<mlir::DenseResourceElementsAttr> collectResources(mlir::Operation *root);

/// The bytes of a constant's elements as host tensors have them (row-major, i1 in one byte, splats written out);
/// nothing for element types that are not whole bytes.
std::optional<std::vector<char>> bytesOfConstant(mlir::ElementsAttr value);

/// One weight with its place in constants.bin.
struct PlacedConstant {
  std::string name;
  mlir::DenseResourceElementsAttr value;
  llvm::ArrayRef<char> data; ///< lives as long as the context
  int64_t offset = 0;
};

/// Gives each of `constants` its offset, 64-byte aligned in their order; equal bytes get the same place. Returns the
/// size of the file.
int64_t placeConstants(std::vector<PlacedConstant> &constants);

/// Writes constants.bin; its first `present` bytes are there already. Returns "" or what went wrong.
std::string writeConstants(llvm::StringRef path, const std::vector<PlacedConstant> &constants, int64_t present = 0);

/// The text of constants.json; `file` is relative to the folder it will lie in.
std::string printConstantsIndex(llvm::StringRef file, const std::vector<PlacedConstant> &constants);

/// The entries of such an index; of the bytes only how many there are. None where there is no such file. False with
/// `error` set where it is damaged.
bool readConstantsIndex(llvm::StringRef path, std::vector<PlacedConstant> &constants, std::string &error);

/// Gives the resources in `root` that have no bytes those of the record that `directory` belongs to: constants.json in
/// it, or passes_dump/constants.json of the artifact it lies in. Success where there is no record. Fails, with `error`
/// set, where the record's files are missing or damaged.
bool attachConstants(mlir::Operation *root, llvm::StringRef directory, std::string &error);

} // namespace mica::compiler

#endif // MICA_COMPILER_PROGRAM_CONSTANTS_H
