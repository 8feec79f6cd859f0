// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/text_file.h"

#include <QDir>
#include <QFile>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"

namespace wb {
namespace {

TEST(TextFile, EveryEncodingComesBackAsItWas) {
  const QString text = QStringLiteral("// größer\r\nint a;\n");
  for (const Encoding encoding : {Encoding::utf8, Encoding::utf8WithMark, Encoding::utf16Little,
                                  Encoding::utf16Big, Encoding::latin1}) {
    const std::optional<QByteArray> bytes = encodeText({text, encoding});
    ASSERT_TRUE(bytes);
    const std::optional<TextFile> back = decodeText(*bytes);
    ASSERT_TRUE(back) << encodingName(encoding).toStdString();
    EXPECT_EQ(back->text, text);
    EXPECT_EQ(back->encoding, encoding);
  }
}

TEST(TextFile, BinariesAreRefusedAndLatin1LacksMostCharacters) {
  EXPECT_FALSE(decodeText(QByteArray("int\0x", 5)));
  EXPECT_FALSE(decodeText(QByteArray("\xFF\xFE\0\0", 4)));
  EXPECT_FALSE(encodeText({QStringLiteral("µ → π"), Encoding::latin1}));
}

class TextFileInWindow : public test::WindowTest {
 protected:
  Document& openFile(const QString& path) {
    bool done = false;
    parts().files->open(path, 0, 0, [&](bool) { done = true; });
    EXPECT_TRUE(waitFor([&] { return done; }));
    return *parts().tabs->current();
  }
  void save(const Document& document) {
    press(Qt::Key_S, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([&] { return !document.isModified(); }));
  }
};

TEST_F(TextFileInWindow, AFileIsWrittenAsItWasRead) {
  open();
  const QByteArray utf16 = *encodeText({QStringLiteral("int ä;\r\nint b;\r\n"), Encoding::utf16Little});
  const QString path = writeFile("wide.cpp", utf16);
  Document& document = openFile(path);
  EXPECT_EQ(document.oddities(), (QStringList{"CRLF", "UTF-16 LE"}));
  QTest::keyClick(document.editor().viewport(), Qt::Key_Return);
  save(document);
  EXPECT_EQ(readFile(path), *encodeText({QStringLiteral("\r\nint ä;\r\nint b;\r\n"), Encoding::utf16Little}));
  EXPECT_EQ(utf8Questions_, 0);
}

TEST_F(TextFileInWindow, WhatLatin1LacksIsAskedAbout) {
  open();
  const QString path = writeFile("old.cpp",
                                 "// gr\xF6\xDF"
                                 "er\n");
  Document& document = openFile(path);
  EXPECT_EQ(document.text(), QStringLiteral("// größer\n"));
  document.editor().insert(QStringLiteral("π"));
  utf8Answer_ = false;
  press(Qt::Key_S, Qt::ControlModifier);
  EXPECT_EQ(utf8Questions_, 1);
  EXPECT_TRUE(document.isModified());
  EXPECT_EQ(readFile(path),
            "// gr\xF6\xDF"
            "er\n");
  utf8Answer_ = true;
  save(document);
  EXPECT_EQ(readFile(path), QStringLiteral("π// größer\n").toUtf8());
  EXPECT_TRUE(document.oddities().isEmpty());
}

TEST_F(TextFileInWindow, MixedLineEndsAreSaidAndKept) {
  open();
  const QString path = writeFile("mixed.cpp", "a;\r\nb;\r\nc;\n");
  Document& document = openFile(path);
  EXPECT_EQ(document.oddities(), QStringList{"mixed line ends"});
  QTest::keyClicks(document.editor().viewport(), "x");
  save(document);
  EXPECT_EQ(readFile(path), "xa;\r\nb;\r\nc;\n");
  action("edit.lf")->trigger();
  EXPECT_TRUE(document.oddities().isEmpty());
  save(document);
  EXPECT_EQ(readFile(path), "xa;\nb;\nc;\n");
}

TEST_F(TextFileInWindow, AHugeFileIsRefusedWithoutBeingRead) {
  open();
  QFile huge(folder() + "/huge.cpp");
  ASSERT_TRUE(huge.open(QIODevice::WriteOnly));
  ASSERT_TRUE(huge.resize(qint64(200) << 20));
  const int before = parts().tabs->count();
  openFile(huge.fileName());
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_NE(told_[0].text.find("huge.cpp"), std::string::npos);
  EXPECT_EQ(parts().tabs->count(), before);
}

TEST_F(TextFileInWindow, AFileThatBecomesAFolderKeepsItsText) {
  open();
  const QString path = writeFile("file.cpp", "int a;\n");
  Document& document = openFile(path);
  ASSERT_TRUE(QFile::remove(path));
  ASSERT_TRUE(QDir().mkdir(path));
  QTest::keyClicks(document.editor().viewport(), "x");
  press(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([this] { return !told_.empty(); }));
  EXPECT_EQ(document.text(), "xint a;\n");
  EXPECT_TRUE(document.isModified());
  EXPECT_EQ(parts().tabs->withPath(path), &document);
}

}  // namespace
}  // namespace wb
