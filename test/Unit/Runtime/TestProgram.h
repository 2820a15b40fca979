//===- TestProgram.h - artifacts around the hand-written program -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Describes Inputs/TestKernels.c to a manifest, and helps to write task lists by hand.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_TEST_UNIT_RUNTIME_TESTPROGRAM_H
#define MICA_TEST_UNIT_RUNTIME_TESTPROGRAM_H

#include "mica/Artifact/Manifest.h"
#include "mica/Runtime/Context.h"
#include "mica/Support/Files.h"
#include "test/Unit/Support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace mica::runtime {

using artifact::Access;
using artifact::BufferKind;
using artifact::BufferRecord;
using artifact::KernelRecord;
using artifact::Manifest;
using artifact::TaskList;
using artifact::TaskRecord;
using artifact::TensorSpec;

inline TensorSpec vectorSpec(int64_t size = -1) { return {"", DType::I64, {size}}; }

inline KernelRecord kernelRecord(std::string name, std::vector<std::pair<int64_t, Access>> bindings, int64_t scalarArgs,
                                 int64_t grid, int64_t scratchBytes = 0) {
  KernelRecord kernel;
  kernel.name = std::move(name);
  kernel.rootKind = "elementwise";
  kernel.opIds = {"aaaaaaaaaaaa", "bbbbbbbbbbbb"};
  kernel.opKinds = {"mica.add", "mica.exp"};
  for (auto [size, access] : bindings)
    kernel.bindings.push_back({vectorSpec(size), access});
  kernel.scalarArgs = scalarArgs;
  kernel.grid = grid;
  kernel.scratchBytes = scratchBytes;
  kernel.hash = "00";
  return kernel;
}

/// All kernels of TestKernels.c and the entry `entry`; two ops, and a site of each kernel.
inline Manifest testManifest(const std::string &entry = "single") {
  // NOLINTNEXTLINE(readability-identifier-naming): as short as the lists of bindings they stand in.
  constexpr Access R = Access::Read, W = Access::Write, RW = Access::ReadWrite;
  Manifest m;
  m.micaVersion = "0.1.0";
  m.inputFile = "model.mlir";
  m.target = "cpu";
  m.triple = "x86_64-pc-linux-gnu";
  m.cpu = "generic";
  m.entries = {{entry, {{"x", DType::I64, {-1}}}, {vectorSpec()}}};
  m.kernels = {kernelRecord("fill", {{-1, W}}, 1, -1),
               kernelRecord("add", {{-1, R}, {-1, R}, {-1, W}}, 0, -1),
               kernelRecord("bias", {{-1, R}, {4, R}, {-1, W}}, 0, -1),
               kernelRecord("cover", {{-1, RW}}, 0, 3),
               kernelRecord("stamp", {{-1, RW}}, 2, 1),
               kernelRecord("fail", {{-1, RW}}, 1, -1),
               kernelRecord("scratch", {{-1, W}}, 0, -1, 1000),
               kernelRecord("where", {{-1, R}, {1, W}}, 0, 1),
               kernelRecord("borrow", {{-1, R}, {-1, W}}, 1, -1),
               kernelRecord("hold", {{-1, RW}}, 1, 1)};
  m.ops = {{"aaaaaaaaaaaa", "mica.add", "forward", 0, "f0", {{"model.mlir", 3, 8}}},
           {"bbbbbbbbbbbb", "mica.exp", "forward", 0, "f1", {{"model.mlir", 4, 8}}}};
  for (const KernelRecord &kernel : m.kernels)
    m.sites.push_back({kernel.name, {"aaaaaaaaaaaa", "bbbbbbbbbbbb"}});
  return m;
}

/// The site of `kernel` in testManifest().
inline int64_t siteOf(const std::string &kernel) {
  const Manifest m = testManifest();
  for (size_t i = 0; i < m.sites.size(); ++i)
    if (m.sites[i].kernel == kernel)
      return int64_t(i);
  return -1;
}

inline BufferRecord parameter(int64_t index) { return {BufferKind::Parameter, index, 0, -1, -1, vectorSpec()}; }
inline BufferRecord arena(int64_t offset, int64_t bytes) {
  return {BufferKind::Arena, 0, offset, bytes, -1, vectorSpec(bytes / 8)};
}
inline BufferRecord dynamic(int64_t sizeScalar) { return {BufferKind::Dynamic, 0, 0, -1, sizeScalar, vectorSpec()}; }
inline BufferRecord constant(int64_t index, int64_t offset, int64_t bytes) {
  return {BufferKind::Constant, index, offset, bytes, -1, vectorSpec(bytes / 8)};
}
inline TaskRecord task(const std::string &kernel, std::vector<int64_t> buffers, std::vector<int64_t> scalars,
                       std::vector<int64_t> deps = {}) {
  return {kernel, std::move(buffers), std::move(scalars), std::move(deps), siteOf(kernel), "cpu:0"};
}

/// A list with parameters (x, out). Its scalar 0 is n, scalar i > 0 is the number i.
inline TaskList taskList(std::vector<BufferRecord> buffers, std::vector<TaskRecord> tasks, int64_t arenaBytes = 0,
                         const std::string &name = "list_0") {
  return {name, 2, 512, arenaBytes, std::move(buffers), std::move(tasks)};
}

/// testManifest() and the kernel that takes a temporary of x[0] by x[1] floats; a list that runs it.
inline Manifest hogManifest() {
  Manifest manifest = testManifest();
  manifest.kernels.push_back(kernelRecord("hog", {{-1, Access::Read}, {-1, Access::Write}}, 0, 1));
  manifest.sites.push_back({"hog", {"bbbbbbbbbbbb", "aaaaaaaaaaaa"}});
  return manifest;
}

inline std::vector<TaskList> hogList() {
  TaskRecord task{"hog", {0, 1}, {0, 0}, {}, int64_t(hogManifest().sites.size()) - 1, "cpu:0"};
  return {taskList({parameter(0), parameter(1)}, {task})};
}

/// `file` of the build; in the folder that MICA_TEST_FILES names, where the tests run without the build
/// (docs/GpuResults.md).
inline std::filesystem::path builtFile(const std::string &file) {
  const char *folder = std::getenv("MICA_TEST_FILES");
  return folder ? folder / std::filesystem::path(file).filename() : std::filesystem::path(file);
}

/// An artifact in a temporary folder; `program` is copied in.
class TestArtifact {
public:
  explicit TestArtifact(const Manifest &manifest, const std::vector<TaskList> &lists = {},
                        const std::vector<int64_t> &constants = {}, const std::string &program = MICA_TEST_PROGRAM)
      : lists(lists) {
    const std::filesystem::path root = path();
    expectOk(writeFile(root / artifact::kManifestFile, printManifest(manifest)));
    expectOk(writeFile(root / artifact::kTasksFile, printTaskLists(lists)));
    if (!manifest.constants.empty())
      expectOk(writeFile(root / artifact::kConstantsFile,
                         {reinterpret_cast<const char *>(constants.data()), constants.size() * sizeof(int64_t)}));
    std::filesystem::copy_file(builtFile(program), root / artifact::kProgramFile);
  }
  std::filesystem::path path() const { return folder / "program"; }
  /// All tasks run on `device`, for which `program` has the code.
  void moveTo(const std::string &device, const std::string &program) {
    for (TaskList &list : lists)
      for (TaskRecord &task : list.tasks)
        task.device = device;
    putProgram(program);
  }
  /// Tasks keep their devices; `program` has the code. Where it is that of a GPU, its kernels' text is what the
  /// stand-in for the driver takes for one (FakeCuda/FakeCuda.cpp).
  void putProgram(const std::string &program) {
    expectOk(writeFile(path() / artifact::kTasksFile, printTaskLists(lists)));
    std::filesystem::copy_file(builtFile(program), path() / artifact::kProgramFile,
                               std::filesystem::copy_options::overwrite_existing);
    for (const KernelRecord &kernel : testManifest().kernels) {
      std::filesystem::create_directories(path() / "kernels" / kernel.name);
      expectOk(writeFile(path() / "kernels" / kernel.name / "kernel.ptx",
                         "// fake: " + (path() / artifact::kProgramFile).string() + "\n"));
    }
  }
  /// `text` is the device's code of all kernels.
  void putKernels(const std::string &text, const char *name = "kernel.ptx") {
    for (const KernelRecord &kernel : testManifest().kernels)
      std::filesystem::copy_file(builtFile(text), path() / "kernels" / kernel.name / name,
                                 std::filesystem::copy_options::overwrite_existing);
  }

private:
  static void expectOk(const Status &status) { EXPECT_TRUE(status.isOk()) << (status ? "" : status.error().message); }
  TemporaryFolder folder;
  std::vector<TaskList> lists;
};

/// The value of `result`, or a failed test and an empty value.
template <typename T> T valueOf(Result<T> result) {
  EXPECT_TRUE(result.isOk()) << (result ? "" : result.error().message);
  return result ? *std::move(result) : T{};
}

/// The message of a result that must have failed.
template <typename T> std::string messageOf(const Result<T> &result) {
  EXPECT_FALSE(result.isOk());
  return result ? "" : result.error().message;
}

inline HostTensor hostVector(const std::vector<int64_t> &values) {
  HostTensor tensor(DType::I64, {int64_t(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.setInt(int64_t(i), values[i]);
  return tensor;
}

inline std::vector<int64_t> valuesOf(const Tensor &tensor) {
  const int64_t *data = tensor.as<int64_t>();
  return {data, data + tensor.numElements()};
}

} // namespace mica::runtime

#endif // MICA_TEST_UNIT_RUNTIME_TESTPROGRAM_H
