//===- OwnProgram.h - programs that Mica compiles -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// mica-bisect without a pipeline: the program is compiled for each target, or is an artifact,
// and the compiled program is judged.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_BISECT_OWNPROGRAM_H
#define MICA_LIB_BISECT_OWNPROGRAM_H

#include "lib/Bisect/BisectOptions.h"
#include "mica/Trace/ToolTrace.h"

#include <optional>
#include <string>

namespace mica::bisect {

/// Judges `name`, a program or an artifact; returns the exit code. Nothing where Mica does not compile the program, and
/// nothing was asked of its compiler: `rest` receives a pipeline of upstream's passes that lowers it.
Result<std::optional<int>> bisectOwn(BisectOptions &options, const std::string &name, trace::ToolTrace &trace,
                                     std::string &rest);

} // namespace mica::bisect

#endif // MICA_LIB_BISECT_OWNPROGRAM_H
