// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/build_cache.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>

#include "core/base/files/file.h"
#include "core/engine/compile/build_exchange.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class BuildCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto folder = ScratchFolder::make(fs::temp_directory_path());
    ASSERT_TRUE(folder);
    scratch_.emplace(*std::move(folder));
  }
  fs::path path(const std::string& name) const { return scratch_->path() / name; }
  fs::path file(const std::string& name, const std::string& content) const {
    EXPECT_TRUE(writeFileAtomically(path(name), content));
    return path(name);
  }
  BuildCache cache(std::int64_t limit = 1 << 20) const { return BuildCache(path("build"), limit); }
  std::optional<ScratchFolder> scratch_;
};

TEST_F(BuildCacheTest, GivesBackWhatWasStored) {
  EXPECT_FALSE(cache().find("key", {}));
  const auto stored = cache().store("key", file("k.so", "binary"), {"a warning", {}, {}});
  ASSERT_TRUE(stored);
  const auto found = cache().find("key", {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->output, "a warning");
  EXPECT_EQ(found->object, stored->object);
  EXPECT_EQ(readFile(found->object).value(), "binary");
  EXPECT_FALSE(cache().find("other", {}));
}

TEST_F(BuildCacheTest, CorruptEntriesAreNotFoundAndCanBeReplaced) {
  const auto stored = cache().store("key", file("k.so", "binary"), {"", {}, {}});
  ASSERT_TRUE(stored);
  ASSERT_TRUE(writeFileAtomically(stored->object, "bin"));
  EXPECT_FALSE(cache().find("key", {}));
  ASSERT_TRUE(cache().store("key", file("k.so", "binary"), {"", {}, {}}));
  EXPECT_TRUE(cache().find("key", {}));
  for (const char* text : {"", "{", "{\"version\": 99}", "[1]", "{\"version\": 1, \"object\": 3}"}) {
    ASSERT_TRUE(writeFileAtomically(path("build/key/manifest.json"), text));
    EXPECT_FALSE(cache().find("key", {})) << text;
  }
  ASSERT_TRUE(cache().store("key", file("k.so", "binary"), {"", {}, {}}));
  EXPECT_TRUE(cache().find("key", {}));
}

TEST_F(BuildCacheTest, AnEntryInWhichOtherCodeWasPutIsRemoved) {
  ASSERT_TRUE(cache().store("mine", file("k.so", "binary"), {"", {}, {}}));
  ASSERT_TRUE(cache().store("other", file("k.so", "other"), {"", {}, {}}));
  ASSERT_TRUE(cache().find("mine", {}));
  // What a kernel would do: an object that fits its name, and a manifest that names it.
  const BuildCache elsewhere(path("elsewhere"), 1 << 20);
  const auto forged = elsewhere.store("forged", file("k.so", "forged"), {"", {}, {}});
  ASSERT_TRUE(forged);
  fs::copy_file(forged->object, path("build/mine") / forged->object.filename());
  fs::copy_file(path("elsewhere/forged/manifest.json"), path("build/mine/manifest.json"),
                fs::copy_options::overwrite_existing);
  ASSERT_TRUE(cache().find("other", {}));
  BuildCache::removeChanged();
  EXPECT_FALSE(cache().find("mine", {}));
  EXPECT_TRUE(cache().find("other", {}));
}

TEST_F(BuildCacheTest, AChangedIncludedFileMakesTheEntryStale) {
  const auto header = file("h.h", "1");
  ASSERT_TRUE(cache().store("key", file("k.so", "a"), {"", {header.string()}, {}}));
  EXPECT_TRUE(cache().find("key", {}));
  file("h.h", "2");
  EXPECT_FALSE(cache().find("key", {}));
  const auto again = cache().store("key", file("k.so", "b"), {"", {header.string()}, {}});
  ASSERT_TRUE(again);
  ASSERT_TRUE(cache().find("key", {}));
  EXPECT_EQ(readFile(cache().find("key", {})->object).value(), "b");
}

TEST_F(BuildCacheTest, WhatAnotherMachineHasBuiltIsFoundAsIfItWereBuiltHere) {
  const BuildCache there(path("there"), 1 << 20, {"2.36", "libstdc++ 12"});
  ASSERT_TRUE(there.store("key", file("k.so", "binary"), {"a warning", {}, {}}));
  const auto packed = there.packed("key");
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->key, "key");
  const BuildCache here(path("here"), 1 << 20, {"2.41", "libstdc++ 12"});
  const auto taken = here.unpack("key", *packed, {});
  ASSERT_TRUE(taken) << taken.error().text;
  const auto found = here.find("key", {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->output, "a warning");
  EXPECT_EQ(readFile(found->object).value(), "binary");
  EXPECT_FALSE(here.packed("other"));
}

TEST_F(BuildCacheTest, WhatWasChangedOnItsWayIsNotTaken) {
  ASSERT_TRUE(cache().store("key", file("k.so", "binary"), {"", {}, {}}));
  const BuildCache here(path("here"), 1 << 20);
  for (const auto part : {&BuiltFile::about, &BuiltFile::content, &BuiltFile::hash}) {
    BuiltFile file = *cache().packed("key");
    (file.*part).back() = (file.*part).back() == 'x' ? 'y' : 'x';
    EXPECT_FALSE(here.unpack("key", file, {}));
    EXPECT_FALSE(here.find("key", {}));
  }
  // Nor are contents that fit each other, of which one is not what the other says.
  BuiltFile other = *cache().packed("key");
  other.content = "another";
  other.hash = hashOf(other);
  EXPECT_FALSE(here.unpack("key", other, {}));
}

TEST_F(BuildCacheTest, WhatNeedsANewerLibraryIsForOthers) {
  const LibraryVersions old{"2.36", "libstdc++ 12"}, young{"2.41", "libstdc++ 14"};
  EXPECT_TRUE(areEnough(young, old));
  EXPECT_TRUE(areEnough(old, old));
  EXPECT_TRUE(areEnough({"2.100", "libstdc++ 12"}, old));
  EXPECT_FALSE(areEnough(old, {"2.36", "libstdc++ 13"}));
  EXPECT_FALSE(areEnough(old, {"2.37", "libstdc++ 12"}));
  EXPECT_FALSE(areEnough(old, {"2.36", "libc++ 1"}));
  // A cache that both use, as in a home on a cluster.
  const BuildCache ofYoung(path("build"), 1 << 20, young), ofOld(path("build"), 1 << 20, old);
  ASSERT_TRUE(ofYoung.store("key", file("k.so", "new"), {"", {}, {}}));
  EXPECT_FALSE(ofOld.find("key", {}));
  EXPECT_TRUE(ofYoung.find("key", {}));
  EXPECT_FALSE(BuildCache(path("here"), 1 << 20, old).unpack("key", *ofYoung.packed("key"), {}));
  ASSERT_TRUE(ofOld.store("key", file("k.so", "old"), {"", {}, {}}));
  EXPECT_TRUE(ofYoung.find("key", {}));
}

TEST_F(BuildCacheTest, IncludedFilesAreKnownByTheirWayFromTheSource) {
  for (const char* machine : {"one", "two"}) {
    file(std::string(machine) + "/kernel/own.h", "1");
    file(std::string(machine) + "/common/all.h", "2");
  }
  const fs::path one = path("one/kernel"), two = path("two/kernel");
  const std::vector<std::string> included{(one / "own.h").string(), path("one/common/all.h").string()};
  ASSERT_TRUE(cache().store("key", file("k.so", "a"), {"", included, one}));
  EXPECT_TRUE(cache().find("key", one));
  EXPECT_TRUE(cache().find("key", two));
  file("two/common/all.h", "3");
  EXPECT_FALSE(cache().find("key", two));
  EXPECT_TRUE(cache().find("key", one));
  EXPECT_FALSE(cache().find("key", {}));
}

TEST_F(BuildCacheTest, WhatWasUsedLongestAgoGoesFirst) {
  const auto store = [&](const std::string& key) {
    return cache(2500).store(key, file("k.so", std::string(1000, key[0])), {"", {}, {}});
  };
  const auto age = [&](const std::string& key, int hours) {
    fs::last_write_time(path("build/" + key + "/manifest.json"),
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  ASSERT_TRUE(store("a"));
  age("a", 3);
  ASSERT_TRUE(store("b"));
  age("b", 2);
  EXPECT_TRUE(cache().find("a", {}));  // used now
  ASSERT_TRUE(store("c"));
  EXPECT_TRUE(cache().find("a", {}));
  EXPECT_FALSE(cache().find("b", {}));
  EXPECT_TRUE(cache().find("c", {}));
}

TEST_F(BuildCacheTest, LeavesNoScratchFoldersBehind) {
  ASSERT_TRUE(cache().store("key", file("k.so", "1"), {"", {}, {}}));
  ASSERT_TRUE(cache().store("key", file("k.so", "2"), {"", {}, {}}));
  int entries = 0;
  for (const auto& entry : fs::directory_iterator(path("build"))) entries += entry.exists() ? 1 : 0;
  EXPECT_EQ(entries, 1);
}

TEST_F(BuildCacheTest, AFolderThatCannotBeWrittenIsReplacedAndSaid) {
  const auto good = usableCacheFolder(path("cache"));
  ASSERT_TRUE(good);
  EXPECT_EQ(good->folder, path("cache"));
  EXPECT_EQ(good->note, "");
  const auto bad = usableCacheFolder(file("plain", "file") / "cache");
  ASSERT_TRUE(bad);
  EXPECT_THAT(bad->note, HasSubstr("cannot be written (Not a directory)"));
  EXPECT_TRUE(fs::is_directory(bad->folder));
  const auto system = usableCacheFolder("/proc/warpbench");
  ASSERT_TRUE(system);
  EXPECT_THAT(system->note, HasSubstr("/proc/warpbench cannot be written"));
}

TEST_F(BuildCacheTest, ATemporaryFolderThatIsNotThereIsNotUsed) {
  setenv("TMPDIR", path("gone").c_str(), 1);
  const auto place = temporaryCacheFolder("full");
  unsetenv("TMPDIR");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->folder.parent_path(), "/tmp");
}

TEST_F(BuildCacheTest, WhatKilledProcessesLeftIsRemovedAndWhatIsInUseStays) {
  const auto lock = ScratchFolder::make(path("build"));
  ASSERT_TRUE(lock);
  fs::create_directories(path("build/.scratch-killed/entry"));
  fs::create_directories(path("build/.scratch-young"));
  const auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(path("build/.scratch-killed"), longAgo);
  fs::last_write_time(lock->path(), longAgo);
  removeScratchLeftovers(path("build"));
  EXPECT_FALSE(fs::exists(path("build/.scratch-killed")));
  EXPECT_TRUE(fs::exists(path("build/.scratch-young")));
  EXPECT_TRUE(fs::exists(lock->path()));
}

TEST_F(BuildCacheTest, StoringIntoAFolderThatCannotBeWrittenIsAnError) {
  const BuildCache broken(file("plain", "file") / "build");
  const auto stored = broken.store("key", file("k.so", "x"), {"", {}, {}});
  ASSERT_FALSE(stored);
  EXPECT_THAT(stored.error().text, HasSubstr("cannot write to"));
  EXPECT_THAT(stored.error().hint, HasSubstr("WARPBENCH_CACHE"));
}

}  // namespace
}  // namespace wb
