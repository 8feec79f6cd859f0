// SPDX-License-Identifier: Apache-2.0
#include "core/service/evaluation/evaluation_answer.h"

#include <gmock/gmock.h>

#include <limits>

#include "core/service/evaluation/device_metrics.h"

namespace wb {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;

/// A run of one kernel, to which a test adds what it is about.
struct OneKernel {
  EvaluationRequest request;
  Report report;
  KernelReport kernel;

  explicit OneKernel(bool compared = true) {
    request.kernel = {"", "torch", "", ""};
    if (compared) request.reference = request.kernel;
    report.device = "cuda:1";
    report.target.deviceName = "NVIDIA H100 80GB HBM3";
    report.target.architecture = "sm_90";
    report.target.multiprocessors = 132;
    kernel.compiled = Compiled{};
  }
  CaseRow& row(Verdict verdict) {
    CaseRow row;
    row.check.verdict = verdict;
    kernel.cases.push(row);
    kernel.counts.passed += verdict == Verdict::pass ? 1 : 0;
    return kernel.cases.write(kernel.cases.size() - 1);
  }
  Json answer() {
    report.kernels.clear();
    report.kernels.emplace_back(kernel);
    return evaluationAnswer(request, "7", report, {"pod", "10.0.0.1"});
  }
  std::string validationError() {
    const Json result = answer()["kernel_exec_result"];
    EXPECT_EQ(result["compiled"], true);
    EXPECT_EQ(result["correctness"], false);
    return result.value("validation_error", "");
  }
};

TEST(EvaluationAnswer, HasItsFieldsInOrder) {
  OneKernel run;
  CaseRow& row = run.row(Verdict::pass);
  row.timing.emplace();
  row.timing->blocks = {Block{{4e-3, 2e-3}, {1e-3, 1.5e-3}}};
  row.timing->speedup = {2, 1.5, 2.25, Pace::faster};
  EXPECT_EQ(
      run.answer().dump(),
      R"({"job_id":"7","kernel_exec_result":{"compiled":true,"correctness":true,"runtime":1.25,)"
      R"("metadata":{"gpu_id":1,"samples":2,"calls_per_sample":1,"speedup_interval":[1.5,2.25]},"runtime_stats":{"mean":1.25,"std":0.25,"min":1.0,"max":1.5,"median":1.25,)"
      R"("percentile_95":1.475,"percentile_99":1.495}},"ref_runtime":{"mean":3.0,"std":1.0,"min":2.0,)"
      R"("max":4.0,"median":3.0,"percentile_95":3.9,"percentile_99":3.98},"pod_name":"pod",)"
      R"("pod_ip":"10.0.0.1","status":"success","gpu_type":"h100"})");
}

TEST(EvaluationAnswer, SaysHowExactlyTheRatioIsKnown) {
  OneKernel run;
  CaseRow& row = run.row(Verdict::pass);
  row.timing.emplace();
  row.timing->blocks = {Block{{4e-3, 2e-3}, {1e-3, 1.5e-3}}};
  row.timing->callsPerSample = 50;
  row.timing->speedup = {2, 1.5, 2.25, Pace::faster};
  const auto metadata = [&] { return run.answer()["kernel_exec_result"]["metadata"].dump(); };
  EXPECT_EQ(metadata(), R"({"gpu_id":1,"samples":2,"calls_per_sample":50,"speedup_interval":[1.5,2.25]})");
  row.timing->speedup = {2, 0, 0, Pace::undecided};
  row.timing->note = "too noisy: 1 blocks differ too much";
  EXPECT_EQ(
      metadata(),
      R"({"gpu_id":1,"samples":2,"calls_per_sample":50,"timing_note":"too noisy: 1 blocks differ too )"
      R"(much; 2 samples of each kernel do not tell how exact the ratio is: ask for more with num_trials"})");
  run.request.reference.reset();
  row.timing->note.clear();
  EXPECT_EQ(metadata(), R"({"gpu_id":1,"samples":2,"calls_per_sample":50})");
}

TEST(EvaluationAnswer, WarnsOfWhatARightAnswerHides) {
  OneKernel run;
  run.kernel.diagnostics = {{Severity::warning,
                             "What the kernel was asked is right, but it is wrong with other values.",
                             {},
                             {},
                             "warpbench"},
                            {Severity::warning, "unused variable", {}, {}, "clang"},
                            {Severity::note, "a note", {}, {}, "warpbench"}};
  for (int i = 0; i < 2; ++i) {
    CaseCheck& check = run.row(Verdict::pass).check;
    check.trivial = "a copy of 'a0'";
    check.message = "inputs are never negative: a copy of 'a0' would pass too";
  }
  EXPECT_EQ(run.answer()["kernel_exec_result"]["metadata"]["warnings"].dump(),
            R"(["What the kernel was asked is right, but it is wrong with other values.",)"
            R"("These inputs say little: inputs are never negative: a copy of 'a0' would pass too."])");
  run.request.reference.reset();
  EXPECT_FALSE(run.answer()["kernel_exec_result"]["metadata"].contains("warnings"));
}

TEST(EvaluationAnswer, AKernelThatWasJudgedTamperedOnceIsNotRight) {
  OneKernel run;
  for (int i = 0; i < 3; ++i) run.row(Verdict::pass).timing.emplace();
  run.report.kernels.emplace_back(run.kernel);
  CaseCheck check;
  check.verdict = Verdict::tampered;
  check.message = "it replaces the reference";
  fold(run.report, StepDone{Stage::check, 0, 2, check});
  run.kernel = *run.report.kernels[0];
  EXPECT_EQ(run.validationError(), "Validation failed: the kernel tampered: it replaces the reference");
  const Json result = run.answer()["kernel_exec_result"];
  EXPECT_FALSE(result.contains("runtime_stats"));
}

TEST(EvaluationAnswer, SaysWhyAKernelThatIsRightHasNoTime) {
  OneKernel run(false);
  run.row(Verdict::invalid).check.message = "the reference gives no tensor";
  EXPECT_EQ(run.answer()["kernel_exec_result"]["metadata"]["not_timed"], "the reference gives no tensor");
}

TEST(EvaluationAnswer, RoundsToANanosecond) {
  const std::vector<double> seconds{1.2345678e-6};
  EXPECT_EQ(runtimeStats(seconds)["mean"].dump(), "0.001235");
  EXPECT_EQ(runtimeStats({})["max"].dump(), "0.0");
}

TEST(EvaluationAnswer, AKernelWithoutAReferenceHasNoRefRuntime) {
  OneKernel run(false);
  run.row(Verdict::mismatch);
  const Json body = run.answer();
  EXPECT_FALSE(body.contains("ref_runtime"));
  EXPECT_EQ(body["kernel_exec_result"]["correctness"], true) << "it ran, which is all that was asked";
}

TEST(EvaluationAnswer, SaysWhyAKernelIsNotCompiled) {
  OneKernel run;
  run.kernel.compiled.reset();
  run.kernel.failure = Error{Stage::compile, "SyntaxError: bad"};
  run.kernel.failure->trace = "Traceback\n  File \"/tmp/x/custom_kernel.py\", line 1\nSyntaxError: bad\n";
  const Json result = run.answer()["kernel_exec_result"];
  EXPECT_EQ(
      result.dump(),
      R"({"compiled":false,"correctness":false,"runtime":0.0,"metadata":{"gpu_id":1},"compilation_error":)"
      R"("Compilation error:\nTraceback\n  File \"(temporary)/x/custom_kernel.py\", line 1\nSyntaxError: bad\n"})");
  run.kernel.failure = Error{Stage::compile, "the reference kernel cannot be used: SyntaxError: bad"};
  EXPECT_THAT(run.validationError(), StartsWith("Skipped due to compilation failure\n"));
}

TEST(EvaluationAnswer, NamesALostWorkerWhileItCompiled) {
  OneKernel run;
  run.kernel.compiled.reset();
  run.report.losses.push_back({Blame::kernel, 0, "compiling kernel.py", "segmentation fault (SIGSEGV)"});
  EXPECT_THAT(run.answer()["kernel_exec_result"].value("compilation_error", ""), HasSubstr("SIGSEGV"));
}

TEST(EvaluationAnswer, HasATextForEachVerdict) {
  OneKernel numbers;
  CaseCheck& wrong = numbers.row(Verdict::mismatch).check;
  wrong.errors.emplace();
  wrong.errors->maxAbs = 0.005;
  wrong.errors->p50Abs = 0.0001;
  wrong.rtol = wrong.atol = 1e-5;
  wrong.message = "1 of 4 elements differ";
  EXPECT_EQ(
      numbers.validationError(),
      "Numerical outputs don't match within tolerance. Trials passed: 0/2. Max difference: 5.0e-03, Median "
      "difference: 1.0e-04. Tolerance: atol=1e-05, rtol=1e-05\n1 of 4 elements differ");
  wrong.errors->maxAbs = std::numeric_limits<double>::infinity();
  EXPECT_THAT(numbers.validationError(), StartsWith("Validation failed: 0/2 trials passed"));

  OneKernel shape;
  shape.row(Verdict::wrongShape).check.message = "expected shape 2×3, got 3";
  EXPECT_EQ(shape.validationError(), "Shape mismatch: ref=[2, 3], custom=[3]");
  OneKernel threw;
  threw.row(Verdict::threw).check.trace = "Traceback\nValueError: no\n";
  EXPECT_EQ(threw.validationError(), "Warmup failed:\nTraceback\nValueError: no\n");
  OneKernel crashed;
  crashed.row(Verdict::crashed).check.message = "segmentation fault (SIGSEGV)";
  EXPECT_EQ(crashed.validationError(), "Validation failed: the kernel crashed: segmentation fault (SIGSEGV)");
  OneKernel none;
  EXPECT_EQ(none.validationError(), "Validation did not run to its end");
  for (int verdict = 0; verdict <= static_cast<int>(Verdict::tampered); ++verdict) {
    if (static_cast<Verdict>(verdict) == Verdict::pass) continue;
    OneKernel each;
    each.row(static_cast<Verdict>(verdict));
    EXPECT_FALSE(each.validationError().empty()) << verdict;
  }
}

TEST(EvaluationAnswer, NamesNoFolders) {
  OneKernel kernel;
  kernel.row(Verdict::threw).check.message = "File \"/usr/lib/site-packages/torch/x.py\" and /usr/lib/y.so";
  EXPECT_THAT(kernel.validationError(), HasSubstr("File \"torch/x.py\" and y.so"));
  EXPECT_EQ(evaluationFailure("no /usr/lib/z.so", "id", {"pod", "127.0.0.1"})["error"], "no z.so");
}

TEST(EvaluationAnswer, SaysTheGpuTypeThatTheEnvironmentGives) {
  OneKernel run;
  EvaluationHost host{"pod", "127.0.0.1"};
  host.gpuType = "h200";
  run.report.target.device = "cuda:1";
  EXPECT_EQ(evaluationAnswer(run.request, "7", run.report, host)["gpu_type"], "h200");
  run.report.target = {};
  run.report.target.device = "cpu";
  EXPECT_FALSE(evaluationAnswer(run.request, "7", run.report, host).contains("gpu_type"));
}

TEST(DeviceMetrics, AreInTheirGroupsUnderTheirNames) {
  SideProfile profile;
  EXPECT_TRUE(deviceMetrics(profile, {}).is_null());
  Launch launch;
  launch.grid = {264, 1, 1};
  launch.block = {256, 1, 1};
  launch.registers = 32;
  launch.seconds = 1e-5;
  launch.metrics = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 40},
                    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 80},
                    {"dram__bytes.sum.per_second", 2e12},
                    {"gpu__time_duration.sum", 5000}};
  profile.launches = {launch};
  Target target;
  target.architecture = "sm_90";
  target.multiprocessors = 132;
  const Json metrics = deviceMetrics(profile, target);
  EXPECT_EQ(
      metrics["speed_of_light"].dump(),
      R"({"compute_throughput_pct":40.0,"sm_throughput_pct":40.0,"gpu_dram_throughput_pct":80.0,"memory_throughput_pct":80.0})");
  EXPECT_EQ(metrics["memory_metrics"].dump(), R"({"dram_total_bandwidth_gb_s":2000.0})");
  EXPECT_EQ(metrics["timing_metrics"]["gpu_time_duration_sum"], 5000.0);
  EXPECT_EQ(metrics["timing_metrics"]["gpu_time_duration_unit"], "ns");
  EXPECT_NEAR(metrics["timing_metrics"]["gpu_time_duration_seconds"].get<double>(), 5e-6, 1e-12);
  EXPECT_EQ(metrics["occupancy_metrics"]["block_size"], 256.0);
  EXPECT_EQ(metrics["occupancy_metrics"]["grid_size"], 264.0);
  EXPECT_EQ(metrics["occupancy_metrics"]["occupancy_limit_warps"], 8.0);
  EXPECT_EQ(metrics["occupancy_metrics"]["waves_per_sm"], 0.25);
  EXPECT_EQ(metrics["compute_metrics"]["registers_per_thread"], 32.0);
  EXPECT_FALSE(metrics.contains("stall_metrics"));
}

}  // namespace
}  // namespace wb
