// SPDX-License-Identifier: Apache-2.0
// What a machine answers that is asked about runs that lie on it.
#include "core/runner/batch/batch_desk.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/model/json/json_codec.h"
#include "core/runner/batch/batch.h"
#include "core/runner/remote/files/carried_files.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// A job of four cases, so that there is work for two.
Job fourCases() {
  Job job = fakeJob({""}, false);
  for (int i = 0; i < 4; ++i) job.cases.push_back({.op = "aten::relu", .args = std::to_string(i)});
  return job;
}

constexpr const char* id = "20261123-020000-00ff";

class BatchDesk : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("WARPBENCH_DATA", own_.path().c_str(), 1);
    ASSERT_TRUE(writeFileAtomically(bundle() / "bin" / "warpbench", "the program"));
  }
  void TearDown() override { ::unsetenv("WARPBENCH_DATA"); }

  [[nodiscard]] fs::path bundle() const { return own_.path() / "bundle"; }
  [[nodiscard]] Json ask(const Json& request, const std::string& behind = {}) const {
    return Json::parse(answerAboutBatch(dump(request) + "\n" + behind, bundle()));
  }
  [[nodiscard]] std::string wrong(const Json& request, const std::string& behind = {}) const {
    const Json answer = ask(request, behind);
    return answer.contains("error") ? answer["error"]["text"].get<std::string>() : "";
  }
  static Json take(const Job& job) {
    return {
        {"do", "take"},   {"id", id},           {"target", "slurm://gpu?gres=gpu:1&python=~/torch/python"},
        {"workers", 2},   {"job", toJson(job)}, {"ownCache", false},
        {"submit", false}};
  }
  [[nodiscard]] fs::path folder() const { return own_.path() / "batches" / id; }

  const TemporaryFolder own_;
};

TEST_F(BatchDesk, TakesARunWithItsFilesAndPrograms) {
  EXPECT_EQ(ask({{"do", "where"}, {"id", id}})["folder"], folder().string());
  const std::vector<CarriedFile> files{{"/home/me/my kernels/", ""},
                                       {"/home/me/my kernels/x.h", "int x;\0y"}};
  const Json taken = ask(take(fourCases()), packedFiles(files));
  ASSERT_FALSE(taken.contains("error")) << taken;
  EXPECT_EQ(taken["number"], "");
  EXPECT_EQ(taken["script"], readFile(folder() / "script.sh").value_or(""));
  const std::string home = std::getenv("HOME");
  EXPECT_THAT(taken["script"].get<std::string>(),
              AllOf(HasSubstr("#SBATCH --gres=gpu:1\n"), HasSubstr("--array=0-1"),
                    HasSubstr("WARPBENCH_PYTHON='" + home + "/torch/python'"),
                    HasSubstr((folder() / "programs" / "bin" / "warpbench").string())));
  EXPECT_EQ(readFile(folder() / "sources" / hashOf(files) / "home/me/my kernels/x.h").value_or(""),
            files[1].content);
  EXPECT_EQ(readFile(folder() / "programs" / "bin" / "warpbench").value_or(""), "the program");
  const auto batch = readBatch(id);
  ASSERT_TRUE(batch) << describe(batch.error());
  EXPECT_EQ(batch->job, fourCases());
  EXPECT_EQ(batch->shards, 2U);
  EXPECT_THAT(wrong(take(fourCases()), packedFiles({})), HasSubstr("there is a run"));
}

TEST_F(BatchDesk, GivesWhatIsNewInWholeLines) {
  ASSERT_FALSE(ask(take(fourCases()), packedFiles({})).contains("error"));
  const auto look = [&](std::size_t one, std::size_t other) {
    return ask({{"do", "look"}, {"id", id}, {"have", {one, other}}, {"queue", false}});
  };
  EXPECT_EQ(look(0, 0)["parts"], Json::array({"", ""}));
  ASSERT_TRUE(writeFileAtomically(folder() / "events-0.jsonl", "one\ntwo\nthr"));
  ASSERT_TRUE(writeFileAtomically(folder() / "events-1.jsonl", "1\n"));
  EXPECT_EQ(look(0, 0)["parts"], Json::array({"one\ntwo\n", "1\n"}));
  EXPECT_EQ(look(4, 2)["parts"], Json::array({"two\n", ""}));
  EXPECT_EQ(look(8, 2), Json({{"more", false}, {"parts", {"", ""}}}));
  EXPECT_THAT(wrong({{"do", "look"}, {"id", id}, {"have", {99, 2}}, {"queue", false}}),
              HasSubstr("is shorter than it was"));
}

// Slurm has no configuration here, or is not installed.
TEST_F(BatchDesk, ASchedulerThatDoesNotAnswerKeepsNothingBack) {
  ASSERT_FALSE(ask(take(fourCases()), packedFiles({})).contains("error"));
  ASSERT_TRUE(writeFileAtomically(folder() / "events-0.jsonl", "one\n"));
  const Json answer = ask({{"do", "look"}, {"id", id}, {"have", {0, 0}}, {"queue", true}});
  EXPECT_EQ(answer["parts"], Json::array({"one\n", ""}));
  EXPECT_FALSE(answer.contains("waiting"));
  EXPECT_NE(answer["unanswered"]["text"], "") << answer;
}

TEST_F(BatchDesk, MuchComesInParts) {
  ASSERT_FALSE(ask(take(fourCases()), packedFiles({})).contains("error"));
  std::string all;
  while (all.size() < (std::size_t{1} << 20)) all += std::string(100'000, 'x') + "\n";
  ASSERT_TRUE(writeFileAtomically(folder() / "events-0.jsonl", all + std::string(4'300'000, 'y') + "\n"));
  ASSERT_TRUE(writeFileAtomically(folder() / "events-1.jsonl", "1\n"));
  std::string came, other;
  int answers = 0;
  for (bool more = true; more; ++answers) {
    const Json answer =
        ask({{"do", "look"}, {"id", id}, {"have", {came.size(), other.size()}}, {"queue", false}});
    ASSERT_FALSE(answer.contains("error")) << answer;
    came += answer["parts"][0].get<std::string>();
    other += answer["parts"].at(1).get<std::string>();
    more = answer["more"].get<bool>();
    ASSERT_LT(answers, 9);
  }
  EXPECT_GT(answers, 2);
  EXPECT_EQ(came, readFile(folder() / "events-0.jsonl").value_or(""));
  EXPECT_EQ(other, "1\n");
}

TEST_F(BatchDesk, NonsenseIsAnswered) {
  EXPECT_THAT(Json::parse(answerAboutBatch("nonsense", bundle()))["error"]["text"], testing::Not(""));
  EXPECT_THAT(wrong({{"do", "look"}}), HasSubstr("no request about a run"));
  EXPECT_THAT(wrong({{"do", "where"}, {"id", "../../etc"}}), HasSubstr("no name of a run"));
  EXPECT_THAT(wrong({{"do", "dance"}, {"id", id}}), HasSubstr("dance"));
  EXPECT_THAT(wrong({{"do", "cancel"}, {"id", id}}), HasSubstr("there is no run"));
  EXPECT_THAT(wrong(take(fourCases()), "no files"), HasSubstr("no files of kernels"));
}

}  // namespace
}  // namespace wb
