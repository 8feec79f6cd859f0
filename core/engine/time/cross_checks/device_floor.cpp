// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/device_floor.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/base/quantity.h"
#include "core/engine/reference/tensor_factory.h"

namespace wb {
namespace {

/// Some kernels come a little closer to the device's limits than the kernels that measured them.
constexpr double floorMargin = 1.05;
/// How much of the L2's bandwidth a kernel can reach depends on where its data lie, so only a rate far above
/// it is absurd.
constexpr double cacheMargin = 1.5;
constexpr double launchMargin = 1.25;

class Counter {
 public:
  std::int64_t bytes(const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.has_storage() || tensor.layout() != at::kStrided || tensor.is_cpu())
      return 0;
    if (!seen_.insert(tensor.storage().unsafeGetStorageImpl()).second) return 0;
    const auto spanned = extent(tensor.sizes(), tensor.strides());
    return std::min(spanned, static_cast<std::int64_t>(tensor.numel())) * tensor.element_size();
  }
  std::int64_t bytes(const c10::IValue& value) {
    if (value.isTensor()) return bytes(value.toTensor());
    std::int64_t sum = 0;
    if (value.isTensorList())
      for (const at::Tensor& tensor : value.toTensorVector()) sum += bytes(tensor);
    if (value.isOptionalTensorList())
      for (const auto& tensor : value.toOptionalTensorVector())
        if (tensor) sum += bytes(*tensor);
    return sum;
  }

 private:
  std::set<const void*> seen_;
};

DeviceFloor over(double bytes, double perSecond, const Ceilings& ceilings) {
  DeviceFloor floor;
  if (perSecond > 0 && bytes / perSecond > ceilings.launchSeconds)
    return {bytes / perSecond, fmt::format("{} over {}/s", formatBytes(bytes), formatBytes(perSecond))};
  return floor;
}

}  // namespace

MovedBytes movedBytes(const Stack& arguments, const OutputPlan& outputs) {
  Counter counter;
  MovedBytes moved;
  for (const c10::IValue& value : arguments) moved.read += counter.bytes(value);
  for (const at::Tensor& output : outputs.examples) moved.written += counter.bytes(output);
  return moved;
}

DeviceFloor deviceFloor(const MovedBytes& bytes, const Ceilings& ceilings, std::int64_t l2Bytes, bool cold,
                        double referenceSeconds) {
  const double perSecond =
      cold ? floorMargin * ceilings.dramBytesPerSecond : cacheMargin * ceilings.l2BytesPerSecond;
  const auto written =
      static_cast<double>(cold ? std::max<std::int64_t>(0, bytes.written - l2Bytes) : bytes.written);
  for (const double all : {static_cast<double>(bytes.read) + written, written}) {
    DeviceFloor floor = over(all, perSecond, ceilings);
    if (floor.seconds > 0 && floor.seconds <= referenceSeconds) return floor;
  }
  const double launch = ceilings.launchSeconds / launchMargin;
  if (launch > 0 && launch <= referenceSeconds) return {launch, "an empty kernel"};
  return {};
}

}  // namespace wb
