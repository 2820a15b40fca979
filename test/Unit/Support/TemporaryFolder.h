//===- TemporaryFolder.h - a folder for one test -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Made under the system's temporary folder, removed at the end.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_SUPPORT_TEMPORARYFOLDER_H
#define MICA_TEST_UNIT_SUPPORT_TEMPORARYFOLDER_H

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace mica {

class TemporaryFolder {
public:
  TemporaryFolder() {
    // A space in the name: every test also tests that.
    std::string name = (std::filesystem::temp_directory_path() / "mica test-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  const std::filesystem::path &path() const { return folder; }
  std::filesystem::path operator/(const std::string &name) const { return folder / name; }

private:
  std::filesystem::path folder;
};

/// Runs `body` as a user who may write nowhere but where all may. Root can write to every folder, so permission tests
/// need it.
template <typename Body> void asNobody(Body body) {
  const bool root = ::geteuid() == 0;
  EXPECT_EQ(root ? ::seteuid(65534) : 0, 0);
  body();
  EXPECT_EQ(root ? ::seteuid(0) : 0, 0);
}

} // namespace mica

#endif // MICA_TEST_UNIT_SUPPORT_TEMPORARYFOLDER_H
