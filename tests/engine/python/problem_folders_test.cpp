// SPDX-License-Identifier: Apache-2.0
// Problems that read files beside their own, and kernels with files of their own.
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/engine/python/python_fixture.h"

namespace wb {
namespace {

using testing::Each;
using testing::HasSubstr;

constexpr const char* problem = R"(import torch
import wb_beside
class Model(torch.nn.Module):
    def forward(self, x):
        return wb_beside.answer(x)
def get_inputs():
    return [torch.randn(64, 64)]
)";

/// A ModelNew of a kernel with this text before it.
std::string kernel(const std::string& first, const std::string& answer) {
  return first +
         "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return " +
         answer + "\n";
}

class ProblemFolders : public PythonWorker {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "problem_folders_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::filesystem::create_directories(folder_ / "kernels");
    write("wb_beside.py", "def answer(x):\n    return x.clamp(min=0)\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// The text's kernel beside that problem.
  void add(Job& job, const std::string& name, const std::string& text,
           const char* reference = problem) const {
    KernelSource source{path("kernels/" + name), text, "", "", "", ""};
    source.referencePath = path("problem_" + name);
    source.referenceText = reference;
    job.kernels.push_back(source);
  }
  [[nodiscard]] Job jobOfOne(const std::string& text, const char* reference = problem) const {
    Job job = jobOf("");
    job.kernels.clear();
    job.cases.clear();
    add(job, "one.py", text, reference);
    return job;
  }
  [[nodiscard]] std::string writing(const std::string& name, const std::string& text) const {
    return "open('" + path(name) + "', 'w').write('''" + text + "''')\n";
  }

  std::filesystem::path folder_;
};

std::string saidOf(const Report& report, std::size_t kernel) {
  std::string all;
  for (const Diagnostic& each : report.kernels[kernel]->diagnostics) all += each.message + "\n";
  if (const auto& failure = report.kernels[kernel]->failure) all += failure->text;
  return all;
}

TEST_F(ProblemFolders, AreReadAsTheyAre) {
  for (int i = 0; i < 2; ++i) {
    const Report report = run(jobOfOne(kernel("", "x.relu()")));
    EXPECT_THAT(verdicts(report), Each(Verdict::pass)) << saidOf(report, 0);
    EXPECT_EQ(verdicts(report).size(), 3U);
  }
}

TEST_F(ProblemFolders, AKernelThatWritesToOneChangesNoVerdictOnANext) {
  const std::string other = "def answer(x):\n    return x * 0\n";
  Job job = jobOfOne(kernel(writing("wb_beside.py", other), "x * 0"));
  add(job, "two.py", kernel("", "x * 0"));
  const Report report = run(job);
  EXPECT_THAT(verdicts(report), Each(testing::Ne(Verdict::pass)));
  EXPECT_EQ(counts(report).passed, 0);
  EXPECT_THAT(saidOf(report, 1), HasSubstr("wb_beside.py, which was changed since this run began"));
  // Whoever has done it by hand runs it again, and it is believed.
  const Report later = run(jobOfOne(kernel("", "x * 0")));
  EXPECT_THAT(verdicts(later), Each(Verdict::pass)) << check(later).message;
}

TEST_F(ProblemFolders, WhatPythonCompilesThereIsNoChange) {
  Job job =
      jobOfOne(kernel("import py_compile\npy_compile.compile('" + path("wb_beside.py") + "')\n", "x.relu()"));
  add(job, "two.py", kernel("", "x.relu()"));
  const Report report = run(job);
  ASSERT_TRUE(std::filesystem::exists(folder_ / "__pycache__"));
  EXPECT_EQ(counts(report).passed, 6) << saidOf(report, 1);
}

TEST_F(ProblemFolders, CodeThatPythonHasNotCompiledIs) {
  const std::string first =
      "import importlib.util, marshal, os, py_compile\n"
      "beside = '" +
      path("wb_beside.py") + "'\n" +
      "kept = py_compile.compile(beside)\n"
      "header = open(kept, 'rb').read(16)\n"
      "code = compile('def answer(x):\\n    return x * 0\\n', beside, 'exec')\n"
      "open(kept, 'wb').write(header + marshal.dumps(code))\n";
  Job job = jobOfOne(kernel(first, "x.relu()"));
  add(job, "two.py", kernel("", "x * 0"));
  const Report report = run(job);
  EXPECT_THAT(saidOf(report, 1), HasSubstr(".pyc, which was changed since this run began"));
}

TEST_F(ProblemFolders, DataOfInputsCountToo) {
  const std::string reading =
      "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x.relu()\n"
      "def get_inputs():\n    return [torch.load('" +
      path("x.pt") + "') + torch.rand(1)]\n";
  const std::string made = "import torch\ntorch.save(torch.full((64,), -2.0), '" + path("x.pt") + "')\n";
  const Report before = run(jobOfOne(kernel(made, "x * 0"), reading.c_str()));
  EXPECT_THAT(saidOf(before, 0), HasSubstr("x.pt")) << "there is no such file";
  const Report report = run(jobOfOne(kernel(made, "x * 0"), reading.c_str()));
  EXPECT_THAT(verdicts(report), Each(testing::Ne(Verdict::pass)));
}

TEST_F(ProblemFolders, NeitherSideGetsTheOthersModule) {
  // Each of them has one with this name.
  write("kernels/wb_beside.py", "def answer(x):\n    return x * 0\n");
  EXPECT_THAT(verdicts(run(jobOfOne(kernel("import wb_beside\n", "wb_beside.answer(x)")))),
              Each(Verdict::mismatch));
  write("kernels/wb_beside.py", "def answer(x):\n    return x.relu()\n");
  EXPECT_THAT(verdicts(run(jobOfOne(kernel("import wb_beside\n", "wb_beside.answer(x)")))),
              Each(Verdict::pass));
}

TEST_F(ProblemFolders, AModuleThatAKernelPutsThereIsNotTheReferences) {
  const Report report =
      run(jobOfOne(kernel("import sys, types\n"
                          "fake = types.ModuleType('wb_beside')\n"
                          "fake.answer = lambda x: x * 0\n"
                          "sys.modules['wb_beside'] = fake\n",
                          "x * 0")));
  EXPECT_THAT(verdicts(report), Each(testing::Ne(Verdict::pass)));
}

}  // namespace
}  // namespace wb
