# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# cmake -DPORT_FOLDER=... -DWORK=... -DGENERATOR=... -DCXX_COMPILER=... -P vcpkg_port.cmake
#
# Runs the port's portfile.cmake where there is no vcpkg: the functions it calls do here what vcpkg's manual says that they do for a
# package without binaries, and what vcpkg refuses in a package is refused. The package is ${WORK}/installed.

cmake_minimum_required(VERSION 3.25)
cmake_path(GET PORT_FOLDER FILENAME PORT)
set(CURRENT_PACKAGES_DIR "${WORK}/installed")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 port "" SOURCE_PATH OPTIONS)
  run("${CMAKE_COMMAND}" -S "${port_SOURCE_PATH}" -B "${WORK}/port" -G "${GENERATOR}" -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" -DBUILD_SHARED_LIBS=OFF
    ${port_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run("${CMAKE_COMMAND}" --build "${WORK}/port" --target install)
endfunction()

# Moves the package's files for CMake to share/, two folders below the prefix instead of three.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 port "" "PACKAGE_NAME;CONFIG_PATH" "")
  set(share "${CURRENT_PACKAGES_DIR}/share/${port_PACKAGE_NAME}")
  file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share")
  file(RENAME "${CURRENT_PACKAGES_DIR}/${port_CONFIG_PATH}" "${share}")
  file(GLOB files "${share}/*.cmake")
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REPLACE "\${CMAKE_CURRENT_LIST_DIR}/../../../" "\${CMAKE_CURRENT_LIST_DIR}/../../" text "${text}")
    string(REGEX REPLACE
      "get_filename_component\\(_IMPORT_PREFIX \"\\\${CMAKE_CURRENT_LIST_FILE}\" PATH\\)(\nget_filename_component\\(_IMPORT_PREFIX \"\\\${_IMPORT_PREFIX}\" PATH\\))*"
      "get_filename_component(_IMPORT_PREFIX \"\${CMAKE_CURRENT_LIST_DIR}/../../\" ABSOLUTE)" text "${text}")
    file(WRITE "${file}" "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  file(GLOB_RECURSE files "${CURRENT_PACKAGES_DIR}/*.pc")
  if(NOT files)
    message(FATAL_ERROR "the package has no .pc file")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 port "" "" FILE_LIST)
  configure_file(${port_FILE_LIST} "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright" COPYONLY)
endfunction()

include("${PORT_FOLDER}/portfile.cmake")

foreach(wanted include/thrust_rns/thrust_rns.h share/${PORT}/copyright)
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${wanted}")
    message(FATAL_ERROR "the package has no ${wanted}")
  endif()
endforeach()
foreach(unwanted lib lib/cmake debug/include debug/share bin)
  if(EXISTS "${CURRENT_PACKAGES_DIR}/${unwanted}")
    message(FATAL_ERROR "the package has a folder ${unwanted}")
  endif()
endforeach()
