//===- UndefinedRow.h - programs with undefined behavior, and their twins ----------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A row is a program with undefined behavior, what is said of it, and a twin that differs as little as possible and
// has none. docs/UndefinedBehavior.md names every row.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_REFERENCE_UNDEFINEDROW_H
#define MICA_TEST_UNIT_REFERENCE_UNDEFINEDROW_H

#include <string>
#include <vector>

namespace mica::reference {

struct Row {
  std::string name;
  std::string undefined; ///< the body of a function, or a module with a function f
  std::string said;
  std::string clean;
};

/// A row whose programs differ in what stands for each "@@".
inline Row twins(const std::string &name, const std::string &text, const std::string &undefined,
                 const std::string &clean, const std::string &said) {
  auto with = [&](const std::string &part) {
    std::string result = text;
    for (size_t at = result.find("@@"); at != std::string::npos; at = result.find("@@", at + part.size()))
      result.replace(at, 2, part);
    return result;
  };
  return {name, with(undefined), said, with(clean)};
}

/// Indices and a number that most rows use.
inline const std::string kNumbers = R"(%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c4 = arith.constant 4 : index
%v = arith.constant 7 : i64
)";
/// A buffer of four numbers.
inline const std::string kBuffer = R"(%m = memref.alloc() : memref<4xi64>
linalg.fill ins(%v : i64) outs(%m : memref<4xi64>)
)";
/// A buffer of four floats.
inline const std::string kFloats = R"(%m = memref.alloc() : memref<4xf32>
%z = arith.constant 1.0 : f32
linalg.fill ins(%z : f32) outs(%m : memref<4xf32>)
)";

std::vector<Row> valueRows();   ///< poison, divisions, uninitialized elements
std::vector<Row> rangeRows();   ///< indices, slices, lanes and shapes
std::vector<Row> memoryRows();  ///< lifetimes, promises, parallel loops
std::vector<Row> loweredRows(); ///< the LLVM dialect

} // namespace mica::reference

#endif // MICA_TEST_UNIT_REFERENCE_UNDEFINEDROW_H
