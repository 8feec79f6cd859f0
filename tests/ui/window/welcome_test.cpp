// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QListWidget>
#include <QPushButton>

#include <atomic>
#include <memory>

#include "tests/ui/window_test.h"
#include "ui/dialogs/new_dialog.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/results/run_figures.h"
#include "ui/welcome/welcome_page.h"

namespace wb {
namespace {

class WelcomeTest : public test::WindowTest {
 protected:
  WelcomePage& page() { return *window().findChild<WelcomePage*>(); }
  void closeAll() {
    while (Document* document = parts().tabs->current()) parts().files->close(document);
  }
  static QStringList titles(const QListWidget& list) {
    QStringList all;
    for (int i = 0; i < list.count(); ++i) all << list.item(i)->text();
    return all;
  }
};

TEST_F(WelcomeTest, IsThereWhileNoKernelIsOpenWithSamplesThatRunHere) {
  open();
  EXPECT_FALSE(page().isVisible());
  closeAll();
  ASSERT_TRUE(waitFor([&] { return page().isVisible() && page().samples().count() > 0; }));
  EXPECT_TRUE(titles(page().samples()).contains("Softmax in C++"));
  EXPECT_FALSE(titles(page().samples()).join(" ").contains("CUDA")) << "there is no GPU here";
  EXPECT_FALSE(page().runs().isVisible()) << "nothing has run yet";
  EXPECT_TRUE(page().machineLines().isEmpty()) << "nobody looks at the machine in this test";
  page().samples().setFocus();
  page().samples().setCurrentRow(0);
  QTest::keyClick(&page().samples(), Qt::Key_Return);
  ASSERT_TRUE(parts().tabs->current());
  EXPECT_FALSE(page().isVisible());
  EXPECT_FALSE(parts().tabs->current()->text().contains("Title:"));
}

TEST_F(WelcomeTest, OffersRecentFilesAndLastRuns) {
  open();
  const QString file = writeFile("mine.cpp", test::fakeKernel().toUtf8());
  parts().files->open(file);
  ASSERT_TRUE(waitFor([&] { return parts().tabs->current() && parts().tabs->current()->path() == file; }));
  run();
  closeAll();
  ASSERT_TRUE(waitFor([&] { return page().isVisible() && page().recent().count() > 0; }));
  EXPECT_EQ(page().recent().item(0)->text(), "mine.cpp");
  // The run is written in the background; the page shows what there is when it is shown.
  ASSERT_TRUE(waitFor([&] {
    page().refresh({file}, false);
    return page().runs().count() == 1;
  }));
  EXPECT_TRUE(page().runs().item(0)->text().contains("mine.cpp"));
  QTest::mouseClick(page().recent().viewport(), Qt::LeftButton, {},
                    page().recent().visualItemRect(page().recent().item(0)).center());
  EXPECT_TRUE(waitFor([&] { return parts().tabs->current() && parts().tabs->current()->path() == file; }));
}

TEST_F(WelcomeTest, SaysWhatTheMachineCanDoAndLooksOnce) {
  auto looks = std::make_shared<std::atomic<int>>(0);
  examine_ = [looks](const std::stop_token&) {
    ++*looks;
    return std::vector<DoctorLine>{
        {DoctorLine::State::good, "torch", "2.11.0"},
        {DoctorLine::State::missing, "device cuda:0", "no NVIDIA driver", "install one"}};
  };
  open();
  closeAll();
  ASSERT_TRUE(waitFor([&] { return page().machineLines().size() == 3; }));
  EXPECT_EQ(page().machineLines()[1], "torch: 2.11.0");
  edit("relu.cpp", "");
  closeAll();
  EXPECT_TRUE(waitFor([&] { return page().isVisible(); }));
  EXPECT_EQ(looks->load(), 1);
}

TEST_F(WelcomeTest, TheButtonBeginsANewKernel) {
  open();
  closeAll();
  ASSERT_TRUE(waitFor([&] { return page().samples().isVisible(); }));
  screenshot(window(), "welcome");
  page().newButton().setFocus();
  QTest::keyClick(&page().newButton(), Qt::Key_Space);
  EXPECT_TRUE(waitFor([&] {
    auto* dialog = window().findChild<NewDialog*>();
    return dialog && dialog->isVisible();
  }));
}

}  // namespace
}  // namespace wb
