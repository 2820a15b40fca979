# What `make install` lays down beside the tools: headers, libraries and the package file that find_package(Mica) reads.
#   include/mica/       the std half's API and the ABI
#   include/mica-ir/    dialects/ and passes/ as they stand in the tree, with their generated headers
#   lib/python3/        the Python package, where Debian's Python looks
#   share/              docs, man pages, and completions for bash, zsh and fish, which the tools print of themselves
include(CMakePackageConfigHelpers)

install(DIRECTORY include/mica DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(MICA_ENABLE_COMPILER)
  foreach(root ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
    install(DIRECTORY ${root}/dialects ${root}/passes DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mica-ir
      FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc" PATTERN "CMakeFiles" EXCLUDE
      PATTERN "commented" EXCLUDE)
  endforeach()
endif()
install(EXPORT MicaTargets NAMESPACE Mica:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Mica)
configure_package_config_file(tools/cmake/MicaConfig.cmake.in ${CMAKE_BINARY_DIR}/MicaConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Mica)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/MicaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/MicaConfig.cmake ${CMAKE_BINARY_DIR}/MicaConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Mica)
install(DIRECTORY python/mica DESTINATION lib/python3/dist-packages FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
  PATTERN "__pycache__" EXCLUDE PATTERN "_install" EXCLUDE)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/mica)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/mica)

get_property(_tools GLOBAL PROPERTY MICA_TOOLS)
foreach(tool ${_tools})
  foreach(page man:man/man1/${tool}.1 bash:bash-completion/completions/${tool} zsh:zsh/vendor-completions/_${tool}
          fish:fish/vendor_completions.d/${tool}.fish)
    string(REGEX MATCH "^([a-z]+):(.*)/([^/]+)$" _ ${page})
    set(_file ${CMAKE_BINARY_DIR}/help/${CMAKE_MATCH_2}/${CMAKE_MATCH_3})
    install(CODE "execute_process(COMMAND $<TARGET_FILE:${tool}> --help=${CMAKE_MATCH_1} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
      file(WRITE ${_file} \"\${text}\")")
    install(FILES ${_file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${CMAKE_MATCH_2})
  endforeach()
endforeach()
