// SPDX-License-Identifier: Apache-2.0
// What a kernel can do to the process by which its reference is slowed, its answer filled in late, or what it
// runs hidden. All of that happens in forks here.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/native/Activation.h>
#include <ATen/native/UnaryOps.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/cases/value_looks.h"
#include "core/engine/sides/code/code_samples.h"
#include "core/engine/sides/memory/constant_pages.h"
#include "core/engine/sides/memory/memory_settings.h"
#include "core/engine/sides/memory/page_entries.h"
#include "core/engine/sides/memory/readable.h"
#include "core/engine/sides/process/forked.h"
#include "core/engine/sides/process/own_code.h"
#include "core/engine/sides/process/own_files.h"
#include "core/engine/sides/process/torchs_own.h"

namespace wb {
namespace {

std::string inAFork(const std::function<void(const SayInFork& say)>& work) {
  return inFork(work, {60, 60}).said;
}

/// What is put back after `change`, and what is found when looking once more.
template <class Change>
std::string changedBy(const Change& change) {
  return inAFork([&](const SayInFork& say) {
    const MemorySettings settings;
    change();
    say(fmt::format("{}", fmt::join(settings.putBack().changed, ", ")));
    say(fmt::format(" then {}", fmt::join(settings.putBack().changed, ", ")));
  });
}

TEST(MemorySettings, AreFoundAndPutBack) {
  EXPECT_EQ(changedBy([] {}), " then ");
  EXPECT_EQ(changedBy([] { ::mallopt(M_MMAP_THRESHOLD, 4096); }),
            "the settings of the C library's memory then ");
  EXPECT_EQ(changedBy([] { ::mallopt(M_PERTURB, 7); }), "the settings of the C library's memory then ");
  EXPECT_EQ(changedBy([] { ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }), "the use of large pages then ");
}

TEST(MemorySettings, AreFoundWhereTheHeapHasRoomBetweenItsBlocks) {
  EXPECT_EQ(changedBy([] {
              // Blocks that stay lie between those that are free again.
              std::vector<std::unique_ptr<std::string>> kept, dropped;
              for (const std::size_t bytes : {30, 26, 28, 30}) {
                dropped.push_back(std::make_unique<std::string>(bytes << 20, 'x'));
                kept.push_back(std::make_unique<std::string>(1 << 20, 'x'));
              }
              dropped.clear();
              ::mallopt(M_MMAP_THRESHOLD, 4096);
              for (auto& each : kept) (void)each.release();
            }),
            "the settings of the C library's memory then ");
}

TEST(MemorySettings, LargeBlocksThatComeAndGoAreNoChange) {
  EXPECT_EQ(changedBy([] {
              for (int i = 0; i < 40; ++i) {
                std::vector<std::unique_ptr<std::string>> blocks;
                for (std::size_t bytes : {1, 3, 17, 40})
                  blocks.push_back(std::make_unique<std::string>(bytes << 20, 'x'));
              }
            }),
            " then ");
}

TEST(MemorySettings, ThreadsThatTakeAndGiveMemoryAreNoChange) {
  const MemorySettings settings;
  std::atomic<bool> isOver = false;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&isOver, thread] {
      for (std::size_t i = 0; !isOver; ++i)
        const std::string block((i * 7919 + static_cast<std::size_t>(thread)) % 50000 + 1, 'x');
    });
  std::size_t changes = 0;
  for (int look = 0; look < 400; ++look) changes += settings.putBack().changed.size();
  isOver = true;
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(changes, 0U);
}

TEST(Readable, MemoryThatNobodyMayReadIsFoundWithoutTouchingIt) {
  const auto page = static_cast<std::size_t>(::getpagesize());
  void* const memory = ::mmap(nullptr, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto bytes = static_cast<std::int64_t>(4 * page);
  EXPECT_TRUE(isReadable(memory, bytes, 1));
  ASSERT_EQ(::mprotect(static_cast<char*>(memory) + 3 * page, page, PROT_NONE), 0);
  EXPECT_FALSE(isReadable(memory, bytes, 1));
  EXPECT_TRUE(isReadable(memory, static_cast<std::int64_t>(3 * page), 1));
  ::munmap(memory, 4 * page);
}

TEST(OwnCode, AnotherBeginningOfTheClocksFunctionIsNoticed) {
  const std::string said = inAFork([](const SayInFork& say) {
    const OwnCode code;
    say(code.changed() + ";");
    auto* const clock = reinterpret_cast<unsigned char*>(&std::chrono::steady_clock::now);
    const auto page = static_cast<std::uintptr_t>(::getpagesize());
    auto* const first = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(clock) / page * page);
    if (::mprotect(first, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
    clock[0] ^= 1;
    say(code.changed());
  });
  EXPECT_THAT(said, testing::StartsWith(";libstdc++"));
}

TEST(OwnFiles, WhatIsWrittenToThemIsNoticedWhateverTimesTheySay) {
  std::string folder = testing::TempDir() + "own_files_XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string python = folder + "/python", file = python + "/a.py", other = python + "/b.py";
  std::filesystem::create_directory(python);
  const auto write = [](const std::string& path, const char* text) { std::ofstream(path) << text; };
  write(file, "1"), write(other, "1");
  EXPECT_EQ(inAFork([&](const SayInFork& say) {
              ::setenv("WARPBENCH_RESOURCES", folder.c_str(), 1);
              const OwnFiles before;
              const auto written = std::filesystem::last_write_time(file);
              say(fmt::format("'{}'", before.changed()));
              ::link(other.c_str(), (python + "/c.py").c_str());
              say(fmt::format(" '{}'", before.changed()));
              write(file, "2");
              std::filesystem::last_write_time(file, written);
              say(fmt::format(" '{}'", before.changed()));
            }),
            fmt::format("'' '' '{}'", file))
      << "another name for a file is no change of it";
  std::filesystem::remove_all(folder);
}

TEST(OwnFiles, WhatPythonHasCompiledCountsOnlyWhereAnOlderFileWasWrittenTo) {
  std::string folder = testing::TempDir() + "own_files_XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string python = folder + "/python", older = python + "/a.pyc", newer = python + "/b.pyc";
  std::filesystem::create_directory(python);
  const auto write = [](const std::string& path, const char* text) { std::ofstream(path) << text; };
  write(older, "1");
  struct statx born {};
  if (::statx(AT_FDCWD, older.c_str(), 0, STATX_BTIME, &born) != 0 || (born.stx_mask & STATX_BTIME) == 0)
    GTEST_SKIP() << "this file system does not know when a file was made";
  EXPECT_EQ(
      inAFork([&](const SayInFork& say) {
        ::setenv("WARPBENCH_RESOURCES", folder.c_str(), 1);
        struct stat made {};
        ::stat(older.c_str(), &made);
        const std::int64_t began = made.st_ctim.tv_sec * std::int64_t{1'000'000'000} + made.st_ctim.tv_nsec;
        // The times of files stand still between two ticks of the system.
        const auto writeLater = [&](const std::string& path, bool anew) {
          struct stat now {};
          do {
            if (anew) std::filesystem::remove(path);
            write(path, "2");
            ::stat(path.c_str(), &now);
          } while (now.st_ctim.tv_sec == made.st_ctim.tv_sec && now.st_ctim.tv_nsec == made.st_ctim.tv_nsec);
        };
        writeLater(newer, true);
        say(fmt::format("'{}'", OwnFiles().changedSince(began)));
        writeLater(older, false);
        say(fmt::format(" '{}'", OwnFiles().changedSince(began)));
      }),
      fmt::format("'' '{}'", older));
  std::filesystem::remove_all(folder);
}

TEST(TorchsOwn, AnOperatorThatFindsItsLoopForTheFirstTimeChangesNothing) {
  EXPECT_EQ(inAFork([](const SayInFork& say) {
              const TorchsOwn torchs;
              (void)at::lgamma(at::ones({64}));
              (void)at::silu(at::ones({64, 64}));
              (void)at::mm(at::ones({64, 64}), at::ones({64, 64}));
              say(torchs.changedTable() + ";" + torchs.changedCode());
            }),
            ";");
}

TEST(TorchsOwn, AnotherLoopOfAnOperatorIsNoticed) {
  EXPECT_EQ(inAFork([](const SayInFork& say) {
              const TorchsOwn torchs;
              void** const loop = reinterpret_cast<void**>(&at::native::silu_stub);
              void* const before = *loop;
              *loop = reinterpret_cast<void*>(&inAFork);
              say(torchs.changedTable());
              *loop = before;
              say(";" + torchs.changedTable());
              // One of torch's own, for another operator.
              *loop = reinterpret_cast<void*>(at::native::sigmoid_stub.DEFAULT);
              say(";" + torchs.changedTable());
            }),
            "ATen's silu_stub;;ATen's silu_stub");
}

TEST(TorchsOwn, WhatIsWrittenIntoItsCodeIsNoticed) {
  EXPECT_EQ(inAFork([](const SayInFork& say) {
              const TorchsOwn torchs;
              say(torchs.changedCode());
              auto* const code = reinterpret_cast<unsigned char*>(
                  ::dlsym(RTLD_DEFAULT, "_ZN2at4_ops10add_Tensor4callERKNS_6TensorES4_RKN3c106ScalarE"));
              const int file = ::open("/proc/self/mem", O_RDWR | O_CLOEXEC);
              if (code == nullptr ||
                  ::pwrite(file, code, 1, static_cast<off_t>(reinterpret_cast<std::uintptr_t>(code))) != 1)
                return;
              say(";" + torchs.changedCode());
            }),
            ";libtorch_cpu.so");
}

#if defined(__x86_64__)
/// A page among the constants of libtorch_cpu.so: that of a type's name.
char* amongConstants() {
  const auto place = reinterpret_cast<std::uintptr_t>(::dlsym(RTLD_DEFAULT, "_ZTSN2at18CUDAHooksInterfaceE"));
  return reinterpret_cast<char*>(place & ~std::uintptr_t{4095});
}

bool isThere(const char* page) {
  const auto begin = reinterpret_cast<std::uintptr_t>(page);
  const std::vector<std::uint64_t> entries = pageEntries(begin, begin + 1);
  return entries.size() == 1 && (entries[0] & pageIsThere) != 0;
}

TEST(ConstantPages, AreThereWhereNobodyHasReadThem) {
  char* const page = amongConstants();
  ASSERT_NE(page, nullptr);
  EXPECT_EQ(inAFork([&](const SayInFork& say) {
              ::madvise(page, 4096, MADV_DONTNEED);
              const bool before = isThere(page);
              ConstantPages pages;
              pages.makePresent();
              say(fmt::format("{} {} '{}'", before, isThere(page), pages.taken()));
            }),
            "false true ''");
}

TEST(ConstantPages, ThoseThatAKernelGivesBackAreNamedAndMappedAnew) {
  char* const page = amongConstants();
  EXPECT_EQ(inAFork([&](const SayInFork& say) {
              ConstantPages pages;
              pages.makePresent();
              ::madvise(page, 4096, MADV_DONTNEED);
              const std::string taken = pages.taken();
              pages.makePresent();
              say(fmt::format("{} {} '{}'", taken, isThere(page), pages.taken()));
            }),
            "libtorch_cpu.so true ''");
}

TEST(CodeSamples, CodeAtTheBeginningOfAPageIsLookedAt) {
  EXPECT_EQ(inAFork([](const SayInFork& say) {
              const auto page = static_cast<std::size_t>(::getpagesize());
              auto* const memory = static_cast<unsigned char*>(
                  ::mmap(nullptr, 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
              unsigned char* const code = memory + page;
              ::mprotect(code, page, PROT_READ | PROT_WRITE | PROT_EXEC);
              // Counts down from its argument: dec rdi; jnz back to it; ret.
              constexpr std::array<unsigned char, 6> loop{0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};
              std::copy(loop.begin(), loop.end(), code);
              CodeSamples samples;
              for (int i = 0; i < 100; ++i) reinterpret_cast<void (*)(std::int64_t)>(code)(1'000'000);
              say(samples.take().looks > 0 ? "seen" : "never looked");
            }),
            "seen");
}
#endif

// Of a thread that computes without a pause there is something to be seen, and nothing where nobody looks.
TEST(UnforeseenLooks, SeeTheThreadThatMadeThemWhileTheyAreBegun) {
  EXPECT_EQ(inAFork([](const SayInFork& say) {
              const auto turn = [] {
                const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
                while (std::chrono::steady_clock::now() < end) continue;
              };
              UnforeseenLooks looks;
              looks.begin();
              turn();
              const std::size_t first = looks.end().looks;
              turn();
              looks.begin();
              const std::size_t none = looks.end().looks;
              say(fmt::format("{} {}", first > 20, none <= 2));
            }),
            "true true");
}

TEST(CodeSamples, CodeThatOneDnnMakesCountsAsTheFunctionThatCallsIt) {
  // On a busy machine others would do the work while the caller waits.
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  // So large that what surrounds that code in a call is little, also where the looks are few.
  const at::Tensor input = at::rand({4, 64, 32, 32}), weight = at::rand({64, 64, 3, 3});
  const auto convolve = [&] { return at::conv2d(input, weight, {}, 1, 1); };
  convolve();
  const auto seenDuring = [](const std::function<void()>& work) {
    CodeSamples samples;
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (std::chrono::steady_clock::now() < end) work();
    return samples.take();
  };
  const SeenCode convolution = seenDuring(convolve);
  const std::vector<HotCode> hot = hotCodeOf(convolution, 1e-3);
  ASSERT_FALSE(hot.empty());
  for (const HotCode& each : hot) {
    Dl_info about{};
    ASSERT_NE(::dladdr(reinterpret_cast<const void*>(each.place), &about), 0);
    EXPECT_THAT(about.dli_fname, testing::HasSubstr("libtorch"));
  }
  EXPECT_GT(sharedCode(seenDuring(convolve), convolution), 0.4);
  EXPECT_LT(sharedCode(seenDuring([&] { at::silu(input); }), convolution), 0.1);
  at::set_num_threads(threads);
}

TEST(HiddenShare, IsWhatRunsInTheReferencesOwnFunctionsWithoutAnOperator) {
  SeenCode reference, open, hidden, own;
  reference.torchs = {{100, 80}, {200, 5}};
  reference.looks = open.looks = hidden.looks = own.looks = 100;
  open.torchs = {{100, 90}};
  hidden.torchs = hidden.hidden = {{100, 70}, {200, 20}};
  EXPECT_EQ(hiddenShare(open, reference), 0) << "within an operator that was seen";
  EXPECT_DOUBLE_EQ(hiddenShare(hidden, reference), 0.7) << "what every call needs does not count";
  EXPECT_EQ(hiddenShare(own, reference), 0);
  hidden.looks = 3;
  EXPECT_EQ(hiddenShare(hidden, reference), 0) << "too few looks";
}

TEST(LooksDrawn, TruthsForEachOfWhichACoinWasTossed) {
  const at::Tensor numbers = at::rand({256, 256}, at::detail::createCPUGenerator(1));
  for (const double share : {0.1, 0.5, 0.9}) EXPECT_TRUE(looksDrawn(numbers < share)) << share;
  EXPECT_FALSE(looksDrawn(numbers < 0)) << "all the same";
  EXPECT_FALSE(looksDrawn(at::ones({256, 256}, at::kBool).tril())) << "a triangle";
  EXPECT_FALSE(looksDrawn(at::arange(256).expand({256, 256}) < at::arange(256).view({-1, 1}))) << "lengths";
  EXPECT_FALSE(looksDrawn((numbers < 0.5).logical_or((numbers < 0.5).t()))) << "symmetric";
  EXPECT_FALSE(looksDrawn((numbers < 0.5).slice(0, 0, 1).expand({256, 256}).contiguous())) << "equal rows";
}

TEST(LooksDrawn, NumbersEachForItselfAndNothingElse) {
  at::manual_seed(1);
  const at::Tensor drawn = at::rand({64, 64});
  EXPECT_TRUE(looksDrawn(drawn));
  EXPECT_TRUE(looksDrawn(at::randn({4096}, at::kBFloat16)));
  EXPECT_FALSE(looksDrawn(drawn + drawn.t())) << "symmetric";
  EXPECT_FALSE(looksDrawn(drawn.triu()));
  // A square so large that numbers at regular places would be those of one column, or of the diagonal.
  const at::Tensor large = at::rand({4096, 4096});
  EXPECT_TRUE(looksDrawn(large));
  EXPECT_FALSE(looksDrawn(large.tril()));
  EXPECT_FALSE(looksDrawn(large.to(at::kBFloat16).tril()));
  EXPECT_FALSE(looksDrawn(at::ones({64, 64})));
  EXPECT_FALSE(looksDrawn(at::arange(4096, at::kFloat)));
  EXPECT_FALSE(looksDrawn(at::randint(0, 2, {4096}, at::kFloat)));
  EXPECT_FALSE(looksDrawn(at::randint(0, 1 << 20, {4096}, at::kLong)));
}

}  // namespace
}  // namespace wb
