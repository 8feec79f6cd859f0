// SPDX-License-Identifier: Apache-2.0
// What is built, and that it is kept, is tested where a guest asks for it (tests/engine/strict).
#include "core/engine/compile/host/text_builds.h"

#include <gtest/gtest.h>

#include <string>

namespace wb {
namespace {

TextToBuild plainText() {
  return {std::string(standardHeader), "int one() { return 1; }", {{"device.h", "// nothing"}}, {}};
}

TEST(TextBuilds, TakeATextWithItsFiles) {
  TextToBuild text = plainText();
  EXPECT_TRUE(isTextAlone(text));
  text.options = {"-O3", "-w"};
  text.header = "warpbench_cuda.h";
  EXPECT_TRUE(isTextAlone(text));
}

TEST(TextBuilds, TakeNoOptionThatCouldNameCodeOrFiles) {
  for (const char* option : {"-fplugin=/tmp/mine.so", "-Xclang", "-I/tmp", "-isystem", "-include", "@file",
                             "-Wl,-z", "-o", "-O3 -fplugin=x", "-B/tmp", "-specs=x", "kernel.so", ""}) {
    TextToBuild text = plainText();
    text.options = {"-O3", option};
    EXPECT_FALSE(isTextAlone(text)) << option;
  }
}

TEST(TextBuilds, TakeNoFileThatLiesElsewhereAndNoHeaderOfSomebodysOwn) {
  for (const char* name : {"../kernel.h", "/tmp/kernel.h", "..", ".", "", "a/../../b.h"}) {
    TextToBuild text = plainText();
    text.files.emplace_back(name, "// nothing");
    EXPECT_FALSE(isTextAlone(text)) << name;
  }
  TextToBuild text = plainText();
  text.header = "/tmp/mine.h";
  EXPECT_FALSE(isTextAlone(text));
}

}  // namespace
}  // namespace wb
