// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/journal.h"
#include "core/model/exit_status.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <csignal>
#include <set>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"

namespace wb {
namespace {

class JournalTest : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path() const { return folder_.path().toStdString() + "/journal"; }
  QTemporaryDir folder_;
};

TEST_F(JournalTest, GivesBackWhatWasNotForgotten) {
  {
    Journal journal(path());
    journal.write({"a", "/x/a.cpp", "a.cpp", "int a;", 3, 4});
    journal.write({"b", "", "untitled-1.cpp", "int b;", 1, 1});
    journal.write({"b", "", "untitled-1.cpp", "int b = 2; // π", 2, 7});
    journal.forget("a");
  }
  Journal next(path());
  const auto found = next.recover();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], (JournalEntry{"b", "", "untitled-1.cpp", "int b = 2; // π", 2, 7}));
}

TEST_F(JournalTest, LeavesTheEntriesOfALivingProcessAlone) {
  Journal living(path());
  living.write({"a", "", "a.cpp", "text", 1, 1});
  living.flush();
  Journal other(path());
  EXPECT_TRUE(other.recover().empty());
}

TEST_F(JournalTest, RecoveredEntriesSurviveAnotherKill) {
  { Journal(path()).write({"a", "", "a.cpp", "text", 1, 1}); }
  {
    Journal second(path());
    EXPECT_EQ(second.recover().size(), 1u);
  }  // ends without forgetting
  Journal third(path());
  EXPECT_EQ(third.recover().size(), 1u);
}

TEST_F(JournalTest, AHalfWrittenEntryDoesNotHideTheOthers) {
  { Journal(path()).write({"a", "", "a.cpp", "text", 1, 1}); }
  const QString own =
      QDir(QString::fromStdString(path().string())).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
  QFile broken(QString::fromStdString(path().string()) + "/" + own + "/broken.json");
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("{\"id\": \"x\", \"te");
  broken.close();
  Journal next(path());
  EXPECT_EQ(next.recover().size(), 1u);
}

using JournalInWindow = test::WindowTest;

TEST_F(JournalInWindow, ATextThatWasNotSavedIsThereAgainInTheNextWindow) {
  open();
  QTest::keyClicks(edit("mine.cpp", "")->editor().viewport(), "int answer");
  ASSERT_TRUE(test::waitForJournal("int answer"));
  close();
  open();
  ASSERT_NE(parts().tabs->current(), nullptr);
  EXPECT_EQ(parts().tabs->current()->title(), "mine.cpp");
  EXPECT_TRUE(parts().tabs->current()->text().startsWith("int answer"));
  EXPECT_TRUE(parts().tabs->current()->isModified());
}

TEST_F(JournalInWindow, NothingIsLostWhenTheProcessIsKilled) {
  const QString file = writeFile("opened.cpp", "int x;\n");
  QProcess victim;
  victim.start(QCoreApplication::applicationFilePath(), {"--type-and-wait", file});
  ASSERT_TRUE(victim.waitForStarted());
  ASSERT_TRUE(waitFor([&] { return victim.readAllStandardOutput().contains("typed"); }))
      << victim.readAllStandardError().toStdString();
  victim.kill();  // SIGKILL
  ASSERT_TRUE(victim.waitForFinished());
  EXPECT_EQ(victim.exitStatus(), QProcess::CrashExit);

  open();
  std::set<std::string> texts;
  for (Document* document : parts().tabs->documents()) texts.insert(document->text().trimmed().toStdString());
  EXPECT_EQ(texts, (std::set<std::string>{"edited int x;", "never saved"}));
  EXPECT_EQ(readFile(file), "int x;\n");
}

}  // namespace
}  // namespace wb
