// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/files/carried_files.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/files/file.h"
#include "core/model/job.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class CarriedFilesTest : public testing::Test {
 protected:
  const TemporaryFolder own;
  const fs::path root = fs::canonical(own.path()) / "my \"kernels\"", folder = root / "relu";

  void write(const std::string& name, const std::string& text = "\n") const {
    ASSERT_TRUE(writeFileAtomically(folder / name, text));
  }
  [[nodiscard]] Job job(const std::string& name, const std::string& text) const {
    write(name, text);
    Job made;
    made.kernels.push_back({(folder / name).string(), text, "", "relu"});
    return made;
  }
  /// The names of what a kernel takes in, as seen from its folder.
  [[nodiscard]] std::vector<std::string> names(const std::string& name, const std::string& text) const {
    std::vector<std::string> found;
    const auto files = neighboursOf(job(name, text));
    EXPECT_TRUE(files);
    for (const CarriedFile& file : *files)
      if (!file.path.ends_with('/')) found.push_back(fs::path(file.path).lexically_relative(folder).string());
    return found;
  }
};

TEST_F(CarriedFilesTest, WhatIsIncludedIsFoundAndWhatThatIncludes) {
  write("a.cuh", "#include \"deep/b.h\"\n");
  write("deep/b.h", "#include \"c.h\"\n#include \"../../common/d.h\"\n");
  write("deep/c.h");
  write("../common/d.h");
  write("e.h");
  write("other.h");
  const auto all = neighboursOf(job("relu.cu", "#include \"../common/d.h\"\n"));
  EXPECT_EQ(all->back().path, folder.string() + "/") << "from it ../common is found";
  EXPECT_THAT(
      names("relu.cu", "#include <torch/torch.h>\n # include \"a.cuh\"\n#include <e.h>\n// other.h\n"),
      UnorderedElementsAre("a.cuh", "deep/b.h", "deep/c.h", "../common/d.h", "e.h"));
}

TEST_F(CarriedFilesTest, ModulesAndPackagesAreFound) {
  write("helper.py", "from pack.part import f\n");
  write("pack/__init__.py");
  write("pack/part.py", "from .other import g\n");
  write("pack/other.py");
  write("unused.py");
  EXPECT_THAT(names("relu.py", "import torch, helper as h\nfrom torch.nn import functional\nunused = 1\n"),
              UnorderedElementsAre("helper.py", "pack/__init__.py", "pack/part.py", "pack/other.py"));
}

TEST_F(CarriedFilesTest, FilesWhoseNamesStandInTheTextAreFound) {
  write("relu_kernel.cu", "#include \"x.h\"\n");
  write("x.h");
  write("weights.bin", std::string("a\0b", 3));
  write(".secret");
  write("../key.bin");
  EXPECT_THAT(
      names("relu.py",
            "load(sources=[here / 'relu_kernel.cu'], w=\"weights.bin\", a='.secret', b='../key.bin')\n"),
      UnorderedElementsAre("relu_kernel.cu", "x.h", "weights.bin"));
}

TEST_F(CarriedFilesTest, AKernelAloneTakesNothing) {
  write("helper.h");
  EXPECT_THAT(names("relu.cpp", "#include <vector>\n#include \"relu.cpp\"\n#include \"missing.h\"\n"),
              IsEmpty());
  Job unsaved;
  unsaved.kernels.push_back({"untitled.cu", "#include \"helper.h\"\n", "", "relu"});
  EXPECT_THAT(*neighboursOf(unsaved), IsEmpty());
}

TEST_F(CarriedFilesTest, WhatIsTooLargeIsSaid) {
  write("big.bin");
  fs::resize_file(folder / "big.bin", std::uintmax_t{17} << 20);
  const auto files = neighboursOf(job("relu.py", "open('big.bin')\n"));
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().text, HasSubstr("big.bin is among it"));
}

TEST_F(CarriedFilesTest, FilesAreReadBackAndLeadNowhereElse) {
  const std::vector<CarriedFile> files{{"/a b/c.h", std::string("x\0\n\"", 4)}, {"/d", ""}};
  EXPECT_EQ(*unpackedFiles(packedFiles(files)), files);
  for (const char* path : {"/a/../../b", "b", "/a//b", ""})
    EXPECT_FALSE(unpackedFiles(packedFiles({{path, "x"}})));
  EXPECT_FALSE(unpackedFiles(packedFiles(files) + "more"));
  EXPECT_FALSE(unpackedFiles("nonsense"));
}

TEST_F(CarriedFilesTest, TheyAreStoredOnceByTheirContent) {
  const fs::path cache = root / "sources";
  const std::vector<CarriedFile> files{{"/a b/c.h", "x"}, {"/d/e/", ""}};
  ASSERT_TRUE(storeFiles(files, cache));
  ASSERT_TRUE(storeFiles(files, cache));
  EXPECT_EQ(readFile(cache / hashOf(files) / "a b" / "c.h").value_or(""), "x");
  EXPECT_TRUE(fs::is_directory(cache / hashOf(files) / "d" / "e"));
  EXPECT_NE(hashOf(files), hashOf({{"/a b/c.h", "y"}, {"/d/e/", ""}}));
  EXPECT_NE(hashOf(files), hashOf({{"/a b/c.h", "x"}}));
}

TEST_F(CarriedFilesTest, PathsComeBackAsTheyWentAway) {
  Job here = job("relu.cu", "");
  PathsThere paths("/home/me/.cache/s");
  const Job there = paths.there(here);
  const std::string path = here.kernels[0].path;
  EXPECT_EQ(there.kernels[0].path, "/home/me/.cache/s" + path);
  EXPECT_EQ(paths.here(there.kernels[0].path + ":3: error", false), path + ":3: error");
  EXPECT_EQ(paths.here("/home/me/.cache/s/x/y.h", false), "/x/y.h");
  EXPECT_THAT(paths.here("{\"file\":\"/home/me/.cache/s" + root.parent_path().string() +
                             "/my \\\"kernels\\\"/relu/relu.cu\"}",
                         true),
              HasSubstr("\"" + root.parent_path().string() + "/my \\\"kernels\\\"/relu/relu.cu\""));
}

}  // namespace
}  // namespace wb
