// SPDX-License-Identifier: Apache-2.0
// The files of problems, and those beside them, which a kernel could write to.
#include "core/engine/sides/process/problem_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace wb {
namespace {

TEST(ProblemFiles, WhoeverMakesThemSaySomethingElseIsNoticed) {
  const std::string file = testing::TempDir() + "problem_files_test.py";
  const auto write = [&](const char* text) { std::ofstream(file) << text; };
  write("class Model: pass\n");
  Job job;
  KernelSource source;
  source.referencePath = file;
  source.referenceText = "class Model: pass\n";
  job.kernels = {source};
  ProblemFiles before(job);
  EXPECT_EQ(before.changed(), "");
  write("class Model: pass\n");
  EXPECT_EQ(before.changed(), "") << "saved as it was";
  write("class Model: slow = True\n");
  EXPECT_EQ(before.changed(), file);
  ProblemFiles later(job);
  EXPECT_EQ(later.changed(), "") << "it was another one before";
  std::filesystem::remove(file);
  EXPECT_EQ(before.changed(), file);
}

TEST(ProblemFiles, OfManyAKernelsOwnIsLookedAtAfterEachAndTheOthersInTurn) {
  constexpr std::size_t many = 100;
  const std::filesystem::path folder = testing::TempDir() + "problem_files_test";
  std::filesystem::create_directories(folder);
  Job job;
  for (std::size_t i = 0; i < many; ++i) {
    KernelSource source;
    source.referencePath = folder / fmt::format("{}.py", i);
    source.referenceText = "class Model: pass\n";
    std::ofstream(source.referencePath) << source.referenceText;
    job.kernels.push_back(source);
  }
  const auto pathOf = [&](std::size_t i) { return job.kernels[i].referencePath; };
  ProblemFiles files(job);
  std::ofstream(pathOf(70)) << "class Model: slow = True\n";
  EXPECT_EQ(files.changed(pathOf(70)), pathOf(70)) << "its own";
  EXPECT_EQ(files.changed(), "") << "it is said once";
  std::ofstream(pathOf(30)) << "class Model: slow = True\n";
  std::size_t looks = 1;
  while (looks < many && files.changed(pathOf(1)).empty()) ++looks;
  EXPECT_GT(looks, 1U) << "not all are looked at after each kernel";
  EXPECT_LT(looks, many / 4) << "but in turn";
  std::ofstream(pathOf(50)) << "class Model: slow = True\n";
  EXPECT_EQ(files.changed(), pathOf(50)) << "at the end all are";
  std::filesystem::remove_all(folder);
}

TEST(ProblemFiles, WhatAProblemMentionsBesideItIsLookedAt) {
  const std::filesystem::path folder = testing::TempDir() + "problem_files_beside_test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  for (const char* name : {"helper.py", "data.bin", "kernel.py", "help.py"}) write(name, "1");
  KernelSource source;
  source.path = folder / "kernel.py";
  source.referencePath = folder / "problem.py";
  source.referenceText = "from helper import kernel\nread('data.bin')\n";
  write("problem.py", source.referenceText.c_str());
  Job job;
  job.kernels = {source};
  ProblemFiles files(job);
  EXPECT_EQ(files.changedBeside(), "");
  write("kernel.py", "2");
  write("help.py", "2");
  EXPECT_EQ(files.changedBeside(), "") << "kernels are edited, and the others are not mentioned";
  for (const char* name : {"helper.py", "data.bin"}) {
    write(name, "2");
    EXPECT_EQ(files.changedBeside(), folder / name);
    EXPECT_EQ(files.changedBeside(), "") << "it is said once";
  }
  job.kernels[0].referencePath = std::filesystem::relative(folder / "problem.py");
  ProblemFiles byRelativePath(job);
  write("helper.py", "3");
  EXPECT_EQ(byRelativePath.changedBeside(), folder / "helper.py");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace wb
