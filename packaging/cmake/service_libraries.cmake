# SPDX-License-Identifier: Apache-2.0
# The libraries of core/service, each as a target that says what it needs: WbService::http, WbService::sqlite,
# WbService::zlib, WbService::crypto and WbService::toml.
find_package(PkgConfig REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(WB_HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
pkg_check_modules(WB_SQLITE REQUIRED IMPORTED_TARGET sqlite3)
find_path(WB_TOML_INCLUDE toml++/toml.h REQUIRED)

add_library(WbService::crypto INTERFACE IMPORTED)
target_link_libraries(WbService::crypto INTERFACE OpenSSL::Crypto)
add_library(WbService::http INTERFACE IMPORTED)
target_link_libraries(WbService::http INTERFACE PkgConfig::WB_HTTPLIB OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
add_library(WbService::sqlite INTERFACE IMPORTED)
target_link_libraries(WbService::sqlite INTERFACE PkgConfig::WB_SQLITE)
add_library(WbService::zlib INTERFACE IMPORTED)
target_link_libraries(WbService::zlib INTERFACE ZLIB::ZLIB)
add_library(WbService::toml INTERFACE IMPORTED)
# By its headers alone: what is copied to other machines must not need a library that they lack.
target_include_directories(WbService::toml INTERFACE "${WB_TOML_INCLUDE}")
