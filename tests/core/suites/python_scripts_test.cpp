// SPDX-License-Identifier: Apache-2.0
// The Python scripts themselves, with a Python that has torch and pyarrow. Slow: importing op_db takes
// seconds.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "core/base/process/process.h"
#include "core/base/python.h"
#include "core/suites/opinfo_index.h"
#include "core/suites/python_script.h"
#include "core/suites/suites.h"

namespace wb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class PythonScriptsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("WARPBENCH_RESOURCES", (std::string(WB_SOURCE_DIR) + "/resources").c_str(), 1);
    char pattern[] = "/tmp/wb-scripts-XXXXXX";
    folder_ = mkdtemp(pattern);
  }
  void TearDown() override {
    unsetenv("WARPBENCH_RESOURCES");
    fs::remove_all(folder_);
  }
  void need(const char* modules) {
    const auto python = findPython();
    if (!python) GTEST_SKIP() << "no Python";
    const auto ran = runToEnd({{python->string(), "-c", std::string("import ") + modules}, {}, {}},
                              std::chrono::seconds{60});
    if (!ran || !ran->ok()) GTEST_SKIP() << python->string() << " cannot import " << modules;
  }
  void writeParquet(const std::string& columns) const {
    const auto python = findPython();
    ASSERT_TRUE(python);
    const std::string program = "import pyarrow as pa, pyarrow.parquet as pq\npq.write_table(pa.table({" +
                                columns + "}), '" + (folder_ / "t.parquet").string() + "')\n";
    const auto ran = runToEnd({{python->string(), "-c", program}, {}, {}}, std::chrono::seconds{60});
    ASSERT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().text);
  }
  [[nodiscard]] Result<Suite> parquet(SuiteRequest request = {}) const {
    request.name = (folder_ / "t.parquet").string();
    return loadSuite(request);
  }
  fs::path folder_;
};

TEST_F(PythonScriptsTest, OpInfoOfAFewEntriesHasTheContractsCounts) {
  need("torch, numpy");
  if (IsSkipped()) return;
  const fs::path prefix = folder_ / "few";
  const auto made = runScript({.name = "export_opinfo.py",
                               .arguments = {"--dtype", "bfloat16", "--out", prefix.string(), "--only",
                                             "add,nn.functional.relu,sum,amax,bmm,mm,softmax,cat,index_put"},
                               .purpose = "making opinfo"},
                              [](std::string_view) {}, {});
  ASSERT_TRUE(made) << describe(made.error());
  const auto index = readOpInfoIndex(prefix.string() + ".index");
  ASSERT_TRUE(index) << describe(index.error());
  std::map<std::string, int> counts;
  for (const Case& each : index->cases) ++counts[each.op];
  // BackendBench's own, for each dtype alike; it has no cat (its skip list) and no softmax (the replay
  // fails).
  const std::map<std::string, int> expected{
      {"aten::add.Tensor", 11}, {"aten::relu", 4}, {"aten::sum", 4}, {"aten::sum.dim_IntList", 16},
      {"aten::amax", 20},       {"aten::bmm", 1},  {"aten::mm", 3},  {"aten::index_put", 4}};
  EXPECT_EQ(counts, expected);
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_THAT(entry.path().filename().string(), ::testing::AnyOf("few.index", "few.values", "few.lock"));
}

TEST_F(PythonScriptsTest, OpInfoNeedsNoExpecttest) {
  need("torch, numpy");
  if (IsSkipped()) return;
  fs::create_directories(folder_ / "without");
  std::ofstream(folder_ / "without" / "expecttest.py")
      << "raise ModuleNotFoundError(\"No module named 'expecttest'\", name='expecttest')\n";
  const auto python = findPython();
  ASSERT_TRUE(python);
  const auto ran = runToEnd({{python->string(), WB_SOURCE_DIR "/resources/python/export_opinfo.py", "--dtype",
                              "float32", "--out", (folder_ / "few").string(), "--only", "nn.functional.relu"},
                             {},
                             {{"PYTHONPATH", (folder_ / "without").string()}}},
                            std::chrono::seconds{120});
  ASSERT_TRUE(ran) << describe(ran.error());
  EXPECT_TRUE(ran->ok()) << ran->out << ran->err;
  const auto index = readOpInfoIndex((folder_ / "few.index").string());
  ASSERT_TRUE(index) << describe(index.error());
  EXPECT_EQ(index->cases.size(), 4U);
}

TEST_F(PythonScriptsTest, ParquetRowsOfTheBenchmarkAreRead) {
  need("pyarrow");
  if (IsSkipped()) return;
  writeParquet(
      "'op_name': ['aten.relu.default', 'aten.relu.default', 'aten.add.Tensor', 'aten.relu.default'], "
      "'args': ['((T([2], f32),), {})', '((T([3], f16, stride=(2,)),), {})', '((T([4], f32), 1), {})', "
      "'((T([5], f32),), {})'], 'count': [3, 0, 1, 1], "
      "'included_in_benchmark': [True, True, True, False]");
  const auto suite = parquet();
  ASSERT_TRUE(suite) << describe(suite.error());
  ASSERT_EQ(suite->cases.size(), 3U);
  EXPECT_EQ(suite->cases[0].count, 3);
  EXPECT_EQ(suite->cases[1].shapes, "3 (strided)");
  EXPECT_EQ(suite->cases[2].op, "aten::add.Tensor");
  const auto largest = parquet({.operators = {"relu"}, .topn = 1});
  ASSERT_TRUE(largest);
  ASSERT_EQ(largest->cases.size(), 1U);
  EXPECT_EQ(largest->cases[0].shapes, "2");  // 8 bytes before 6
}

TEST_F(PythonScriptsTest, AParquetWithoutTheColumnsNamesThem) {
  need("pyarrow");
  if (IsSkipped()) return;
  writeParquet("'op_name': ['aten.relu.default'], 'count': [1]");
  const auto suite = parquet();
  ASSERT_FALSE(suite);
  EXPECT_THAT(describe(suite.error()),
              AllOf(HasSubstr("t.parquet"), HasSubstr("no column args, included_in_benchmark"),
                    HasSubstr("op_name, count")));
}

TEST_F(PythonScriptsTest, WhatIsNoParquetFileIsSaid) {
  need("pyarrow");
  if (IsSkipped()) return;
  std::ofstream(folder_ / "t.parquet") << "not a parquet file";
  const auto suite = parquet();
  ASSERT_FALSE(suite);
  EXPECT_THAT(describe(suite.error()), AllOf(HasSubstr("t.parquet"), HasSubstr("arquet")));
}

}  // namespace
}  // namespace wb
