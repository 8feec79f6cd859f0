// SPDX-License-Identifier: Apache-2.0
// Two real workers, each with a cache of its own, as on two machines: one compiles ahead, the other runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/model/report.h"
#include "core/protocol/channel.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/runner.h"
#include "tests/losses.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CompileAheadFolder : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker", 1);
    setenv("WARPBENCH_RESOURCES", WB_SOURCE_DIR "/resources", 1);
  }
  void SetUp() override {
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    fs::create_directories(folder + "/kernels");
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  [[nodiscard]] std::string release() const { return folder + "/kernels/release"; }

  [[nodiscard]] static std::string sample(const std::string& name) {
    return readFile(fs::path(WB_SOURCE_DIR) / "resources/samples" / name).value_or("");
  }

  /// Kernels that nobody has compiled before; the first one waits until it is released.
  [[nodiscard]] Job job() const {
    const std::string unique = fmt::format("// {}\n", folder);
    const std::string waits = fmt::format(
        "#include <torch/extension.h>\n#include <unistd.h>\n"
        "at::Tensor relu(const at::Tensor& self) {{\n"
        "  while (::access(\"{}\", F_OK) != 0) ::usleep(10000);\n  return self.clamp_min(0);\n}}\n",
        release());
    const std::string takesIn =
        "#include \"own.h\"\nat::Tensor relu(const at::Tensor& self) { return own(self); }\n";
    EXPECT_TRUE(
        writeFileAtomically(folder + "/kernels/own.h",
                            "#include <torch/extension.h>\n"
                            "inline at::Tensor own(const at::Tensor& x) { return x.clamp_min(0); }\n"));
    Job job;
    const auto add = [&](const std::string& name, const std::string& text) {
      job.kernels.push_back({folder + "/kernels/" + name, text + unique, "", "", "", ""});
    };
    add("relu.cpp", waits);
    add("relu2.cpp", takesIn);
    add("relu.cu", sample("relu.cu"));
    add("relu_torch_cuda.cu", sample("relu_torch_cuda.cu"));
    for (KernelSource& kernel : job.kernels) kernel.op = "aten::relu";
    Case made;
    made.op = "aten::relu";
    made.args = "((T([3], f32),), {})";
    made.dtype = "f32";
    job.suite = "ahead";
    job.cases = {made};
    job.stages.remove(Stage::time);
    job.limits.caseSeconds = 60;
    return job;
  }

  /// A worker with a cache of its own, in which precompiled headers are the user's.
  [[nodiscard]] WorkerPlace placeOf(const std::string& name) const {
    const fs::path cache = folder + "/" + name;
    fs::create_directories(cache / "pch");
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(cacheFolder() / "pch", failed))
      fs::create_directory_symlink(entry.path(), cache / "pch" / entry.path().filename(), failed);
    WorkerPlace place{
        commandLauncher(
            Command{{WB_BINARY_DIR "/bin/warpbench-worker"}, {}, {{"WARPBENCH_CACHE", cache.string()}}}),
        "cpu", name, name};
    return place;
  }

  /// The user's cache has all precompiled headers that the kernels need.
  void prepare() const {
    Runner runner(localLauncher(), "cpu");
    Job samples = job();
    samples.kernels.clear();
    for (const char* name : {"relu.cpp", "relu_torch_cuda.cu"})
      samples.kernels.push_back({name, sample(name), "", "aten::relu", "", ""});
    runner.submit(samples, [](Runner::RunId, const Event&) {});
    runner.wait();
  }

  std::string folder = (fs::temp_directory_path() / "warpbench-ahead-XXXXXX").string();
};

/// Strictly or not.
class CompileAheadWorker : public CompileAheadFolder, public testing::WithParamInterface<bool> {};

TEST_P(CompileAheadWorker, WhatOneHasBuiltTheOtherLoads) {
  if (const auto possible = GetParam() ? checkStrict() : Result<void>(); !possible)
    GTEST_SKIP() << possible.error().text;
  prepare();
  std::vector<WorkerPlace> places;
  places.push_back(placeOf("runs"));
  places.push_back(placeOf("farm"));
  places.back().compilesAhead = true;
  Runner runner(std::move(places), RunnerOptions{.warmSpare = false});
  Job all = job();
  all.strict = GetParam();
  Report report = startReport(all);
  std::string log;
  int built = 0;
  runner.submit(all, [&](Runner::RunId, const Event& event) {
    fold(report, event);
    const auto* line = std::get_if<Log>(&event);
    if (line == nullptr) return;
    log += line->text + "\n";
    // Nothing but what is compiled ahead is waited for.
    const bool isOver = line->text.find("not compiled ahead") != std::string::npos ||
                        line->text.find("does not compile") != std::string::npos;
    if (line->text.find("built ahead on farm") != std::string::npos) ++built;
    if (built == 3 || isOver) EXPECT_TRUE(writeFileAtomically(release(), "go"));
  });
  runner.wait();
  expectLosses(report, Losses::none);
  EXPECT_EQ(built, 3) << log;
  const auto compiled = [&](std::size_t kernel) {
    const auto& known = report.kernels[kernel]->compiled;
    return known ? *known : Compiled{.note = "not compiled"};
  };
  EXPECT_EQ(compiled(0).note, "") << log;
  EXPECT_FALSE(compiled(0).cached);
  EXPECT_EQ(compiled(1).note, "Built on farm.") << log;
  for (const std::size_t kernel : {2U, 3U})
    EXPECT_THAT(compiled(kernel).note,
                testing::AllOf(HasSubstr("Compiled for sm_90"), HasSubstr("Built on farm.")))
        << log;
  for (const std::size_t kernel : {1U, 2U, 3U}) EXPECT_TRUE(compiled(kernel).cached) << kernel;
  EXPECT_EQ(report.kernels[0]->cases[0].check.verdict, Verdict::pass);
  EXPECT_EQ(report.kernels[1]->cases[0].check.verdict, Verdict::pass);
}

/// A real worker with a cache of its own, spoken to over its pipes as a runner does.
class SealedWorker {
 public:
  explicit SealedWorker(const std::string& cache)
      : child_(*Child::start({{WB_BINARY_DIR "/bin/warpbench-worker"}, {}, {{"WARPBENCH_CACHE", cache}}})) {
    expect<Hello>();
    EXPECT_TRUE(writer_.send(Welcome{true, "", key}));
    seal_.use(key);
  }
  ~SealedWorker() { child_.kill(SIGKILL); }
  SealedWorker(const SealedWorker&) = delete;
  SealedWorker& operator=(const SealedWorker&) = delete;

  void send(const Message& message) { EXPECT_TRUE(writer_.send(message, 1)); }
  /// The next message of a kind; a default where the worker ends first.
  template <class T>
  T expect() {
    for (std::array<char, 1 << 16> buffer; true;) {  // NOLINT(cppcoreguidelines-pro-type-member-init)
      while (auto frame = decoder_.next().value_or(std::nullopt)) {
        const auto opened = seal_.opened(*std::move(frame));
        const auto message = opened ? fromFrame(*opened) : Result<std::optional<Message>>(std::nullopt);
        if (message && *message)
          if (const auto* wanted = std::get_if<T>(&**message)) return *wanted;
      }
      const auto got = ::read(child_.output(), buffer.data(), buffer.size());
      if (got <= 0) {
        ADD_FAILURE() << "the worker has ended";
        return T{};
      }
      decoder_.feed({buffer.data(), static_cast<std::size_t>(got)});
    }
  }
  /// What it says of a job's kernel.
  Compiled compiled(const Job& job) {
    send(RunJob{job});
    while (true) {
      const auto happened = expect<Happened>();
      if (const auto* result = resultIn<Compiled>(happened.event)) return *result;
      if (std::holds_alternative<StageFailed>(happened.event) ||
          std::holds_alternative<Finished>(happened.event))
        return {.note = "it was not compiled"};
    }
  }

  const SealKey key = drawSealKey();

 private:
  Child child_;
  MessageWriter writer_{child_.input()};
  FrameDecoder decoder_;
  FrameSeal seal_;
};

TEST_F(CompileAheadFolder, AWorkerTakesFilesOnlyFromItsRunner) {
  Job raw = job();
  raw.kernels = {raw.kernels[2]};
  SealedWorker builder(folder + "/builder");
  builder.send(AskBuilds{});
  const BuildFacts facts = builder.expect<Builds>().facts;
  EXPECT_FALSE(facts.host.empty());
  EXPECT_THAT(facts.torch, HasSubstr("2.11."));
  EXPECT_THAT(facts.cudaCompiler, HasSubstr("NVRTC 13."));
  EXPECT_EQ(facts.architecture, "");
  builder.send(CompileAhead{raw, "sm_90"});
  Built built = builder.expect<Built>();
  ASSERT_FALSE(built.file.content.empty());
  built.from = "node1";

  SealedWorker forged(folder + "/forged");
  built.proof = proofOf(built, SealKey{1, 2, 3});
  forged.send(built);
  EXPECT_THAT(forged.compiled(raw).note, testing::Not(HasSubstr("Built on")));

  SealedWorker damaged(folder + "/damaged");
  Built other = built;
  other.file.content.back() = static_cast<char>(other.file.content.back() + 1);
  other.proof = proofOf(other, damaged.key);
  damaged.send(other);
  EXPECT_THAT(damaged.compiled(raw).note, testing::Not(HasSubstr("Built on")));

  SealedWorker given(folder + "/given");
  built.proof = proofOf(built, given.key);
  given.send(built);
  const Compiled compiled = given.compiled(raw);
  EXPECT_THAT(compiled.note, HasSubstr("Built on node1."));
  EXPECT_TRUE(compiled.cached);
}

INSTANTIATE_TEST_SUITE_P(Judged, CompileAheadWorker, testing::Bool(),
                         [](const auto& each) { return each.param ? "strictly" : "asUsual"; });

}  // namespace
}  // namespace wb
