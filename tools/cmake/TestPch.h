//===- TestPch.h - headers of unit tests, precompiled -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Those of StdPch.h, and GoogleTest's, precompiled once for the unit tests of the std half. None of Mica's own: each
// file still includes what it needs, so the tree also builds with the precompiled header off.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "tools/cmake/StdPch.h"

#include <gtest/gtest.h>
