//===- SyncBackend.h - one launch at a time --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The switch device-sync-mode: the walker is held at each launch until it is complete. Shares of one launch still run
// side by side.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_SYNCBACKEND_H
#define MICA_LIB_RUNTIME_SYNCBACKEND_H

#include "mica/Runtime/Backend.h"

#include <memory>

namespace mica::runtime {

std::unique_ptr<Backend> syncBackend(std::unique_ptr<Backend> inner);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_SYNCBACKEND_H
