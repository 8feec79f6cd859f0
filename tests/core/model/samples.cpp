// SPDX-License-Identifier: Apache-2.0
#include "tests/core/model/samples.h"

#include <limits>

namespace wb::samples {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const Place place{"relu.cpp", 12, 3};
const Target target{"cuda:0",
                    "NVIDIA H100 80GB HBM3",
                    "sm_90",
                    "2.11.0+cu130",
                    "580.95",
                    "node7",
                    "GPU-00112233-4455-6677-8899-aabbccddeeff",
                    132,
                    52428800,
                    85000000000,
                    "refused",
                    {"files: Landlock 7", "memory: 8 GiB"}};
const ErrorFigures errors{0.5, inf, 3,   7,    25,   "[3, 1]",          "1.5",
                          "2", 0.1, 0.4, 1e-7, 2e-7, "all in column 1", 2};

WrongElements wrongElements() {
  return {1, {3, 2}, {3, 2}, "..a.z.", {{2, "1.5", "2", "1.25", 0.5, true}, {4, "1", "nan", "1", inf, true}}};
}

}  // namespace

Case makeCase(int number) {
  return {.op = "aten::relu",
          .args = "((T([5, 5], f32),), {})",
          .shapes = "5×5",
          .dtype = "f32",
          .seed = static_cast<std::uint64_t>(number),
          .values = "stored:opinfo#3",
          .group = "__relu__",
          .label = "((T([5, 5], f32),), {})",
          .use = CaseUse::time,
          .origin = {"smoke.txt", number, 0}};
}

CaseTiming timing(double reference, double candidate) {
  const Speedup speedup{reference / candidate, 0.9 * reference / candidate, 1.1 * reference / candidate,
                        Pace::faster};
  CaseTiming timing;
  timing.reference = reference;
  timing.candidate = candidate;
  timing.speedup = speedup;
  timing.time = "kernel";
  timing.caches = CacheState::cold;
  timing.clock = "CUPTI's records";
  timing.note = "reached the cap";
  timing.warmups = 3;
  timing.callsPerSample = 10;
  timing.blocks = {{{reference, reference}, {candidate, candidate}, false},
                   {{reference, reference}, {candidate, candidate}, true}};
  timing.kernel = {5e-6, 6e-6};
  timing.kernelHot = {1e-6, 2e-6};
  timing.step = {7e-6, 8e-6};
  timing.stepCaches = CacheState::cold;
  timing.call = {9e-6, 10e-6};
  timing.host = {3e-6, 4e-6};
  timing.events = {5.1e-6, 6.1e-6};
  timing.disagree = "two kernels overlap";
  timing.tick = 32e-9;
  timing.empty = 1.1e-6;
  timing.joules = {0.25, 0.5};
  timing.floor = 4e-7;
  timing.floorBy = "1.3 MB over 3.1 TB/s";
  timing.math = "TF32 off";
  timing.launched = {{"kernel", "relu", 2, 5e-6}, {"cuBLAS", "sgemm", 1, 1e-6}};
  timing.conditions = {{1.98e9, 2.6e9, 120, 41, "power cap"}};
  timing.dropped = 1;
  timing.device = "NVIDIA H100 PCIe";
  return timing;
}

SideProfile sideProfile() {
  SideProfile side;
  side.launches = {
      {"_Z4relu", "relu", {4, 2, 1}, {256, 1, 1}, 32, 1024, 2048, 16, 2e-6, 7, {{"sm__cycles", 12.5}}}};
  side.passes = 4;
  side.caches = CacheState::hot;
  side.seconds = 0.1;
  side.missing = {"no__such"};
  side.activities = {{ActivityKind::copy, "copy host to device", 1e-6, 2e-6, 7, 4096}};
  side.samples = {{"_Z4relu", 16, place, {{"long_scoreboard", 12}}}};
  side.droppedSamples = 3;
  side.samplingPeriod = 1024;
  side.notes = {"counters refused"};
  return side;
}

Ceilings ceilings() {
  return {"GPU-0", "2026-01-02T03:04:05Z",
          3e12,    5e12,
          2e13,    3e13,
          3e13,    6e13,
          7e14,    8e14,
          4e14,    1e-6,
          2e-6,    32e-9,
          0.98};
}

Job job() {
  ProfilePlan profile{{"all"}, false, false, false, 2, {3}, CacheState::cold, "sm_100"};
  return {{"smoke",
           {Stage::profile},
           {"given", 1e-3, 1e-5},
           {false, true, true, true, true},
           {0.25, 0.01},
           profile,
           "memcheck",
           true,
           std::numeric_limits<std::uint64_t>::max(),
           "cuda:1",
           true},
          {{"relu.cpp", "at::Tensor relu(…);\n", "torch_cpp", "relu", "model.py", "class Model: …"},
           {"", "", "aten", "add.Tensor"}},
          {makeCase(1), makeCase(2)},
          {60, 10, 90, 20, 1 << 20, 1 << 10},
          JobWork{true,
                  {{1,
                    true,
                    {{Stage::time, std::vector<std::uint32_t>{4, 6}, 2}},
                    5,
                    {0, 2, 3},
                    {6},
                    PlannedCases{"aten::relu", 9, {"f32", "f16"}, {4, 6}, {makeCase(4), makeCase(6)}}}}}};
}

std::vector<Event> events() {
  const Diagnostic diagnostic{Severity::warning, "unused variable 'x'", "-Wunused-variable", place, "g++"};
  const Artifact artifact{"relu", "f32", "sm_90", 32, 8, 16, 4096, 9000, ".version 8.0\n"};
  return {JobStarted{target, "2026-01-02T03:04:05Z"},
          StepStarted{Stage::compile, 1, {}},
          Diagnosed{1, diagnostic},
          StepDone{Stage::compile,
                   1,
                   {},
                   Compiled{"aten::relu",
                            "aten::relu(Tensor self) -> Tensor",
                            1.25,
                            true,
                            "NVRTC 13.0",
                            "not run",
                            {artifact},
                            {makeCase(1)},
                            false}},
          StepStarted{Stage::time, 1, 7},
          SideStarted{1, 7, Side::reference, true, 34.5},
          StepDone{Stage::check, 1, 7,
                   CaseCheck{Verdict::mismatch,
                             "7 of 25 elements differ",
                             errors,
                             1e-3,
                             1e-5,
                             0.01,
                             "",
                             "",
                             "",
                             false,
                             "TF32",
                             "wrong at other shapes: 65",
                             {{"ATen", "aten::relu", 2, 1e-6}},
                             std::nullopt,
                             Shared(wrongElements())}},
          StepDone{Stage::time, 1, 7, timing(2e-6, 1e-6)},
          StepDone{Stage::time, 1, 7, NoResult{"too slow"}},
          StepDone{Stage::profile, 1, 7, ProfilePart{Side::reference, sideProfile(), true}},
          StepDone{Stage::profile, 1, 7, NoResult{"no counters"}},
          StepDone{Stage::profile,
                   1,
                   {},
                   Listed{{{"_Z4relu",
                            "relu",
                            "sm_90",
                            {{16, "EXIT ;", 3, "math.h", 12}},
                            ListingKind::ttir,
                            "bf16",
                            "tt.func public @relu()"}}}},
          StepDone{Stage::sanitize, 1, {}, Sanitized{"memcheck", 3, 2, false, {"out of memory"}}},
          StepDone{Stage::sanitize, 1, {}, NoResult{"no tool"}},
          DeviceMeasured{ceilings()},
          Log{"stdout", "hello\n"},
          StageFailed{1, {Stage::compile, "does not compile", "see Problems", place}},
          WorkerLost{Blame::reference, 1, "checking case 8 of relu.cpp", "killed (SIGKILL)", "so long", 2.25,
                     Verdict::hung, Stage::check, 7, Side::reference, true},
          Finished{Outcome::workerLost, 2.5}};
}

Report report() {
  Job small = job();
  small.kernels.resize(1);
  small.stages = {Stage::check, Stage::time, Stage::profile};
  small.seed = 42;
  small.device = "cpu";
  small.work.reset();
  Report report = startReport(small);
  fold(report,
       JobStarted{{"cpu", "AMD EPYC 9B14", "x86-64", "2.11.0+cu130", "", "node7"}, "2026-01-02T03:04:05Z"});
  fold(report, StepStarted{Stage::compile, 0, {}});
  fold(report, Diagnosed{0, {Severity::warning, "unused variable 'x'", "-Wunused-variable", place, "g++"}});
  fold(report, StepDone{Stage::compile,
                        0,
                        {},
                        Compiled{"aten::relu",
                                 "aten::relu(Tensor self) -> Tensor",
                                 1.25,
                                 false,
                                 "g++ 12.2.0",
                                 "",
                                 {{"relu", "", "x86-64", 0, 0, 0, 0, 9000, ""}},
                                 {makeCase(1), makeCase(2), makeCase(3), makeCase(4)}}});
  fold(report,
       StepDone{Stage::check, 0, 0,
                CaseCheck{Verdict::pass, "", ErrorFigures{0, 0, 0, 0, 25, "", "", ""}, 1e-3, 1e-5, 0.25}});
  fold(report,
       StepDone{Stage::check, 0, 1,
                CaseCheck{Verdict::pass, "", ErrorFigures{0, 0, 0, 0, 25, "", "", ""}, 1e-3, 1e-5, 0.25}});
  fold(report, StepDone{Stage::check, 0, 2,
                        CaseCheck{Verdict::mismatch, "7 of 25 elements differ", errors, 1e-3, 1e-5, 0.25}});
  fold(report, StepDone{Stage::time, 0, 0, timing(2e-6, 1e-6)});
  fold(report, StepDone{Stage::time, 0, 1, NoResult{"too slow"}});
  fold(report, DeviceMeasured{ceilings()});
  fold(report, StepDone{Stage::profile, 0, 0, ProfilePart{Side::candidate, sideProfile(), false}});
  fold(report, StepDone{Stage::profile, 0, 0, ProfilePart{Side::reference, sideProfile(), true}});
  fold(report, StepDone{Stage::profile, 0, 1, NoResult{"no counters"}});
  fold(
      report,
      StepDone{Stage::profile, 0, {}, Listed{{{"_Z4relu", "relu", "sm_90", {{16, "EXIT ;", 3, "math.h"}}}}}});
  fold(report, StepDone{Stage::sanitize, 0, {}, NoResult{"no tool"}});
  fold(report, StepDone{Stage::sanitize, 0, {}, Sanitized{"memcheck", 1, 1, true, {}}});
  fold(report, Log{"stdout", "hello\n"});
  fold(report,
       WorkerLost{Blame::warpbench, 0, "between two steps of relu.cpp", "killed (SIGKILL)", "", 2.25});
  fold(report, Finished{Outcome::cancelled, 2.5});
  return report;
}

}  // namespace wb::samples
