//===- ObservedBackend.h - a back end with observers around it -------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OBSERVEDBACKEND_H
#define MICA_LIB_RUNTIME_OBSERVEDBACKEND_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Backend.h"
#include "mica/Runtime/Observer.h"

#include <memory>
#include <vector>

namespace mica::runtime {

/// How many observers a back end can have.
inline constexpr size_t kMostObservers = 32;

/// `inner`, with every launch told to those of `observers` (at most kMostObservers) that want it; `inner` itself where
/// none wants any. `manifest` names ops; it and the observers must outlive the result.
std::unique_ptr<Backend> observeBackend(std::unique_ptr<Backend> inner, std::vector<Observer *> observers,
                                        const artifact::Manifest &manifest);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_OBSERVEDBACKEND_H
