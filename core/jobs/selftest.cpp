// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/selftest.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

#include "core/jobs/kernel_sources.h"
#include "core/model/selftest/spin_kernel.h"
#include "core/model/selftest/spin_ratios.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

constexpr std::array spinMicroseconds{0, 1, 2, 5, 10, 20, 50, 200, 1000};
constexpr double spinCapSeconds = 0.1;

std::string spinSource(const SpinRatio& ratio) {
  return fmt::format(R"cu(/* warpbench
operator = "warpbench::spin"
args = ["self", "out", "cycles * {} / {}", "numel(out)"]
*/
{})cu",
                     ratio.under, ratio.over, spinKernel);
}

/// Repeats each case of a trace so many times, with seeds of their own. With `each` the repeats of a case
/// follow each other; else the whole trace is repeated.
Suite repeated(const std::string& trace, const std::string& name, int repeats, bool each) {
  Suite suite{.name = name};
  const auto cases = parseTrace(trace, name);
  if (!cases || repeats < 1) return suite;
  const std::size_t count = cases->size(), times = static_cast<std::size_t>(repeats);
  for (std::size_t i = 0; i < count * times; ++i) {
    suite.cases.push_back((*cases)[each ? i / times : i % count]);
    suite.cases.back().seed = static_cast<std::uint64_t>(each ? i % times : i / count) + 1;
  }
  return suite;
}

}  // namespace

std::vector<std::int64_t> nullTestSizes(const std::string& device) {
  std::vector<std::int64_t> sizes{25, 65536, std::int64_t{4} << 20};
  if (device != "cpu") sizes.push_back(std::int64_t{64} << 20);
  return sizes;
}

JobRequest nullTestRequest(int repeats, const std::string& device) {
  std::string trace = "Operator: aten.relu.default\n";
  for (const std::int64_t size : nullTestSizes(device))
    trace += fmt::format("cnt: 1, ((T([{}], f32),), {{}})\n", size);
  JobRequest request;
  request.sources = {atenKernel("aten::relu")};
  request.cases = repeated(trace, "selftest", repeats, true);
  request.stages.remove(Stage::check);
  request.device = device;
  // On a GPU the profile stage measures what the device reaches where that is not known; it profiles no case
  // here.
  request.stages.set(Stage::profile, device != "cpu");
  request.profile.sections.clear();
  request.profile.timeline = request.profile.lines = request.profile.listing = false;
  request.profile.cases = 0;
  return request;
}

JobRequest knownRatioRequest(int repeats, const std::string& device, bool smallOnes) {
  std::string trace = "Operator: warpbench::spin\n";
  for (const int length : spinMicroseconds)
    trace += fmt::format("cnt: 1, ((T([4096], f32), {}), {{}})\n",
                         static_cast<std::int64_t>(length * spinCyclesPerMicrosecond));
  JobRequest request;
  request.cases = repeated(trace, "known lengths", repeats, false);
  for (const SpinRatio& ratio : spinRatios) {
    if (smallOnes && !ratio.isSmall()) continue;
    KernelSource kernel;
    kernel.path = spinPath(ratio);
    kernel.text = spinSource(ratio);
    kernel.language = "raw_cuda";
    kernel.op = "warpbench::spin";
    request.sources.push_back(std::move(kernel));
  }
  request.stages.remove(Stage::check);
  request.timing.capSeconds = spinCapSeconds;
  request.device = device;
  return request;
}

}  // namespace wb
