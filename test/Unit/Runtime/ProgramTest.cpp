//===- ProgramTest.cpp - loading, and refusing to load ---------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"

#include "lib/Runtime/CpuFeatures.h"
#include "mica/Support/Version.h"

#include <fstream>

namespace mica::runtime {
namespace {

namespace fs = std::filesystem;

Error loadError(const TestArtifact &artifact) {
  Result<std::shared_ptr<const Program>> program = Program::load(artifact.path());
  EXPECT_FALSE(program.isOk());
  return program ? Error{} : program.error();
}

TEST(ProgramTest, LoadsAnArtifact) {
  Manifest manifest = testManifest();
  manifest.constants = {{"mica_0", vectorSpec(1), 64, 8}};
  TestArtifact artifact(manifest, {taskList({}, {})}, {0, 0, 0, 0, 0, 0, 0, 0, 42});
  auto program = valueOf(Program::load(artifact.path()));
  ASSERT_NE(program, nullptr);
  EXPECT_EQ(program->folder(), artifact.path());
  EXPECT_EQ(program->taskLists().size(), 1u);
  EXPECT_EQ(*static_cast<const int64_t *>(program->constant(0)), 42);
  EXPECT_EQ(program->findKernel("add"), 1);
  EXPECT_EQ(program->findKernel("none"), -1);
  EXPECT_EQ(valueOf(program->findEntry("")), 0u);
  EXPECT_EQ(valueOf(program->findEntry("single")), 0u);
  EXPECT_EQ(messageOf(program->findEntry("singel")), "the program has no entry 'singel'");
}

TEST(ProgramTest, DescribesALaunch) {
  TestArtifact artifact(testManifest(), {});
  auto program = valueOf(Program::load(artifact.path()));
  ASSERT_NE(program, nullptr);
  const std::string ops = " (mica.add [aaaaaaaaaaaa] at model.mlir:3:8, mica.exp [bbbbbbbbbbbb] at model.mlir:4:8)";
  EXPECT_EQ(program->describeLaunch("add", 1), "kernel 'add'" + ops);
  EXPECT_EQ(program->describeLaunch("add", -1), "kernel 'add'" + ops);
  EXPECT_EQ(program->describeLaunch("none", -1), "kernel 'none'");
}

TEST(ProgramTest, RefusesAFolderThatIsNoArtifact) {
  TemporaryFolder folder;
  auto program = Program::load(folder.path());
  ASSERT_FALSE(program.isOk());
  EXPECT_EQ(program.error().message, folder.path().string() + " is not an artifact: it has no manifest.json");
}

TEST(ProgramTest, RefusesFeaturesThisCpuLacks) {
  Manifest manifest = testManifest();
  manifest.cpu = "znver99";
  manifest.cpuFeatures = {"avx9000", "warpdrive"};
  // Nothing of program.so may be looked at: it is not even there as code.
  TestArtifact artifact(manifest, {}, {}, MICA_TEXT_FILE);
  Error error = loadError(artifact);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.message, artifact.path().string() +
                               ": this machine's CPU lacks avx9000, warpdrive, which the program "
                               "was compiled to use (for znver99)");
  EXPECT_EQ(error.hint, "compile it on this machine: mica-compile -o DIR model.mlir");
}

/// What loading says of a program with the header `name` (test/Unit/Runtime/CMakeLists.txt), without its file.
Error headerError(const std::string &name) {
  TestArtifact artifact(testManifest(), {}, {}, MICA_ABI_HEADERS "/AbiHeader-" + name + ".so");
  Error error = loadError(artifact);
  const std::string file = (artifact.path() / "program.so").string();
  EXPECT_EQ(error.message.substr(0, file.size()), file);
  error.message.erase(0, file.size());
  return error;
}

TEST(ProgramTest, RefusesANewerAbiVersion) {
  const Error error = headerError("VERSION-999");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.message, ": was compiled for version 999 of the ABI, this runtime (Mica " + std::string(version()) +
                               ") takes versions 1 to 9");
  EXPECT_EQ(error.hint, "use a newer Mica to run it");
}

TEST(ProgramTest, TakesProgramsOfVersionsThatHadNoHeader) {
  // What it lacks is a symbol that comes after the version.
  EXPECT_EQ(headerError("OLD_VERSION-8").message.substr(0, 16), ": has no symbol ");
  const Error zero = headerError("OLD_VERSION-0");
  EXPECT_EQ(zero.code, ErrorCode::Unsupported);
  EXPECT_EQ(zero.hint, "compile the program again");
  EXPECT_EQ(headerError("OLD_VERSION-9").message, ": has no symbol 'mica_program_header'");
}

TEST(ProgramTest, NamesAFeatureThatIsMissing) {
  const Error error = headerError("FEATURES-0x10000000001");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.message,
            " (compiled by other-compiler 3.1): needs ABI feature bit 40, unknown to this runtime (Mica " +
                std::string(version()) + ")");
  EXPECT_EQ(error.hint, "use a newer Mica to run it");
}

TEST(ProgramTest, RefusesAProgramForAnEarlierSimulator) {
  const Error error = headerError("SIMULATOR-MICA_FEATURE_SIMULATOR");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.message, ": was compiled for version 2 of the simulator's ABI, this runtime takes version 5");
  EXPECT_EQ(error.hint, "compile the program again");
}

TEST(ProgramTest, RefusesAHeaderThatIsCutOff) {
  const Error error = headerError("HEADER_BYTES-16");
  EXPECT_EQ(error.code, ErrorCode::Damaged);
  EXPECT_EQ(error.message, ": the header 'mica_program_header' has 16 bytes, expected at least 56");
}

TEST(ProgramTest, NamesASanitizerThatTheProcessLacks) {
  const Error memory = headerError("SANITIZER-2");
  EXPECT_EQ(memory.code, ErrorCode::Unsupported);
  EXPECT_EQ(memory.message,
            " (compiled by other-compiler 3.1): is instrumented by the memory sanitizer, and this process "
            "does not have its runtime");
  EXPECT_EQ(memory.hint, "run it in a process built with -fsanitize=memory, or compile it without");
  EXPECT_NE(headerError("SANITIZER-77").message.find("sanitizer 77, unknown to this runtime"), std::string::npos);
}

TEST(ProgramTest, RefusesAMissingSymbol) {
  Manifest manifest = testManifest();
  manifest.kernels[1].name = manifest.sites[1].kernel = "absent";
  TestArtifact artifact(manifest, {});
  Error error = loadError(artifact);
  EXPECT_EQ(error.code, ErrorCode::Damaged);
  EXPECT_EQ(error.message, (artifact.path() / "program.so").string() + ": has no symbol 'mica_kernel_absent'");

  TestArtifact entry(testManifest("nowhere"), {});
  EXPECT_EQ(loadError(entry).message, (entry.path() / "program.so").string() + ": has no symbol 'mica_entry_nowhere'");
}

TEST(ProgramTest, RefusesCodeThatIsCutOff) {
  TestArtifact artifact(testManifest(), {});
  const fs::path code = artifact.path() / "program.so";
  const auto whole = int64_t(fs::file_size(code));
  // Each length must be refused before the system's loader sees it, which would die of SIGBUS.
  for (int64_t length : {int64_t(0), int64_t(10), int64_t(64), whole / 2, whole - 1}) {
    fs::resize_file(code, uintmax_t(length));
    Error error = loadError(artifact);
    EXPECT_EQ(error.code, ErrorCode::Damaged) << length;
    EXPECT_EQ(error.message.find(code.string() + ": is "), 0u) << error.message;
  }
}

TEST(ProgramTest, RefusesCodeThatIsNone) {
  TestArtifact artifact(testManifest(), {}, {}, MICA_TEXT_FILE);
  Error error = loadError(artifact);
  EXPECT_EQ(error.code, ErrorCode::Damaged);
  EXPECT_EQ(error.message, (artifact.path() / "program.so").string() + ": is not a 64-bit shared object");
}

TEST(ProgramTest, RefusesCodeOfAnotherMachine) {
  TestArtifact artifact(testManifest(), {});
  const fs::path code = artifact.path() / "program.so";
  std::fstream file(code, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(18); // e_machine
  file.put('\x08').put('\0');
  file.close();
  Error error = loadError(artifact);
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("was compiled for another machine (ELF machine 8;"), std::string::npos) << error.message;
}

TEST(ProgramTest, RefusesMissingAndShortConstants) {
  Manifest manifest = testManifest();
  manifest.constants = {{"mica_0", vectorSpec(8), 0, 64}};
  TestArtifact artifact(manifest, {}, std::vector<int64_t>(8));
  fs::resize_file(artifact.path() / "constants.bin", 63);
  EXPECT_EQ(loadError(artifact).code, ErrorCode::Damaged);
  fs::remove(artifact.path() / "constants.bin");
  EXPECT_EQ(loadError(artifact).code, ErrorCode::NotFound);
}

TEST(CpuFeaturesTest, ReadsBothForms) {
  TemporaryFolder folder;
  const std::vector<std::string> needed = {"sse", "avx2", "asimd"};
  auto missing = [&](const std::string &text) {
    EXPECT_TRUE(writeFile(folder / "cpuinfo", text).isOk());
    return missingCpuFeatures(needed, folder / "cpuinfo");
  };
  EXPECT_EQ(valueOf(missing("processor : 0\nflags\t\t: fpu sse avx2\n\nprocessor : 1\nflags : asimd\n")),
            std::vector<std::string>{"asimd"});
  EXPECT_EQ(valueOf(missing("Features\t: fp asimd\n")), (std::vector<std::string>{"sse", "avx2"}));
  EXPECT_EQ(missing("nothing here\n").error().code, ErrorCode::Unsupported);
  EXPECT_EQ(missing("flags").error().code, ErrorCode::Unsupported);
  EXPECT_TRUE(valueOf(missingCpuFeatures({}, folder / "none")).empty());
  EXPECT_TRUE(valueOf(missingCpuFeatures(std::vector<std::string>{})).empty());
}

} // namespace
} // namespace mica::runtime
