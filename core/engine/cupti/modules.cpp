// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/modules.h"

#include <deque>
#include <mutex>

#include "core/engine/cupti/cupti_library.h"

namespace wb {
namespace {

// A user's kernel is far smaller; a library's module is not.
constexpr std::size_t largest = std::size_t{16} << 20;
constexpr std::size_t mostBytes = std::size_t{64} << 20;

std::uint64_t crcOf(const Cupti& library, const std::string& cubin) {
  CUpti_GetCubinCrcParams params{};
  params.size = CUpti_GetCubinCrcParamsSize;
  params.cubinSize = cubin.size();
  params.cubin = cubin.data();
  return library.getCubinCrc(&params) == CUPTI_SUCCESS ? params.cubinCrc : 0;
}

}  // namespace

std::shared_ptr<const LoadedModule> moduleOf(const std::string& cubin) {
  auto module = std::make_shared<LoadedModule>();
  module->cubin = cubin;
  if (const Cupti* library = cupti()) module->crc = crcOf(*library, cubin);
  return module;
}

struct ModuleWatch::Kept {
  CUpti_SubscriberHandle subscriber = nullptr;
  mutable std::mutex mutex;
  std::deque<std::shared_ptr<const LoadedModule>> modules;
  std::size_t bytes = 0;

  void keep(const char* cubin, std::size_t size) {
    if (cubin == nullptr || size == 0 || size > largest) return;
    auto module = std::make_shared<LoadedModule>();
    module->cubin.assign(cubin, size);
    module->crc = crcOf(*cupti(), module->cubin);
    const std::lock_guard lock(mutex);
    modules.push_back(std::move(module));
    bytes += size;
    while (bytes > mostBytes && modules.size() > 1) {
      bytes -= modules.front()->cubin.size();
      modules.pop_front();
    }
  }

  static void CUPTIAPI called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void* data) {
    if (domain != CUPTI_CB_DOMAIN_RESOURCE || id != CUPTI_CBID_RESOURCE_MODULE_LOADED) return;
    const auto* resource = static_cast<const CUpti_ResourceData*>(data);
    const auto* module = static_cast<const CUpti_ModuleResourceData*>(resource->resourceDescriptor);
    if (module != nullptr) static_cast<Kept*>(self)->keep(module->pCubin, module->cubinSize);
  }
};

ModuleWatch::ModuleWatch() : kept_(std::make_unique<Kept>()) {}

ModuleWatch::~ModuleWatch() {
  if (kept_->subscriber != nullptr) cupti()->unsubscribe(kept_->subscriber);
}

Result<std::unique_ptr<ModuleWatch>> ModuleWatch::start() {
  std::string whyNot;
  const Cupti* library = cupti(&whyNot);
  if (library == nullptr) return Error{Stage::profile, "Profiling is not possible: " + whyNot};
  std::unique_ptr<ModuleWatch> watch(new ModuleWatch);
  const CUptiResult code = library->subscribe(&watch->kept_->subscriber, Kept::called, watch->kept_.get());
  if (code != CUPTI_SUCCESS) {
    watch->kept_->subscriber = nullptr;
    return cuptiError(code, "Watching what is loaded");
  }
  WB_DO(checkCupti(library->enableCallback(1, watch->kept_->subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                           CUPTI_CBID_RESOURCE_MODULE_LOADED),
                   "Watching what is loaded"));
  return watch;
}

std::vector<std::shared_ptr<const LoadedModule>> ModuleWatch::modules() const {
  const std::lock_guard lock(kept_->mutex);
  return {kept_->modules.begin(), kept_->modules.end()};
}

}  // namespace wb
