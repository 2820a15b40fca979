# What `make install` lays down beside the tools: headers, libraries and the package file that find_package(Mica) reads.
#   include/mica/       the std half's API and the ABI
#   include/mica-ir/    dialects/ and passes/ as they stand in the tree, with their generated headers
include(CMakePackageConfigHelpers)

install(DIRECTORY include/mica DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(MICA_ENABLE_COMPILER)
  foreach(root ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
    install(DIRECTORY ${root}/dialects ${root}/passes DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mica-ir
      FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc" PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
endif()
install(EXPORT MicaTargets NAMESPACE Mica:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Mica)
configure_package_config_file(tools/cmake/MicaConfig.cmake.in ${CMAKE_BINARY_DIR}/MicaConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Mica)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/MicaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/MicaConfig.cmake ${CMAKE_BINARY_DIR}/MicaConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Mica)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/mica)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/mica)
