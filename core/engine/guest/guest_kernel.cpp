// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_kernel.h"

#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/engine/device/current_device.h"
#include "core/engine/device/driver.h"
#include "core/engine/guest/channel/shared_memory.h"
#include "core/engine/guest/device_memory.h"
#include "core/engine/guest/loading/asked_judge.h"
#include "core/engine/guest/loading/load_built.h"
#include "core/engine/guest/values.h"
#include "core/engine/profile/profiled_call.h"
#include "core/engine/reference/operator.h"
#include "core/engine/sides/memory/memory_settings.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {

Result<void> GuestKernel::load(ByteReader& from, ByteWriter& to) {
  const LoadOrder order = readLoadOrder(from);
  calls_.clear();
  made_.clear();
  inputs_ = {};
  model_.reset();
  device_ = at::Device(order.device);
  if (device_.is_cuda()) WB_DO(enterDevice(device_.index()));
  compiler_ = compilerFor_(order.language);
  LoadedInGuest loaded;
  if (!order.object.empty()) {
    schema_ = torch::jit::parseSchema(order.schema);
    WB_TRY(candidate_, loadBuilt(order, *schema_));
    loaded.function = order.function;
  } else {
    if (compiler_ == nullptr)
      return Error{Stage::compile, "a kernel's own process knows no language " + order.language};
    const CompileRequest request{.source = order.source,
                                 .op = order.op,
                                 .schema = order.schema,
                                 .device = order.device,
                                 .deadlineSeconds = order.deadlineSeconds,
                                 .inputBytes = order.inputBytes,
                                 .part = order.part,
                                 .modelSeed = order.modelSeed,
                                 .buildElsewhere = builtByJudge};
    WB_TRY(CompileOutcome outcome, compiler_->compile(request));
    candidate_ = std::move(outcome.candidate);
    loaded.isOnlyCompiled = candidate_ == nullptr;
    if (outcome.reference) say(*std::move(outcome.reference), loaded);
    if (order.part == ProblemPart::reference) putBack();
    model_ =
        std::move(order.part == ProblemPart::reference ? outcome.models.reference : outcome.models.candidate);
    if (order.part == ProblemPart::candidate) {
      schema_ = torch::jit::parseSchema(order.schema);
    } else if (!loaded.isOnlyCompiled) {
      WB_TRY(const c10::OperatorHandle op, findOperator(order.op.empty() ? loaded.op : order.op));
      schema_ = op.schema();
    }
    loaded.toolchain = outcome.toolchain;
    loaded.note = outcome.note;
    if (!outcome.artifacts.empty()) loaded.function = outcome.artifacts.front().name;
  }
  write(to, loaded);
  return {};
}

/// Where the problem is in the kernel's own file, its author may have had all of Python watched or slowed
/// down, and so the reference.
void GuestKernel::putBack() {
  if (compiler_ != nullptr) (void)compiler_->traces();
}

/// Keeps what a problem's reference brings, and says it.
void GuestKernel::say(OwnReference reference, LoadedInGuest& loaded) {
  loaded.op = std::move(reference.op);
  loaded.schema = std::move(reference.schema);
  for (Case& each : reference.cases) loaded.calls.push_back(std::move(each.args));
  loaded.changes = std::move(reference.changes);
  inputs_ = std::move(reference.inputs);
}

Result<void> GuestKernel::makeInputs(ByteReader& from, ByteWriter& to) {
  made_.clear();
  if (!inputs_) return Error{Stage::check, "no problem's reference is loaded"};
  WB_TRY(made_, inputs_(from.get<std::uint64_t>()));
  putBack();
  writeResults(to, made_);
  if (device_.is_cuda()) WB_DO(synchronize(Stage::check));
  return {};
}

Result<void> GuestKernel::askModel(Order order, ByteReader& from, ByteWriter& to) {
  if (!model_) return Error{Stage::check, "no model that can be asked is loaded"};
  if (order == Order::rememberBuffers) model_->rememberBuffers();
  if (order == Order::sayBuffers) write(to, model_->buffers());
  if (order == Order::drawParameters) {
    const auto seed = from.get<std::uint64_t>();
    const auto values = from.get<ParameterValues>();
    write(to, model_->drawParameters(seed, values));
  }
  return {};
}

Result<void> GuestKernel::rest(ByteWriter& to) {
  calls_.clear();
  made_.clear();
  inputs_ = {};
  model_.reset();
  candidate_.reset();
  largestResult_ = 0;
  memories_.clear();
  to.put(std::uint8_t{compiler_ == nullptr || compiler_->traces().patched.empty()});
  if (device_.is_cuda()) WB_DO(synchronize(Stage::check));
  return {};
}

Result<void> GuestKernel::prepare(ByteReader& from, const std::vector<int>& descriptors, ByteWriter& to) {
  const PrepareOrder order = readPrepareOrder(from);
  for (const std::uint32_t each : order.dropped) calls_.erase(each);
  Prepared prepared;
  for (std::size_t i = 0, next = 0; i < order.memory.size(); ++i) {
    const MemoryUse& use = order.memory[i];
    if (use.isNew && next < descriptors.size()) {
      const auto map = use.onDevice ? mapDeviceMemory : SharedMemory::map;
      WB_TRY(memories_[use.number], map(descriptors[next++], use.size));
    }
    prepared.memory.push_back(use.number);
  }
  forgetMemory(prepared.memory);
  if (!candidate_ || !schema_) return Error{Stage::check, "no kernel is loaded"};
  if (device_.is_cpu()) constants_.makePresent();
  WB_TRY(const Literal spelling, parseLiteral(order.spelling));
  const Stack arguments = ArgumentReader(from, memories_, device_).read(order.arguments, *schema_);
  WB_TRY(prepared.call, candidate_->prepare({spelling, arguments}, {}));
  prepared.arguments = arguments;
  prepared.fullPrecision = order.fullPrecision;
  if (device_.is_cpu()) makeHeapPresent(std::array{std::max(largestResult_, largestTensorBytes(arguments))});
  for (const std::uint32_t number : prepared.memory)
    to.put(reinterpret_cast<std::uint64_t>(memories_[number]->data()));
  to.text(std::string_view(prepared.call->notComparable()).substr(0, 1000));
  calls_[order.number] = std::move(prepared);
  return {};
}

Result<void> GuestKernel::profile(ByteReader& from, ByteWriter& to) {
  const auto found = calls_.find(from.get<std::uint32_t>());
  const AskedProfile asked = readAskedProfile(from);
  if (found == calls_.end()) return Error{Stage::profile, "there is no such call"};
  if (!device_.is_cuda()) return Error{Stage::profile, "profiling needs a GPU"};
  ProfiledCall call{found->second.call.get(), restoring(*schema_, found->second.arguments)};
  const CounterConditions conditions{device_.str(), asked.device, asked.cacheBytes, asked.caches, asked.chip};
  WB_TRY(const std::vector<SideProfile> parts, profileCall(call, asked.plan, conditions));
  write(to, parts);
  return {};
}

/// Unmaps what neither a call nor the one under way uses; the judge counts in the same way.
void GuestKernel::forgetMemory(const std::vector<std::uint32_t>& used) {
  std::erase_if(memories_, [&](const auto& each) {
    const auto names = [&](const std::vector<std::uint32_t>& list) {
      return std::find(list.begin(), list.end(), each.first) != list.end();
    };
    return !names(used) && std::none_of(calls_.begin(), calls_.end(),
                                        [&](const auto& call) { return names(call.second.memory); });
  });
}

PreparedCall* GuestKernel::call(std::uint32_t number) const {
  const auto found = calls_.find(number);
  return found == calls_.end() ? nullptr : found->second.call.get();
}

bool GuestKernel::isInFullPrecision(std::uint32_t number) const {
  const auto found = calls_.find(number);
  return found != calls_.end() && found->second.fullPrecision;
}

void GuestKernel::writeResults(ByteWriter& to, const Stack& results) {
  to.put(static_cast<std::uint32_t>(results.size()));
  for (const c10::IValue& each : results)
    write(to, each, [this](ByteWriter& out, const at::Tensor& tensor) { writeResult(out, tensor); });
}

void GuestKernel::writeResult(ByteWriter& to, const at::Tensor& tensor) {
  if (const std::string why = whyNotShared(tensor); !why.empty())
    throw std::runtime_error("the kernel returned a tensor that --strict cannot take: " + why);
  const void* const data = tensor.const_data_ptr();
  resultMemory_.push_back(tensor.storage().data());
  largestResult_ = std::max(largestResult_, tensor.storage().nbytes());
  to.put(reinterpret_cast<std::uint64_t>(data));
  writeShape(to, tensor);
  if (!tensor.is_cuda()) return;
  const bool known =
      data == nullptr || std::any_of(memories_.begin(), memories_.end(),
                                     [&](const auto& each) { return each.second->holds(data); });
  const Result<DeviceSegment> segment = known ? DeviceSegment{} : segments_.of(data);
  if (!segment) throw std::runtime_error(segment.error().text);
  write(to, *segment);
}

}  // namespace wb
