# SPDX-License-Identifier: Apache-2.0
# Debian ships QScintilla without CMake files.
find_path(WB_QSCINTILLA_INCLUDE Qsci/qsciscintilla.h PATH_SUFFIXES qt6 x86_64-linux-gnu/qt6 REQUIRED)
find_library(WB_QSCINTILLA_LIBRARY qscintilla2_qt6 REQUIRED)
add_library(QScintilla::QScintilla UNKNOWN IMPORTED)
set_target_properties(QScintilla::QScintilla PROPERTIES
  IMPORTED_LOCATION "${WB_QSCINTILLA_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${WB_QSCINTILLA_INCLUDE}"
  INTERFACE_COMPILE_DEFINITIONS QSCINTILLA_DLL
  INTERFACE_LINK_LIBRARIES "Qt6::Widgets;Qt6::PrintSupport")
