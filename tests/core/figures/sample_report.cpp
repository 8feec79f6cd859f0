// SPDX-License-Identifier: Apache-2.0
#include "tests/core/figures/sample_report.h"
#include "tests/core/model/steps.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace wb::samples {

namespace {

constexpr std::string_view reluSource = R"(// Clamps below at zero.
#include <torch/extension.h>

at::Tensor relu_kernel_impl(const at::Tensor& self) {
  auto out = at::empty_like(self);
  // One pass; torch's own goes through clamp_min.
  at::parallel_for(0, self.numel(), 4096, [&](int64_t begin, int64_t end) {
    const float* in = self.data_ptr<float>();
    float* to = out.data_ptr<float>();
    for (int64_t i = begin; i < end; ++i) to[i] = in[i] > 0 ? in[i] : 0;
  });
  return out;
}
)";

constexpr std::string_view geluSource = R"cu(/* warpbench
operator = "aten::gelu"
args = ["self", "out", "numel(self)"]
*/
extern "C" __global__ void gelu(const scalar_t* in, scalar_t* out, long n) {
  const long i = blockIdx.x * 256L + threadIdx.x;
  if (i < n) out[i] = in[i] * 0.5f * (1.0f + erff(in[i] * 0.70710678f));
}
)cu";

Target cpu() {
  return {"cpu", "AMD EPYC 9B14", "x86-64", "2.11.0+cu130", "", "bench-7"};
}
Target gpu() {
  return {"cuda:0", "NVIDIA H100 80GB HBM3", "sm_90", "2.11.0+cu130", "580.82.07", "bench-7"};
}

Case makeCase(std::string op, std::string args, std::string shapes, std::string dtype, int line) {
  return {.op = std::move(op),
          .args = std::move(args),
          .shapes = std::move(shapes),
          .dtype = std::move(dtype),
          .seed = static_cast<std::uint64_t>(line),
          .origin = {"smoke.txt", line, 1}};
}

std::vector<Case> unaryCases(const std::string& op) {
  return {makeCase(op, "((T([5, 5], f32),), {})", "5×5", "f32", 3),
          makeCase(op, "((T([1024, 1024], f32),), {})", "1024×1024", "f32", 4),
          makeCase(op, "((T([1024, 1024], f16),), {})", "1024×1024", "f16", 5),
          makeCase(op, "((T([37, 41], f32, [1, 37]),), {})", "37×41", "f32", 6),
          makeCase(op, "((T([64, 64], f32, [0, 1]),), {})", "64×64", "f32", 7),
          makeCase(op, "((T([0], f32),), {})", "0", "f32", 8)};
}

Job makeJob(std::vector<KernelSource> kernels, std::string device) {
  Job job;
  job.kernels = std::move(kernels);
  job.suite = "smoke";
  job.seed = 42;
  job.device = std::move(device);
  return job;
}

CaseCheck passed(double maxAbs, double maxUlp) {
  CaseCheck check;
  check.verdict = Verdict::pass;
  ErrorFigures& errors = check.errors.emplace();
  errors.maxAbs = maxAbs;
  errors.maxRel = maxAbs * 2;
  errors.maxUlp = maxUlp;
  errors.elements = 1024;
  check.rtol = 1.3e-6;
  check.atol = 1e-5;
  check.seconds = 0.002;
  return check;
}

/// A kernel whose own code takes the given share of a call of `seconds`; the rest is the operator's.
CaseCheck passedWith(double seconds, double own, const char* op) {
  CaseCheck check = passed(0, 0);
  check.ran = {{"ATen", op, 1, seconds * (1 - own)}, {"kernel", "", 1, seconds * own}};
  return check;
}

CaseCheck failed(Verdict verdict, std::string message) {
  CaseCheck check;
  check.verdict = verdict;
  check.message = std::move(message);
  return check;
}

CaseCheck mismatch() {
  CaseCheck check = passed(0.25, 2.1e6);
  check.verdict = Verdict::mismatch;
  ErrorFigures& errors = *check.errors;
  errors.mismatches = 3;
  errors.elements = 1048576;
  errors.firstBadIndex = "[3, 17]";
  errors.expected = "0.5";
  errors.actual = "0.75";
  errors.p99Abs = 3.1e-7;
  errors.oracleAbs = 0.25;
  errors.oracleReferenceAbs = 1.2e-7;
  errors.cluster = "column 17";
  WrongElements wrong;
  wrong.shape = {1024, 1024};
  wrong.cells = {128, 128};
  wrong.map.assign(128 * 128, '.');
  wrong.map[2] = 'b';
  wrong.map[17 * 128 + 2] = 'h';
  wrong.map[127 * 128 + 2] = 'z';
  wrong.elements = {{3 * 1024 + 17, "0.5", "0.75", "0.5", 0.25, true},
                    {140 * 1024 + 17, "-2", "30", "-2", 32, true},
                    {1020 * 1024 + 17, "1", "nan", "1", std::numeric_limits<double>::infinity(), true}};
  check.wrong.emplace(std::move(wrong));
  return check;
}

const std::string cold = "CUPTI's records";

CaseTiming timed(double reference, double ratio, double halfWidth, const std::string& clock, int blocks = 4) {
  CaseTiming timing;
  timing.reference = reference;
  timing.candidate = reference / ratio;
  timing.speedup = {ratio, ratio * (1 - halfWidth), ratio * (1 + halfWidth), Pace::undecided};
  if (timing.speedup.low > 1.01) timing.speedup.pace = Pace::faster;
  if (timing.speedup.high < 0.99) timing.speedup.pace = Pace::slower;
  if (timing.speedup.low >= 0.99 && timing.speedup.high <= 1.01) timing.speedup.pace = Pace::same;
  timing.time = clock == cold ? "kernel" : "call";
  timing.caches = clock == cold ? CacheState::cold : CacheState::unknown;
  timing.clock = clock;
  timing.warmups = 2;
  timing.callsPerSample = 8;
  for (int b = 0; b < blocks; ++b)
    timing.blocks.push_back(
        {{reference, reference * 1.01}, {reference / ratio, reference / ratio}, b % 2 == 1});
  return timing;
}

class Teller {
 public:
  explicit Teller(const Job& job) : report_(startReport(job)) {}
  template <class E>
  Teller& operator()(E event) {
    fold(report_, Event(std::move(event)));
    return *this;
  }
  Report finish(Outcome outcome, double seconds) {
    fold(report_, Event(Finished{outcome, seconds}));
    return std::move(report_);
  }
  Report sofar() { return std::move(report_); }

 private:
  Report report_;
};

StepDone compiledCpp(std::uint32_t kernel, const std::string& op, std::vector<Case> cases,
                     bool cached = false) {
  Compiled compiled;
  compiled.op = op;
  compiled.schema = op + "(Tensor self) -> Tensor";
  compiled.seconds = cached ? 0.004 : 1.84;
  compiled.cached = cached;
  compiled.toolchain = "clang++ 14.0.6";
  compiled.artifacts = {{"relu_kernel_impl", "", "x86-64", 0, 0, 0, 0, 48312, ""}};
  compiled.cases = std::move(cases);
  return compiledStep(std::move(compiled), kernel);
}

StepDone compiledCuda(std::vector<Case> cases, int spills, std::string note) {
  Compiled compiled;
  compiled.op = "aten::gelu";
  compiled.schema = "aten::gelu(Tensor self, *, str approximate='none') -> Tensor";
  compiled.seconds = 0.018;
  compiled.toolchain = "NVRTC 13.0";
  compiled.runs = note.empty();
  compiled.note = std::move(note);
  compiled.artifacts = {{"gelu", "f32", "sm_90", 24, spills, spills, 0, 5320, ".version 9.0"},
                        {"gelu", "f16", "sm_90", 26, 0, 0, 1024, 5410, ".version 9.0"}};
  compiled.cases = std::move(cases);
  return compiledStep(std::move(compiled));
}

KernelSource relu(std::string path = "kernels/relu.cpp") {
  return {std::move(path), std::string(reluSource), "torch_cpp", ""};
}
KernelSource gelu() {
  return {"kernels/gelu.cu", std::string(geluSource), "raw_cuda", ""};
}

constexpr std::string_view start = "2026-01-02T03:04:05Z";
const std::string wall = "wall clock";

}  // namespace

Report allPass() {
  Teller tell(makeJob({relu()}, "cpu"));
  tell(JobStarted{cpu(), std::string(start)})(StepStarted{Stage::compile, 0, {}});
  tell(compiledCpp(0, "aten::relu", unaryCases("aten::relu"), true));
  for (std::uint32_t i = 0; i < 6; ++i)
    tell(StepStarted{Stage::check, 0, i})(
        StepDone{Stage::check, 0, i, passed(i == 2 ? 9.8e-4 : 0, i == 2 ? 1 : 0)});
  constexpr std::array ratios = {1.94, 2.31, 0.713, 1.002, 1.62, 1.18};
  for (std::uint32_t i = 0; i < 6; ++i)
    tell(StepStarted{Stage::time, 0, i})(
        StepDone{Stage::time, 0, i, timed(3.1e-6 * (i + 1), ratios[i], i == 3 ? 0.004 : 0.03, wall)});
  return tell.finish(Outcome::finished, 3.21);
}

Report mixedFailures() {
  Teller tell(makeJob({gelu()}, "cuda:0"));
  tell(JobStarted{gpu(), std::string(start)})(StepStarted{Stage::compile, 0, {}});
  tell(Diagnosed{0,
                 {Severity::warning,
                  "variable \"n2\" was declared but never referenced",
                  "#177-D",
                  {"kernels/gelu.cu", 6, 14},
                  "nvrtc"}});
  std::vector<Case> cases = unaryCases("aten::gelu");
  cases.push_back(makeCase("aten::gelu", "((T([8, 8], f32),), {'approximate': 'tanh'})", "8×8", "f32", 9));
  tell(compiledCuda(cases, 16, ""));
  tell(StepDone{Stage::check, 0, 0, passed(1.2e-7, 2)})(StepDone{Stage::check, 0, 1, mismatch()});
  tell(StepDone{Stage::check, 0, 2,
                failed(Verdict::wrongShape, "out has shape [1024], expected [1024, 1024]")});
  tell(StepDone{Stage::check, 0, 3,
                failed(Verdict::threw, "CUDA error: invalid argument\n  while launching gelu")});
  tell(StepDone{Stage::check, 0, 4, failed(Verdict::hung, "no answer within 30 s")});
  tell(StepDone{Stage::check, 0, 5, failed(Verdict::invalid, "an empty tensor cannot fail")});
  tell(StepDone{Stage::check, 0, 6, passed(0, 0)});
  CaseTiming timing = timed(8.4e-6, 0.9, 0.2, cold);
  timing.note = "stopped at the cap of 1 s";
  timing.launched = {{"kernel", "gelu", 1, 8.8e-6}, {"driver", "fill", 1, 0.5e-6}};
  tell(StepDone{Stage::time, 0, 0, timing})(StepDone{Stage::time, 0, 6, NoResult{"the capture failed"}});
  return tell.finish(Outcome::finished, 31.4);
}

Report compileFailure() {
  Teller tell(makeJob({relu()}, "cpu"));
  tell(JobStarted{cpu(), std::string(start)})(StepStarted{Stage::compile, 0, {}});
  const std::string file = "kernels/relu.cpp";
  tell(Diagnosed{0, {Severity::error, "use of undeclared identifier 'inn'", "", {file, 10, 61}, "clang++"}});
  tell(Diagnosed{0, {Severity::note, "'in' declared here", "", {file, 8, 18}, "clang++"}});
  tell(Diagnosed{0, {Severity::error, "expected ';' after expression", "", {file, 12, 13}, "clang++"}});
  tell(Diagnosed{0,
                 {Severity::warning, "unused variable 'to'", "-Wunused-variable", {file, 9, 12}, "clang++"}});
  tell(StageFailed{0, {Stage::compile, "relu.cpp did not compile", "see the messages", {}}});
  return tell.finish(Outcome::finished, 1.2);
}

Report crash() {
  Teller tell(makeJob({relu()}, "cpu"));
  tell(JobStarted{cpu(), std::string(start)})(StepStarted{Stage::compile, 0, {}});
  tell(compiledCpp(0, "aten::relu", unaryCases("aten::relu")));
  for (std::uint32_t i = 0; i < 6; ++i)
    tell(StepDone{Stage::check, 0, i,
                  i == 3 ? failed(Verdict::crashed, "segmentation fault (SIGSEGV)") : passed(0, 0)});
  for (const std::uint32_t i : {0U, 1U}) tell(StepDone{Stage::time, 0, i, timed(4e-6, 1.5, 0.02, wall)});
  return tell.finish(Outcome::workerLost, 2.5);
}

Report cancelledHalfWay() {
  Teller tell(makeJob({relu()}, "cpu"));
  tell(JobStarted{cpu(), std::string(start)})(StepStarted{Stage::compile, 0, {}});
  tell(compiledCpp(0, "aten::relu", unaryCases("aten::relu")));
  for (std::uint32_t i = 0; i < 3; ++i)
    tell(StepDone{Stage::check, 0, i, i == 1 ? mismatch() : passed(0, 0)});
  return tell.finish(Outcome::cancelled, 0.9);
}

Report timingHalfWay() {
  Teller tell(makeJob({relu()}, "cpu"));
  tell(JobStarted{cpu(), std::string(start)})(StepStarted{Stage::compile, 0, {}});
  tell(compiledCpp(0, "aten::relu", unaryCases("aten::relu")));
  for (std::uint32_t i = 0; i < 6; ++i) tell(StepDone{Stage::check, 0, i, passed(0, 0)});
  for (const std::uint32_t i : {0U, 1U})
    tell(StepStarted{Stage::time, 0, i})(StepDone{Stage::time, 0, i, timed(4e-6, 1.62, 0.02, wall)});
  return tell.sofar();
}

Report compileOnly() {
  Teller tell(makeJob({gelu()}, "cpu"));
  tell(JobStarted{cpu(), std::string(start)})(StepStarted{Stage::compile, 0, {}});
  tell(compiledCuda({}, 0, "Compiled for sm_90; not run: this machine has no GPU"));
  return tell.finish(Outcome::finished, 0.05);
}

Report severalKernels() {
  Teller tell(makeJob(
      {relu("fast/relu.cpp"), relu("plain/relu.cpp"), {"add.cpp", "int x", "torch_cpp", "aten::add.Tensor"}},
      "cpu"));
  tell(JobStarted{cpu(), std::string(start)});
  for (std::uint32_t k = 0; k < 2; ++k) {
    tell(StepStarted{Stage::compile, k, {}})(compiledCpp(k, "aten::relu", unaryCases("aten::relu"), k == 1));
    // The first one does its work itself, the second one asks ATen.
    for (std::uint32_t i = 0; i < 6; ++i)
      tell(StepDone{
          Stage::check, k, i,
          k == 0 ? passedWith(1e-4, 0.98, "aten::empty_like") : passedWith(1e-4, 0.001, "aten::relu")});
    for (std::uint32_t i = 0; i < 6; ++i)
      tell(StepDone{Stage::time, k, i, timed(4e-6 * (i + 1), k == 0 ? 1.7 + 0.1 * i : 0.8, 0.02, wall)});
  }
  tell(StepStarted{Stage::compile, 2, {}});
  tell(Diagnosed{2, {Severity::error, "expected ';'", "", {"add.cpp", 1, 6}, "clang++"}});
  tell(StageFailed{2, {Stage::compile, "add.cpp did not compile", "", {}}});
  return tell.finish(Outcome::finished, 9.7);
}

Report noWorker() {
  Teller tell(makeJob({relu()}, "cpu"));
  tell(StageFailed{
      std::nullopt,
      {Stage::setup, "No torch 2.11 was found", "run packaging/setup, then warpbench doctor", {}}});
  return tell.finish(Outcome::workerLost, 0.1);
}

Report emptyJob() {
  return startReport(makeJob({}, "cpu"));
}

Report hostile() {
  KernelSource source = relu("kernels/<b>\"bad\" & 'worse'|.cpp");
  source.text =
      "// </script><script>alert(1)</script> <!-- & \" ' `${x}` \\u2028 \xE2\x80\xA8\n#include <vector>\nint "
      "a = 1 < 2 && 3 > 2;\n";
  Job job = makeJob({source}, "cpu");
  job.suite = "smoke <i>&amp;</i>";
  Teller tell(job);
  Target target = cpu();
  target.deviceName = "CPU <script>alert(2)</script>";
  tell(JobStarted{target, std::string(start)})(StepStarted{Stage::compile, 0, {}});
  tell(Diagnosed{0,
                 {Severity::warning,
                  "<img src=x onerror=alert(3)> | \"quoted\", 'single'\nsecond line",
                  "-W<x>",
                  {source.path, 3, 5},
                  "clang++"}});
  tell(compiledCpp(0, "aten::relu", unaryCases("aten::relu")));
  tell(StepDone{Stage::check, 0, 0, failed(Verdict::threw, "a, \"b\"\nline | two </script>\x1b[31m")});
  tell(StepDone{Stage::check, 0, 1, passed(0, 0)})(
      StepDone{Stage::time, 0, 1, timed(4e-6, 1.62, 0.02, wall)});
  return tell.finish(Outcome::finished, 1);
}

Run manyEvents(int cases, int blocks) {
  constexpr std::array ops = {
      "aten::relu",     "aten::add.Tensor", "aten::mul.Tensor",  "aten::gelu",
      "aten::sigmoid",  "aten::exp",        "aten::softmax.int", "aten::sum.dim_IntList",
      "aten::mean.dim", "aten::bmm",        "aten::cat",         "aten::where.self"};
  constexpr std::array dtypes = {"f32", "f16", "bf16"};
  Run run{makeJob({}, "cuda:0"), {}};
  run.job.suite = "trace.txt";
  const auto kernels = static_cast<int>(ops.size());
  run.events.emplace_back(JobStarted{gpu(), std::string(start)});
  for (int k = 0; k < kernels; ++k) {
    run.job.kernels.push_back(
        {fmt::format("kernels/{}/kernel.cpp", ops[k]), std::string(reluSource), "torch_cpp", ops[k]});
    std::vector<Case> all;
    for (int i = k; i < cases; i += kernels) {
      const int rows = 1 + i * 7 % 1777, columns = 16 + i * 131 % 8111;
      all.push_back(makeCase(
          ops[k],
          fmt::format("((T([{0}, {1}], {2}), T([{0}, {1}], {2})), {{}})", rows, columns, dtypes[i % 3]),
          fmt::format("{0}×{1}, {0}×{1}", rows, columns), dtypes[i % 3], i + 1));
    }
    const auto count = static_cast<std::uint32_t>(all.size());
    const auto kernel = static_cast<std::uint32_t>(k);
    run.events.emplace_back(StepStarted{Stage::compile, kernel, {}});
    run.events.emplace_back(compiledCpp(kernel, ops[k], std::move(all)));
    for (std::uint32_t i = 0; i < count; ++i) {
      CaseCheck check = i % 37 == 36 ? mismatch() : passed(1.3e-7 * (i % 11), i % 4);
      if (i >= 37 * WrongElements::mostCases) check.wrong.reset();
      run.events.emplace_back(StepDone{Stage::check, kernel, i, std::move(check)});
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i % 37 == 36) continue;
      const double ratio = 0.6 + 0.1 * k + 0.013 * (i % 97);
      run.events.emplace_back(
          StepDone{Stage::time, kernel, i,
                   timed(2.3e-6 * (1 + (i * 17) % 5003), ratio, 0.004 + 0.001 * (i % 9), cold, blocks)});
    }
  }
  run.events.emplace_back(Finished{Outcome::finished, 123.4});
  return run;
}

Report many(int cases) {
  const Run run = manyEvents(cases);
  Report report = startReport(run.job);
  for (const Event& event : run.events) fold(report, event);
  return report;
}

}  // namespace wb::samples
