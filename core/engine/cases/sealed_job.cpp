// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/sealed_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/files/hash.h"
#include "core/model/json/json_codec.h"

namespace wb {
namespace {

/// In front of the plan's text. A text is copied whole, and no preset's name is as long as this.
struct SealedTolerance {
  double rtol = 0, atol = 0;
  char preset[16]{};
};

/// A worker gets no more plans than this in its life, unless somebody makes up settings for each job.
constexpr std::size_t mostForGood = 256;

/// The text of all that verdicts depend on, but for the kernel and its cases.
std::string planOf(const Job& job) {
  Job judged;
  static_cast<RunPlan&>(judged) = job;
  judged.limits = job.limits;
  return dump(toJson(judged));
}

std::string sealedText(const Job& job) {
  SealedTolerance tolerance{job.tolerance.rtol, job.tolerance.atol};
  job.tolerance.preset.copy(tolerance.preset, sizeof tolerance.preset - 1);
  std::string text(reinterpret_cast<const char*>(&tolerance), sizeof tolerance);
  return text + planOf(job);
}

/// What is sealed for good stays, so that a plan that comes again gets the same bytes.
std::shared_ptr<const SealedBytes> sealedFor(const std::string& text) {
  static std::map<std::string, std::shared_ptr<const SealedBytes>> all;
  if (const auto found = all.find(text); found != all.end()) return found->second;
  const bool isForGood = all.size() < mostForGood;
  auto sealed = std::make_shared<const SealedBytes>(text, isForGood);
  if (isForGood) all.emplace(text, sealed);
  return sealed;
}

std::string hashOf(const KernelSource& source) {
  return contentHash(
      {source.path, source.text, source.language, source.op, source.referencePath, source.referenceText});
}

std::string hashOf(const Case& definition) {
  return contentHash({definition.op, definition.args, definition.dtype, definition.values, definition.group,
                      std::to_string(definition.seed), name(definition.use)});
}

const std::size_t hashSize = contentHash({}).size();

}  // namespace

SealedJob::SealedJob(const Job& job, std::uint32_t kernel)
    : kernel_(kernel), plan_(sealedFor(sealedText(job))), source_(hashOf(job.kernels[kernel])) {}

void SealedJob::seal(const PlannedCases& cases) {
  std::string hashes(cases.count * hashSize, '\0');
  for (const std::uint32_t number : cases.numbers)
    if (const Case* const each = find(cases, number); each != nullptr && number < cases.count)
      hashOf(*each).copy(&hashes[number * hashSize], hashSize);
  cases_.reset();
  cases_.emplace(hashes);
}

std::optional<Tolerance> SealedJob::tolerance() const {
  SealedTolerance sealed;
  if (plan_->bytes().size() < sizeof sealed) return std::nullopt;
  std::memcpy(&sealed, plan_->bytes().data(), sizeof sealed);
  return Tolerance{sealed.preset, sealed.rtol, sealed.atol};
}

std::string SealedJob::changed(const Job& now) const {
  std::vector<std::string> parts;
  if (plan_->bytes().size() > sizeof(SealedTolerance)) {
    const std::string_view text = plan_->bytes().substr(sizeof(SealedTolerance));
    const std::string present = planOf(now);
    const auto was = present == text ? nlohmann::json() : parseJson(text).value_or(nlohmann::json());
    const auto is = present == text ? nlohmann::json() : parseJson(present).value_or(nlohmann::json());
    for (const auto& [key, value] : was.items())
      if (!is.contains(key) || is[key] != value) parts.push_back(key);
    if (present != text && parts.empty()) parts.emplace_back("plan");
  }
  if (!source_.bytes().empty() && source_.bytes() != hashOf(now.kernels[kernel_]))
    parts.emplace_back("source");
  return parts.empty() ? "" : fmt::format("the job's {}", fmt::join(parts, ", "));
}

bool SealedJob::isOther(const Case& now, std::uint32_t number) const {
  const std::string_view hashes = cases_ ? cases_->bytes() : std::string_view();
  if (hashes.empty()) return false;
  if ((number + std::size_t{1}) * hashSize > hashes.size()) return true;
  return hashes.substr(number * hashSize, hashSize) != hashOf(now);
}

}  // namespace wb
