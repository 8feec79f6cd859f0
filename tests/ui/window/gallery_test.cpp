// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/gallery.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace wb {
namespace {

TEST(Gallery, TakesTitleAndSummaryFromTheLeadingComment) {
  const GalleryItem item = describeKernel(
      "a.cpp",
      "// SPDX-License-Identifier: Apache-2.0\n// Title: Row softmax\n// Summary: One pass.\nint x;\n");
  EXPECT_EQ(item.title, "Row softmax");
  EXPECT_EQ(item.summary, "One pass.");
  EXPECT_EQ(item.file, "a.cpp");
}

TEST(Gallery, ReadsTheBlockOfARawCudaKernel) {
  const GalleryItem item = describeKernel(
      "a.cu", "/* warpbench\n# Title: Relu\n# Summary: Grid stride.\noperator = \"aten::relu\"\n*/\n");
  EXPECT_EQ(item.title, "Relu");
  EXPECT_EQ(item.summary, "Grid stride.");
}

TEST(Gallery, WhatItReadsIsNotInTheUsersOwnFile) {
  EXPECT_EQ(
      describeKernel("a.cpp", "// Title: Row softmax\n// Summary: One pass.\n// Device: cpu\nint x;\n").text,
      "// Device: cpu\nint x;\n")
      << "the device is for Warpbench";
  const GalleryItem raw = describeKernel(
      "a.cu", "/* warpbench\n# Title: Relu\n# Summary: Grid stride.\noperator = \"aten::relu\"\n*/\n");
  EXPECT_EQ(raw.text, "/* warpbench\noperator = \"aten::relu\"\n*/\n");
  EXPECT_TRUE(raw.needsGpu);
  EXPECT_TRUE(describeKernel("a.py", "# Title: A\n# Summary: B.\n# Device: cuda\nimport torch\n").needsGpu);
  EXPECT_FALSE(describeKernel("a.py", "# Title: A\n# Summary: B.\nimport torch\n").needsGpu);
  EXPECT_EQ(describeKernel("a.py", "import torch\n# Title: no key, as code stands before it\n").text,
            "import torch\n# Title: no key, as code stands before it\n");
}

TEST(Gallery, FallsBackToTheFirstWordsThenToTheFileName) {
  EXPECT_EQ(describeKernel("a.cpp", "// A plain relu.\n// It clamps.\n\nint x;\n").title, "A plain relu.");
  EXPECT_EQ(describeKernel("a.cpp", "// A plain relu.\n// It clamps.\n\nint x;\n").summary, "It clamps.");
  EXPECT_EQ(describeKernel("b.cpp", "int x;\n").title, "b.cpp");
  EXPECT_EQ(describeKernel("c.cpp", "").title, "c.cpp");
}

TEST(Gallery, EveryTemplateAndSampleThatComesWithWarpbenchSaysWhatItIs) {
  const auto items = readGallery(std::filesystem::path(WB_SOURCE_DIR) / "resources");
  ASSERT_FALSE(items.empty());
  for (const GalleryItem& item : items) {
    EXPECT_NE(item.title, item.file);
    EXPECT_FALSE(item.summary.empty()) << item.file;
  }
}

TEST(Gallery, MissingFolderIsEmpty) {
  EXPECT_TRUE(readGallery("/nowhere/at/all").empty());
}

}  // namespace
}  // namespace wb
