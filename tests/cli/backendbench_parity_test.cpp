// SPDX-License-Identifier: Apache-2.0
// A directory of kernels that BackendBench itself judged (tests/golden/backendbench), through real workers.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/python.h"
#include "core/model/json/json_codec.h"
#include "tests/cli/cli_fixture.h"

namespace wb {
namespace {

const std::string samples = WB_SOURCE_DIR "/tests/golden/backendbench/";

/// Python writes NaN and infinities as JSON does not know them: strings here.
nlohmann::json rowsOf(const std::filesystem::path& file) {
  const auto text = readFile(file);
  EXPECT_TRUE(text) << file;
  static const std::regex odd(": (NaN|-?Infinity)");
  const auto json = parseJson(std::regex_replace(text ? *text : "[]", odd, ": \"$1\""));
  EXPECT_TRUE(json) << file;
  return json ? *json : nlohmann::json::array();
}

using Passed = std::map<std::string, std::pair<int, int>>;  ///< operator: correct tests, all tests

Passed passedOf(const nlohmann::json& rows) {
  Passed passed;
  for (const auto& row : rows) {
    auto& [correct, all] = passed[row["op_name"]];
    correct += row["is_correct"].get<bool>();
    ++all;
  }
  return passed;
}

/// Whether two figures are equal, or differ by what ATen's last bits do from one kind of processor to
/// another: theirs were made where there is AVX-512.
bool areNearly(const std::string& ours, const std::string& theirs) {
  if (ours == theirs) return true;
  char *ourEnd = nullptr, *theirEnd = nullptr;
  const double a = std::strtod(ours.c_str(), &ourEnd), b = std::strtod(theirs.c_str(), &theirEnd);
  const bool areNumbers = !ours.empty() && !theirs.empty() && *ourEnd == 0 && *theirEnd == 0;
  return areNumbers && std::abs(a - b) <= 2e-6 + 0.01 * std::abs(b);
}

std::vector<std::string> cellsOf(std::string table) {
  std::erase(table, '\r');
  std::replace(table.begin(), table.end(), '\n', ',');
  std::vector<std::string> cells;
  std::istringstream all(table);
  for (std::string cell; std::getline(all, cell, ',');) cells.push_back(cell);
  return cells;
}

class BackendBenchParity : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    if (!findPython()) GTEST_SKIP() << "no Python with torch";
    std::filesystem::copy(samples + "kernels", folder_ / "kernels", std::filesystem::copy_options::recursive);
  }
  nlohmann::json judge(std::vector<std::string> more) {
    std::vector<std::string> arguments = {
        "backendbench",
        "--suite",
        "opinfo",
        "--backend",
        "directory",
        "--ops-directory",
        "kernels",
        "--ops",
        "relu.default,add.Tensor,mul.Tensor,sub.Tensor,div.Tensor,div.Tensor_mode,sum.default,sum.dim_"
        "IntList,"
        "mean.default,mean.dim,gelu.default,sigmoid.default,bmm.default,exp.default,amax.default,"
        "native_layer_norm.default,_softmax.default,cat.default,tanh.default,abs.default,neg.default",
        "--device",
        "cpu",
        "--dtype",
        "float32",
        "--log-dir",
        "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    // Making opinfo takes half a minute: one cache for all runs of the tests.
    result_ = run(arguments,
                  {{"WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker"},
                   {"WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache"},
                   {"WARPBENCH_PYTHON", findPython()->string()}},
                  std::chrono::seconds{500});
    EXPECT_EQ(result_.ending.exitCode, 0) << result_.err;
    return rowsOf(folder_ / "out" / "full_results.json");
  }
  Captured result_;
};

TEST_F(BackendBenchParity, CopyingGivesEveryRowItsVerdictAndErrors) {
  const auto ours = judge({"--like-backendbench"});
  const auto theirs = rowsOf(samples + "opinfo_directory_float32/full_results.json");
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    SCOPED_TRACE(theirs[i].dump());
    for (const char* key : {"op_name", "args", "is_correct", "error_type", "test_type"})
      EXPECT_EQ(ours[i][key], theirs[i][key]);
    for (const char* key : {"max_abs_error", "max_rel_error"})
      EXPECT_TRUE(areNearly(ours[i][key].dump(), theirs[i][key].dump()))
          << key << ": " << ours[i][key] << ", theirs " << theirs[i][key];
    EXPECT_EQ(ours[i]["error_msg"].get<std::string>().empty(),
              theirs[i]["error_msg"].get<std::string>().empty());
  }
  const std::vector<std::string> sums = cellsOf(*readFile(folder_ / "out" / "operator_summary.csv")),
                                 theirSums = cellsOf(
                                     *readFile(samples + "opinfo_directory_float32/operator_summary.csv"));
  ASSERT_EQ(sums.size(), theirSums.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    EXPECT_TRUE(areNearly(sums[i], theirSums[i])) << sums[i] << ", theirs " << theirSums[i];
  const std::string closing = *readFile(samples + "opinfo_directory_float32/stdout.txt");
  EXPECT_THAT(closing, testing::StartsWith(result_.out));
}

/// "8 of 8", or "–" for none.
std::string counted(const Passed& passed, const std::string& op) {
  const auto found = passed.find(op);
  if (found == passed.end()) return "–";
  return std::to_string(found->second.first) + " of " + std::to_string(found->second.second);
}

TEST_F(BackendBenchParity, TheDefaultDiffersWhereThePageSaysAndNowhereElse) {
  const Passed ours = passedOf(judge({})),
               theirs = passedOf(rowsOf(samples + "opinfo_directory_float32/full_results.json"));
  std::map<std::string, std::string> differences, listed;
  Passed all = ours;
  all.insert(theirs.begin(), theirs.end());
  for (const auto& [op, ignored] : all)
    if (counted(ours, op) != counted(theirs, op))
      differences[op] = counted(theirs, op) + " | " + counted(ours, op);
  std::istringstream page(*readFile(WB_SOURCE_DIR "/resources/help/backendbench.md"));
  const std::regex row(R"(\| ([a-z_.]+) \| ((?:–|\d+ of \d+) \| (?:–|\d+ of \d+)) \| .*)");
  std::smatch match;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, match, row)) listed[match[1]] = match[2];
  EXPECT_EQ(differences, listed);
  EXPECT_FALSE(listed.empty());
}

}  // namespace
}  // namespace wb
