// SPDX-License-Identifier: Apache-2.0
// New contents for every timed call on a GPU.
#include <ATen/ops/allclose.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <fmt/format.h>

#include "core/engine/cases/device_values.h"
#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/device/driver.h"
#include "tests/gpu/gpu_fixture.h"

namespace wb {
namespace {

class GpuContents : public GpuTest {
 protected:
  /// What comes of relu on vectors of three sizes, timed, of a kernel in Python that calls `keep`.
  static Job kept(const std::string& keep, const std::string& name = "relu") {
    Job job = reluJob("", {25, 65536, 1 << 22});
    KernelSource& kernel = job.kernels[0];
    kernel.path = "relu.py";
    kernel.language.clear();
    kernel.text = "import torch\nkept = {}\ncalls = 0\ndef " + name + "_kernel_impl(x):\n" +
                  "    global calls\n    calls += 1\n" + keep + "\n";
    kernel.op = "aten::" + name;
    for (Case& each : job.cases) each.op = kernel.op;
    job.stages.add(Stage::time);
    job.timing.capSeconds = 0.3;
    return job;
  }
  static Result<DeviceValues> load() {
    WB_TRY(const DeviceFacts facts, deviceFacts(0));
    NvrtcRequest request;
    request.source = deviceValuesSource();
    request.fileName = "device_values.cu";
    request.options = {"--gpu-architecture=" + facts.architecture, "-std=c++17"};
    WB_TRY(const NvrtcResult compiled, compileWithNvrtc(request));
    if (!compiled.ok) return Error{Stage::compile, compiled.log};
    return DeviceValues::load(compiled.cubin);
  }
  /// Each is wrong when timed, or launches nothing that could be timed.
  void expectNotScored(const std::string& keep) {
    const Report report = runInWorker(kept(keep));
    const KernelReport& kernel = *report.kernels[0];
    printCases(kernel);
    ASSERT_EQ(kernel.cases.size(), 3U);
    int found = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const CaseRow& row = kernel.cases[i];
      fmt::print("    {}\n", row.notTimed);
      EXPECT_FALSE(row.timing) << keep << i;
      found += row.check.verdict == Verdict::mismatch &&
               row.check.message.find("wrong when timed") != std::string::npos;
    }
    EXPECT_GE(found, 2);
  }
};

TEST_F(GpuContents, TheDeviceWritesWhatTheHostWrites) {
  ASSERT_TRUE(useDevice(0));
  const Result<DeviceValues> values = load();
  ASSERT_TRUE(values) << describe(values.error());
  for (const at::Tensor& base :
       {at::randn({1}), at::randn({63}), at::randn({200}), at::randn({4096}), at::randn({70001}),
        at::randn({9000}).to(at::kHalf), at::randn({500}).to(at::kDouble), at::randn({3000001}),
        at::randint(-9, 10, {8200}, at::kLong), at::randint(-9, 10, {70}, at::kShort),
        at::randint(0, 10, {6000}, at::kByte)}) {
    const ValueChange change = changeOf(base, "self", ValueOrigin::normal);
    const at::Tensor host = at::empty_like(base), there = base.to(at::kCUDA), device = at::empty_like(there);
    writeChanged(host, base, change, 8, 0, base.numel());
    for (std::int64_t from = 0; from < base.numel(); from += 1 << 20)
      writeChanged(device, there, change, 8, from, std::min(base.numel(), from + (1 << 20)), &*values);
    EXPECT_TRUE(device.cpu().equal(host)) << base.sizes() << base.scalar_type();
    EXPECT_FALSE(host.equal(base)) << base.sizes() << base.scalar_type();
  }
}

TEST_F(GpuContents, TheDeviceMovesRowsAsTheHostDoes) {
  ASSERT_TRUE(useDevice(0));
  const Result<DeviceValues> values = load();
  ASSERT_TRUE(values) << describe(values.error());
  for (const std::int64_t rows : {8, 64, 65, 3000, 100003}) {
    const at::Tensor base = at::softmax(at::randn({rows, 33}), -1);
    const ValueChange change = changeOf(base, "self", originOfOwn(base));
    ASSERT_EQ(change.way, ValueChange::Way::moveTogether);
    const at::Tensor host = at::empty_like(base), there = base.to(at::kCUDA), device = at::empty_like(there);
    writeChanged(host.view({-1}), base.view({-1}), change, 8, 0, base.numel());
    const std::int64_t part = 33 * 1001;
    for (std::int64_t from = 0; from < base.numel(); from += part)
      writeChanged(device.view({-1}), there.view({-1}), change, 8, from, std::min(base.numel(), from + part),
                   &*values);
    EXPECT_TRUE(device.cpu().equal(host)) << rows;
    EXPECT_FALSE(host.equal(base)) << rows;
    EXPECT_TRUE(at::allclose(host.sum(-1), at::ones({rows}))) << rows;
  }
}

TEST_F(GpuContents, AnAnswerKeptByPointerIsFound) {
  expectNotScored(
      "    k = x.data_ptr()\n    if k not in kept or calls < 40: kept[k] = torch.relu(x)\n    return "
      "kept[k]");
}

TEST_F(GpuContents, AnAnswerKeptByShapeIsFound) {
  expectNotScored(
      "    k = x.shape\n    if k not in kept or calls < 40: kept[k] = torch.relu(x)\n    return "
      "kept[k].clone()");
}

TEST_F(GpuContents, AnAnswerKeptWhileAGraphIsRecordedIsFoundWhereGraphsAreTimed) {
  const Report report = runInWorker(
      kept("    if not torch.cuda.is_current_stream_capturing():\n"
           "        kept[x.data_ptr()] = torch.relu(x)\n        return kept[x.data_ptr()].neg().neg()\n"
           "    return kept[x.data_ptr()].neg().neg().clone()"));
  const KernelReport& kernel = *report.kernels[0];
  printCases(kernel);
  EXPECT_EQ(kernel.cases[0].check.verdict, Verdict::mismatch);
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    const CaseRow& row = kernel.cases[i];
    if (!row.timing) continue;
    fmt::print("    timed by {}, {}\n", row.timing->clock, row.timing->note);
    EXPECT_EQ(row.timing->clock.find("graphs"), std::string::npos) << row.timing->clock;
  }
}

TEST_F(GpuContents, AnHonestKernelIsRightAndChangesInPlaceAreToo) {
  const Report report = runInWorker(kept("    return torch.relu(x)"));
  printCases(*report.kernels[0]);
  EXPECT_EQ(report.kernels[0]->counts.passed, 3U);
  EXPECT_EQ(report.kernels[0]->counts.timed, 3U);
  const Report changed = runInWorker(kept("    return x.clamp_(min=0)", "relu_"));
  printCases(*changed.kernels[0]);
  EXPECT_EQ(changed.kernels[0]->counts.timed, 3U);
}

}  // namespace
}  // namespace wb
