# SPDX-License-Identifier: Apache-2.0
# Copyright (c) 2026 the thrust_rns authors
#
# An overlay port of the checkout that it lies in: vcpkg install thrust-rns --overlay-ports=<checkout>/packaging/vcpkg
# CCCL 3.0 or newer comes from the consumer's CUDA toolkit or its THRUST_RNS_CCCL_DIR.

set(VCPKG_BUILD_TYPE release) # headers only
vcpkg_cmake_configure(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.."
  OPTIONS -DTHRUST_RNS_BUILD_TESTS=OFF -DTHRUST_RNS_BUILD_EXAMPLES=OFF -DTHRUST_RNS_FETCH_CCCL=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME thrust_rns CONFIG_PATH lib/cmake/thrust_rns)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib")
vcpkg_install_copyright(FILE_LIST "${CMAKE_CURRENT_LIST_DIR}/../../../LICENSE")
