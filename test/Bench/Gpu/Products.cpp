//===- Products.cpp - products of matrices by cuBLAS ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Numbers are those of cublas_api.h and library_types.h, which have been the same since CUDA 11.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "test/Bench/Gpu/Products.h"

#include <dlfcn.h>

namespace mica::bench {

std::unique_ptr<Cublas> Cublas::open(const Device &device, const std::string &name, std::string &why) {
  std::unique_ptr<Cublas> made(new Cublas());
  const std::vector<std::string> names =
      name.empty() ? std::vector<std::string>{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"}
                   : std::vector<std::string>{name};
  for (const std::string &each : names)
    if (!made->library)
      made->library = dlopen(each.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!made->library) {
    const char *said = dlerror();
    why = "cuBLAS not found: " + std::string(said ? said : names.front());
    return nullptr;
  }
  auto load = [&](auto &function, const char *symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(made->library, symbol));
    if (!function)
      why = "the cuBLAS library lacks " + std::string(symbol);
    return function != nullptr;
  };
  int (*create)(void **) = nullptr;
  int (*setStream)(void *, runtime::cuda::Stream) = nullptr;
  int (*getVersion)(void *, int *) = nullptr;
  if (!load(create, "cublasCreate_v2") || !load(made->destroy, "cublasDestroy_v2") ||
      !load(setStream, "cublasSetStream_v2") || !load(getVersion, "cublasGetVersion_v2") ||
      !load(made->gemm, "cublasGemmEx"))
    return nullptr;
  device.makeCurrent();
  int version = 0;
  if (create(&made->handle) != 0 || setStream(made->handle, device.stream()) != 0 ||
      getVersion(made->handle, &version) != 0) {
    why = "cuBLAS does not start";
    return nullptr;
  }
  made->text = "cuBLAS " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
               std::to_string(version % 100);
  return made;
}

Cublas::~Cublas() {
  if (handle)
    destroy(handle);
}

bool Cublas::multiply(const Product &product, uint64_t a, uint64_t b, uint64_t c) const {
  constexpr int kF32 = 0, kF16 = 2, kBF16 = 14; // cudaDataType
  constexpr int kComputeF32 = 68, kComputeTf32 = 77, kDefault = -1,
                kN = 0; // cublasComputeType_t, cublasGemmAlgo_t, -Operation_t
  const int type = product.type == "bf16" ? kBF16 : product.type == "f16" ? kF16 : kF32;
  const float one = 1, zero = 0;
  // Column-major: the transposed matrices, in the other order.
  return gemm(handle, kN, kN, product.n, product.m, product.k, &one, reinterpret_cast<const void *>(b), type, product.n,
              reinterpret_cast<const void *>(a), type, product.k, &zero, reinterpret_cast<void *>(c), type, product.n,
              product.type == "tf32" ? kComputeTf32 : kComputeF32, kDefault) == 0;
}

} // namespace mica::bench
