//===- NamedInputsTest.cpp - arguments by name ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// What binds, what is said about it, and what is refused.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/NamedInputs.h"

#include <gtest/gtest.h>

#include <deque>

using namespace mica;

namespace {

class NamedInputsTest : public testing::Test {
protected:
  /// An archive of f32 scalars with these names.
  std::shared_ptr<const TensorArchive> archive(const std::string &file, const std::vector<std::string> &names) {
    const HostTensor scalar(DType::F32, {});
    std::vector<NamedTensor> tensors;
    for (const std::string &name : names)
      tensors.push_back({name, &scalar});
    texts.push_back(*printTensorArchive(ArchiveForm::Npz, tensors));
    return *TensorArchive::parse(texts.back(), ArchiveForm::Npz, file);
  }

  const artifact::EntryRecord entry{
      "forward", {{"x", DType::F32, {}}, {"", DType::F32, {}}, {"bias", DType::F32, {}}}, {}};
  std::deque<std::string> texts;
};

TEST_F(NamedInputsTest, ByNameThenByPosition) {
  Result<NamedInputs> inputs = bindByName({archive("w.npz", {"arr_2", "arg1", "x", "arg0", "step"})}, entry, {});
  ASSERT_TRUE(inputs.isOk()) << inputs.error().message;
  EXPECT_EQ(inputs->arguments[0]->tensor, "x");
  EXPECT_EQ(inputs->arguments[1]->tensor, "arg1");
  EXPECT_EQ(inputs->arguments[2]->tensor, "arr_2");
  EXPECT_EQ(inputs->notes, (std::vector<std::string>{"w.npz: 3 of 3 arguments: input 0 is x, input 1 is arg1, "
                                                     "input 2 is arr_2; not used: arg0, step"}));
}

TEST_F(NamedInputsTest, AnInputOfItsOwnComesFirst) {
  Result<NamedInputs> inputs = bindByName({archive("w.npz", {"x", "bias"})}, entry, {true, false});
  ASSERT_TRUE(inputs.isOk());
  EXPECT_FALSE(inputs->arguments[0]);
  EXPECT_FALSE(inputs->arguments[1]);
  EXPECT_EQ(inputs->notes[0], "w.npz: 1 of 3 arguments: input 2 is bias; not used: x");
}

TEST_F(NamedInputsTest, SeveralFiles) {
  EXPECT_TRUE(bindByName({archive("a.npz", {"x"}), archive("b.npz", {"bias"})}, entry, {}).isOk());
  EXPECT_EQ(bindByName({archive("a.npz", {"x"}), archive("b.npz", {"x"})}, entry, {}).error().message,
            "input 0 (x) is in two files: 'x' of a.npz and of b.npz");
}

TEST_F(NamedInputsTest, NothingBoundIsAnError) {
  const Error error = bindByName({archive("w.npz", {"y", "z"})}, entry, {}).error();
  EXPECT_EQ(error.message, "w.npz: none of its tensors is an argument of 'forward'; it has y, z");
  EXPECT_EQ(error.hint, "the names looked for are x, arg1, bias; --input=@w.npz:NAME takes a tensor of another name");
}

} // namespace
