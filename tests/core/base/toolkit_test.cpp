// SPDX-License-Identifier: Apache-2.0
#include "core/base/toolkit.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

namespace wb {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ToolkitTest : public ::testing::Test {
 protected:
  ToolkitTest() {
    const char* path = getenv("PATH");
    path_ = path != nullptr ? path : "";
    unsetenv("CUDA_HOME");
    unsetenv("CUDA_PATH");
  }
  ~ToolkitTest() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("CUDA_HOME");
    unsetenv("CUDA_PATH");
    fs::remove_all(folder_);
  }
  fs::path program(const std::string& folder, bool executable = true) {
    const fs::path file = folder_ / folder / "wb-no-such-tool";
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\n";
    if (executable) fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  fs::path folder_ = fs::path(::testing::TempDir()) / ("wb_toolkit_" + std::to_string(getpid()));
  std::string path_;
};

TEST_F(ToolkitTest, TheChosenToolkitComesBeforePath) {
  const fs::path inPath = program("somewhere"), inHome = program("toolkit/bin");
  setenv("PATH", (folder_ / "somewhere").c_str(), 1);
  EXPECT_THAT(toolkitPrograms("wb-no-such-tool"), ElementsAre(inPath));
  setenv("CUDA_HOME", (folder_ / "toolkit").c_str(), 1);
  EXPECT_THAT(toolkitPrograms("wb-no-such-tool"), ElementsAre(inHome, inPath));
  setenv("CUDA_PATH", (folder_ / "toolkit").c_str(), 1);  // the same once more
  EXPECT_THAT(toolkitPrograms("wb-no-such-tool"), ElementsAre(inHome, inPath));
}

TEST_F(ToolkitTest, WhatCannotBeRunIsNotFound) {
  program("toolkit/bin", false);
  setenv("CUDA_HOME", (folder_ / "toolkit").c_str(), 1);
  EXPECT_THAT(toolkitPrograms("wb-no-such-tool"), IsEmpty());
  fs::create_directories(folder_ / "other/bin/wb-no-such-tool");
  setenv("CUDA_HOME", (folder_ / "other").c_str(), 1);
  EXPECT_THAT(toolkitPrograms("wb-no-such-tool"), IsEmpty());
  EXPECT_THAT(toolkitPrograms(""), IsEmpty());
}

}  // namespace
}  // namespace wb
