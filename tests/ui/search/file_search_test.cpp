// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/file_search.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/search/search_panel.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

class FileSearchTest : public test::WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    ASSERT_TRUE(QDir(folder()).mkpath("src/deep") && QDir(folder()).mkpath("src/build-dev"));
    writeFile("src/a.cpp", "int row;\r\n  // größer: row and row\r\n");
    writeFile("src/deep/b.cu", "float Row;\n");
    writeFile("src/build-dev/made.cpp", "int row;\n");
    writeFile("src/binary.bin", QByteArray("row\0row", 7));
  }
  /// What was found, as "a.cpp:1:5 int row;".
  QStringList foundBy(FileSearchRequest request) {
    FileSearch search;
    bool ended = false;
    QObject::connect(&search, &FileSearch::finished, [&] { ended = true; });
    request.folder = folder() + "/src";
    search.start(std::move(request));
    EXPECT_TRUE(waitFor([&] { return ended; }));
    QStringList found;
    for (const FoundPlace& place : search.found())
      found << QStringLiteral("%1:%2:%3 %4")
                   .arg(QDir(folder() + "/src").relativeFilePath(place.path))
                   .arg(place.line)
                   .arg(place.column)
                   .arg(place.text);
    return found;
  }
};

TEST_F(FileSearchTest, FindsInTextsBelowTheFolderAndLeavesOutWhatWasBuilt) {
  EXPECT_EQ(foundBy({{"row", false, true, true}, {}, {}}),
            (QStringList{"a.cpp:1:5 int row;", "a.cpp:2:16 // größer: row and row",
                         "a.cpp:2:24 // größer: row and row"}));
  EXPECT_EQ(foundBy({{"^float r", true, false, false}, {}, {}}), QStringList{"deep/b.cu:1:1 float Row;"});
}

TEST_F(FileSearchTest, OpenTextsCountInPlaceOfTheirFiles) {
  FileSearchRequest request{{"line", false, true, false}, {}, {}};
  request.open[folder() + "/src/a.cpp"] = "int line;\n";
  EXPECT_EQ(foundBy(request), QStringList{"a.cpp:1:5 int line;"});
}

TEST_F(FileSearchTest, EndsAfterTenThousandPlaces) {
  writeFile("src/many.txt", QByteArray("x x x x\n").repeated(5000));
  EXPECT_EQ(foundBy({{"x", false, true, false}, {}, {}}).size(), FileSearch::mostPlaces);
}

TEST_F(FileSearchTest, ACancelledSearchSaysNothingMore) {
  FileSearch search;
  int progressed = 0;
  QObject::connect(&search, &FileSearch::progressed, [&] { ++progressed; });
  search.start({{"row", false, true, false}, folder(), {}});
  search.cancel();
  EXPECT_FALSE(search.isRunning());
  bool ended = false;
  FileSearch other;
  QObject::connect(&other, &FileSearch::finished, [&] { ended = true; });
  other.start({{"row", false, true, false}, folder(), {}});
  ASSERT_TRUE(waitFor([&] { return ended; }));
  EXPECT_EQ(progressed, 0);
}

TEST_F(FileSearchTest, TheKeysFindAndOpenAPlace) {
  open({folder() + "/src/a.cpp"});
  ASSERT_TRUE(waitFor([this] { return parts().tabs->count() == 1; }));
  press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
  auto* panel = window().findChild<SearchPanel*>();
  ASSERT_NE(panel, nullptr);
  const QAbstractItemModelTester tester(&panel->table().model(),
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  QTest::keyClicks(QApplication::focusWidget(), "row");
  press(Qt::Key_Return);
  ASSERT_TRUE(waitFor([&] { return panel->table().model().rowCount() == 4; }));
  EXPECT_TRUE(panel->statusText().startsWith("4 places in")) << panel->statusText().toStdString();
  screenshot(window(), "find-in-files");
  press(Qt::Key_Down);
  panel->table().select("3");
  QTest::keyClick(&panel->table().view(), Qt::Key_Return);
  ASSERT_TRUE(waitFor([this] { return parts().tabs->current()->title() == "b.cu"; }));
  EXPECT_EQ(parts().tabs->current()->editor().currentColumn(), 7);
}

}  // namespace
}  // namespace wb
