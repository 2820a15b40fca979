//===- CApiTest.cpp - the C API, as another program sees it ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/C/mica.h"
#include "test/Unit/Runtime/TestProgram.h"

#include <cstdio>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace mica::runtime {
namespace {

std::vector<TaskList> twice() { return {taskList({parameter(0), parameter(1)}, {task("add", {0, 0, 1}, {0, 0, 0})})}; }

class CApiTest : public ::testing::Test {
protected:
  void load(const Manifest &manifest, const std::vector<TaskList> &lists) {
    artifact = std::make_unique<TestArtifact>(manifest, lists);
    ASSERT_EQ(mica_program_load(artifact->path().c_str(), &program, &error), MICA_OK) << error.message;
    mica_context_options options = {sizeof(options), 2};
    ASSERT_EQ(mica_context_create(program, &options, &context, &error), MICA_OK) << error.message;
  }
  ~CApiTest() override {
    mica_context_release(context);
    mica_program_release(program);
    mica_error_clear(&error);
  }
  /// A vector of int64 around `values`.
  DLTensor vectorOf(std::vector<int64_t> &values) {
    size = int64_t(values.size());
    return {values.data(), {kDLCPU, 0}, 1, {kDLInt, 64, 1}, &size, nullptr, 0};
  }
  mica_code invoke(const DLTensor &x) {
    const DLTensor *inputs[] = {&x};
    return mica_invoke(context, 0, inputs, 1, &result, 1, &error);
  }
  std::vector<int64_t> takeResult() {
    const DLTensor &tensor = result->dl_tensor;
    const auto *data = static_cast<const int64_t *>(tensor.data);
    std::vector<int64_t> values(data, data + tensor.shape[0]);
    result->deleter(result);
    result = nullptr;
    return values;
  }

  std::unique_ptr<TestArtifact> artifact;
  mica_error error = MICA_ERROR_INIT;
  mica_program *program = nullptr;
  mica_context *context = nullptr;
  DLManagedTensorVersioned *result = nullptr;
  int64_t size = 0;
};

TEST_F(CApiTest, TellsVersionsAndSignatures) {
  load(testManifest(), twice());
  EXPECT_EQ(mica_api_version(), MICA_C_API_VERSION);
  EXPECT_STREQ(mica_version(), "0.1.0");
  ASSERT_EQ(mica_program_entry_count(program), 1u);
  EXPECT_STREQ(mica_program_entry_name(program, 0), "single");
  EXPECT_EQ(mica_program_entry_name(program, 1), nullptr);
  size_t entry = 7;
  EXPECT_EQ(mica_program_find_entry(program, nullptr, &entry, &error), MICA_OK);
  EXPECT_EQ(entry, 0u);
  EXPECT_EQ(mica_program_find_entry(program, "none", &entry, &error), MICA_NOT_FOUND);
  EXPECT_STREQ(error.message, "the program has no entry 'none'");
  EXPECT_EQ(mica_program_argument_count(program, 0), 1u);
  EXPECT_EQ(mica_program_result_count(program, 0), 1u);
  EXPECT_EQ(mica_program_result_count(program, 5), 0u);
  mica_tensor_info info;
  ASSERT_EQ(mica_program_argument(program, 0, 0, &info, nullptr), MICA_OK);
  EXPECT_STREQ(info.name, "x");
  EXPECT_EQ(info.dtype.code, kDLInt);
  EXPECT_EQ(info.dtype.bits, 64);
  ASSERT_EQ(info.ndim, 1);
  EXPECT_EQ(info.shape[0], -1);
  EXPECT_EQ(mica_program_result(program, 0, 1, &info, &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "entry 'single' has no result 1");
}

TEST_F(CApiTest, LogsAreSetWhileAProgramRuns) {
  TemporaryFolder folder;
  const std::string file = (folder / "log").string();
  load(testManifest(), twice());
  mica_log_options options = {};
  EXPECT_EQ(mica_set_logs(&options, &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.hint, "set it to sizeof(mica_log_options)");
  options.struct_size = sizeof(options);
  options.topics = "runtme";
  EXPECT_EQ(mica_set_logs(&options, &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "MICA_LOGS: there is no topic 'runtme'");
  options.topics = "+runtime";
  options.file = file.c_str();
  options.format = "short";
  ASSERT_EQ(mica_set_logs(&options, &error), MICA_OK) << error.message;
  std::vector<int64_t> x = {1, 2, 3};
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK) << error.message;
  takeResult();
  options.topics = "";
  options.file = "";
  ASSERT_EQ(mica_set_logs(&options, &error), MICA_OK) << error.message;
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK) << error.message;
  takeResult();
  EXPECT_EQ(valueOf(readFile(file)), "DEBUG:runtime:call single(3xi64)\nDEBUG:runtime:task list 'list_0': 1 tasks\n");
}

TEST_F(CApiTest, SwitchesAreForContextsMadeLater) {
  TemporaryFolder folder;
  const std::string log = (folder / "log").string(), ops = (folder / "ops.txt").string();
  mica_log_options logs = {};
  logs.struct_size = sizeof(logs);
  logs.file = log.c_str();
  logs.format = "short";
  ASSERT_EQ(mica_set_logs(&logs, &error), MICA_OK) << error.message;
  load(testManifest(), twice());
  EXPECT_EQ(mica_set_switches("op-log-levl=trace", &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "there is no switch 'op-log-levl'");
  EXPECT_EQ(std::string(error.hint).find("did you mean 'op-log-level'?"), 0u) << error.hint;
  ASSERT_EQ(mica_set_switches(("op-log-level=debug,op-log-file=" + ops).c_str(), &error), MICA_OK) << error.message;
  EXPECT_NE(valueOf(readFile(log)).find("WARNING:runtime:switches cannot be set for 1 context: "), std::string::npos);
  std::vector<int64_t> x = {1, 2, 3};
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK) << error.message;
  takeResult();
  EXPECT_FALSE(std::filesystem::exists(ops)) << "the context was there before";
  mica_context_release(context);
  ASSERT_EQ(mica_context_create(program, nullptr, &context, &error), MICA_OK) << error.message;
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK) << error.message;
  takeResult();
  mica_context_release(context);
  context = nullptr;
  EXPECT_NE(valueOf(readFile(ops)).find("[OP] LAUNCH elementwise [id="), std::string::npos);
  ASSERT_EQ(mica_set_switches("op-log-level=off", &error), MICA_OK) << error.message;
  logs.file = "";
  ASSERT_EQ(mica_set_logs(&logs, &error), MICA_OK) << error.message;
}

TEST_F(CApiTest, InvokesWithDLPackTensors) {
  load(testManifest(), twice());
  std::vector<int64_t> x = {1, 2, 3};
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK) << error.message;
  const DLTensor &tensor = result->dl_tensor;
  EXPECT_EQ(result->version.major, uint32_t(DLPACK_MAJOR_VERSION));
  EXPECT_EQ(tensor.ndim, 1);
  EXPECT_EQ(tensor.shape[0], 3);
  EXPECT_EQ(tensor.strides[0], 1);
  EXPECT_EQ(tensor.dtype.bits, 64);
  EXPECT_EQ(tensor.device.device_type, kDLCPU);
  EXPECT_EQ(takeResult(), (std::vector<int64_t>{2, 4, 6}));
  // An offset in bytes, and strides that say what is so anyway.
  DLTensor part = vectorOf(x);
  int64_t one = 1;
  size = 2;
  part.byte_offset = 8;
  part.strides = &one;
  ASSERT_EQ(invoke(part), MICA_OK) << error.message;
  EXPECT_EQ(takeResult(), (std::vector<int64_t>{4, 6}));
}

TEST_F(CApiTest, ResultsOutliveEverything) {
  load(testManifest(), twice());
  std::vector<int64_t> x = {5};
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK);
  mica_program_release(program);
  mica_context_release(context);
  program = nullptr;
  context = nullptr;
  EXPECT_EQ(takeResult(), std::vector<int64_t>{10});
}

TEST_F(CApiTest, RefusesTensorsItCannotRead) {
  load(testManifest(), twice());
  std::vector<int64_t> x = {1, 2, 3, 4};
  DLTensor tensor = vectorOf(x);
  tensor.dtype = {kDLFloat, 32, 1};
  EXPECT_EQ(invoke(tensor), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message,
               "entry 'single': argument 0 ('x') has elements of type float32, it should have int64 (i64)");
  tensor = vectorOf(x);
  tensor.device.device_type = kDLCUDA;
  EXPECT_EQ(invoke(tensor), MICA_UNSUPPORTED);
  EXPECT_STREQ(error.hint, "copy it to CPU memory first");
  tensor = vectorOf(x);
  int64_t two = 2;
  size = 2;
  tensor.strides = &two;
  EXPECT_EQ(invoke(tensor), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "entry 'single': argument 0 ('x') is not contiguous in row-major order");
  tensor = vectorOf(x);
  tensor.ndim = 2147483647;
  EXPECT_EQ(invoke(tensor), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "entry 'single': argument 0 ('x') has 2147483647 dimensions, it should be ?xi64");
  tensor = vectorOf(x);
  tensor.ndim = 0;
  EXPECT_EQ(invoke(tensor), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "entry 'single': argument 0 ('x') is i64, it should be ?xi64");
  EXPECT_EQ(mica_invoke(context, 0, nullptr, 0, &result, 1, &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "entry 'single' takes 1 arguments, 0 were given");
  const DLTensor *none[] = {nullptr};
  EXPECT_EQ(mica_invoke(context, 0, none, 1, &result, 1, &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "entry 'single': argument 0 ('x') is NULL");
  tensor = vectorOf(x);
  const DLTensor *good[] = {&tensor};
  EXPECT_EQ(mica_invoke(context, 0, good, 1, &result, 2, &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "expected an array of 1 results, got 2");
}

TEST_F(CApiTest, SubmitsAndWaits) {
  load(testManifest(), twice());
  std::vector<int64_t> x(1000, 4);
  DLTensor tensor = vectorOf(x);
  const DLTensor *inputs[] = {&tensor};
  mica_invocation *first = nullptr, *second = nullptr;
  ASSERT_EQ(mica_submit(context, 0, inputs, 1, &first, &error), MICA_OK) << error.message;
  ASSERT_EQ(mica_submit(context, 0, inputs, 1, &second, &error), MICA_OK) << error.message;
  ASSERT_EQ(mica_invocation_wait(second, &result, 1, &error), MICA_OK) << error.message;
  EXPECT_EQ(takeResult(), std::vector<int64_t>(1000, 8));
  EXPECT_EQ(mica_invocation_done(first), 1);
  ASSERT_EQ(mica_invocation_wait(first, &result, 1, &error), MICA_OK) << error.message;
  takeResult();
  EXPECT_EQ(mica_invocation_wait(first, &result, 1, &error), MICA_INVALID_INPUT);
  mica_invocation_release(first);
  mica_invocation_release(second);
}

TEST_F(CApiTest, ReportsAFailedTask) {
  load(testManifest(), {taskList({parameter(1)}, {task("fail", {0}, {0, 7})})});
  std::vector<int64_t> x = {1};
  EXPECT_EQ(invoke(vectorOf(x)), MICA_CHECK_FAILED);
  EXPECT_NE(std::string(error.message).find("kernel 'fail'"), std::string::npos) << error.message;
  const auto expectPlace = [&] {
    ASSERT_NE(error.place, nullptr);
    EXPECT_STREQ(error.place->kernel, "fail");
    EXPECT_STREQ(error.place->operation, "mica.add");
    EXPECT_STREQ(error.place->id, "aaaaaaaaaaaa");
    EXPECT_STREQ(error.place->file, "model.mlir");
    EXPECT_EQ(error.place->line, 3);
    EXPECT_EQ(error.place->column, 8);
  };
  expectPlace();
  // The context says so from now on, also to who waits.
  EXPECT_EQ(invoke(vectorOf(x)), MICA_CHECK_FAILED);
  expectPlace();
  DLTensor tensor = vectorOf(x);
  const DLTensor *inputs[] = {&tensor};
  mica_invocation *invocation = nullptr;
  ASSERT_EQ(mica_submit(context, 0, inputs, 1, &invocation, &error), MICA_OK);
  EXPECT_EQ(mica_invocation_wait(invocation, &result, 1, &error), MICA_CHECK_FAILED);
  expectPlace();
  mica_invocation_release(invocation);
  // A failure of another kind is about no operation.
  EXPECT_EQ(mica_invoke(context, 9, inputs, 1, &result, 1, &error), MICA_INVALID_INPUT);
  EXPECT_EQ(error.place, nullptr);
}

TEST_F(CApiTest, LackOfMemoryFailsTheCallAlone) {
  ASSERT_EQ(mica_set_switches("memory-limit=64M", &error), MICA_OK) << error.message;
  load(hogManifest(), hogList());
  for (int round = 0; round < 3; ++round) {
    std::vector<int64_t> large = {65536, 65536}, small = {4, 4};
    EXPECT_EQ(invoke(vectorOf(large)), MICA_IO);
    EXPECT_EQ(std::string(error.message).substr(0, 66),
              "out of memory in mica.exp [bbbbbbbbbbbb] at model.mlir:4:8: 16.0 G")
        << error.message;
    ASSERT_NE(error.place, nullptr);
    EXPECT_STREQ(error.place->operation, "mica.exp");
    ASSERT_EQ(invoke(vectorOf(small)), MICA_OK) << error.message;
    EXPECT_EQ(takeResult()[0], 1);
  }
  ASSERT_EQ(mica_set_switches("memory-limit=1T", &error), MICA_OK) << error.message;
}

/// A program that adds some of the last of its 24 MiB of weights to x.
TEST_F(CApiTest, WeightsOutliveTheirFileWhereTheyAreNotMapped) {
  const int64_t count = int64_t(3) << 20;
  std::vector<int64_t> weights(size_t(count), 7);
  Manifest manifest = testManifest();
  manifest.constants = {{"mica_0", vectorSpec(count), 0, count * 8}};
  const std::vector<TaskList> lists = {
      taskList({parameter(0), parameter(1), constant(0, (count - 8) * 8, 32)}, {task("add", {0, 2, 1}, {0, 0, 0})})};
  const TestArtifact large(manifest, lists, weights);
  const std::filesystem::path file = large.path() / artifact::kConstantsFile;
  auto cutOff = [&] { ASSERT_EQ(::truncate(file.c_str(), 4096), 0); };
  std::vector<int64_t> x = {1, 2, 3, 4};
  auto loadWith = [&](const char *switches) {
    mica_context_release(std::exchange(context, nullptr));
    mica_program_release(std::exchange(program, nullptr));
    ASSERT_EQ(mica_set_switches(switches, &error), MICA_OK) << error.message;
    std::filesystem::resize_file(file, 0);
    ASSERT_TRUE(writeFile(file, {reinterpret_cast<const char *>(weights.data()), weights.size() * 8}).isOk());
    if (mica_program_load(large.path().c_str(), &program, &error) == MICA_OK)
      ASSERT_EQ(mica_context_create(program, nullptr, &context, &error), MICA_OK) << error.message;
  };

  loadWith("mmap-weights=off");
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK) << error.message;
  EXPECT_EQ(takeResult(), (std::vector<int64_t>{8, 9, 10, 11}));
  cutOff();
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK) << error.message;
  EXPECT_EQ(takeResult(), (std::vector<int64_t>{8, 9, 10, 11}));
  // Mapped, it is seen before anything is read.
  loadWith("mmap-weights=on");
  ASSERT_EQ(invoke(vectorOf(x)), MICA_OK) << error.message;
  EXPECT_EQ(takeResult(), (std::vector<int64_t>{8, 9, 10, 11}));
  cutOff();
  EXPECT_EQ(invoke(vectorOf(x)), MICA_DAMAGED);
  // The memory counts, and is given back.
  loadWith("mmap-weights=off,memory-limit=16M");
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(error.code, MICA_IO);
  EXPECT_EQ(std::string(error.message), "out of memory: 24.0 MiB for the weights in " + file.string() +
                                            ", limit 16.0 MiB (the switch memory-limit)");
  for (int round = 0; round < 3; ++round) {
    loadWith("memory-limit=40M");
    EXPECT_NE(program, nullptr) << error.message;
  }
  loadWith("mmap-weights=on,memory-limit=1T");
}

TEST_F(CApiTest, ReportsWhatCannotBeLoaded) {
  EXPECT_EQ(mica_program_load("/no/such/folder", &program, &error), MICA_NOT_FOUND);
  EXPECT_STREQ(error.message, "/no/such/folder does not exist");
  EXPECT_STREQ(error.hint, "give the folder of an artifact");
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(mica_program_load(nullptr, &program, &error), MICA_INVALID_INPUT);
  EXPECT_STREQ(error.message, "the argument 'folder' is NULL");
  EXPECT_EQ(mica_program_load(nullptr, &program, nullptr), MICA_INVALID_INPUT);
  mica_error_clear(&error);
  EXPECT_EQ(error.message, nullptr);
}

/// What `command` prints, and its exit code.
std::pair<std::string, int> outputOf(const std::string &command) {
  std::FILE *pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::string text;
  char piece[256];
  while (pipe && std::fgets(piece, sizeof(piece), pipe))
    text += piece;
  int status = pipe ? ::pclose(pipe) : -1;
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

TEST(CExampleTest, RunsAnArtifact) {
  TestArtifact artifact(testManifest(), twice());
  auto [text, code] = outputOf(std::string("'") + MICA_C_EXAMPLE + "' '" + artifact.path().string() + "'");
  EXPECT_EQ(code, 0);
  EXPECT_EQ(text, "mica 0.1.0, entry single\n  argument 0 x: ?xi64\n  result 0: ?xi64\ninvoke:\n  result 0: 0 2 4 6\n"
                  "submit and wait:\n  result 0: 0 2 4 6\n");
  auto [failure, failureCode] = outputOf(std::string("'") + MICA_C_EXAMPLE + "' /none");
  EXPECT_EQ(failureCode, 1);
  EXPECT_EQ(failure, "run: error: /none does not exist\nrun: hint: give the folder of an artifact\n");
  auto [wrong, wrongCode] =
      outputOf(std::string("'") + MICA_C_EXAMPLE + "' '" + artifact.path().string() + "' op-log-levl=debug");
  EXPECT_EQ(wrongCode, 1);
  EXPECT_EQ(wrong.find("run: error: there is no switch 'op-log-levl'\n"), 0u) << wrong;
}

TEST(CExampleTest, ShowsTheOperationThatFailed) {
  TestArtifact artifact(testManifest(), {taskList({parameter(1)}, {task("fail", {0}, {0, 7})})});
  auto [text, code] =
      outputOf(std::string("'") + MICA_C_EXAMPLE + "' '" + artifact.path().string() + "' source-tracebacks=off");
  EXPECT_EQ(code, 3);
  EXPECT_NE(text.find("run: operation mica.add [aaaaaaaaaaaa], kernel 'fail'\nrun: written at model.mlir:3:8\n"),
            std::string::npos)
      << text;
}

TEST(LibraryTest, ShowsItsApiOnlyAndNeedsNoCompiler) {
  auto [symbols, code] = outputOf("nm -D --defined-only '" MICA_C_LIBRARY "'");
  ASSERT_EQ(code, 0) << symbols;
  std::istringstream lines(symbols);
  int functions = 0;
  for (std::string address, kind, name; lines >> address >> kind >> name; ++functions)
    EXPECT_EQ(name.find("mica_"), 0u) << name;
  EXPECT_EQ(functions, 25);
  auto [dynamic, dynamicCode] = outputOf("readelf -d '" MICA_C_LIBRARY "'");
  ASSERT_EQ(dynamicCode, 0) << dynamic;
  EXPECT_NE(dynamic.find("Library soname: [libmica.so.2]"), std::string::npos) << dynamic;
  EXPECT_EQ(dynamic.find("LLVM"), std::string::npos);
  EXPECT_EQ(dynamic.find("MLIR"), std::string::npos);
}

} // namespace
} // namespace mica::runtime
