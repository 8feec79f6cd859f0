// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/generator_state.h"

#include <ATen/CPUGeneratorImpl.h>
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

void passOverCall() {
  at::Generator generator = generatorOf("cpu");
  const std::lock_guard<std::mutex> lock(generator.mutex());
  auto* const own = at::check_generator<at::CPUGeneratorImpl>(generator);
  own->set_current_seed(own->random64());
}

}  // namespace wb
