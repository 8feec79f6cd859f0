// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/problems.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Problems : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("wb-problems-" + std::to_string(getpid()));
    for (const char* each : {"problems", "kernels", "empty"})
      std::filesystem::create_directories(folder_ / each);
    write("problems/1_square.py", "class Model: pass\n");
    write("problems/2_relu.py", "class Model: pass  # relu\n");
    write("problems/__init__.py", "");
    write("kernels/1_square.py", "class ModelNew: pass\n");
    write("kernels/2_relu.py", "class ModelNew: pass\n");
    write("kernels/notes.txt", "");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] KernelSource kernel(const std::string& name) const {
    KernelSource made;
    made.path = path(name);
    return made;
  }

  std::filesystem::path folder_;
};

TEST_F(Problems, AFolderStandsForTheKernelsInIt) {
  const auto files = kernelFiles({path("kernels"), "other.cu"});
  ASSERT_TRUE(files);
  EXPECT_THAT(*files, ElementsAre(path("kernels/1_square.py"), path("kernels/2_relu.py"), "other.cu"));
  const auto none = kernelFiles({path("empty")});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text, HasSubstr("holds no kernel"));
}

TEST_F(Problems, OfOneFolderBelongToKernelsOfTheSameName) {
  std::vector<KernelSource> kernels{kernel("kernels/1_square.py"), kernel("kernels/2_relu.py")};
  ASSERT_TRUE(attachProblems(kernels, path("problems")));
  EXPECT_EQ(kernels[1].referencePath, path("problems/2_relu.py"));
  EXPECT_THAT(kernels[1].referenceText, HasSubstr("# relu"));
}

TEST_F(Problems, AKernelWithoutItsProblemIsNamed) {
  std::vector<KernelSource> kernels{kernel("kernels/3_gelu.py")};
  const auto attached = attachProblems(kernels, path("problems"));
  ASSERT_FALSE(attached);
  EXPECT_THAT(attached.error().text, HasSubstr("3_gelu.py"));
}

TEST_F(Problems, OneFileIsForAllKernels) {
  std::vector<KernelSource> kernels{kernel("kernels/1_square.py"), kernel("kernels/2_relu.py")};
  ASSERT_TRUE(attachProblems(kernels, path("problems/1_square.py")));
  EXPECT_EQ(kernels[1].referencePath, path("problems/1_square.py"));
  EXPECT_FALSE(attachProblems(kernels, path("nowhere.py")));
}

TEST_F(Problems, AloneRunAgainstThemselves) {
  write("problems/binary.py", std::string("a\0b", 3));
  std::vector<Error> unread;
  const auto kernels = problemsAlone(path("problems"), unread);
  ASSERT_TRUE(kernels);
  ASSERT_EQ(kernels->size(), 2U);
  EXPECT_EQ((*kernels)[0].path, path("problems/1_square.py"));
  EXPECT_EQ((*kernels)[0].language, "python");
  ASSERT_EQ(unread.size(), 1U);
  EXPECT_THAT(unread[0].text, HasSubstr("binary.py"));
  EXPECT_FALSE(problemsAlone(path("empty"), unread));
}

}  // namespace
}  // namespace wb
