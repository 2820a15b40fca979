//===- Table.cpp - columns of text -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Report/Table.h"

#include <algorithm>

namespace mica::report {
namespace {

bool isNumber(const std::string &cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.,-% ") == std::string::npos;
}

} // namespace

std::string Table::text() const {
  std::vector<size_t> width;
  std::vector<bool> numeric;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].size() == 1 && rows[r][0].starts_with("\n"))
      continue;
    width.resize(std::max(width.size(), rows[r].size()), 0);
    numeric.resize(width.size(), true);
    for (size_t c = 0; c < rows[r].size(); ++c) {
      width[c] = std::max(width[c], rows[r][c].size());
      if (r > 0 && !rows[r][c].empty() && !isNumber(rows[r][c]))
        numeric[c] = false;
    }
  }
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    std::string line = "  ";
    if (row.size() == 1 && row[0].starts_with("\n")) {
      line += row[0].substr(1);
    } else {
      for (size_t c = 0; c < row.size(); ++c) {
        const std::string padding(width[c] - row[c].size(), ' ');
        line += (c ? "  " : "") + (numeric[c] ? padding + row[c] : row[c] + padding);
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace mica::report
