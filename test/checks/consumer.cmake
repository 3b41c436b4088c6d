# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# Builds test/consumer, runs it and reads its output. WAY: find_package or pkg_config, against the installed package; vcpkg, against
# the port's; add_subdirectory, against the source tree; fetch_content, against an archive of it.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
if(WAY STREQUAL find_package OR WAY STREQUAL pkg_config)
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed")
  set(where "-DCMAKE_PREFIX_PATH=${WORK}/installed")
elseif(WAY STREQUAL vcpkg)
  run("${CMAKE_COMMAND}" "-DPORT_FOLDER=${SOURCE}/packaging/vcpkg/thrust-rns" "-DWORK=${WORK}" "-DGENERATOR=${GENERATOR}"
    "-DCXX_COMPILER=${CXX_COMPILER}" -P "${CMAKE_CURRENT_LIST_DIR}/vcpkg_port.cmake")
  set(where "-DCMAKE_PREFIX_PATH=${WORK}/installed")
elseif(WAY STREQUAL fetch_content)
  file(MAKE_DIRECTORY "${WORK}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E tar czf "${WORK}/thrust_rns.tar.gz" CMakeLists.txt cmake thrust_rns
    WORKING_DIRECTORY "${SOURCE}" COMMAND_ERROR_IS_FATAL ANY)
  set(where "-DTHRUST_RNS_ARCHIVE=${WORK}/thrust_rns.tar.gz")
else()
  set(where "-DTHRUST_RNS_SOURCE=${SOURCE}")
endif()

set(compilers "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
separate_arguments(compile UNIX_COMMAND "${CXX_FLAGS} ${OPENMP} -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_${BACKEND}")
list(PREPEND compile "${CXX_COMPILER}")
if(BACKEND STREQUAL CUDA)
  list(APPEND compilers "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" "-DCMAKE_CUDA_ARCHITECTURES=${CUDA_ARCHITECTURES}")
  set(compile "${CUDA_COMPILER}" -x cu)
endif()

if(WAY STREQUAL pkg_config)
  set(ENV{PKG_CONFIG_PATH} "${WORK}/installed/share/pkgconfig")
  string(REPLACE ";" " -isystem " cccl_includedir "${CCCL_INCLUDES}")
  execute_process(COMMAND "${PKG_CONFIG}" --cflags thrust_rns "--define-variable=cccl_includedir=${cccl_includedir}"
    OUTPUT_VARIABLE package_flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(package_flags UNIX_COMMAND "${package_flags}")
  file(MAKE_DIRECTORY "${WORK}/build")
  run(${compile} -std=c++17 ${package_flags} "${SOURCE}/test/consumer/consumer.cpp" -o "${WORK}/build/consumer")
else()
  set(cccl)
  if(CCCL)
    set(cccl "-DTHRUST_RNS_CCCL_DIR=${CCCL}")
  endif()
  run("${CMAKE_COMMAND}" -S "${SOURCE}/test/consumer" -B "${WORK}/build" -G "${GENERATOR}" ${where} ${cccl}
    -DBACKEND=${BACKEND} ${compilers})
  run("${CMAKE_COMMAND}" --build "${WORK}/build")
endif()
if(BACKEND STREQUAL CUDA AND NOT HAS_GPU)
  return()
endif()
execute_process(COMMAND "${WORK}/build/consumer" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "7\n")
  message(FATAL_ERROR "the consumer printed '${output}', not 7")
endif()
