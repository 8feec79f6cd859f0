// SPDX-License-Identifier: Apache-2.0
#include "core/service/private_paths.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

PrivatePaths someFolders() {
  PrivatePaths paths;
  paths.add("/root", "(home)");
  paths.add("/root/.cache/warpbench/", "(cache)");
  paths.add("/", "(all)");
  for (const char* top : {"root", "opt", "usr"}) paths.addTop(top);
  return paths;
}

TEST(PrivatePaths, ListedOnesAreWordsTheLongestFirst) {
  EXPECT_EQ(someFolders().hidden("\"/root/.cache/warpbench/a.o\" /root/b /rootless x/root/c /root"),
            "\"(cache)/a.o\" (home)/b /rootless x/root/c (home)");
}

TEST(PrivatePaths, OthersAreTheirLastPart) {
  const PrivatePaths paths = someFolders();
  EXPECT_EQ(paths.hidden("cannot open /opt/torch/lib/a b.so: no"), "cannot open a b.so: no");
  EXPECT_EQ(paths.hidden("'/opt/torch/.venv/bin/python3','/usr/lib/'"), "'python3','lib/'");
  EXPECT_EQ(paths.hidden("file:///opt/x/y.py"), "file://y.py");
  EXPECT_EQ(paths.hidden(R"("one:\n/opt/x/y.py\nanother")"), R"("one:\ny.py\nanother")");
}

TEST(PrivatePaths, PackagesKeepTheirNames) {
  EXPECT_EQ(someFolders().hidden("File \"/root/x/site-packages/torch/nn/module.py\", line 3"),
            "File \"torch/nn/module.py\", line 3");
}

TEST(PrivatePaths, APythonsInstallationIsNotTold) {
  const PrivatePaths paths = someFolders();
  EXPECT_EQ(paths.hidden("File \"/root/.pyenv/versions/3.11.9/lib/python3.11/unittest/mock.py\", line 3"),
            "File \"unittest/mock.py\", line 3");
  EXPECT_EQ(paths.hidden("/usr/lib/python3/dist-packages/torch/nn.py"), "torch/nn.py");
  EXPECT_EQ(paths.hidden("/root/lib/python3x/a.py"), "(home)/lib/python3x/a.py");
}

TEST(PrivatePaths, WhatIsNoPathOfThisMachineStays) {
  const PrivatePaths paths = someFolders();
  for (const char* text : {"a / b, 3/4, http://x/y", "https://opt/x", "-I/usr/include", "</opt>", "/usr",
                           "/v1/runs/{id}", "aten/usr/x", "//usr/x", "", "/"})
    EXPECT_EQ(paths.hidden(text), text);
}

TEST(PrivatePaths, OfThisMachineAreAllThatLieInTheRoot) {
  EXPECT_EQ(privatePathsHere().hidden("/usr/share/doc/x"), "x");
}

}  // namespace
}  // namespace wb
