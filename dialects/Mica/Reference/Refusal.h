//===- Refusal.h - errors of the evaluator itself -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Tells an error of the program from one of the evaluator.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICA_REFERENCE_REFUSAL_H
#define MICA_DIALECTS_MICA_REFERENCE_REFUSAL_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mica::reference {

/// Whether an error of an evaluation says that the evaluator cannot do something, not that the program is wrong. Such
/// errors name it.
inline bool isRefusal(llvm::StringRef error) { return error.contains("the reference evaluator"); }

} // namespace mica::reference

#endif // MICA_DIALECTS_MICA_REFERENCE_REFUSAL_H
