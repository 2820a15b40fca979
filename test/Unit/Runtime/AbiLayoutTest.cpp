//===- AbiLayoutTest.cpp - where the fields of include/mica/ABI lie --------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Generated code stores to and loads from these places, and programs outlive the runtime they were compiled with: a
// field that moves is a new version of the ABI.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/ABI/Host.h"
#include "mica/ABI/Kernel.h"
#include "mica/ABI/Memory.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace {

TEST(AbiLayoutTest, KernelArguments) {
  using Args = mica_kernel_args_v1;
  EXPECT_EQ((std::vector<size_t>{offsetof(Args, buffers), offsetof(Args, scalars), offsetof(Args, scratch),
                                 offsetof(Args, part), offsetof(Args, parts), offsetof(Args, checks),
                                 offsetof(Args, gpu), sizeof(Args)}),
            (std::vector<size_t>{0, 8, 16, 24, 32, 40, 48, 56}));
}

TEST(AbiLayoutTest, LaunchesOnAGpu) {
  using Launch = mica_gpu_launch_v1;
  EXPECT_EQ((std::vector<size_t>{offsetof(Launch, entry), offsetof(Launch, kernel), offsetof(Launch, grid),
                                 offsetof(Launch, block), offsetof(Launch, dynamic_shared_bytes),
                                 offsetof(Launch, param_count), offsetof(Launch, params), sizeof(Launch)}),
            (std::vector<size_t>{0, 8, 16, 28, 40, 44, 48, 56}));
  using Services = mica_gpu_services_v1;
  EXPECT_EQ((std::vector<size_t>{offsetof(Services, queue), offsetof(Services, launch), offsetof(Services, allocate),
                                 offsetof(Services, release), sizeof(Services)}),
            (std::vector<size_t>{0, 8, 16, 24, 32}));
}

TEST(AbiLayoutTest, LogsOfDevices) {
  using Record = mica_gpu_check_record_v1;
  EXPECT_EQ((std::vector<size_t>{offsetof(Record, order), offsetof(Record, block), offsetof(Record, thread),
                                 offsetof(Record, num_values), offsetof(Record, values), sizeof(Record)}),
            (std::vector<size_t>{8, 16, 40, 64, 72, 264}));
  EXPECT_EQ(sizeof(mica_gpu_check_log_v1), 64u);
}

TEST(AbiLayoutTest, HeadersOfPrograms) {
  using Header = mica_program_header_v1;
  EXPECT_EQ(
      (std::vector<size_t>{offsetof(Header, abi_version), offsetof(Header, header_bytes), offsetof(Header, features),
                           offsetof(Header, sanitizer), offsetof(Header, producer), sizeof(Header)}),
      (std::vector<size_t>{0, 4, 8, 16, 24, 56}));
}

TEST(AbiLayoutTest, FeaturesKeepTheirBits) {
  EXPECT_EQ((std::vector<uint64_t>{MICA_FEATURE_CHECKS, MICA_FEATURE_SHADOWS, MICA_FEATURE_GPU, MICA_FEATURE_GPU_CHECKS,
                                   MICA_FEATURE_GPU_MEMORY, MICA_FEATURE_SIZES, MICA_FEATURE_SHAPES,
                                   MICA_FEATURE_SIMULATOR, MICA_FEATURE_REPORTS, MICA_FEATURE_SIMULATOR_MEMORY,
                                   MICA_FEATURE_HOST_OPS, MICA_FEATURE_RELEASES}),
            (std::vector<uint64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}));
}

TEST(AbiLayoutTest, ServicesOfHostFunctions) {
  using Api = mica_host_api_v1;
  EXPECT_EQ((std::vector<size_t>{offsetof(Api, alloc), offsetof(Api, report), offsetof(Api, allocate),
                                 offsetof(Api, bytes), offsetof(Api, allocate_aligned), offsetof(Api, result_of),
                                 offsetof(Api, reshape), offsetof(Api, mark), offsetof(Api, release), sizeof(Api)}),
            (std::vector<size_t>{8, 56, 64, 72, 80, 88, 96, 104, 112, 120}));
}

TEST(AbiLayoutTest, ServicesOfMemory) {
  using Api = mica_memory_api_v1;
  EXPECT_EQ((std::vector<size_t>{offsetof(Api, allocate), offsetof(Api, release), offsetof(Api, allocate_aligned),
                                 offsetof(Api, reshape), sizeof(Api)}),
            (std::vector<size_t>{8, 16, 24, 32, 40}));
}

} // namespace
