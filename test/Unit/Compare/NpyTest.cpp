//===- NpyTest.cpp - .npy files ----------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Files as numpy.save writes them (headers copied from it), every type, both orders, and damage of each kind.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Unit/Support/TemporaryFolder.h"

#include "mica/Compare/Npy.h"
#include "mica/Support/Files.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace mica;

namespace {

/// A version 1 file with this dictionary and this data.
std::string file(const std::string &dictionary, const std::string &data, char major = 1) {
  std::string text("\x93NUMPY", 6);
  text += major;
  text += '\0';
  text += static_cast<char>(dictionary.size() & 0xff);
  text += static_cast<char>(dictionary.size() >> 8);
  if (major > 1)
    text += std::string(2, '\0');
  return text + dictionary + data;
}

std::string dictionary(const std::string &descr, const std::string &shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
         ", }\n";
}

std::string errorOf(const std::string &contents, std::optional<DType> expected = {}) {
  Result<HostTensor> tensor = parseNpy(contents, "x.npy", expected);
  return tensor ? "" : tensor.error().message;
}

template <typename T> std::string bytes(std::initializer_list<T> values) {
  std::string text;
  for (T value : values)
    text.append(reinterpret_cast<const char *>(&value), sizeof(T));
  return text;
}

TEST(NpyTest, EveryTypeRoundTrips) {
  TemporaryFolder folder;
  for (int i = 0; i <= static_cast<int>(DType::Index); ++i) {
    const DType type = static_cast<DType>(i);
    HostTensor tensor(type, {2, 3});
    for (int64_t at = 0; at < 6; ++at)
      tensor.setDouble(at, type == DType::I1 ? at % 2 : static_cast<double>(at) - (isFloat(type) ? 2.5 : 0));
    ASSERT_TRUE(writeNpy(folder / "t.npy", tensor).isOk());
    Result<HostTensor> read = readNpy(folder / "t.npy", type);
    ASSERT_TRUE(read.isOk()) << read.error().message;
    EXPECT_EQ(read->dtype, type);
    EXPECT_EQ(read->shape, tensor.shape);
    EXPECT_EQ(read->data, tensor.data);
  }
}

TEST(NpyTest, WritesWhatNumpyWrites) {
  const std::string header = npyHeader(HostTensor(DType::F32, {3}));
  EXPECT_EQ(header.size(), 128u);
  EXPECT_EQ(header.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(header.substr(10, 57), "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }");
  EXPECT_EQ(header.back(), '\n');
  EXPECT_NE(npyHeader(HostTensor(DType::F32, {})).find("'shape': (), }"), std::string::npos);
  EXPECT_NE(npyHeader(HostTensor(DType::BF16, {1, 2})).find("'<V2', 'fortran_order': False, 'shape': (1, 2), }"),
            std::string::npos);
  HostTensor manyDimensions(DType::I8, std::vector<int64_t>(30000, 1));
  const std::string longHeader = npyHeader(manyDimensions);
  EXPECT_EQ(longHeader[6], 2);
  EXPECT_EQ(longHeader.size() % 64, 0u);
  EXPECT_EQ(parseNpy(longHeader + "a", "x")->shape.size(), 30000u);
}

TEST(NpyTest, Versions2And3) {
  for (char version : {2, 3}) {
    Result<HostTensor> tensor = parseNpy(file(dictionary("<i2", "(2,)"), bytes<int16_t>({5, -6}), version), "x");
    ASSERT_TRUE(tensor.isOk());
    EXPECT_EQ(tensor->asInt(1), -6);
  }
  EXPECT_EQ(errorOf(file(dictionary("<i2", "()"), "ab", 4)), "x.npy: .npy version 4.0, versions 1 to 3 are known");
}

TEST(NpyTest, FortranOrderIsReordered) {
  // numpy.save of numpy.asfortranarray([[0, 1, 2], [3, 4, 5]])
  Result<HostTensor> tensor =
      parseNpy(file(dictionary("<i4", "(2, 3)", true), bytes<int32_t>({0, 3, 1, 4, 2, 5})), "x");
  ASSERT_TRUE(tensor.isOk());
  for (int64_t i = 0; i < 6; ++i)
    EXPECT_EQ(tensor->asInt(i), i);
  HostTensor cube(DType::I8, {2, 3, 4});
  std::string data;
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i)
        data += static_cast<char>(i * 12 + j * 4 + k);
  tensor = parseNpy(file(dictionary("|i1", "(2, 3, 4)", true), data), "x");
  for (int64_t i = 0; i < 24; ++i)
    EXPECT_EQ(tensor->asInt(i), i);
  EXPECT_TRUE(parseNpy(file(dictionary("<f4", "(0, 3)", true), ""), "x").isOk());
}

TEST(NpyTest, BigEndianIsSwapped) {
  Result<HostTensor> tensor = parseNpy(file(dictionary(">f4", "()"), std::string("\x3f\xc0\x00\x00", 4)), "x");
  ASSERT_TRUE(tensor.isOk());
  EXPECT_EQ(tensor->asDouble(0), 1.5);
}

TEST(NpyTest, AViewIsGivenWhereNoByteChanges) {
  const std::string plain = file(dictionary("<f4", "(2,)"), "12345678");
  Result<std::optional<MappedTensor>> view = viewNpy(plain, "x");
  ASSERT_TRUE(view.isOk() && *view);
  EXPECT_EQ((*view)->data.data(), plain.data() + plain.size() - 8);
  EXPECT_EQ((*view)->shape, (std::vector<int64_t>{2}));
  EXPECT_TRUE(*viewNpy(file(dictionary("<f4", "(2,)", true), "12345678"), "x")); // one dimension has one order
  EXPECT_TRUE(*viewNpy(file(dictionary(">i1", "(2,)"), "12"), "x"));             // one byte has one order
  for (const std::string &changed :
       {file(dictionary(">f4", "()"), "1234"), file(dictionary("<i2", "(1, 2)", true), "1234"),
        file(dictionary("|b1", "(2,)"), "12")})
    EXPECT_FALSE(*viewNpy(changed, "x"));
  EXPECT_FALSE(viewNpy(plain + "9", "x").isOk());
}

TEST(NpyTest, BooleansAreZeroOrOne) {
  Result<HostTensor> tensor = parseNpy(file(dictionary("|b1", "(3,)"), std::string("\0\1\7", 3)), "x");
  EXPECT_EQ(tensor->data, (std::vector<uint8_t>{0, 1, 1}));
}

TEST(NpyTest, ExpectedTypeChoosesAmongEqualDescrs) {
  EXPECT_EQ(parseNpy(file(dictionary("|V1", "()"), "a"), "x", DType::F8E5M2)->dtype, DType::F8E5M2);
  EXPECT_EQ(parseNpy(file(dictionary("<V2", "()"), "ab"), "x", DType::F32)->dtype, DType::BF16);
  EXPECT_EQ(parseNpy(file(dictionary("<i8", "()"), "abcdefgh"), "x", DType::Index)->dtype, DType::Index);
  EXPECT_EQ(parseNpy(file(dictionary("<i4", "()"), "abcd"), "x", DType::Index)->dtype, DType::I32);
  EXPECT_EQ(parseNpy(file(dictionary("|u1", "()"), "a"), "x", DType::F8E4M3FN)->dtype, DType::F8E4M3FN);
  EXPECT_EQ(parseNpy(file(dictionary("<u2", "()"), "ab"), "x", DType::BF16)->dtype, DType::BF16);
  EXPECT_EQ(parseNpy(file(dictionary("|u1", "()"), "a"), "x", DType::F32)->dtype, DType::UI8);
  EXPECT_EQ(errorOf(file(dictionary("|V1", "()"), "a")),
            "x.npy: elements are raw bytes ('|V1'), which may be f8E4M3FN, f8E5M2 or i4");
  EXPECT_EQ(parseNpy(file(dictionary("|V1", "()"), "\x07"), "x", DType::I4)->asInt(0), 7);
  EXPECT_EQ(parseNpy(file(dictionary("<f1", "()"), "a"), "x", DType::F32)->dtype, DType::F8E5M2);
  EXPECT_EQ(errorOf(file(dictionary("|i1", "()"), "\x08"), DType::I4), "x.npy: element 0 is 8, an i4 is -8 to 7");
}

TEST(NpyTest, DamageIsNamed) {
  EXPECT_EQ(errorOf(""), "x.npy: not an .npy file (it does not begin with \\x93NUMPY)");
  EXPECT_EQ(errorOf("PK\x03\x04 and so on"), "x.npy: not an .npy file (it does not begin with \\x93NUMPY)");
  EXPECT_NE(parseNpy("PK\x03\x04", "x").error().hint.find(".npz"), std::string::npos);
  const std::string whole = file(dictionary("<f4", "(2, 2)"), std::string(16, 'x'));
  EXPECT_EQ(errorOf(whole), "");
  for (size_t n = 0; n < whole.size(); ++n)
    EXPECT_NE(errorOf(whole.substr(0, n)), "") << n;
  EXPECT_EQ(errorOf(whole.substr(0, 8)), "x.npy: cut off in the header: 8 bytes");
  EXPECT_EQ(errorOf(whole.substr(0, 30)), "x.npy: cut off in the header: 30 bytes, the header ends at 70");
  EXPECT_EQ(errorOf(whole.substr(0, whole.size() - 1)), "x.npy: too short: 15 bytes of data, 2x2xf32 takes 16");
  EXPECT_EQ(errorOf(whole + "abc"), "x.npy: 3 bytes follow the data of 2x2xf32");
  EXPECT_EQ(errorOf(file("{'descr': '<f4', 'shape': (1,)}", "abcd")),
            "x.npy: the header is not a dictionary of descr, fortran_order and shape");
  for (const char *shape : {"(-1,)", "(2,", "2", "(a,)", "(99999999999999999999,)", "None"})
    EXPECT_NE(errorOf(file(dictionary("<f4", shape), "abcd")), "") << shape;
  EXPECT_EQ(errorOf(file(dictionary("<f4", "(4611686018427387904, 4)"), "")), "x.npy: a shape of more than 2^63 bytes");
}

TEST(NpyTest, ForeignTypesAreNamed) {
  EXPECT_EQ(errorOf(file(dictionary("|O", "()"), "a")),
            "x.npy: element type '|O' (Python objects) has no counterpart in Mica");
  EXPECT_EQ(errorOf(file(dictionary("<c32", "()"), "a")), "x.npy: element type '<c32' has no counterpart in Mica");
  EXPECT_EQ(
      errorOf(file("{'descr': [('a', '<f4'), ('b]', '<i4')], 'fortran_order': False, 'shape': (1,), }", "12345678")),
      "x.npy: element type a structured type has no counterpart in Mica");
}

} // namespace
