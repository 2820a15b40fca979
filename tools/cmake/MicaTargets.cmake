# The helper functions every CMakeLists.txt of the tree uses.
#
#   mica_add_std_library(NAME SOURCES.. [LINK..])    a library of the std half: no LLVM, exceptions on but never across an API
#   mica_add_mlir_library(NAME SOURCES.. [LINK..] [DEPENDS..])   a library of the compiler half
#   mica_add_std_tool / mica_add_mlir_tool(NAME SOURCES.. [LINK..])   an executable in build/bin
#   mica_add_unit_test(NAME [MLIR] SOURCES.. [LINK..])   a GoogleTest executable in build/test/Unit
#   mica_tablegen_dialect(DIALECT_NAME TD_BASENAME)  dialect, ops, types, attributes, enums and docs of <TD_BASENAME>Ops.td

add_library(mica_flags INTERFACE)
target_include_directories(mica_flags INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/mica-ir>)
target_compile_features(mica_flags INTERFACE cxx_std_20)
target_compile_options(mica_flags INTERFACE
  $<BUILD_INTERFACE:-Wall;-Wextra;-Wno-unused-parameter;$<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>>)
# GCC 12 warns of an impossible overlap in "text" + std::string() (GCC PR 105329).
target_compile_options(mica_flags INTERFACE $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>>)
# libstdc++ 12 implements std::stable_sort with a function it marks deprecated itself, which Clang 22 reports at each use.
target_compile_options(mica_flags INTERFACE
  $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-deprecated-declarations>>)
install(TARGETS mica_flags EXPORT MicaTargets)
if(MICA_SANITIZE)
  target_compile_options(mica_flags INTERFACE -fsanitize=${MICA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(mica_flags INTERFACE -fsanitize=${MICA_SANITIZE})
endif()
if(MICA_ENABLE_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "MICA_ENABLE_FUZZERS needs Clang, this is ${CMAKE_CXX_COMPILER_ID}: cmake --preset fuzz")
  endif()
  # Counters for libFuzzer in every library; its main only in the fuzzers.
  target_compile_options(mica_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Optimising a test of the std half takes up to seven times as long as compiling it, and its run is no faster.
set(MICA_TEST_OPTIONS $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,Clang,GNU>>:-O0>)

# As mica_use_mlir_pch below, of the standard library's headers and JSON; with KIND "test" GoogleTest's too.
function(mica_use_std_pch NAME KIND)
  if(NOT TARGET mica_${KIND}_pch)
    set(_header StdPch.h)
    if(KIND STREQUAL "test")
      set(_header TestPch.h)
    endif()
    add_library(mica_${KIND}_pch STATIC ${CMAKE_SOURCE_DIR}/tools/cmake/StdPch.cpp)
    target_link_libraries(mica_${KIND}_pch PUBLIC mica_flags nlohmann_json::nlohmann_json)
    if(KIND STREQUAL "test")
      target_link_libraries(mica_${KIND}_pch PUBLIC GTest::gtest)
      target_compile_options(mica_${KIND}_pch PRIVATE ${MICA_TEST_OPTIONS})
    endif()
    target_precompile_headers(mica_${KIND}_pch PRIVATE ${CMAKE_SOURCE_DIR}/tools/cmake/${_header})
    target_compile_options(mica_${KIND}_pch PRIVATE
      $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>>)
  endif()
  target_precompile_headers(${NAME} REUSE_FROM mica_${KIND}_pch)
endfunction()

function(mica_add_std_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${NAME} STATIC ${ARG_SOURCES})
  target_link_libraries(${NAME} PUBLIC mica_flags ${ARG_LINK})
  mica_use_std_pch(${NAME} std)
  install(TARGETS ${NAME} EXPORT MicaTargets)
endfunction()

# One precompiled header of upstream's heaviest headers serves the whole compiler half: a file then compiles in about two
# seconds instead of ten. It holds upstream headers only, so editing Mica never rebuilds it.
function(mica_use_mlir_pch NAME)
  if(NOT TARGET mica_mlir_pch)
    add_library(mica_mlir_pch STATIC ${CMAKE_SOURCE_DIR}/tools/cmake/MlirPch.cpp)
    target_link_libraries(mica_mlir_pch PUBLIC mica_flags mica_mlir)
    target_precompile_headers(mica_mlir_pch PRIVATE ${CMAKE_SOURCE_DIR}/tools/cmake/MlirPch.h)
    # Without a time stamp the header's bytes depend on its contents only, so a compiler cache knows it again.
    target_compile_options(mica_mlir_pch PUBLIC
      $<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>>)
  endif()
  target_precompile_headers(${NAME} REUSE_FROM mica_mlir_pch)
endfunction()

function(mica_add_mlir_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${NAME} STATIC ${ARG_SOURCES})
  # What a file spends its time on is the templates of MLIR: six files that are compiled as one share them.
  if(MICA_UNITY_BUILD)
    set_target_properties(${NAME} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6
      UNITY_BUILD_CODE_BEFORE_INCLUDE "#undef DEBUG_TYPE")
    # Each has the flags, and the name, of a tool of its own.
    set(_tools ${ARG_SOURCES})
    list(FILTER _tools INCLUDE REGEX "Tool\\.cpp$")
    if(_tools)
      set_source_files_properties(${_tools} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endif()
  target_link_libraries(${NAME} PUBLIC mica_flags mica_mlir ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${NAME} ${ARG_DEPENDS})
  endif()
  # Headers of every dialect and pass are generated before any file of the compiler half is compiled.
  add_dependencies(${NAME} mica_generated_headers)
  mica_use_mlir_pch(${NAME})
  install(TARGETS ${NAME} EXPORT MicaTargets)
endfunction()

function(mica_add_std_tool NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE mica_flags ${ARG_LINK})
  install(TARGETS ${NAME})
  set_property(GLOBAL APPEND PROPERTY MICA_TOOLS ${NAME})
endfunction()

function(mica_add_mlir_tool NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE mica_flags mica_mlir ${ARG_LINK})
  add_dependencies(${NAME} mica_generated_headers)
  # -fPIC instead of an executable's -fPIE, so that the libraries' precompiled header fits.
  set_target_properties(${NAME} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${NAME} PRIVATE -fPIC)
  mica_use_mlir_pch(${NAME})
  install(TARGETS ${NAME})
  set_property(GLOBAL APPEND PROPERTY MICA_TOOLS ${NAME})
endfunction()

# With MLIR the test is of the compiler half.
function(mica_add_unit_test NAME)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE mica_flags GTest::gtest_main ${ARG_LINK})
  # -fPIC instead of an executable's -fPIE, so that the precompiled headers fit.
  set_target_properties(${NAME} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${NAME} PRIVATE -fPIC)
  if(ARG_MLIR)
    mica_use_mlir_pch(${NAME})
  else()
    target_compile_options(${NAME} PRIVATE ${MICA_TEST_OPTIONS})
    mica_use_std_pch(${NAME} test)
  endif()
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/Unit)
  set_property(GLOBAL APPEND PROPERTY MICA_UNIT_TESTS ${NAME})
  add_test(NAME ${NAME} COMMAND ${NAME})
endfunction()

# Everything generated by TableGen hangs on this target. Include files land in the build tree under the source's relative
# path, so that #include "dialects/Mica/IR/MicaOps.h.inc" works.
if(NOT TARGET mica_generated_headers)
  add_custom_target(mica_generated_headers)
endif()

# A generated header repeats the summaries and descriptions of its .td file as comments. Without them it stays as it is
# when a text changes, and the dozens of files that include it are not compiled again.
macro(mica_strip_comments HEADER)
  set(_stripped ${CMAKE_CURRENT_BINARY_DIR}/${HEADER})
  set(_commented ${CMAKE_CURRENT_BINARY_DIR}/commented/${HEADER})
  add_custom_command(OUTPUT ${_stripped}
    COMMAND sed "/^ *\\/\\/\\//d" ${_commented} > ${_stripped}.tmp
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${_stripped}.tmp ${_stripped}
    COMMAND ${CMAKE_COMMAND} -E remove ${_stripped}.tmp
    DEPENDS ${_commented} COMMENT "Strip the comments of ${HEADER}" VERBATIM)
  list(APPEND TABLEGEN_OUTPUT ${_stripped})
endmacro()

macro(mica_tablegen TD)
  set(LLVM_TARGET_DEFINITIONS ${TD})
  set(_mica_tg_args ${ARGN})
  list(LENGTH _mica_tg_args _mica_tg_len)
  math(EXPR _mica_tg_last "${_mica_tg_len} - 1")
  foreach(_i RANGE 0 ${_mica_tg_last} 2)
    list(GET _mica_tg_args ${_i} _out)
    math(EXPR _j "${_i} + 1")
    list(GET _mica_tg_args ${_j} _gen)
    string(REPLACE "," ";" _gen "${_gen}")
    if(_out MATCHES "\\.h\\.inc$")
      mlir_tablegen(commented/${_out} ${_gen} -I${CMAKE_SOURCE_DIR} -I${MLIR_INCLUDE_DIRS})
      mica_strip_comments(${_out})
    else()
      mlir_tablegen(${_out} ${_gen} -I${CMAKE_SOURCE_DIR} -I${MLIR_INCLUDE_DIRS})
    endif()
  endforeach()
endmacro()

# Ends a CMakeLists.txt that called mica_tablegen: makes target NAME for its outputs.
macro(mica_tablegen_target NAME)
  add_public_tablegen_target(${NAME})
  add_dependencies(mica_generated_headers ${NAME})
endmacro()
