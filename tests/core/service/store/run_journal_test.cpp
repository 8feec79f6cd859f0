// SPDX-License-Identifier: Apache-2.0
// What is written down is there again; what cannot be written or read is said and harms nothing.
#include "core/service/store/run_journal.h"

#include <gmock/gmock.h>

#include <fstream>
#include <string>

#include "core/base/files/file.h"
#include "core/service/store/packed_text.h"
#include "tests/core/service/full_disk.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Job reluJob(const std::string& text = "text") {
  Job job;
  job.device = "auto";
  job.kernels = {{"relu.cpp", text, "torch_cpp", "relu"}};
  return job;
}

JournalRun run(std::uint64_t number, const std::string& key = {}) {
  JournalRun entry;
  entry.number = number;
  entry.idempotencyKey = key;
  entry.hasNote = true;
  entry.status = {"id-" + std::to_string(number), RunState::queued, "ada", -7,
                  100.25 + static_cast<double>(number)};
  entry.status.deadlineAt = 700;
  entry.status.device = "auto";
  entry.status.title = "relu.cpp";
  return entry;
}

JournalRun endedRun(std::uint64_t number, double ended) {
  JournalRun entry = run(number);
  entry.status.state = RunState::finished;
  entry.status.endedAt = ended;
  return entry;
}

class RunJournalTest : public testing::Test {
 protected:
  void open() {
    journal_.reset();
    Result<RunJournal::Opened> opened = RunJournal::open(folder_.path());
    ASSERT_TRUE(opened) << opened.error().text;
    journal_ = std::move(opened->journal);
    remark_ = opened->remark;
  }
  /// Opens the folder when it cannot be opened; gives the error.
  std::string failure() {
    journal_.reset();
    const Result<RunJournal::Opened> opened = RunJournal::open(folder_.path());
    return opened ? "" : opened.error().text;
  }
  void SetUp() override { open(); }
  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "journal.sqlite"; }
  void execute(const std::string& statement) {
    journal_.reset();
    Result<Database> database = Database::open(file());
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute(statement));
  }

  TemporaryFolder folder_;
  std::unique_ptr<RunJournal> journal_;
  std::string remark_;
};

TEST_F(RunJournalTest, WhatWasAcceptedIsThereAgain) {
  ASSERT_TRUE(journal_->accept(run(3, "key"), reluJob(), "the note"));
  open();
  const auto found = journal_->unfinished();
  ASSERT_TRUE(found);
  ASSERT_THAT(*found, SizeIs(1));
  const JournalRun& entry = found->front();
  EXPECT_EQ(entry.number, 3U);
  EXPECT_EQ(entry.idempotencyKey, "key");
  EXPECT_TRUE(entry.hasNote);
  EXPECT_EQ(entry.status.id, "id-3");
  EXPECT_EQ(entry.status.client, "ada");
  EXPECT_EQ(entry.status.priority, -7);
  EXPECT_EQ(entry.status.submittedAt, 103.25);
  EXPECT_EQ(entry.status.deadlineAt, 700);
  EXPECT_EQ(entry.status.title, "relu.cpp");
  EXPECT_EQ(*journal_->job("id-3"), reluJob());
  EXPECT_EQ(journal_->note("id-3"), "the note");
  EXPECT_EQ(journal_->find("id-3")->note, "the note");
  EXPECT_EQ(journal_->lastNumber(), 3U);
  EXPECT_FALSE(journal_->find("id-4"));
}

TEST_F(RunJournalTest, ARunThatIsOverHasAReportAndNoJob) {
  ASSERT_TRUE(journal_->accept(run(1), reluJob(), ""));
  Report report = startReport(reluJob());
  fold(report, Finished{Outcome::finished, 1.5});
  ASSERT_TRUE(journal_->end(endedRun(1, 200), &report));
  open();
  EXPECT_THAT(*journal_->unfinished(), IsEmpty());
  EXPECT_EQ(journal_->find("id-1")->state, RunState::finished);
  EXPECT_EQ(*journal_->report("id-1"), report);
  EXPECT_FALSE(journal_->job("id-1"));
  EXPECT_EQ(journal_->report("id-2"), nullptr);
}

TEST_F(RunJournalTest, EveryStateIsReadAsItWasWritten) {
  std::uint64_t number = 0;
  for (const RunState state :
       {RunState::running, RunState::finished, RunState::cancelled, RunState::expired, RunState::failed}) {
    JournalRun entry = run(++number);
    ASSERT_TRUE(journal_->accept(entry, reluJob(), ""));
    entry.status.state = state;
    entry.status.reason = "why";
    entry.status.startedAt = 150;
    entry.status.restarts = 2;
    entry.interruptions = 1;
    ASSERT_TRUE(journal_->start(entry));
    EXPECT_EQ(journal_->find(entry.status.id)->state, state);
    EXPECT_EQ(journal_->find(entry.status.id)->reason, "why");
  }
  const auto unfinished = journal_->unfinished();
  ASSERT_THAT(*unfinished, SizeIs(5));
  EXPECT_EQ(unfinished->front().status.startedAt, 150);
  EXPECT_EQ(unfinished->front().status.restarts, 2);
  EXPECT_EQ(unfinished->front().interruptions, 1);
}

TEST_F(RunJournalTest, AKeyIsOneClientsOwn) {
  ASSERT_TRUE(journal_->accept(run(1, "key"), reluJob(), ""));
  ASSERT_TRUE(journal_->accept(run(2), reluJob(), ""));
  ASSERT_TRUE(journal_->accept(run(3), reluJob(), "")) << "no key is no key twice";
  EXPECT_EQ((*journal_->runOfKey("ada", "key"))->id, "id-1");
  EXPECT_FALSE(journal_->runOfKey("bob", "key")->has_value());
  EXPECT_FALSE(journal_->runOfKey("ada", "")->has_value());
  EXPECT_FALSE(journal_->accept(run(4, "key"), reluJob(), "")) << "the same key twice";
}

TEST_F(RunJournalTest, ForgetsByAgeAndBySize) {
  Report report = startReport(reluJob());
  for (std::uint64_t number = 1; number <= 4; ++number) {
    ASSERT_TRUE(journal_->accept(run(number), reluJob(), "note"));
    ASSERT_TRUE(journal_->end(endedRun(number, 200 + static_cast<double>(number)), &report));
  }
  ASSERT_TRUE(journal_->accept(run(5), reluJob(), "note"));
  constexpr auto anySize = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(journal_->forget(100, anySize), IsEmpty());
  EXPECT_THAT(journal_->forget(202, anySize), ElementsAre("id-1", "id-2"));
  EXPECT_FALSE(journal_->find("id-1"));
  EXPECT_EQ(journal_->report("id-1"), nullptr);
  EXPECT_THAT(journal_->forget(0, journal_->bytes() - 1), ElementsAre("id-3"));
  EXPECT_THAT(journal_->forget(0, 0), ElementsAre("id-4")) << "what waits is never forgotten";
  EXPECT_THAT(*journal_->unfinished(), SizeIs(1));
  const std::int64_t left = journal_->bytes();
  open();
  EXPECT_EQ(journal_->bytes(), left);
  EXPECT_GT(left, 0);
}

TEST_F(RunJournalTest, CountsFollowEveryChangeAndARestart) {
  EXPECT_THAT(journal_->kept(500).byState, IsEmpty());
  EXPECT_EQ(journal_->kept(500).meanAge, 0);
  for (const std::uint64_t number : {1, 2, 3, 4}) ASSERT_TRUE(journal_->accept(run(number), reluJob(), ""));
  JournalRun second = run(2);
  second.status.state = RunState::running;
  ASSERT_TRUE(journal_->start(second));
  ASSERT_TRUE(journal_->end(endedRun(3, 300), nullptr));
  ASSERT_TRUE(journal_->end(endedRun(4, 200), nullptr));
  const std::map<RunState, std::uint64_t> all{
      {RunState::queued, 1}, {RunState::running, 1}, {RunState::finished, 2}};
  EXPECT_EQ(journal_->kept(500).byState, all);
  // They were handed in at 101.25 to 104.25.
  EXPECT_DOUBLE_EQ(journal_->kept(500).meanAge, 500 - 102.75);

  open();
  EXPECT_EQ(journal_->kept(500).byState, all);
  ASSERT_TRUE(journal_->putBack(run(2)));
  ASSERT_THAT(journal_->forget(250, 1 << 20), ElementsAre("id-4"));
  EXPECT_EQ(journal_->kept(500).byState,
            (std::map<RunState, std::uint64_t>{{RunState::queued, 2}, {RunState::finished, 1}}));
  EXPECT_DOUBLE_EQ(journal_->kept(500).meanAge, 500 - 102.25);
}

TEST_F(RunJournalTest, OneServiceHasAFolder) {
  const Result<RunJournal::Opened> second = RunJournal::open(folder_.path());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().text, HasSubstr("Another service has the folder"));
  open();
}

TEST_F(RunJournalTest, AFolderOfANewerVersionIsLeftAlone) {
  ASSERT_TRUE(journal_->accept(run(1), reluJob(), ""));
  execute("PRAGMA user_version = 99");
  EXPECT_THAT(failure(), HasSubstr("newer version"));
  execute("PRAGMA user_version = 1");
  open();
  EXPECT_THAT(*journal_->unfinished(), SizeIs(1));
}

TEST_F(RunJournalTest, ADatabaseOfSomebodyElseIsLeftAlone) {
  execute("PRAGMA application_id = 7");
  EXPECT_THAT(failure(), HasSubstr("no journal of a service"));
}

TEST_F(RunJournalTest, ADamagedFileIsPutAside) {
  ASSERT_TRUE(journal_->accept(run(1), reluJob(), ""));
  journal_.reset();
  std::fstream(file(), std::ios::in | std::ios::out | std::ios::binary).write("nothing of SQLite's", 19);
  const std::string damaged = *readFile(file());
  open();
  EXPECT_THAT(remark_, HasSubstr("renamed to journal-damaged-"));
  EXPECT_THAT(*journal_->unfinished(), IsEmpty());
  EXPECT_TRUE(journal_->accept(run(2), reluJob(), ""));
  std::vector<std::string> aside;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    if (entry.path().filename().string().starts_with("journal-damaged-"))
      aside.push_back(*readFile(entry.path()));
  EXPECT_THAT(aside, ElementsAre(damaged));
  open();
  EXPECT_EQ(remark_, "");
}

TEST_F(RunJournalTest, DamagedRowsAreFoundAtTheStart) {
  for (std::uint64_t number = 1; number <= 200; ++number)
    ASSERT_TRUE(journal_->accept(run(number), reluJob(), ""));
  journal_.reset();
  // All pages but the first, which has the header and the tables.
  const auto size = std::filesystem::file_size(file());
  std::fstream stream(file(), std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(4096);
  stream << std::string(size - 4096, '\xff');
  stream.close();
  open();
  EXPECT_THAT(remark_, HasSubstr("damaged"));
}

TEST_F(RunJournalTest, OthersCannotReadIt) {
  namespace fs = std::filesystem;
  ASSERT_TRUE(journal_->accept(run(1), reluJob(), ""));
  int files = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) {
    const fs::perms rights = entry.status().permissions();
    EXPECT_EQ(rights & (fs::perms::group_all | fs::perms::others_all), fs::perms::none) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 4) << "the lock, the database, its log and the log's index";
}

TEST_F(RunJournalTest, AFolderThatCannotBeWrittenIsNamed) {
  const std::filesystem::path file = folder_.path() / "file";
  ASSERT_TRUE(writeFileAtomically(file, "no folder"));
  const Result<RunJournal::Opened> opened = RunJournal::open(file / "folder");
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().text, HasSubstr(file.string()));
}

TEST_F(RunJournalTest, AFullDiskRefusesAndHarmsNothing) {
  std::string noise;
  for (std::uint64_t i = 0; i < 200'000; ++i)
    noise += static_cast<char>('!' + (i * i * 2654435761U >> 7) % 90);
  ASSERT_TRUE(journal_->accept(run(1), reluJob(), ""));
  {
    const FullDisk full(100'000);
    const Result<void> refused = journal_->accept(run(2), reluJob(noise), "");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text, testing::Not(HasSubstr(folder_.path().string())));
    EXPECT_THAT(*journal_->unfinished(), SizeIs(1));
    Report report = startReport(reluJob(noise));
    EXPECT_FALSE(journal_->end(endedRun(1, 200), &report));
    EXPECT_EQ(journal_->find("id-1")->state, RunState::queued);
  }
  EXPECT_TRUE(journal_->accept(run(2), reluJob(noise), ""));
  open();
  EXPECT_EQ(remark_, "");
  EXPECT_THAT(*journal_->unfinished(), SizeIs(2));
  EXPECT_EQ(*journal_->job("id-2"), reluJob(noise));
}

TEST(PackedText, ComesBackAsItWas) {
  for (const std::string& text : {std::string(), std::string("a"), std::string(1 << 20, 'x')}) {
    const std::string bytes = packed(text);
    EXPECT_EQ(*unpacked(bytes), text);
    if (text.size() > 100) EXPECT_LT(bytes.size(), text.size() / 100);
  }
  EXPECT_FALSE(unpacked(""));
  EXPECT_FALSE(unpacked("short"));
  EXPECT_FALSE(unpacked(std::string(100, '\xff')));
  std::string cut = packed(std::string(1 << 20, 'x'));
  cut.resize(cut.size() / 2);
  EXPECT_FALSE(unpacked(cut));
}

}  // namespace
}  // namespace wb
