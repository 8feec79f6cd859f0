// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/generator_state.h"

#include <ATen/Context.h>

#include <mutex>

namespace wb {
namespace {

at::Generator generatorOf(const std::string& device) {
  return at::globalContext().defaultGenerator(at::Device(device));
}

}  // namespace

at::Tensor generatorState(const std::string& device) {
  at::Generator generator = generatorOf(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return generator.get_state();
}

void setGeneratorState(const std::string& device, const at::Tensor& state) {
  at::Generator generator = generatorOf(device);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace wb
