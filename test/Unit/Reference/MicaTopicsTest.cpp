//===- MicaTopicsTest.cpp - windows, images, norms and axes of mica in the reference evaluator ----------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Numbers that can be checked by hand, one test per op and form at least.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "Program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace mica;
using namespace mica::reference;
using Numbers = std::vector<double>;

namespace {

const double kInf = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The value of `op` on %a, %b.. of the given tensors, as a tensor of type `result`.
Numbers eval(const std::string &op, const std::string &result, const std::vector<HostTensor> &args) {
  std::string signature, types;
  for (size_t i = 0; i < args.size(); ++i) {
    signature += (i ? ", %" : "%") + std::string(1, char('a' + i)) + ": tensor<" + args[i].typeString() + ">";
    types += (i ? ", tensor<" : "tensor<") + args[i].typeString() + ">";
  }
  Program program("func.func @f(" + signature + ") -> tensor<" + result + "> {\n  %0 = " + op + " : (" + types +
                  ") -> tensor<" + result + ">\n  return %0 : tensor<" + result + ">\n}");
  std::vector<HostTensor> results = program.run(args);
  EXPECT_EQ(results.size(), 1u) << program.errors();
  return results.empty() ? Numbers() : elements(results[0]);
}

TEST(MicaWindows, GroupsOfAConvolutionDoNotMix) {
  // Two groups of two channels in, one out: 1 * 1 + 2 * 10 and 3 * 100 + 4 * 1000.
  EXPECT_EQ(eval("mica.conv2d %a, %b layout = nhwc_hwcf groups = 2", "1x1x1x2xf32",
                 {tensor("1x1x1x4xf32", {1, 2, 3, 4}), tensor("1x1x2x2xf32", {1, 100, 10, 1000})}),
            (Numbers{21, 4300}));
  EXPECT_EQ(eval("mica.conv2d %a, %b layout = nchw_fchw groups = 2", "1x2x1x1xf32",
                 {tensor("1x4x1x1xf32", {1, 2, 3, 4}), tensor("2x2x1x1xf32", {1, 10, 100, 1000})}),
            (Numbers{21, 4300}));
}

TEST(MicaWindows, Conv1d) {
  EXPECT_EQ(eval("mica.conv1d %a, %b layout = ncw_fcw strides = [2] pads = [1, 0]", "1x1x2xi32",
                 {tensor("1x1x4xi32", {1, 2, 3, 4}), tensor("1x1x2xi32", {1, 10})}),
            (Numbers{10, 32}));
}

TEST(MicaWindows, TransposedConvolutionSpreadsTheFilter) {
  // 1 and 2 with stride 2 and the filter 1 10 100: 1 10 100+2 20 200.
  HostTensor image = tensor("1x1x2x1xf32", {1, 2}), filter = tensor("1x1x3x1xf32", {1, 10, 100});
  EXPECT_EQ(eval("mica.conv2d_transpose %a, %b layout = nhwc_fhwc strides = [1, 2]", "1x1x5x1xf32", {image, filter}),
            (Numbers{1, 10, 102, 20, 200}));
  // One column cut off at the left, one that nothing reaches added at the right.
  EXPECT_EQ(eval("mica.conv2d_transpose %a, %b layout = nhwc_fhwc strides = [1, 2] pads = [0, 0, 1, -1]", "1x1x5x1xf32",
                 {image, filter}),
            (Numbers{10, 102, 20, 200, 0}));
}

TEST(MicaWindows, TransposedConvolutionInGroups) {
  // The filter counts all channels of the image and those of one group of the result.
  EXPECT_EQ(eval("mica.conv2d_transpose %a, %b layout = nchw_cfhw groups = 2", "1x4x1x1xf32",
                 {tensor("1x2x1x1xf32", {1, 2}), tensor("2x2x1x1xf32", {1, 10, 100, 1000})}),
            (Numbers{1, 10, 200, 2000}));
}

TEST(MicaReductions, ProductAndMinimum) {
  HostTensor x = tensor("2x3xi8", {2, -3, 5, 100, 2, 2});
  // 400 wraps around to -112.
  EXPECT_EQ(eval("mica.reduce prod %a dims = [1]", "2xi8", {x}), (Numbers{-30, -112}));
  EXPECT_EQ(eval("mica.reduce min %a dims = [0]", "3xi8", {x}), (Numbers{2, -3, 2}));
  EXPECT_EQ(eval("mica.reduce min %a dims = [0]", "2xi1", {tensor("2x2xi1", {1, 1, 0, 1})}), (Numbers{0, 1}));
  // Of no element.
  HostTensor none = tensor("1x0xf32", {});
  EXPECT_EQ(eval("mica.reduce prod %a dims = [1]", "1xf32", {none}), (Numbers{1}));
  EXPECT_EQ(eval("mica.reduce min %a dims = [1]", "1xf32", {none}), (Numbers{kInf}));
}

TEST(MicaWindows, PoolsRoundUpOnRequest) {
  HostTensor row = tensor("1x1x1x5xf32", {1, 2, 3, 4, 9});
  EXPECT_EQ(eval("mica.max_pool %a layout = nchw kernel = [1, 2] strides = [1, 2] ceil_mode", "1x1x1x3xf32", {row}),
            (Numbers{2, 4, 9}));
  EXPECT_EQ(eval("mica.avg_pool %a layout = nchw kernel = [1, 2] strides = [1, 2] ceil_mode", "1x1x1x3xf32", {row}),
            (Numbers{1.5, 3.5, 9}));
  // With the padding counted, what lies behind it still is not.
  EXPECT_EQ(eval("mica.avg_pool %a layout = nchw kernel = [1, 3] strides = [1, 3] pads = [0, 0, 1, 1] ceil_mode "
                 "count_include_pad",
                 "1x1x1x3xf32", {tensor("1x1x1x6xf32", {3, 3, 3, 3, 3, 8})}),
            (Numbers{2, 3, 4}));
}

TEST(MicaWindows, PoolsDilate) {
  EXPECT_EQ(eval("mica.max_pool %a layout = nchw kernel = [1, 2] dilations = [1, 3]", "1x1x1x2xf32",
                 {tensor("1x1x1x5xf32", {1, 9, 9, 2, 3})}),
            (Numbers{2, 9}));
}

TEST(MicaImages, Pad) {
  HostTensor row = tensor("3xi32", {1, 2, 3});
  EXPECT_EQ(eval("mica.pad %a low = [2] high = [1] mode = constant value = 7 : i32", "6xi32", {row}),
            (Numbers{7, 7, 1, 2, 3, 7}));
  EXPECT_EQ(eval("mica.pad %a low = [2] high = [2] mode = edge", "7xi32", {row}), (Numbers{1, 1, 1, 2, 3, 3, 3}));
  EXPECT_EQ(eval("mica.pad %a low = [2] high = [2] mode = reflect", "7xi32", {row}), (Numbers{3, 2, 1, 2, 3, 2, 1}));
  EXPECT_EQ(eval("mica.pad %a low = [2] high = [2] mode = wrap", "7xi32", {row}), (Numbers{2, 3, 1, 2, 3, 1, 2}));
}

TEST(MicaImages, ResizeNearest) {
  std::string op = "mica.resize %a layout = nchw mode = nearest coordinates = ";
  HostTensor two = tensor("1x1x1x2xf32", {1, 2}), four = tensor("1x1x1x4xf32", {1, 2, 3, 4});
  EXPECT_EQ(eval(op + "half_pixel", "1x1x1x4xf32", {two}), (Numbers{1, 1, 2, 2}));
  EXPECT_EQ(eval(op + "asymmetric rounding = floor", "1x1x1x3xf32", {four}), (Numbers{1, 2, 3}));
  // The coordinates of the middle of four are 0.5 and 2.5.
  EXPECT_EQ(eval(op + "half_pixel rounding = prefer_floor", "1x1x1x2xf32", {four}), (Numbers{1, 3}));
  EXPECT_EQ(eval(op + "half_pixel rounding = prefer_ceil", "1x1x1x2xf32", {four}), (Numbers{2, 4}));
  EXPECT_EQ(eval(op + "align_corners rounding = ceil", "1x1x1x3xf32", {four}), (Numbers{1, 3, 4}));
}

TEST(MicaImages, ResizeBilinear) {
  std::string op = "mica.resize %a layout = nhwc mode = bilinear coordinates = ";
  HostTensor two = tensor("1x1x2x1xf32", {0, 8});
  EXPECT_EQ(eval(op + "half_pixel", "1x1x4x1xf32", {two}), (Numbers{0, 2, 6, 8}));
  EXPECT_EQ(eval(op + "asymmetric", "1x1x4x1xf32", {two}), (Numbers{0, 4, 8, 8}));
  EXPECT_EQ(eval(op + "align_corners", "1x1x5x1xf32", {two}), (Numbers{0, 2, 4, 6, 8}));
}

TEST(MicaNorms, RmsNorm) {
  EXPECT_EQ(eval("mica.rms_norm %a scale %b axis = 1 epsilon = 0.0", "1x2xf64",
                 {tensor("1x2xf64", {1, 7}), tensor("2xf64", {5, 10})}),
            (Numbers{1, 14})); // sqrt((1 + 49) / 2) = 5
}

TEST(MicaNorms, BatchNorm) {
  EXPECT_EQ(eval("mica.batch_norm %a mean %b variance %c scale %d bias %e axis = 1 epsilon = 0.0", "1x2x2xf64",
                 {tensor("1x2x2xf64", {1, 3, 10, 30}), tensor("2xf64", {1, 10}), tensor("2xf64", {4, 100}),
                  tensor("2xf64", {2, 1}), tensor("2xf64", {0, 5})}),
            (Numbers{0, 2, 5, 7}));
}

TEST(MicaNorms, GroupNorm) {
  // Groups {1, 3} and {10, 30} of four channels.
  EXPECT_EQ(eval("mica.group_norm %a scale %b groups = 2 axis = 1 epsilon = 0.0", "1x4xf64",
                 {tensor("1x4xf64", {1, 3, 10, 30}), tensor("4xf64", {1, 2, 3, 4})}),
            (Numbers{-1, 2, -3, 4}));
}

TEST(MicaAxes, TheFirstOfEqualExtremesCounts) {
  EXPECT_EQ(eval("mica.argmax %a axis = 1", "2xi64", {tensor("2x3xf32", {1, 5, 5, -kInf, -kInf, -kInf})}),
            (Numbers{1, 0}));
  EXPECT_EQ(eval("mica.argmin %a axis = 0 keep_dims", "1x2xi32", {tensor("2x2xi32", {4, 1, 3, 1})}), (Numbers{1, 0}));
}

TEST(MicaAxes, TheFirstNanIsTheExtreme) {
  EXPECT_EQ(eval("mica.argmax %a axis = 0", "i64", {tensor("4xf32", {kInf, kNaN, 1, kNaN})}), (Numbers{1}));
  EXPECT_EQ(eval("mica.argmin %a axis = 0", "i64", {tensor("4xf32", {-kInf, 0, kNaN, kNaN})}), (Numbers{2}));
}

TEST(MicaAxes, CumSum) {
  auto sums = [](const std::string &flags) {
    Program program("func.func @f(%a: tensor<3xi8>) -> tensor<3xi8> {\n  %0 = mica.cumsum %a axis = 0" + flags +
                    " : tensor<3xi8>\n  return %0 : tensor<3xi8>\n}");
    return elements(program.run({tensor("3xi8", {100, 20, 30})})[0]);
  };
  EXPECT_EQ(sums(""), (Numbers{100, 120, -106}));
  EXPECT_EQ(sums(" exclusive"), (Numbers{0, 100, 120}));
  EXPECT_EQ(sums(" reverse"), (Numbers{-106, 50, 30}));
  EXPECT_EQ(sums(" exclusive reverse"), (Numbers{50, 30, 0}));
}

} // namespace
