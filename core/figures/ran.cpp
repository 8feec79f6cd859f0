// SPDX-License-Identifier: Apache-2.0
#include "core/figures/ran.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/quantity.h"
#include "core/figures/cells.h"

namespace wb {

namespace {

/// In a call that is shorter than this, what Python or the binding takes hides what the kernel does.
constexpr double tellingSeconds = 50e-6;
/// A share from here on is all of it; smaller ones than the second are not worth a word.
constexpr double allOfIt = 0.995, worthSaying = 0.01;
constexpr std::size_t mostShares = 3, mostNames = 3;

/// Adds cases up.
class Sum {
 public:
  explicit Sum(const Report& report) : isGpu_(report.device.starts_with("cuda")), isStrict_(report.strict) {}

  void add(const CaseRow& row) {
    const bool launched = row.timing && !row.timing->launched.empty();
    if (row.check.ran.empty() && !launched) return;
    ++cases_;
    isSaid_ |= isStrict_ && !row.check.ran.empty();
    if (const std::string op = delegatedTo(row.definition.op, row.check.ran); !op.empty()) {
      if (delegated_.empty()) delegated_ = op;
      ++delegatedCases_;
    }
    double host = 0;
    for (const RanPart& part : row.check.ran) {
      host += part.seconds;
      if (part.owner != ownedByKernel && part.seconds > 0) called_[part.name] += part.seconds;
    }
    if (!isGpu_ && host >= tellingSeconds)
      for (const RanPart& part : row.check.ran) shares_[nameOnHost(part)] += part.seconds;
    if (launched)
      for (const RanPart& part : row.timing->launched) shares_[nameOnDevice(part)] += part.seconds;
  }

  [[nodiscard]] WhatRan take() const {
    WhatRan ran;
    ran.isOnDevice = isGpu_;
    ran.isSaid = isSaid_;
    ran.delegated = delegated_;
    ran.delegatedCases = delegatedCases_;
    ran.cases = cases_;
    for (auto& [name, seconds] : ordered(called_)) ran.called.push_back(std::move(name));
    double all = 0;
    for (const auto& [name, seconds] : shares_) all += seconds;
    if (all <= 0) return ran;
    for (auto& [name, seconds] : ordered(shares_))
      ran.shares.push_back({name, seconds / all, name == ownOnHost || name == ownOnDevice});
    return ran;
  }

 private:
  static constexpr const char *ownOnHost = "own code", *ownOnDevice = "own kernels";

  static std::string nameOnHost(const RanPart& part) {
    return part.owner == ownedByKernel ? ownOnHost : part.name;
  }
  static std::string nameOnDevice(const RanPart& part) {
    if (part.owner == ownedByKernel) return ownOnDevice;
    return part.owner == ownedByDriver ? "copies and fills" : part.owner;
  }

  static std::vector<std::pair<std::string, double>> ordered(const std::map<std::string, double>& sums) {
    std::vector<std::pair<std::string, double>> all(sums.begin(), sums.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return all;
  }

  bool isGpu_, isStrict_, isSaid_ = false;
  std::map<std::string, double> shares_, called_;
  std::string delegated_;
  int delegatedCases_ = 0, cases_ = 0;
};

std::string percent(double share) {
  return fmt::format("{:.0f} %", share * 100);
}

std::string sharesText(const std::vector<WhatRan::Share>& shares, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < std::min(shares.size(), mostShares); ++i) {
    if (shares[i].share < worthSaying) break;
    text += fmt::format("{}{} {}", text.empty() ? "" : " · ", percent(shares[i].share), shares[i].what);
  }
  return text;
}

Card cardOf(const WhatRan& ran) {
  Card card{"ran", "What ran", {}, {}, Tone::neutral, true};
  const auto say = [&card](const std::string& text) {
    if (!text.empty()) card.detail += (card.detail.empty() ? "" : " · ") + text;
  };
  if (!ran.shares.empty()) {
    const WhatRan::Share& top = ran.shares.front();
    const bool isAll = top.share >= allOfIt;
    card.value = isAll ? top.what : fmt::format("{} {}", percent(top.share), top.what);
    say(isAll ? "all of it" : sharesText(ran.shares, 1));
  } else {
    card.value = ran.called.empty() ? "own code" : ran.called.front();
    say(ran.called.empty() ? "no operator of ATen's was called" : "called; too short to tell its share");
  }
  if (ran.isOnDevice && !ran.called.empty()) say(calledText(ran));
  say(delegatedText(ran));
  if (ran.isSaid) say("as its own process says");
  if (ran.isMostlyOthers()) card.tone = Tone::warning;
  return card;
}

Card cardOf(const Report& report, const std::vector<std::pair<std::size_t, WhatRan>>& kernels) {
  Card card{"ran", "What ran", {}, {}, Tone::neutral, true};
  std::vector<std::string> others;
  for (const auto& [index, ran] : kernels)
    if (ran.isMostlyOthers())
      others.push_back(fmt::format("{}: {}", kernelLabel(report, index), ranText(ran)));
  if (others.empty()) {
    card.value = "own code";
    card.detail = fmt::format("at least half of it in {}", plural(std::ssize(kernels), "kernel", "kernels"));
    return card;
  }
  card.tone = Tone::warning;
  card.value = fmt::format("{} of {}", formatCount(std::ssize(others)), formatCount(std::ssize(kernels)));
  card.detail = "kernels leave their work to ATen or a library";
  for (std::size_t i = 0; i < std::min(others.size(), mostNames); ++i) card.detail += " · " + others[i];
  if (others.size() > mostNames) card.detail += " · …";
  return card;
}

}  // namespace

bool WhatRan::isMostlyOthers() const {
  if (shares.empty()) return delegatedCases > 0 && 2 * delegatedCases >= cases;
  double own = 0;
  for (const Share& each : shares) own += each.isOwn ? each.share : 0;
  return own <= 0.5;
}

WhatRan whatRan(const Report& report, const KernelReport& kernel) {
  Sum sum(report);
  if (kernel.source.language == "aten") return sum.take();  // it stands for ATen itself
  forEachCase(kernel, [&](std::size_t, const CaseRow& row) { sum.add(row); });
  return sum.take();
}

WhatRan whatRan(const Report& report, const CaseRow& row) {
  Sum sum(report);
  sum.add(row);
  return sum.take();
}

std::string calledText(const WhatRan& ran) {
  if (ran.called.empty()) return {};
  const std::size_t shown = std::min(ran.called.size(), mostNames);
  return fmt::format("calls {}{}",
                     fmt::join(ran.called.begin(), ran.called.begin() + std::ptrdiff_t(shown), ", "),
                     ran.called.size() > shown ? ", …" : "");
}

std::string delegatedText(const WhatRan& ran) {
  if (ran.delegated.empty()) return {};
  return fmt::format("hands {} to ATen in {} of {}", operatorLabel(ran.delegated),
                     formatCount(ran.delegatedCases), plural(ran.cases, "case", "cases"));
}

std::string ranText(const WhatRan& ran) {
  if (ran.cases == 0) return {};
  if (ran.isSaid) {
    WhatRan plain = ran;
    plain.isSaid = false;
    return ranText(plain) + ", as its own process says";
  }
  if (ran.shares.empty()) return ran.called.empty() ? "all its own code" : calledText(ran);
  const WhatRan::Share& top = ran.shares.front();
  if (top.share < allOfIt) return sharesText(ran.shares, 0);
  return top.isOwn ? "all its " + top.what : "all of it in " + top.what;
}

std::vector<std::string> launchNames(const CaseTiming& timing) {
  std::vector<std::string> names;
  for (const RanPart& part : timing.launched)
    names.push_back(part.times == 1 ? part.name : fmt::format("{} ×{}", part.name, part.times));
  return names;
}

std::vector<Card> ranCards(const Report& report) {
  std::vector<std::pair<std::size_t, WhatRan>> known;
  for (std::size_t k = 0; k < report.kernels.size(); ++k)
    if (WhatRan ran = whatRan(report, *report.kernels[k]); ran.cases > 0)
      known.emplace_back(k, std::move(ran));
  if (known.empty()) return {};
  return {known.size() == 1 ? cardOf(known.front().second) : cardOf(report, known)};
}

}  // namespace wb
