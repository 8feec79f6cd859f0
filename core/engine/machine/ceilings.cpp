// SPDX-License-Identifier: Apache-2.0
#include "core/engine/machine/ceilings.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/engine/device/driver.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/machine/ceiling_kernels.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"
#include "core/model/event.h"
#include "core/model/json/json_codec.h"

namespace wb {
namespace {

constexpr double patience = 60;  // in seconds: how long to wait for somebody else's measurement
constexpr std::int64_t matrixSize = 8192;
constexpr std::int64_t dramBufferBytes = std::int64_t{1} << 29;

std::filesystem::path file(const std::string& uuid) {
  return cacheFolder() / "ceilings" / (uuid + ".json");
}

/// Takes over one measured value; 0 where it cannot be measured, as on a card without tensor cores or with a
/// torch without cuBLAS.
void take(const Result<double>& measured, double& into, std::optional<Error>& broken) {
  if (measured)
    into = *measured;
  else if (!broken)
    broken = measured.error();
}

/// The operations per second of a product of square matrices.
Result<double> product(at::ScalarType type, int device) {
  try {
    const auto options =
        at::TensorOptions().dtype(type).device(at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device)));
    // Zeros would be faster than the numbers that real kernels multiply.
    const at::Tensor a = at::empty({matrixSize, matrixSize}, options).normal_(),
                     b = at::empty({matrixSize, matrixSize}, options).normal_();
    const auto multiply = [&]() -> Result<void> {
      at::matmul(a, b);
      return {};
    };
    WB_TRY(const double seconds, bestSeconds(multiply, 2));
    return 2.0 * matrixSize * matrixSize * matrixSize / seconds;
  } catch (...) {
    return Error{Stage::profile, exceptionText()};
  }
}

Result<double> tf32Product(int device) {
  at::Context& context = at::globalContext();
  const bool before = context.allowTF32CuBLAS();
  context.setAllowTF32CuBLAS(true);
  auto measured = product(at::kFloat, device);
  context.setAllowTF32CuBLAS(before);
  return measured;
}

/// Takes over what the clock learns when it readies a sample: the tick of events, and the time of an empty
/// kernel.
Result<void> askClock(Clock& clock, int device, Ceilings& found) {
  found.tickSeconds = clock.meaning(1).tick;
  WB_TRY(const auto relu, findOperator("aten::relu"));
  const at::Tensor input =
      at::empty({4096}, at::TensorOptions()
                            .dtype(at::kFloat)
                            .device(at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device))))
          .normal_();
  std::vector<std::unique_ptr<PreparedCall>> calls;
  calls.push_back(prepareReference(relu, {input}));
  const auto readied = clock.batch({calls, calls}, 1e-6);
  if (readied) found.emptySeconds = clock.meaning(*readied).empty;
  clock.endBatch();
  return readied ? Result<void>() : readied.error();
}

Result<Ceilings> measure(MeasuredDevice& measuredDevice, const std::string& architecture,
                         const std::stop_token& stop) {
  const auto lock = MeasuringLock::acquire(measuredDevice.uuid, patience, stop);
  if (!lock) return lock.error();
  WB_DO(useDevice(measuredDevice.device));
  WB_TRY(auto kernels, CeilingKernels::compile(architecture, measuredDevice.device));
  Ceilings found;
  found.uuid = measuredDevice.uuid;
  found.measuredAt = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  std::optional<Error> broken;
  take(kernels.dramBytes(dramBufferBytes), found.dramBytesPerSecond, broken);
  take(kernels.l2Bytes(std::clamp<std::int64_t>(measuredDevice.cacheBytes / 4, 1 << 20, 1 << 24)),
       found.l2BytesPerSecond, broken);
  take(kernels.l1Bytes(), found.l1BytesPerSecond, broken);
  take(kernels.sharedBytes(), found.sharedBytesPerSecond, broken);
  take(kernels.fp32(), found.fp32, broken);
  take(kernels.fp64(), found.fp64, broken);
  take(kernels.launchSeconds(), found.launchSeconds, broken);
  if (measuredDevice.clock)
    take(kernels.evicted([&] { return measuredDevice.clock->evict(); }), found.evicted, broken);
  if (broken) return *std::move(broken);
  std::optional<Error> lacking;
  take(product(at::kHalf, measuredDevice.device), found.fp16Tensor, lacking);
  take(product(at::kBFloat16, measuredDevice.device), found.bf16Tensor, lacking);
  take(tf32Product(measuredDevice.device), found.tf32Tensor, lacking);
  if (measuredDevice.clock)
    if (auto asked = askClock(*measuredDevice.clock, measuredDevice.device, found); !asked)
      lacking = asked.error();
  if (deviceBroken()) return Error{Stage::profile, "the GPU failed while it was measured"};
  if (stop.stop_requested()) return Error{Stage::profile, "Stopped while the GPU was measured."};
  // Ceilings that cannot be kept are measured again next time.
  (void)writeFileAtomically(file(measuredDevice.uuid), toJson(Event(DeviceMeasured{found})).dump(2));
  return found;
}

}  // namespace

std::optional<Ceilings> rememberedCeilings(const std::string& uuid) {
  if (uuid.empty()) return std::nullopt;
  const auto text = readFile(file(uuid));
  if (!text) return std::nullopt;
  const auto json = parseJson(*text);
  if (!json) return std::nullopt;
  const auto event = eventFromJson(*json);
  const auto* measured = event ? std::get_if<DeviceMeasured>(&*event) : nullptr;
  if (measured == nullptr || measured->ceilings.uuid != uuid) return std::nullopt;
  return measured->ceilings;
}

Result<Ceilings> measureCeilings(MeasuredDevice& measuredDevice, const std::string& architecture,
                                 const std::stop_token& stop) {
  try {
    return measure(measuredDevice, architecture, stop);
  } catch (...) {  // torch throws when others hold the card's memory
    return Error{Stage::profile, exceptionText()};
  }
}

}  // namespace wb
