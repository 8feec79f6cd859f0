// SPDX-License-Identifier: Apache-2.0
// The profile stage of a kernel: which cases are profiled, and what is said of them.
#include <algorithm>
#include <filesystem>
#include <future>
#include <iterator>
#include <utility>

#include "core/engine/compile/host/translation_unit.h"
#include "core/engine/device/driver.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/machine/target_facts.h"
#include "core/engine/pipeline/kernel/kernel_run.h"
#include "core/engine/profile/disassembly.h"
#include "core/engine/profile/host_listing.h"
#include "core/engine/profile/profile_stage.h"
#include "core/engine/reference/exception_text.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

/// How much a case weighs where it was not timed.
double weight(const Case& definition) {
  const Result<Literal> call = parseLiteral(definition.args);
  return call ? static_cast<double>(tensorBytes(*call)) : 0;
}

constexpr std::size_t largestListed = std::size_t{4} << 20;  // nvdisasm needs minutes for a library's module

/// Whether a binary holds one of the functions that ran, and is not a library's.
bool ownCode(const std::string& cubin, const std::vector<std::string>& functions) {
  return cubin.size() <= largestListed &&
         std::any_of(functions.begin(), functions.end(),
                     [&](const std::string& function) { return cubin.find(function) != std::string::npos; });
}

}  // namespace

Listings disassembleAll(const BuiltCode& code, const std::string& ownFile) {
  Listings listings;
  const auto add = [&listings](Result<std::vector<Listing>> made, const std::string& dtype) {
    if (!made) return listings.failures.push_back(describe(made.error()));
    for (Listing& each : *made) {
      each.dtype = dtype;
      listings.all.push_back(std::move(each));
    }
  };
  for (const DeviceCode& one : code.cubins) add(disassemble(one.cubin, ownFile), one.dtype);
  const std::vector<std::string> own{std::string(kernelFileName),
                                     std::filesystem::path(ownFile).filename().string()};
  for (const std::filesystem::path& object : code.objects) add(disassembleHost(object, own), "");
  return listings;
}

void KernelRun::watchModules() {
  if (cudaIndex(state_.options.device) < 0) return;
  Result<std::unique_ptr<ModuleWatch>> watch = ModuleWatch::start();
  if (watch)
    watch_ = *std::move(watch);
  else
    say(Log{"worker", "Lines of the source cannot be told: " + describe(watch.error())});
}

std::vector<std::uint32_t> KernelRun::casesToProfile(const PlannedCases& cases, const StageWork& work) const {
  const std::vector<std::uint32_t>& named = job_.profile.indices;
  if (work.cases && (!named.empty() || work.most == 0)) return *work.cases;
  if (!named.empty()) return named;
  std::vector<std::uint32_t> order = work.cases.value_or(passed_);
  const int most = work.most > 0 ? work.most : job_.profile.cases;
  std::erase_if(order, [&](std::uint32_t i) { return find(cases, i) == nullptr; });
  std::map<std::uint32_t, double> weights;
  for (const std::uint32_t i : order)
    weights[i] = referenceSeconds_.empty()       ? weight(*find(cases, i))
                 : referenceSeconds_.contains(i) ? referenceSeconds_.at(i)
                                                 : 0;
  // A profile of ATen's own kernels says little of this one.
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(delegated_.contains(a), -weights[a]) < std::pair(delegated_.contains(b), -weights[b]);
  });
  order.resize(std::min(order.size(), static_cast<std::size_t>(std::max(most, 0))));
  return order;
}

/// Counters explain the headline time, so they are read with the caches that it was taken with.
CacheState KernelRun::cachesFor(std::uint32_t index) const {
  if (job_.profile.caches != CacheState::unknown) return job_.profile.caches;
  if (std::find(work_.hot.begin(), work_.hot.end(), index) != work_.hot.end()) return CacheState::hot;
  const auto timed = headlines_.find(index);
  return timed != headlines_.end() && timed->second == CacheState::hot ? CacheState::hot : CacheState::cold;
}

void KernelRun::profile(const KernelContext& kernel, const Ready& ready, const PlannedCases& cases,
                        const StageWork& work) {
  const bool onGpu = cudaIndex(state_.options.device) >= 0;
  const bool watched = watch_ != nullptr;
  // Disassembling takes longer than counting, so both happen at the same time.
  std::future<Listings> listings;
  if (job_.profile.listing)
    listings = std::async(std::launch::async, disassembleAll, ready.code, source().path);
  std::vector<std::shared_ptr<const LoadedModule>> modules;
  for (const DeviceCode& one : ready.code.cubins)
    if (onGpu) modules.push_back(moduleOf(one.cubin));
  for (const std::uint32_t i : casesToProfile(cases, work)) {
    if (!goOn()) return;
    const Case* const definition = find(cases, i);
    if (definition == nullptr || std::find(passed_.begin(), passed_.end(), i) == passed_.end()) {
      say(StepDone{Stage::profile, kernel_, i, NoResult{"only a case that passed is profiled"}});
      continue;
    }
    if (!onGpu) {
      say(StepDone{Stage::profile, kernel_, i, NoResult{"profiling needs a GPU: this run is on the CPU"}});
      continue;
    }
    // Nobody times while this profiles, and this disturbs nobody who times.
    const auto lock = useAlone();
    if (!lock) {
      say(StepDone{Stage::profile, kernel_, i, NoResult{describe(lock.error())}});
      continue;
    }
    startCase(Stage::profile, i);
    profileOne(kernel, *definition, i, modules);
    if (state_.poisoned) return;
    if (watched) watchModules();
    // It has its say in the profile itself.
    if (strict_) (void)strict_->lost(Stage::profile);
  }
  if (!job_.profile.listing) return;
  Listings all = listings.get();
  BuiltCode late;
  if (Result<LateCode> code = ready.compiler->lateCode(architecture()); !code) {
    all.failures.push_back(describe(code.error()));
  } else {
    std::move(code->texts.begin(), code->texts.end(), std::back_inserter(all.all));
    late.cubins = std::move(code->cubins);
  }
  if (ready.code.cubins.empty() && late.cubins.empty())
    for (const auto& module : modules)
      if (ownCode(module->cubin, ran_)) late.cubins.push_back({module->cubin});
  Listings more = disassembleAll(late, source().path);
  std::move(more.all.begin(), more.all.end(), std::back_inserter(all.all));
  std::move(more.failures.begin(), more.failures.end(), std::back_inserter(all.failures));
  list(std::move(all));
}

void KernelRun::profileOne(const KernelContext& kernel, const Case& definition, std::uint32_t index,
                           std::vector<std::shared_ptr<const LoadedModule>>& modules) {
  const auto known = [&] {
    auto all = modules;
    if (watch_)
      for (auto& loaded : watch_->modules()) all.push_back(std::move(loaded));
    return all;
  };
  const auto endWatch = [&] {
    modules = known();
    watch_.reset();
  };
  const std::string reference = profiledReference(job_, source(), definition, cachesFor(index));
  KeptProfiles& kept = state_.guests.profiles;
  const ProfileRequest request{
      .plan = job_.profile,
      .device = cudaIndex(state_.options.device),
      .cacheBytes = state_.measuredDevice.cacheBytes,
      .caches = cachesFor(index),
      .ownFile = source().path,
      .modules = known,
      .knownReference = kept.find(reference),
      .keepReference = [&](std::vector<SideProfile> parts) { kept.keep(reference, std::move(parts)); },
      .endWatch = endWatch};
  const OnPart onPart = [&](Side side, SideProfile part) {
    say(StepDone{Stage::profile, kernel_, index, ProfilePart{side, std::move(part), false}});
  };
  Result<std::vector<std::string>> functions = std::vector<std::string>();
  try {
    functions = profileCase(kernel, definition, request, onPart);
  } catch (...) {
    functions = Error{Stage::profile, exceptionText()};
  }
  endWatch();
  if (functions) {
    ran_.insert(ran_.end(), functions->begin(), functions->end());
    say(StepDone{Stage::profile, kernel_, index, ProfilePart{Side::reference, {}, true}});
    return;
  }
  state_.poisoned = deviceBroken();
  say(StepDone{Stage::profile, kernel_, index, NoResult{describe(functions.error())}});
}

/// Lists the functions of the GPU that ran, or all of them where none did, and those of the host.
void KernelRun::list(Listings listings) {
  Listed listed;
  for (const std::string& failure : listings.failures) say(Log{"worker", "No listing: " + failure});
  for (Listing& each : listings.all) {
    const bool ran = ran_.empty() || each.kind != ListingKind::sass ||
                     std::find(ran_.begin(), ran_.end(), each.function) != ran_.end();
    const bool known =
        std::find(listed.listings.begin(), listed.listings.end(), each) != listed.listings.end();
    if (ran && !known) listed.listings.push_back(std::move(each));
  }
  say(StepDone{Stage::profile, kernel_, std::nullopt, std::move(listed)});
}

}  // namespace wb
