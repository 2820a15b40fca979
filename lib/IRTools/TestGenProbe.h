//===- TestGenProbe.h - classifying the effect of a pipeline -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Runs a pipeline on a copy of some IR, in a child process, and summarizes its effect as a list of lines. Equal lists
// mean the same kind of effect.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_IRTOOLS_TESTGENPROBE_H
#define MICA_LIB_IRTOOLS_TESTGENPROBE_H

#include "lib/IRTools/Forked.h"
#include "lib/IRTools/ModuleText.h"
#include "mica/IRTools/Diff.h"
#include "mica/IRTools/Document.h"

namespace mica::irtools {

struct Probe {
  enum class Kind {
    Invalid,   ///< the IR does not verify
    Same,      ///< nothing changed
    Changed,   ///< ops changed
    Relocated, ///< only locations changed
    Failed,    ///< a pass rejected it
    Crashed,   ///< a signal
    TimedOut,
  };
  Kind kind = Kind::Invalid;
  std::vector<std::string> signature; ///< sorted, each line once: "added linalg.generic", "error: tile sizes <n> ..."
  bool operator==(const Probe &other) const = default;
};

/// Runs `pipeline` ("builtin.module(...)") on a copy of `module`. Threading of the context must be off.
Probe probePipeline(mlir::ModuleOp module, const std::string &pipeline, double seconds);

/// Starts this in a child process, and evaluates the result.
ForkedRun startProbe(mlir::ModuleOp module, const std::string &pipeline, double seconds);
Probe readProbe(const Forked &forked);

/// Runs `pipeline` on `module` itself, in this process; diagnostics go to the context's handlers.
mlir::LogicalResult runPipeline(mlir::ModuleOp module, const std::string &pipeline);

/// The verifier's error in a copy of `module` after `pipeline`, in a child; "" if there is none, or a pass fails by
/// itself. Threading of the context must be off.
std::string invalidAfter(mlir::ModuleOp module, const std::string &pipeline, double seconds);

/// A document of `module` with the lines of its printed form; values have names that are unique in the whole text.
Document documentOf(mlir::OwningOpRef<mlir::ModuleOp> module, const mlir::OpPrintingFlags &flags);

} // namespace mica::irtools

#endif // MICA_LIB_IRTOOLS_TESTGENPROBE_H
