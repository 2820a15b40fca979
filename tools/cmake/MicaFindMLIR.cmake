# Finds LLVM/MLIR 22.1 and makes the interface target `mica_mlir`, the one thing of MLIR that Mica's targets link.
#
# Facts this file rests on (Debian's packages, 22.1.8):
#  - find_package(MLIR 22) fails, because the version file accepts only an equal major.minor: ask for none, then check.
#  - Linking the shared library `MLIR` alone is right; a component library beside it gives duplicate definitions.
list(APPEND CMAKE_PREFIX_PATH /usr/lib/llvm-22)
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION VERSION_GREATER_EQUAL 22.1 OR NOT LLVM_VERSION VERSION_LESS 22.2)
  message(FATAL_ERROR "Mica needs LLVM/MLIR 22.1, found ${LLVM_VERSION} in ${MLIR_DIR}. "
    "Install libmlir-22-dev and mlir-22-tools, or set MLIR_DIR to a 22.1 build.")
endif()
set(MLIR_LINK_MLIR_DYLIB ON)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(mica_mlir INTERFACE)
target_include_directories(mica_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
# Generated *.inc files are upstream's text, not ours: no warnings from them.
target_include_directories(mica_mlir SYSTEM INTERFACE $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}>)
target_compile_definitions(mica_mlir INTERFACE ${LLVM_DEFINITIONS})
target_compile_options(mica_mlir INTERFACE -fno-exceptions)
target_link_libraries(mica_mlir INTERFACE MLIR LLVM)
install(TARGETS mica_mlir EXPORT MicaTargets)
