//===- Why.h - why one element of a result is what it is ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Backward: the tree of ops and elements that one element was computed from in the reference evaluator, with the values
// that a run of the compiled program had beside them, and the first that disagrees. Forward: which elements change if
// one element of an argument does.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPILER_WHY_WHY_H
#define MICA_COMPILER_WHY_WHY_H

#include "mica/Artifact/Manifest.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mica::compiler {

struct WhyOptions {
  std::string element; ///< "result0[3,7]", "3f2a91c07b1e[0,2]" (an op), "nan", "largest"; "" not asked
  std::string user;    ///< of the forward question: "arg0[0,5]"; "" not asked
  std::string run;     ///< folder of a run with data/out/N.npy and a dump of its tensors; "" none
  bool json = false;
  std::string file; ///< the backward answer goes there, too, as JSON; "" none
  int64_t maxNodes = 48;

  bool isAsked() const { return !element.empty() || !user.empty(); }
};

/// Evaluates `function` on `arguments`, both parts of complex ones, and prints the answer to the standard output.
/// InvalidInput: there is no such element; Unsupported: loops, loads and stores on buffers; Difference: the element is
/// not what the reference says.
Status explain(const WhyOptions &options, mlir::ModuleOp module, mlir::func::FuncOp function,
               llvm::ArrayRef<HostTensor> arguments, const std::string &program, const artifact::EntryRecord &entry);

} // namespace mica::compiler

#endif // MICA_COMPILER_WHY_WHY_H
