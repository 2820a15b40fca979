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

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

namespace mica::compiler {

/// Threads that help one that unpacks, when they have nothing else to do.
class LayerHelpers {
public:
  /// Prints layers as long as there are any. Does nothing where nobody unpacks any more, or yet.
  void help();

private:
  friend Status unpackLayers(llvm::StringRef, const std::string &, mlir::MLIRContext *, const LayerOptions &,
                             llvm::function_ref<bool(const std::string &, const Layer &, const std::string &)>,
                             LayerHelpers *);
  /// From then on others do `work`. Null: no longer, and those that do are done with it.
  void share(const std::function<void()> *work);

  std::mutex mutex;
  std::condition_variable done;
  const std::function<void()> *shared = nullptr;
  int helping = 0;
};

/// Prints the layers of the pack `data`, which errors call `file`, with their maps, and hands them to `take` with their names; in no order,
/// and from several threads: those of `context`, or where given, this one and the `helpers`. Loads the dialects that they use. `take`
/// returns whether it wants the rest. Errors: Damaged.
Status unpackLayers(llvm::StringRef data, const std::string &file, mlir::MLIRContext *context,
                    const LayerOptions &options,
                    llvm::function_ref<bool(const std::string &name, const Layer &, const std::string &map)> take,
                    LayerHelpers *helpers = nullptr);

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_UNPACKLAYERS_H
