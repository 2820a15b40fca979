//===- RegisterPasses.h - every pass Mica's tools offer ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One function that registers Mica's passes and pipelines, and the upstream passes a user of mica-opt expects.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_REGISTERPASSES_H
#define MICA_PASSES_REGISTERPASSES_H

namespace mica {

/// Mica's own passes and pipelines.
void registerMicaPasses();

/// Mica's and all of upstream's.
void registerAllPasses();

} // namespace mica

#endif // MICA_PASSES_REGISTERPASSES_H
