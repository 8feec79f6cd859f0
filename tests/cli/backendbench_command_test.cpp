// SPDX-License-Identifier: Apache-2.0
// `warpbench backendbench` and `warpbench compare` as a shell sees them.
#include <gmock/gmock.h>

#include "core/base/files/file.h"
#include "core/model/json/json_codec.h"
#include "tests/cli/cli_fixture.h"

#include <nlohmann/json.hpp>

namespace wb {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class BackendBenchCommand : public CliFixture {
 protected:
  std::string read(const std::string& name) {
    const auto text = readFile(folder_ / name);
    EXPECT_TRUE(text) << name;
    return text ? *text : "";
  }
};

TEST_F(BackendBenchCommand, WritesTheFourFilesAndEndsWithThreeLines) {
  const Captured result = run({"backendbench", "--device", "cpu", "--log-dir", "out", "--p", "0.5"});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_THAT(
      result.out,
      ContainsRegex("correctness score \\(mean pass rate over all operators\\): 1\\.00\n"
                    "performance score \\(geomean speedup over all operators\\): [0-9.]+\n"
                    "perf@p score \\(rate of correct samples with a speedup greater than p, p=0\\.5\\): "
                    "[01]\\.00\n$"));
  const auto rows = parseJson(read("out/full_results.json"));
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0]["test_type"], "performance");
  EXPECT_EQ((*rows)[1]["args"], "((T([2], f32),), {})");
  EXPECT_EQ(read("out/failed_tests.json"), "[]");
  EXPECT_THAT(read("out/operator_summary.csv"), HasSubstr("relu.default,2,1,1,1,1,0,0,1.0,"));
  EXPECT_THAT(read("out/OVERALL_SUMMARY.md"),
              HasSubstr("warpbench backendbench --device cpu --log-dir out --p 0.5\n```"));
}

TEST_F(BackendBenchCommand, FilesGoWhereBackendBenchPutsThem) {
  run({"backendbench", "--device", "cpu", "--disable-output-logs"});
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("backendbench_output")));
  run({"backendbench", "--device", "cpu"});
  bool found = false;
  for (const auto& entry : fs::directory_iterator(folder_))
    found = found || entry.path().filename().string().starts_with("backendbench_output_2");
  EXPECT_TRUE(found);
  write("kernels/relu__default/relu__default_implementation_v1.cpp",
        "at::Tensor relu__default_kernel_impl(const at::Tensor& x) { return x; }\n");
  const Captured result =
      run({"backendbench", "--device", "cpu", "--backend", "directory", "--ops-directory", "kernels"});
  EXPECT_TRUE(fs::exists(folder_ / "kernels" / "full_results.json")) << result.err;
  EXPECT_THAT(result.err, HasSubstr("Loaded relu.default from kernels/relu__default/"));
}

TEST_F(BackendBenchCommand, CopyingSaysTheirCommandAndNothingElse) {
  const Captured result = run({"backendbench", "--device", "cpu", "--log-dir", "out", "--like-backendbench"});
  EXPECT_THAT(result.out, testing::StartsWith("correctness score"));
  EXPECT_THAT(read("out/OVERALL_SUMMARY.md"), HasSubstr("python -m BackendBench.scripts.main --device cpu"));
}

TEST_F(BackendBenchCommand, AllOfItsOptionsAreTaken) {
  const Captured result = run({"backendbench",
                               "--device",
                               "cpu",
                               "--suite",
                               "smoke",
                               "--backend",
                               "aten",
                               "--llm-attempts",
                               "3",
                               "--llm-model",
                               "x",
                               "--kernel-agent-workers",
                               "1",
                               "--kernel-agent-max-rounds",
                               "1",
                               "--ops-directory",
                               "x",
                               "--log-dir",
                               "out",
                               "--disable-output-logs",
                               "--num-workers",
                               "1",
                               "--dsl",
                               "helion",
                               "--no-daemon",
                               "--log-level",
                               "error",
                               "--p",
                               "1"});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_EQ(result.err, "");
}

TEST_F(BackendBenchCommand, ItsFirstCommandLinesAreTaken) {
  write("kernels/relu/relu_attempt_1.cpp", "at::Tensor relu(const at::Tensor& self) { return self; }\n");
  const Captured result = run({"backendbench", "run", "--device", "cpu", "--suite", "smoke", "--backend",
                               "pregenerated", "--kernels-dir", "kernels"});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("Loaded relu.default from kernels/relu/relu_attempt_1.cpp"));
  EXPECT_TRUE(readFile(folder_ / "kernels" / "full_results.json"));
  const Captured generate = run({"backendbench", "generate", "--max-attempts", "5"});
  EXPECT_EQ(generate.ending.exitCode, 2);
  EXPECT_THAT(generate.err,
              HasSubstr("there is no command 'backendbench generate': Warpbench writes no kernels"));
}

TEST_F(BackendBenchCommand, UsageErrorsExitWithTwo) {
  EXPECT_EQ(run({"backendbench", "--backend", "llm"}).ending.exitCode, 2);
  EXPECT_EQ(run({"backendbench", "--suite", "facto"}).ending.exitCode, 2);
  EXPECT_EQ(run({"backendbench", "--topn", "3"}).ending.exitCode, 2);
  EXPECT_EQ(run({"backendbench", "--log-level", "loud"}).ending.exitCode, 2);
  EXPECT_EQ(run({"backendbench", "--ops", "tanh"}).ending.exitCode, 2);
  EXPECT_EQ(run({"backendbench", "--num-workers", "0"}).ending.exitCode, 2);
  const Captured missing = run({"backendbench", "--backend", "directory"});
  EXPECT_EQ(missing.ending.exitCode, 2);
  EXPECT_THAT(missing.err, HasSubstr("generated_kernels"));
}

TEST_F(BackendBenchCommand, SeveralWorkersGiveTheSameFiles) {
  write("trace.txt",
        "Operator: aten.relu.default\ncnt: 1, ((T([5], f32),), {})\ncnt: 1, ((T([7], f32),), {})\n"
        "Operator: aten.exp.default\ncnt: 1, ((T([5], f32),), {})\ncnt: 1, ((T([6], f32),), {})\n"
        "Operator: aten.abs.default\ncnt: 1, ((T([5], f32),), {})\ncnt: 1, ((T([6], f32),), {})\n");
  for (const char* workers : {"1", "3"}) {
    const Captured result =
        run({"backendbench", "--device", "cpu", "--suite", "torchbench", "--alternative-torchbench-data-path",
             "trace.txt", "--log-dir", std::string("out") + workers, "--num-workers", workers});
    EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  }
  const auto keys = [&](const std::string& name) {
    std::vector<std::string> list;
    const auto rows = parseJson(read(name));
    for (const auto& row : *rows)
      list.push_back(row["op_name"].get<std::string>() + row["args"].get<std::string>());
    return list;
  };
  EXPECT_EQ(keys("out1/full_results.json").size(), 12u);
  EXPECT_EQ(keys("out1/full_results.json"), keys("out3/full_results.json"));
}

TEST_F(BackendBenchCommand, TorchbenchWithoutItsDataSaysWhichFile) {
  const Captured result = run({"backendbench", "--suite", "torchbench"},
                              {{"HF_HOME", (folder_ / "hf").string()}, {"HF_HUB_CACHE", ""}});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("backend_bench_problems.parquet"));
}

TEST_F(BackendBenchCommand, AMissingWorkerExitsWithThree) {
  EXPECT_EQ(
      run({"backendbench", "--device", "cpu"}, {{"WARPBENCH_WORKER", "/nowhere/worker"}}).ending.exitCode, 3);
}

TEST_F(BackendBenchCommand, WithoutFlagGemsItSaysWhatToInstallWhere) {
  const Captured result =
      run({"backendbench", "--backend", "flag_gems"}, {{"WARPBENCH_PYTHON", "/usr/bin/python3"}});
  EXPECT_EQ(result.ending.exitCode, 3);
  EXPECT_THAT(result.err, HasSubstr("/usr/bin/python3 -m pip install flag_gems"));
}

TEST_F(BackendBenchCommand, FlagGemsIsAskedForItsOperators) {
  // A package that registers as flag_gems does, and a torch that has nothing but what it needs for that.
  write("site/torch/__init__.py", "from . import library\n");
  write("site/torch/library.py", "class Library:\n    def impl(self, name, function, key=''): pass\n");
  write("site/flag_gems/ops/__init__.py", "def exp(x):\n    return x\ndef add(x, y):\n    return x\n");
  write(
      "site/flag_gems/__init__.py",
      "import torch\nfrom flag_gems.ops import exp, add\nprint('hello')\n"
      "def enable():\n    for name, function in (('exp', exp), ('add.Tensor', add), ('odd', lambda x: x)):\n"
      "        torch.library.Library().impl(name, function, 'CUDA')\n");
  write("trace.txt", "Operator: aten.tanh.default\ncnt: 1, ((T([2], f32),), {})\n");
  const Captured result =
      run({"backendbench", "--backend", "flag_gems", "--suite", "torchbench",
           "--alternative-torchbench-data-path", "trace.txt"},
          {{"WARPBENCH_PYTHON", "/usr/bin/python3"}, {"PYTHONPATH", (folder_ / "site").string()}});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("no kernel there is for an operator of suite torchbench"));
}

class CompareCommand : public BackendBenchCommand {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("one.cpp", "at::Tensor relu_kernel_impl(const at::Tensor& x) { return x.relu(); }\n");
    write("two.cpp", "at::Tensor relu_kernel_impl(const at::Tensor& x) { return x.clamp_min(0); }\n");
  }
};

TEST_F(CompareCommand, TwoKernelsGiveATableAndTheirReports) {
  const Captured result = run({"compare", "one.cpp", "two.cpp", "--op", "relu", "--device", "cpu", "--json",
                               "out.json", "--report", "out.md"});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("A: one.cpp\nB: two.cpp\n"));
  EXPECT_THAT(result.out, HasSubstr("relu"));
  const auto json = parseJson(read("out.json"));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["operators"][0]["op"], "aten::relu");
  EXPECT_GT((*json)["operators"][0]["cases"], 0);
  EXPECT_THAT(read("out.md"), HasSubstr("# B against A"));
}

TEST_F(CompareCommand, SavedReportsAreComparedWithoutAWorker) {
  run({"run", "one.cpp", "--op", "relu", "--device", "cpu", "--json", "one.json"});
  const Captured result = run({"compare", "one.json", "one.json"}, {{"WARPBENCH_WORKER", "/nowhere/worker"}});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1.00×"));
}

TEST_F(CompareCommand, DirectoriesAreComparedByOperator) {
  for (const std::string side : {"a", "b"})
    for (const std::string op : {"relu", "exp"})
      write(side + "/" + op + "__default/" + op + "__default_implementation_v1.cpp",
            "at::Tensor " + op + "__default_kernel_impl(const at::Tensor& x) { return x; }\n");
  write("two.txt",
        "Operator: aten.relu.default\ncnt: 1, ((T([5], f32),), {})\n"
        "Operator: aten.exp.default\ncnt: 1, ((T([5], f32),), {})\n");
  const Captured result = run({"compare", "a", "b", "--suite", "two.txt", "--device", "cpu"});
  EXPECT_EQ(result.ending.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("relu"));
  EXPECT_THAT(result.out, HasSubstr("exp"));
}

TEST_F(CompareCommand, BadInputExitsWithTwoAndIsNamed) {
  EXPECT_EQ(run({"compare", "one.cpp"}).ending.exitCode, 2);
  EXPECT_THAT(run({"compare", "one.cpp", "absent.cpp"}).err, HasSubstr("absent.cpp"));
  write("broken.json", "{");
  const Captured broken = run({"compare", "broken.json", "broken.json"});
  EXPECT_EQ(broken.ending.exitCode, 2);
  EXPECT_THAT(broken.err, HasSubstr("broken.json"));
  fs::create_directories(folder_ / "empty");
  EXPECT_THAT(run({"compare", "empty", "one.cpp"}).err, HasSubstr("empty holds no kernel"));
  EXPECT_EQ(run({"compare", "one.cpp", "two.cpp", "--report", "x.html"}).ending.exitCode, 2);
}

}  // namespace
}  // namespace wb
