//===- Table.h - columns of text ---------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: rows whose columns line up.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_REPORT_TABLE_H
#define MICA_LIB_REPORT_TABLE_H

#include <string>
#include <vector>

namespace mica::report {

/// Rows of cells; a column whose cells (the head apart) are all numbers is right-aligned.
class Table {
public:
  explicit Table(std::vector<std::string> head) : rows{std::move(head)} {}
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  /// A line that belongs to the row before and spans the columns.
  void addLine(std::string line) { rows.push_back({"\n" + std::move(line)}); }
  /// Each line indented by two spaces, no trailing spaces.
  std::string text() const;

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace mica::report

#endif // MICA_LIB_REPORT_TABLE_H
