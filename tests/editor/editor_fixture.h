// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QString>
#include <QTest>
#include <string>
#include <utility>

#include "editor/kernel_editor.h"

namespace wb {

/// A shown editor, 900 x 600, with keys that reach it.
class EditorTest : public testing::Test {
 protected:
  void show(const QString& text, const char* language = "cuda") {
    editor.resize(900, 600);
    editor.setLanguage(QString::fromLatin1(language));
    editor.setText(text);
    editor.show();
    editor.setFocus();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&editor));
    settle();
  }
  static void settle() {
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  void key(int code, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(&editor, static_cast<Qt::Key>(code), modifiers);
    settle();
  }
  void type(const char* text) {
    QTest::keyClicks(&editor, QString::fromLatin1(text));
    settle();
  }
  /// Style number of the first occurrence of `word`.
  [[nodiscard]] int styleOf(const QString& word) {
    const qsizetype at = editor.text().indexOf(word);
    return at < 0 ? -1
                  : static_cast<int>(
                        editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT, static_cast<unsigned long>(at)));
  }

  KernelEditor editor;
};

inline Diagnostic diagnostic(Severity severity, std::string file, int line, int column, std::string message,
                             std::string code = {}) {
  return {severity, std::move(message), std::move(code), {std::move(file), line, column}, "nvcc"};
}

}  // namespace wb
