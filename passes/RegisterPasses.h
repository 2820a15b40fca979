//===- RegisterPasses.h - registering all passes of Mica's tools ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registers Mica's passes and pipelines, and the upstream passes that users of mica-opt expect.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_REGISTERPASSES_H
#define MICA_PASSES_REGISTERPASSES_H

namespace mica {

/// Registers Mica's own passes and pipelines.
void registerMicaPasses();

/// Registers Mica's passes and all of upstream's.
void registerAllPasses();

} // namespace mica

#endif // MICA_PASSES_REGISTERPASSES_H
