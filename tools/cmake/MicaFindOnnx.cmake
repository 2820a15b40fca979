# Finds what reads ONNX files: libonnx-dev and libprotobuf-dev, an optional dependency of the compiler half. Sets
# MICA_HAS_ONNX, and makes the interface target `mica_onnx`.
#
# Debian's ONNXConfig.cmake is not used: it also links libonnx, whose operator schemas Mica does not need.
find_path(MICA_ONNX_INCLUDE onnx/onnx_pb.h)
find_path(MICA_PROTOBUF_INCLUDE google/protobuf/message_lite.h)
find_library(MICA_ONNX_PROTO onnx_proto)
find_library(MICA_PROTOBUF_LITE protobuf-lite)
set(MICA_HAS_ONNX OFF CACHE INTERNAL "Whether ONNX models are read")
if(MICA_ENABLE_ONNX AND MICA_ONNX_INCLUDE AND MICA_PROTOBUF_INCLUDE AND MICA_ONNX_PROTO AND MICA_PROTOBUF_LITE)
  set(MICA_HAS_ONNX ON CACHE INTERNAL "Whether ONNX models are read")
  add_library(mica_onnx INTERFACE)
  target_include_directories(mica_onnx SYSTEM INTERFACE ${MICA_ONNX_INCLUDE} ${MICA_PROTOBUF_INCLUDE})
  target_compile_definitions(mica_onnx INTERFACE ONNX_ML=1 ONNX_NAMESPACE=onnx)
  target_link_libraries(mica_onnx INTERFACE ${MICA_ONNX_PROTO} ${MICA_PROTOBUF_LITE})
  install(TARGETS mica_onnx EXPORT MicaTargets)
elseif(MICA_ENABLE_ONNX)
  message(STATUS "ONNX models are not read: install libonnx-dev and libprotobuf-dev (tools/scripts/bootstrap.sh onnx)")
endif()
