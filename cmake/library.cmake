# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# The target thrust_rns::thrust_rns, and what is installed.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# CCCL's include directories only: linking CCCL::CCCL itself would choose the CUDA device system for every consumer.
add_library(thrust_rns INTERFACE)
add_library(thrust_rns::thrust_rns ALIAS thrust_rns)
target_compile_features(thrust_rns INTERFACE cxx_std_17)
target_include_directories(thrust_rns INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
# nvcc searches its toolkit before -isystem directories, so it gets CCCL's with -I.
set(cccl_directories "$<TARGET_PROPERTY:CCCL::CCCL,INTERFACE_INCLUDE_DIRECTORIES>")
target_include_directories(thrust_rns SYSTEM INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${cccl_directories}>")
target_include_directories(thrust_rns INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:${cccl_directories}>")

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/thrust_rns")
configure_package_config_file(cmake/thrust_rns-config.cmake.in thrust_rns-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(thrust_rns-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(DIRECTORY thrust_rns DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
install(TARGETS thrust_rns EXPORT thrust_rns-targets)
install(EXPORT thrust_rns-targets NAMESPACE thrust_rns:: DESTINATION ${package_dir})
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/thrust_rns-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/thrust_rns-config-version.cmake" cmake/find_cccl.cmake DESTINATION ${package_dir})

# pkg-config. CCCL's headers are those of the toolkit or of THRUST_RNS_CCCL_DIR; what was fetched stays in the build folder.
set(pc_includedir "\${prefix}")
cmake_path(APPEND pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
set(pc_cccl_includedir /usr/local/cuda/include/cccl)
if(TARGET CCCL::CCCL AND NOT DEFINED thrust_rns_fetched)
  set(pc_cccl_includedir "$<JOIN:$<REMOVE_DUPLICATES:${cccl_directories}>, -isystem >")
endif()
configure_file(cmake/thrust_rns.pc.in thrust_rns.pc.generate @ONLY)
file(GENERATE OUTPUT thrust_rns.pc INPUT "${CMAKE_CURRENT_BINARY_DIR}/thrust_rns.pc.generate")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/thrust_rns.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
