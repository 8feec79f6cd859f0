// SPDX-License-Identifier: Apache-2.0
#include "app/worker/torch_finder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "core/base/files/file.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FindTorch : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "torch-XXXXXX";
    folder = mkdtemp(pattern.data());
    setenv("WARPBENCH_DATA", (folder / "data").c_str(), 1);
    setenv("PATH", (folder / "bin").c_str(), 1);
    unsetenv("WARPBENCH_PYTHON");
  }
  void TearDown() override { fs::remove_all(folder); }

  /// An environment with a torch of this version; gives torch's folder.
  static fs::path install(const fs::path& prefix, const std::string& version,
                          const std::string& library = "lib/python3.12/site-packages") {
    const fs::path torch = prefix / library / "torch";
    EXPECT_TRUE(writeFileAtomically(torch / "lib" / "libtorch_cpu.so", ""));
    EXPECT_TRUE(writeFileAtomically(torch / "version.py", "from typing import Optional\n\n__version__ = '" +
                                                              version + "'\ndebug = False\n"));
    EXPECT_TRUE(writeFileAtomically(prefix / "bin" / "python", ""));
    return torch;
  }

  fs::path folder;
};

TEST_F(FindTorch, InTheSetUpsEnvironment) {
  const fs::path torch = install(folder / "data" / "venv-torch-2.11.0", "2.11.0+cu130");
  const Result<TorchFolder> found = findTorchFolder("");
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->root, torch);
  EXPECT_EQ(found->version, "2.11.0+cu130");
}

TEST_F(FindTorch, BesideTheGivenPythonBeforeTheSetUps) {
  install(folder / "data" / "venv-torch-2.11.0", "2.11.0");
  const fs::path torch = install(folder / "mine", "2.11.1");
  setenv("WARPBENCH_PYTHON", (folder / "mine" / "bin" / "python").c_str(), 1);
  EXPECT_EQ(findTorchFolder("")->root, torch);
}

TEST_F(FindTorch, AsGivenOnTheCommandLine) {
  const fs::path torch = install(folder / "mine", "2.11.0");
  for (const fs::path& given : {torch, torch.parent_path(), folder / "mine"})
    EXPECT_EQ(findTorchFolder(given.string())->root, torch) << given;
}

TEST_F(FindTorch, BesidePython3OfThePath) {
  const fs::path torch = install(folder, "2.11.0", "lib/python3/dist-packages");
  ASSERT_TRUE(writeFileAtomically(folder / "bin" / "python3", ""));
  chmod((folder / "bin" / "python3").c_str(), 0755);
  EXPECT_EQ(findTorchFolder("")->root, torch);
}

TEST_F(FindTorch, SaysWhereItLookedAndWhatToDo) {
  const Result<TorchFolder> found = findTorchFolder("");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text, HasSubstr("venv-torch-2.11.0"));
  EXPECT_THAT(found.error().hint, HasSubstr("packaging/setup"));
  setenv("WARPBENCH_PYTHON", "/no/such/python", 1);
  EXPECT_THAT(findTorchFolder("").error().text, HasSubstr("WARPBENCH_PYTHON=/no/such/python"));
  EXPECT_THAT(findTorchFolder("/nowhere").error().text, HasSubstr("/nowhere"));
}

TEST_F(FindTorch, RefusesAnotherVersion) {
  install(folder / "data" / "venv-torch-2.11.0", "2.10.1+cpu");
  const Result<TorchFolder> found = findTorchFolder("");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().text, HasSubstr("2.10.1+cpu"));
}

}  // namespace
}  // namespace wb
