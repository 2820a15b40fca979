//===- DevicesTest.cpp - targets and the back ends that run them --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The table of targets and the back ends registered for it.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Devices.h"

#include "lib/Runtime/Backend/Registration.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace mica;
using namespace mica::runtime;

TEST(DevicesTest, EveryTargetIsRegisteredOnce) {
  const auto rows = backendRegistrations();
  EXPECT_EQ(rows.size(), allTargets().size());
  for (const TargetInfo &target : allTargets()) {
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [&](auto &row) { return row.target == target.name; }), 1)
        << target.name;
    EXPECT_EQ(findTarget(target.name), &target);
    EXPECT_EQ(findTarget(std::string(target.name) + ":chip"), &target);
  }
  EXPECT_EQ(findTarget("gpu"), nullptr);
  EXPECT_EQ(findTarget(""), nullptr);
}

TEST(DevicesTest, NamesOfNoDeviceAreErrors) {
  for (const char *name : {"cpu:1", "sim:2", "gpu:", "gpu:-1", "gpu:x", "gpu", "", ":0", "metal:0", "cuda:0"}) {
    const auto backend = createBackend(name, {});
    ASSERT_FALSE(backend) << name;
    EXPECT_NE(backend.error().message.find("which is not available"), std::string::npos) << backend.error().message;
  }
}

TEST(DevicesTest, WhatIsOnlyCompiledForSaysSo) {
  for (const char *name : {"rocm:0", "spirv:0"}) {
    const auto backend = createBackend(name, {});
    ASSERT_FALSE(backend) << name;
    EXPECT_NE(backend.error().message.find("it compiles the kernels, but cannot run them"), std::string::npos);
  }
}
