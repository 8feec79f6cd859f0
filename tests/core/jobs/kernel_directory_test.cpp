// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/kernel_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/jobs/folder_fixture.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(FolderNames, AreReadAsBackendBenchReadsThem) {
  EXPECT_EQ(operatorOfFolder("add__Tensor"), "aten::add.Tensor");
  EXPECT_EQ(operatorOfFolder("relu__default"), "aten::relu");
  EXPECT_EQ(operatorOfFolder("add___Tensor"), "aten::add_.Tensor");
  EXPECT_EQ(operatorOfFolder("sum__dim_IntList"), "aten::sum.dim_IntList");
  EXPECT_EQ(operatorOfFolder("_native_batch_norm"), "aten::_native_batch_norm");
  EXPECT_EQ(operatorOfFolder("abs"), "aten::abs");
  EXPECT_EQ(operatorOfFolder("__lshift____Scalar"), "");  // ".lshift..Scalar" there
}

TEST(NaturalOrder, CountsDigitsAsNumbers) {
  EXPECT_TRUE(naturallyBefore("v2.py", "v10.py"));
  EXPECT_FALSE(naturallyBefore("v10.py", "v2.py"));
  EXPECT_TRUE(naturallyBefore("v2", "v2.py"));
  EXPECT_TRUE(naturallyBefore("v02.py", "v3.py"));
  EXPECT_FALSE(naturallyBefore("v2.py", "v2.py"));
  EXPECT_NE(naturallyBefore("v02.py", "v2.py"), naturallyBefore("v2.py", "v02.py"));
  EXPECT_TRUE(naturallyBefore("a", "b1"));
}

class Directory : public FolderFixture {
 protected:
  static Catalogue catalogue() {
    Catalogue known;
    for (const char* name : {"aten::abs", "aten::add.Tensor", "aten::add.Scalar", "aten::relu"})
      known.operators.push_back({name, "", std::string(name) != "aten::add.Scalar"});
    return known;
  }
  static std::vector<std::string> files(const KernelDirectory& directory) {
    std::vector<std::string> names;
    for (const DirectoryKernel& kernel : directory.kernels)
      names.push_back(kernel.op + " " + kernel.folder + "/" + kernel.file.filename().string());
    return names;
  }
};

TEST_F(Directory, TheNewestVersionIsTakenAndTheFirstByNameWhenCopying) {
  for (const char* version : {"v1", "v2", "v10"})
    write(std::string("relu__default/relu__default_implementation_") + version + ".py", "");
  const auto ours = readKernelDirectory(folder_, false), theirs = readKernelDirectory(folder_, true);
  ASSERT_TRUE(ours && theirs);
  EXPECT_THAT(files(*ours), ElementsAre("aten::relu relu__default/relu__default_implementation_v10.py"));
  EXPECT_THAT(files(*theirs), ElementsAre("aten::relu relu__default/relu__default_implementation_v1.py"));
  ASSERT_EQ(ours->choices.size(), 1u);
  EXPECT_EQ(ours->choices[0].op, "aten::relu");
  EXPECT_THAT(ours->choices[0].text, HasSubstr("not relu__default_implementation_v1.py"));
}

TEST_F(Directory, OfTwoFoldersTheOneThatNamesTheOverloadIsTaken) {
  write("add/add_implementation_v1.py", "");
  write("add__Tensor/add__Tensor_implementation_v1.py", "");
  const Catalogue known = catalogue();
  const auto ours = readKernelDirectory(folder_, false, &known);
  ASSERT_TRUE(ours);
  EXPECT_THAT(files(*ours), ElementsAre("aten::add.Tensor add__Tensor/add__Tensor_implementation_v1.py"));
  EXPECT_EQ(ours->choices.size(), 1u);
  // There "add" is an overload that nothing tests.
  const auto theirs = readKernelDirectory(folder_, true, &known);
  EXPECT_THAT(files(*theirs),
              UnorderedElementsAre("aten::add add/add_implementation_v1.py",
                                   "aten::add.Tensor add__Tensor/add__Tensor_implementation_v1.py"));
}

TEST_F(Directory, ABareFolderMeansWhatABareNameMeans) {
  write("add/add_implementation_v1.py", "");
  const Catalogue known = catalogue();
  EXPECT_EQ(readKernelDirectory(folder_, false, &known)->kernels.at(0).op, "aten::add.Tensor");
}

TEST_F(Directory, AFolderOfNoOperatorIsAProblemAndAnEmptyOneIsCounted) {
  write("no_such_op__default/no_such_op__default_implementation_v1.py", "");
  std::filesystem::create_directories(folder_ / "relu__default");
  write("abs/notes.txt", "");
  write("results.json", "");
  const Catalogue known = catalogue();
  const auto found = readKernelDirectory(folder_, false, &known);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->kernels.empty());
  EXPECT_EQ(found->emptyFolders, 2);
  EXPECT_THAT(found->problems, ElementsAre(HasSubstr("no_such_op__default")));
}

TEST_F(Directory, CudaAndCppSourcesAreKernelsTooUnlessCopying) {
  write("relu__default/relu__default_implementation_v1.cu", "");
  EXPECT_EQ(readKernelDirectory(folder_, false)->kernels.size(), 1u);
  EXPECT_EQ(readKernelDirectory(folder_, true)->kernels.size(), 0u);
}

TEST_F(Directory, KernelsOfEarlierRunsAreFoundUnlessCopying) {
  write("relu/relu_attempt_1.py", "");
  write("relu/relu_attempt_2.py", "");
  write("relu/relu.py", "");
  write("abs/abs.py", "");
  write("abs/helper.py", "");
  EXPECT_THAT(files(*readKernelDirectory(folder_, false)),
              ElementsAre("aten::abs abs/abs.py", "aten::relu relu/relu_attempt_2.py"));
  EXPECT_TRUE(readKernelDirectory(folder_, true)->kernels.empty());
  write("relu/relu_implementation_v1.py", "");
  EXPECT_THAT(files(*readKernelDirectory(folder_, false)),
              ElementsAre("aten::abs abs/abs.py", "aten::relu relu/relu_implementation_v1.py"));
}

TEST_F(Directory, OfSeveralRunsTheLastThatLeftKernelsIsRead) {
  write("run_1/relu/relu_attempt_1.py", "");
  write("run_2/relu/relu_attempt_1.py", "");
  write("run_10/relu/relu_attempt_1.py", "");
  std::filesystem::create_directories(folder_ / "run_11");
  const auto found = readKernelDirectory(folder_, false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->folder, folder_ / "run_10");
  EXPECT_EQ(found->kernels.size(), 1u);
  // Kernels that lie there themselves come first.
  write("abs/abs_implementation_v1.py", "");
  EXPECT_THAT(files(*readKernelDirectory(folder_, false)),
              ElementsAre("aten::abs abs/abs_implementation_v1.py"));
}

TEST_F(Directory, ADirectoryThatIsNotThereIsNamed) {
  const auto missing = readKernelDirectory(folder_ / "absent", false);
  ASSERT_FALSE(missing);
  EXPECT_THAT(describe(missing.error()), HasSubstr("absent"));
}

}  // namespace
}  // namespace wb
