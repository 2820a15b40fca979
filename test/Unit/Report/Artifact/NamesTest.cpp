//===- NamesTest.cpp - names of an artifact in its report -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// As they are, or numbered: the same name the same number, and nothing of the program left.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Artifact/Names.h"

#include <gtest/gtest.h>

using namespace mica::report;

TEST(NamesTest, WithoutRedactionNamesStay) {
  Names names(false, true);
  EXPECT_EQ(names.kernel("matmul_8x8"), "matmul_8x8");
  EXPECT_EQ(names.position("model.mlir:3:5"), "model.mlir:3:5");
  EXPECT_EQ(names.hash("abc"), "abc");
  EXPECT_EQ(names.text("bad \xff byte"), "bad \xef\xbf\xbd byte");
}

TEST(NamesTest, TheSameNameHasTheSameNumber) {
  Names names(true, false);
  EXPECT_EQ(names.kernel("secret_b"), "kernel0");
  EXPECT_EQ(names.kernel("secret_a"), "kernel1");
  EXPECT_EQ(names.kernel("secret_b"), "kernel0");
  EXPECT_EQ(names.function("secret_b"), "function0");
  EXPECT_EQ(names.id("3f2a91c07b1e"), "000000000001");
  EXPECT_EQ(names.id("3f2a91c07b1e"), "000000000001");
  EXPECT_EQ(names.hash("abc"), "");
}

TEST(NamesTest, KindsOfKnownDialectsAndLineNumbersAreStructure) {
  Names names(true, false);
  EXPECT_EQ(names.opKind("linalg.matmul"), "linalg.matmul");
  EXPECT_EQ(names.opKind("acme.secret"), "xxxx.xxxxxx");
  EXPECT_EQ(names.position("/home/me/secret.mlir:31:5"), "file0:31:5");
  EXPECT_EQ(names.position("C:/secret.mlir:31:5"), "file1:31:5");
}

TEST(NamesTest, PathsKeepTheirPlaceOnly) {
  Names names(true, false);
  names.addKernel("secret");
  EXPECT_EQ(names.path("kernels/secret/kernel.ll"), "kernels/kernel0/kernel.ll");
  EXPECT_EQ(names.path("passes_dump/0042_cse@secret.mlir"), "passes_dump/0042_cse@kernel0.mlir");
  EXPECT_EQ(names.path("passes_dump/0042_cse@secret.body.mlir").find("secret"), std::string::npos);
  EXPECT_EQ(names.path("host/tasks.json"), "host/tasks.json");
  EXPECT_EQ(names.path("my/secret.txt").find("secret"), std::string::npos);
}
