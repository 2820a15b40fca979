//===- Entry.h - the function of a program that is run ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: finds it in the program as written, and makes it callable in every later state: a function in the LLVM
// dialect gets a caller that takes and gives buffers, as its lowering would have been called.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_ENTRY_H
#define MICA_LIB_BISECT_ENTRY_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mica::bisect {

/// As the program was written.
struct Entry {
  std::string name;
  llvm::SmallVector<mlir::Type> arguments, results;
  std::vector<HostTensor> inputs; ///< one per argument; of a complex one its real and its imaginary parts
  size_t given = 0;               ///< the first of them that a user chose
};

/// The types of the inputs that stand for an argument, or of the numbers that stand for a result, of type `type`.
llvm::SmallVector<mlir::Type, 2> inputTypes(mlir::Type type);

/// Where function `name`, or "": main, or the only one with a body, is one of the LLVM dialect on numbers, and the
/// program has no func.func: adds one that calls it, sets `name` to it, and tells of it in `notes`.
void hostLowered(mlir::ModuleOp program, std::string &name, std::vector<std::string> &notes);

/// Where arguments or results of function `name` (as of findEntry) are integers of a width that files of numbers have
/// not, i2 or i7: adds a function that takes and gives wider ones and calls it, sets `name` to it, and tells of it in
/// `notes`.
void widenIntegers(mlir::ModuleOp program, std::string &name, std::vector<std::string> &notes);

/// What each input is; fails for an argument that inputs cannot be given for.
Result<std::vector<artifact::TensorSpec>> inputSpecs(const Entry &entry);

/// The inputs, or the numbers that stand for results, as mica-run takes and gives them: a complex one is one.
std::vector<HostTensor> joinParts(std::vector<HostTensor> tensors, mlir::TypeRange types);

/// The function `name` of `program`, or "": main, else the only one that nothing calls, or of those the only one that
/// is public. `inputs` are values as mica-run takes them; arguments without one get the default, which `notes` tell of.
Result<Entry> findEntry(mlir::ModuleOp program, const std::string &name, const std::vector<std::string> &inputs,
                        std::vector<std::string> &notes);

/// The symbol by which the entry can be called in `state`, a later form of the program; adds a function where it has
/// become one of LLVM, or gives results through arguments. Fails (Unsupported) where its signature is no longer that of
/// `entry`.
Result<std::string> makeCallable(mlir::ModuleOp state, const Entry &entry);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_ENTRY_H
