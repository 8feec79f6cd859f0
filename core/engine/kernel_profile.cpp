// SPDX-License-Identifier: Apache-2.0
// The profile stage of a kernel: which cases, and what is said of them.
#include <algorithm>
#include <chrono>

#include "core/engine/cuda/driver.h"
#include "core/engine/disassembly.h"
#include "core/engine/kernel_run.h"
#include "core/engine/profile_stage.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/target_facts.h"
#include "core/model/languages.h"
#include "core/suites/literal_parser.h"

namespace wb {
namespace {

/// What a case costs where it was not timed.
double weight(const Case& definition) {
  const Result<Literal> call = parseLiteral(definition.args);
  return call ? static_cast<double>(tensorBytes(*call)) : 0;
}

}  // namespace

/// Device code that the compiler hands over needs no watch, and none is kept where it would only cost.
void KernelRun::watchModules(const std::string& language) {
  if (cudaIndex(workshop_.options.device) < 0 || language == "raw_cuda" || language == "aten") return;
  Result<std::unique_ptr<ModuleWatch>> watch = ModuleWatch::start();
  if (watch)
    watch_ = *std::move(watch);
  else
    say(Log{"worker", "Lines of the source cannot be told: " + describe(watch.error())});
}

std::vector<std::uint32_t> KernelRun::casesToProfile(const std::vector<Case>& cases) const {
  const ProfilePlan& plan = job_.profile;
  if (!plan.indices.empty()) return plan.indices;
  std::vector<std::uint32_t> order = passed_;
  std::erase_if(order, [&](std::uint32_t i) { return i >= cases.size(); });
  std::map<std::uint32_t, double> weights;
  for (const std::uint32_t i : order)
    weights[i] = referenceSeconds_.empty()       ? weight(cases[i])
                 : referenceSeconds_.contains(i) ? referenceSeconds_.at(i)
                                                 : 0;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; });
  order.resize(std::min(order.size(), static_cast<std::size_t>(std::max(plan.cases, 0))));
  return order;
}

void KernelRun::profile(const KernelContext& kernel, const Ready& ready, const std::vector<Case>& cases) {
  const bool onGpu = cudaIndex(workshop_.options.device) >= 0;
  std::vector<std::shared_ptr<const LoadedModule>> modules;
  for (const std::string& cubin : ready.cubins)
    if (onGpu) modules.push_back(moduleOf(cubin));
  for (const std::uint32_t i : casesToProfile(cases)) {
    if (!goOn()) return;
    if (i >= cases.size() || std::find(passed_.begin(), passed_.end(), i) == passed_.end()) {
      say(CaseNotProfiled{kernel_, i, "only a case that passed is profiled"});
      continue;
    }
    if (!onGpu) {
      say(CaseNotProfiled{kernel_, i, "profiling needs a GPU: this run is on the CPU"});
      continue;
    }
    say(CaseStarted{kernel_, Stage::profile, i});
    std::vector<std::shared_ptr<const LoadedModule>> known = modules;
    if (watch_)
      for (auto& loaded : watch_->modules()) known.push_back(std::move(loaded));
    profileOne(kernel, cases[i], i, known);
    if (workshop_.poisoned) return;
    modules = std::move(known);
  }
  std::vector<std::string> cubins;
  for (const auto& module : modules) cubins.push_back(module->cubin);
  if (job_.profile.listing) list(onGpu ? cubins : ready.cubins, ran_);
}

void KernelRun::profileOne(const KernelContext& kernel, const Case& definition, std::uint32_t index,
                           const std::vector<std::shared_ptr<const LoadedModule>>& modules) {
  const ProfileRequest request{job_.profile, cudaIndex(workshop_.options.device), source().path, modules};
  const OnPart onPart = [&](Side side, SideProfile part) {
    say(CaseProfiled{kernel_, index, side, std::move(part), false});
  };
  Result<std::vector<std::string>> functions = std::vector<std::string>();
  try {
    functions = profileCase(kernel, definition, request, onPart);
  } catch (...) {
    functions = Error{Stage::profile, exceptionText(), {}, {}};
  }
  if (functions) {
    ran_.insert(ran_.end(), functions->begin(), functions->end());
    say(CaseProfiled{kernel_, index, Side::reference, {}, true});
    return;
  }
  workshop_.poisoned = deviceBroken();
  say(CaseNotProfiled{kernel_, index, describe(functions.error())});
}

/// Machine code of the functions that ran, or of all where none could.
void KernelRun::list(const std::vector<std::string>& cubins, const std::vector<std::string>& functions) {
  Listed listed;
  listed.kernel = kernel_;
  for (const std::string& cubin : cubins) {
    const auto listings = disassemble(cubin, source().path, functions);
    if (!listings) return say(Log{"worker", "No listing: " + describe(listings.error())});
    for (const Listing& each : *listings)
      if (std::find(listed.listings.begin(), listed.listings.end(), each) == listed.listings.end())
        listed.listings.push_back(each);
  }
  if (!listed.listings.empty()) say(listed);
}

}  // namespace wb
