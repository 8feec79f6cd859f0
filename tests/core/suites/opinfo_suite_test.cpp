// SPDX-License-Identifier: Apache-2.0
#include "core/suites/opinfo_suite.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "core/base/files/file.h"
#include "core/suites/opinfo_index.h"
#include "core/suites/parquet_suite.h"

namespace wb {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

/// relu, add and index_put of opinfo, cpu, float32, written by export_opinfo.py
/// (tests/golden/opinfo/README.md).
fs::path golden(const char* name) {
  return fs::path(WB_SOURCE_DIR) / "tests" / "golden" / "opinfo" / name;
}

std::string goldenIndex() {
  return *readFile(golden("few.index"));
}

std::string errorOf(const std::string& text) {
  const auto index = parseOpInfoIndex(text, "few.index");
  return index ? "no error" : describe(index.error());
}

TEST(OpInfoIndex, HasCasesGroupsLabelsAndRecords) {
  const auto index = readOpInfoIndex(golden("few.index"));
  ASSERT_TRUE(index) << describe(index.error());
  EXPECT_EQ(index->device, "cpu");
  EXPECT_EQ(index->dtype, "float32");
  EXPECT_THAT(index->torch, HasSubstr("2.11"));
  ASSERT_GT(index->cases.size(), 10U);
  const Case* add = nullptr;
  const Case* put = nullptr;
  for (std::size_t i = 0; i < index->cases.size(); ++i) {
    const Case& each = index->cases[i];
    EXPECT_EQ(each.values, "stored:few.values#" + std::to_string(i));
    EXPECT_EQ(each.use, CaseUse::check);
    EXPECT_FALSE(each.group.empty());
    if (!add && each.op == "aten::add.Tensor") add = &each;
    if (!put && each.op == "aten::index_put") put = &each;
  }
  ASSERT_TRUE(add);
  EXPECT_EQ(add->group, "add");
  EXPECT_EQ(add->label, "");  // its arguments print as BackendBench prints them
  ASSERT_TRUE(put);
  EXPECT_THAT(put->args, HasSubstr("(T([1], i64),)"));
  EXPECT_THAT(put->label, HasSubstr("(tensor(["));  // BackendBench prints tensors inside of tuples in full
}

TEST(OpInfoIndex, WhatIsCutShortOrOfAnotherVersionIsNoIndex) {
  const std::string whole = goldenIndex();
  EXPECT_EQ(errorOf(whole), "no error");
  EXPECT_THAT(errorOf(""), HasSubstr("another version"));
  EXPECT_THAT(errorOf("warpbench-opinfo 2" + whole.substr(whole.find('\n'))), HasSubstr("another version"));
  EXPECT_THAT(errorOf("warpbench-opinfo 1\n"), HasSubstr("header"));
  for (std::size_t cut : {whole.size() - 1, whole.size() - 40, whole.size() / 2, std::size_t{100}})
    EXPECT_NE(errorOf(whole.substr(0, cut)), "no error") << cut;
}

TEST(OpInfoIndex, ABrokenLineIsNamed) {
  std::string broken = goldenIndex();
  const auto at = broken.find("((T([");
  broken.replace(at, 5, "((T({");
  EXPECT_THAT(errorOf(broken), HasSubstr("few.index:"));
  std::string fields = goldenIndex();
  fields.replace(fields.rfind('\t'), 1, " ");
  EXPECT_THAT(errorOf(fields), HasSubstr("five fields"));
}

class OpInfoCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/wb-opinfo-XXXXXX";
    folder_ = mkdtemp(pattern);
    for (const char* name : {"few.index", "few.values"}) fs::copy(golden(name), folder_ / name);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string errorOfRead() const {
    const auto index = readOpInfoIndex(folder_ / "few.index");
    return index ? "no error" : describe(index.error());
  }
  fs::path folder_;
};

TEST_F(OpInfoCacheTest, ValuesOfAnotherExportAreRefused) {
  EXPECT_EQ(errorOfRead(), "no error");
  {
    std::fstream values(folder_ / "few.values", std::ios::in | std::ios::out | std::ios::binary);
    values.seekp(10);
    values.put('z');
  }
  EXPECT_THAT(errorOfRead(), AllOf(HasSubstr("few.values"), HasSubstr("not the values")));
}

TEST_F(OpInfoCacheTest, MissingOrShortValuesAreRefused) {
  fs::resize_file(folder_ / "few.values", fs::file_size(folder_ / "few.values") - 8);
  EXPECT_THAT(errorOfRead(), HasSubstr("few.values"));
  fs::remove(folder_ / "few.values");
  EXPECT_THAT(errorOfRead(), HasSubstr("few.values"));
}

/// A Python of the test's own, in place of one with torch.
class ScriptedPythonTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/wb-python-XXXXXX";
    folder_ = mkdtemp(pattern);
    setenv("WARPBENCH_CACHE", (folder_ / "cache").c_str(), 1);
    setenv("WARPBENCH_RESOURCES", (std::string(WB_SOURCE_DIR) + "/resources").c_str(), 1);
    fs::create_directories(folder_ / "env/lib/python3.11/site-packages/torch");
    std::ofstream(folder_ / "env/lib/python3.11/site-packages/torch/version.py")
        << "__version__ = '2.11.0+test'\n";
  }
  void TearDown() override {
    unsetenv("WARPBENCH_CACHE");
    unsetenv("WARPBENCH_RESOURCES");
    unsetenv("WARPBENCH_PYTHON");
    fs::remove_all(folder_);
  }
  /// `body` is a shell script; $out is the prefix that opinfo is to be written to.
  void python(const std::string& body) {
    const fs::path program = folder_ / "env/bin/python";
    fs::create_directories(program.parent_path());
    std::ofstream(program) << "#!/bin/sh\nfor last; do out=$last; done\n" << body;
    fs::permissions(program, fs::perms::owner_all);
    setenv("WARPBENCH_PYTHON", program.c_str(), 1);
  }
  /// Exports the golden files, under the names that are asked for.
  [[nodiscard]] std::string exporting() const {
    return "echo progress 0 0\necho progress 1 2\nmkdir -p $(dirname $out)\ncp " +
           golden("few.values").string() + " $out.values\ncp " + golden("few.index").string() +
           " $out.index\necho made >> " + (folder_ / "runs").string() + "\n";
  }
  [[nodiscard]] std::size_t runs() const {
    std::ifstream file(folder_ / "runs");
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }
  [[nodiscard]] fs::path index() const {
    for (const auto& entry : fs::directory_iterator(folder_ / "cache" / "suites"))
      if (entry.path().extension() == ".index") return entry.path();
    return {};
  }
  fs::path folder_;
};

const SuiteRequest floats{.name = "opinfo", .dtype = "f32"};

TEST_F(ScriptedPythonTest, OpInfoIsMadeOnceAndAgainWhenDamaged) {
  python(exporting());
  std::vector<std::string> said;
  const auto first = loadSuite(floats, {.onText = [&](const std::string& text) { said.push_back(text); }});
  ASSERT_TRUE(first) << describe(first.error());
  EXPECT_TRUE(first->scoreTrivial);
  EXPECT_EQ(first->name, "opinfo cpu float32");
  EXPECT_THAT(said, ::testing::Contains("making opinfo: 1 of 2 entries"));
  EXPECT_THAT(index().filename().string(), ::testing::StartsWith("opinfo-cpu-float32-"));
  ASSERT_TRUE(loadSuite(floats));
  EXPECT_EQ(runs(), 1U);
  fs::resize_file(index(), 300);
  ASSERT_TRUE(loadSuite(floats));
  EXPECT_EQ(runs(), 2U);
  EXPECT_EQ(loadSuite(SuiteRequest{.name = "opinfo", .dtype = "f32", .operators = {"relu"}, .topn = 1})
                ->cases.size(),
            1U);
}

TEST_F(ScriptedPythonTest, AnExportThatFailsSaysWhatPythonSaid) {
  python("echo 'Traceback' >&2; echo 'ModuleNotFoundError: no expecttest' >&2; exit 1");
  const auto suite = loadSuite(floats);
  ASSERT_FALSE(suite);
  EXPECT_THAT(describe(suite.error()), AllOf(HasSubstr("no expecttest"), HasSubstr("WARPBENCH_PYTHON")));
}

TEST_F(ScriptedPythonTest, StoppingEndsTheExport) {
  python("echo progress 1 3\nsleep 60\n");
  std::stop_source stop;
  const auto suite = loadSuite(floats, {.onText =
                                            [&](const std::string& text) {
                                              if (text.find("1 of 3") != std::string::npos)
                                                stop.request_stop();
                                            },
                                        .stop = stop.get_token()});
  ASSERT_FALSE(suite);
  EXPECT_THAT(describe(suite.error()), HasSubstr("stopped"));
}

TEST_F(ScriptedPythonTest, BadRequestsAreSaidBeforeAnythingIsMade) {
  python("exit 3");
  const auto errorOfRequest = [](SuiteRequest request) {
    request.name = "opinfo";
    const auto suite = loadSuite(request);
    return suite ? std::string("no error") : describe(suite.error());
  };
  EXPECT_THAT(errorOfRequest({.dtype = "float33"}), AllOf(HasSubstr("float33"), HasSubstr("float32")));
  EXPECT_THAT(errorOfRequest({.device = "tpu"}), HasSubstr("tpu"));
}

TEST_F(ScriptedPythonTest, RowsOfAParquetFileBecomeCases) {
  python(
      "printf '3\\taten.sum.SymInt\\t2\\t((T([2, 3], f16), [0],), {})\\n5\\taten.relu.default\\t1\\t((T([2], "
      "f32),), {})\\n"
      "7\\taten.relu.default\\t4\\t((T([2], f32),), {})\\n'");
  const auto file = (folder_ / "trace.parquet").string();
  std::ofstream(file) << "PAR1";
  const auto suite = loadSuite(SuiteRequest{.name = file});
  ASSERT_TRUE(suite) << describe(suite.error());
  ASSERT_EQ(suite->cases.size(), 2U);
  EXPECT_TRUE(suite->scoreTrivial);
  EXPECT_EQ(suite->cases[0].op, "aten::sum.dim_IntList");
  EXPECT_EQ(suite->cases[0].count, 2);
  EXPECT_EQ(suite->cases[0].origin.line, 3);
  EXPECT_EQ(suite->cases[1].count, 5);  // the same call twice is one case
}

TEST_F(ScriptedPythonTest, ABrokenRowOfAParquetFileIsNamed) {
  python("printf '8\\taten.relu.default\\t1\\t((T([2], f33),), {})\\n'");
  const auto suite = parquetSuite(folder_ / "trace.parquet", {});
  ASSERT_FALSE(suite);
  EXPECT_THAT(describe(suite.error()),
              AllOf(HasSubstr("row 8"), HasSubstr("f33"), HasSubstr("trace.parquet:8")));
}

}  // namespace
}  // namespace wb
