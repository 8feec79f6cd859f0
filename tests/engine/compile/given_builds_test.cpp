// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/given_builds.h"

#include <gmock/gmock.h>

#include "core/engine/compile/build_exchange.h"

namespace wb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

BuiltFile fileOf(const std::string& key, const std::string& content) {
  BuiltFile file{key, "about", content, {}};
  file.hash = hashOf(file);
  return file;
}

TEST(GivenBuilds, AFileStaysUntilItIsUsed) {
  GivenBuilds given;
  EXPECT_FALSE(given.find("key"));
  given.add(fileOf("key", "binary"), "node1");
  given.add(fileOf("other", "second"), "node2");
  ASSERT_TRUE(given.find("key"));
  EXPECT_EQ(given.find("key")->content, "binary");
  EXPECT_THAT(given.takeBuilders(), IsEmpty());
  given.use("key");
  EXPECT_FALSE(given.find("key"));
  EXPECT_TRUE(given.find("other"));
  EXPECT_THAT(given.takeBuilders(), ElementsAre("node1"));
  EXPECT_THAT(given.takeBuilders(), IsEmpty());
}

TEST(GivenBuilds, ABuilderIsNamedOnce) {
  GivenBuilds given;
  for (const char* key : {"host part", "device part"}) given.add(fileOf(key, key), "node1");
  given.add(fileOf("third", "third"), "node2");
  for (const char* key : {"host part", "device part", "third", "unknown"}) given.use(key);
  EXPECT_THAT(given.takeBuilders(), ElementsAre("node1", "node2"));
}

TEST(GivenBuilds, WhatIsDamagedIsNotKept) {
  GivenBuilds given;
  BuiltFile file = fileOf("key", "binary");
  file.content = "binarx";
  given.add(file, "node1");
  EXPECT_FALSE(given.find("key"));
}

TEST(GivenBuilds, TheOldestGoesWhereThereIsTooMuch) {
  GivenBuilds given(250);
  given.add(fileOf("too large", std::string(300, 'x')), "node1");
  EXPECT_FALSE(given.find("too large"));
  for (const char* key : {"first", "second", "third"})
    given.add(fileOf(key, std::string(100, key[0])), "node1");
  EXPECT_FALSE(given.find("first"));
  EXPECT_TRUE(given.find("second"));
  EXPECT_TRUE(given.find("third"));
}

}  // namespace
}  // namespace wb
