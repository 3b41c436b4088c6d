# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# Builds test/consumer against the installed package or the source tree (WAY), runs it and reads its output.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK}")
if(WAY STREQUAL find_package)
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed")
  set(where "-DCMAKE_PREFIX_PATH=${WORK}/installed")
else()
  set(where "-DTHRUST_RNS_SOURCE=${SOURCE}")
endif()
set(cccl)
if(CCCL)
  set(cccl "-DTHRUST_RNS_CCCL_DIR=${CCCL}")
endif()
run("${CMAKE_COMMAND}" -S "${SOURCE}/test/consumer" -B "${WORK}/build" -G "${GENERATOR}" ${where} ${cccl}
  -DBACKEND=${BACKEND} "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CXX_FLAGS=${CXX_FLAGS}")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
execute_process(COMMAND "${WORK}/build/consumer" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "7\n")
  message(FATAL_ERROR "the consumer printed '${output}', not 7")
endif()
