// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/journal.h"
#include "core/model/exit/exit_status.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <atomic>
#include <csignal>
#include <set>

#include "editor/kernel_editor.h"
#include "tests/ui/window_test.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/window/session.h"

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
  const auto found = next.recover().entries;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], (JournalEntry{"b", "", "untitled-1.cpp", "int b = 2; // π", 2, 7}));
}

TEST_F(JournalTest, LeavesTheEntriesOfALivingProcessAlone) {
  Journal living(path());
  living.write({"a", "", "a.cpp", "text", 1, 1});
  living.flush();
  Journal other(path());
  EXPECT_TRUE(other.recover().entries.empty());
}

TEST_F(JournalTest, RecoveredEntriesSurviveAnotherKill) {
  { Journal(path()).write({"a", "", "a.cpp", "text", 1, 1}); }
  {
    Journal second(path());
    EXPECT_EQ(second.recover().entries.size(), 1u);
  }  // ends without forgetting
  Journal third(path());
  EXPECT_EQ(third.recover().entries.size(), 1u);
}

TEST_F(JournalTest, TheNewestStateComesBackAndSaysWhetherTheWindowWasClosed) {
  const JournalState state{
      {{"a", "", 2, 3, "", TabSide::left, true}, {"b", "/x/b.cpp", 7, 1, "nightly", TabSide::both}},
      1,
      "/h/r.json",
      {"/h/b.json", "/h/c.json"},
      AssemblyChoices{true, {"PTX", "relu", "f32", "sm_90"}, "Samples", "Pinned run", {"nops", "together"}},
      true};
  {
    Journal first(path());
    first.writeState({});
    first.writeState(state);
  }
  Journal second(path());
  const Recovered recovered = second.recover();
  EXPECT_EQ(recovered.state, state);
  EXPECT_FALSE(recovered.killed);
  second.writeState({});
  second.flush();
  Journal third(path());
  EXPECT_FALSE(third.recover().state) << "its process is alive";
}

TEST_F(JournalTest, OfAWindowThatWasNotClosedItIsSaid) {
  { Journal(path()).writeState({}); }
  EXPECT_TRUE(Journal(path()).recover().killed);
}

TEST_F(JournalTest, WhatCannotBeWrittenIsToldOnce) {
  QFile file(QString::fromStdString(path().string()));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));  // a file where the folder should be
  std::atomic<int> told = 0;
  Journal journal(path(), [&](const Error& error) {
    EXPECT_FALSE(error.text.empty());
    ++told;
  });
  journal.write({"a", "", "a.cpp", "text", 1, 1});
  journal.flush();
  journal.write({"a", "", "a.cpp", "text 2", 1, 1});
  journal.flush();
  EXPECT_EQ(told, 1);
}

TEST_F(JournalTest, AHalfWrittenEntryDoesNotHideTheOthers) {
  { Journal(path()).write({"a", "", "a.cpp", "text", 1, 1}); }
  const QString own =
      QDir(QString::fromStdString(path().string())).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0);
  QFile broken(QString::fromStdString(path().string()) + "/" + own + "/broken.entry");
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("{\"id\": \"x\", \"te");
  broken.close();
  Journal next(path());
  EXPECT_EQ(next.recover().entries.size(), 1u);
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

TEST_F(JournalInWindow, WhatIsKeptForAnEndThatNobodyWantsIsOnDiskAtOnce) {
  open();
  QTest::keyClicks(edit("mine.cpp", "")->editor().viewport(), "int last");
  window().session().keep();
  EXPECT_TRUE(test::isInJournal("int last"));
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
