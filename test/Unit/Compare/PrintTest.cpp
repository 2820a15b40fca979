//===- PrintTest.cpp - printing tensors --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Expected texts are what NumPy prints for the same array.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/Print.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace mica;

namespace {

HostTensor tensor(DType type, std::vector<int64_t> shape, const std::vector<double> &values) {
  HostTensor result(type, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i)
    result.setDouble(static_cast<int64_t>(i), values[i]);
  return result;
}

HostTensor range(DType type, std::vector<int64_t> shape) {
  HostTensor result(type, std::move(shape));
  for (int64_t i = 0; i < result.numElements(); ++i)
    result.setInt(i, i);
  return result;
}

std::string row(DType type, const std::vector<double> &values) {
  return formatTensor(tensor(type, {static_cast<int64_t>(values.size())}, values));
}

const double kNaN = std::nan(""), kInf = std::numeric_limits<double>::infinity();

TEST(PrintTest, Floats) {
  EXPECT_EQ(row(DType::F64, {1, 2.5, 3}), "[1.  2.5 3. ]");
  EXPECT_EQ(row(DType::F32, {0.1, 0.2}), "[0.1 0.2]");
  EXPECT_EQ(row(DType::F64, {1.0 / 3, 2.0 / 3}), "[0.33333333 0.66666667]");
  EXPECT_EQ(row(DType::F32, {1.0 / 3, 2.0 / 3}), "[0.33333334 0.6666667 ]");
  EXPECT_EQ(row(DType::F64, {-1.5, 2, 300}), "[ -1.5   2.  300. ]");
  EXPECT_EQ(row(DType::F64, {0, -0.0}), "[ 0. -0.]");
  EXPECT_EQ(row(DType::F16, {0.1, 65504}), "[1.00e-01 6.55e+04]");
  EXPECT_EQ(row(DType::BF16, {0.1, 3}), "[0.1 3. ]");
}

/// As numpy.array2string prints the same.
TEST(PrintTest, ComplexNumbers) {
  const auto row = [](DType type, std::vector<double> parts) {
    const auto count = static_cast<int64_t>(parts.size());
    return formatTensor(fromParts(tensor(partOf(type), {count / 2, 2}, parts)));
  };
  EXPECT_EQ(row(DType::C128, {1, 2, 3.5, -1}), "[1. +2.j 3.5-1.j]");
  EXPECT_EQ(row(DType::C64, {1, 1, 2, 10}), "[1. +1.j 2.+10.j]");
  EXPECT_EQ(row(DType::C64, {0.1, -0.0, -0.25, 1.0 / 3}), "[ 0.1 -0.j         -0.25+0.33333334j]");
  EXPECT_EQ(row(DType::C64, {1e10, 1e-6, 1, 2}), "[1.e+10+1.e-06j 1.e+00+2.e+00j]");
  EXPECT_EQ(row(DType::C128, {kNaN, kInf, 1, -2}), "[nan+infj  1. -2.j]");
  HostTensor one(DType::C64, {});
  one.as<float>()[0] = 0.5f;
  one.as<float>()[1] = -2;
  EXPECT_EQ(formatTensor(one), "0.5-2.0j");
}

TEST(PrintTest, Exponents) {
  EXPECT_EQ(row(DType::F64, {1e-5, 1}), "[1.e-05 1.e+00]");
  EXPECT_EQ(row(DType::F64, {1e-5, 1.5}), "[1.0e-05 1.5e+00]");
  EXPECT_EQ(row(DType::F64, {1e10}), "[1.e+10]");
  EXPECT_EQ(row(DType::F64, {123456789}), "[1.23456789e+08]");
  EXPECT_EQ(row(DType::F64, {99999999}), "[99999999.]");
  EXPECT_EQ(row(DType::F64, {1e100, 1e-5, -2}), "[ 1.e+100  1.e-005 -2.e+000]");
  EXPECT_EQ(row(DType::F64, {1, 1001}), "[1.000e+00 1.001e+03]");
  EXPECT_EQ(row(DType::F64, {1, 1000}), "[   1. 1000.]");
}

TEST(PrintTest, NonFinite) {
  EXPECT_EQ(row(DType::F64, {1, kNaN, -kInf}), "[  1.  nan -inf]");
  EXPECT_EQ(row(DType::F64, {1, kNaN, kInf}), "[ 1. nan inf]");
  EXPECT_EQ(row(DType::F32, {kNaN}), "[nan]");
  EXPECT_EQ(row(DType::F64, {1e-5, kNaN}), "[1.e-05    nan]");
}

TEST(PrintTest, IntegersAndBooleans) {
  EXPECT_EQ(formatTensor(range(DType::I32, {3, 4})), "[[ 0  1  2  3]\n [ 4  5  6  7]\n [ 8  9 10 11]]");
  EXPECT_EQ(row(DType::I8, {-100, 5}), "[-100    5]");
  EXPECT_EQ(row(DType::I1, {1, 0}), "[ True False]");
  EXPECT_EQ(row(DType::I1, {1}), "[ True]");
  HostTensor big(DType::UI64, {1});
  big.setInt(0, -1);
  EXPECT_EQ(formatTensor(big), "[18446744073709551615]");
}

TEST(PrintTest, Nesting) {
  EXPECT_EQ(formatTensor(HostTensor(DType::F32, {2, 2, 2})), "[[[0. 0.]\n  [0. 0.]]\n\n [[0. 0.]\n  [0. 0.]]]");
  EXPECT_EQ(formatTensor(HostTensor(DType::F32, {0, 3})), "[]");
  EXPECT_EQ(formatTensor(tensor(DType::F32, {}, {0.5})), "0.5");
  EXPECT_EQ(formatTensor(tensor(DType::I1, {}, {1})), "True");
}

TEST(PrintTest, LongRowsWrap) {
  EXPECT_EQ(formatTensor(range(DType::F64, {30})),
            "[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n"
            " 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29.]");
}

TEST(PrintTest, LargeOnesAreSummarised) {
  EXPECT_EQ(formatTensor(range(DType::I64, {1001})), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(formatTensor(range(DType::I64, {40, 50})), "[[   0    1    2 ...   47   48   49]\n"
                                                       " [  50   51   52 ...   97   98   99]\n"
                                                       " [ 100  101  102 ...  147  148  149]\n"
                                                       " ...\n"
                                                       " [1850 1851 1852 ... 1897 1898 1899]\n"
                                                       " [1900 1901 1902 ... 1947 1948 1949]\n"
                                                       " [1950 1951 1952 ... 1997 1998 1999]]");
  // The form is chosen over what is shown: the 1e9 is not.
  HostTensor tensor(DType::F64, {2000});
  tensor.setDouble(1000, 1e9);
  EXPECT_EQ(formatTensor(tensor), "[0. 0. 0. ... 0. 0. 0.]");
}

TEST(PrintTest, Elements) {
  EXPECT_EQ(formatElement(tensor(DType::F32, {1}, {0.1}), 0), "0.1");
  EXPECT_EQ(formatElement(tensor(DType::F64, {1}, {0.1f}), 0), "0.10000000149011612");
  EXPECT_EQ(formatElement(tensor(DType::F64, {1}, {1e-5}), 0), "1e-05");
  EXPECT_EQ(formatElement(tensor(DType::F64, {1}, {1e16}), 0), "1e+16");
  EXPECT_EQ(formatElement(tensor(DType::F64, {1}, {1e15}), 0), "1000000000000000.0");
  EXPECT_EQ(formatElement(tensor(DType::F64, {1}, {-1.5e-7}), 0), "-1.5e-07");
  EXPECT_EQ(formatElement(tensor(DType::F16, {1}, {0.1}), 0), "0.1");
  EXPECT_EQ(formatElement(tensor(DType::F8E4M3FN, {1}, {448}), 0), "448.0");
  EXPECT_EQ(formatElement(tensor(DType::F64, {1}, {-kInf}), 0), "-inf");
}

} // namespace
