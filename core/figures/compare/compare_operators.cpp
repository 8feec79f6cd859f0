// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/figures/cells.h"
#include "core/figures/compare/compare_figure.h"
#include "core/figures/compare/earlier.h"
#include "core/model/pace.h"

namespace wb {
namespace {

Pace paceOf(double low, double high) {
  if (low > 1.01) return Pace::faster;
  if (high < 0.99) return Pace::slower;
  return low >= 0.99 && high <= 1.01 ? Pace::same : Pace::undecided;
}

Speedup quotient(const Speedup& b, const Speedup& a) {
  Speedup ratio;
  ratio.ratio = b.ratio / a.ratio;
  ratio.low = b.low / a.high;
  ratio.high = b.high / a.low;
  ratio.pace = paceOf(ratio.low, ratio.high);
  return ratio;
}

class Matcher {
 public:
  void addA(const Report& report) {
    visit(report, [&](ComparedOperator& op, const CaseRow& row, std::string key, bool counts) {
      count(op.a, row);
      if (row.timing && counts && hasInterval(row.timing->speedup))
        timed_.emplace(std::move(key), row.timing->speedup);
    });
  }
  void addB(const Report& report) {
    visit(report, [&](ComparedOperator& op, const CaseRow& row, const std::string& key, bool counts) {
      count(op.b, row);
      const auto there = timed_.find(key);
      if (row.timing && counts && hasInterval(row.timing->speedup) && there != timed_.end())
        op.ratios.push_back(quotient(row.timing->speedup, there->second));
    });
  }
  std::vector<ComparedOperator> take() { return std::move(operators_); }

 private:
  template <class Take>
  void visit(const Report& report, Take&& take) {
    std::unordered_map<std::string, int> seen;
    for (const auto& kernel : report.kernels)
      forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
        const auto [at, fresh] = index_.try_emplace(row.definition.op, operators_.size());
        if (fresh) operators_.emplace_back().op = row.definition.op;
        take(operators_[at->second], row, caseIdentity(row.definition, seen), scored(report, *kernel));
      });
  }
  static void count(ComparedSide& side, const CaseRow& row) {
    const Verdict verdict = row.check.verdict;
    ++side.cases;
    ++side.verdicts[verdict];
    side.passed += tally(verdict) == Tally::pass;
    side.failed += tally(verdict) == Tally::fail;
  }

  std::vector<ComparedOperator> operators_;
  std::unordered_map<std::string, std::size_t> index_;
  std::unordered_map<std::string, Speedup> timed_;
};

std::string failures(const char* who, const ComparedSide& side) {
  return fmt::format("{} fails {} of {}", who, side.failed, side.cases);
}

void decide(ComparedOperator& op) {
  if (op.a.cases == 0 || op.b.cases == 0) {
    op.why = fmt::format("{} has no case of it", op.a.cases == 0 ? "A" : "B");
    return;
  }
  if (op.a.failed != op.b.failed) {
    const bool bWins = op.b.failed < op.a.failed;
    op.winner = bWins ? Winner::b : Winner::a;
    op.why = bWins ? failures("A", op.a) : failures("B", op.b);
    return;
  }
  if (op.ratios.empty()) {
    op.why = op.a.failed > 0 ? "both fail" : "not timed";
    return;
  }
  const SpeedupSummary summary = summarize(op.ratios);
  switch (paceOf(summary.low, summary.high)) {
    case Pace::faster:
      op.winner = Winner::b;
      op.why = "faster";
      return;
    case Pace::slower:
      op.winner = Winner::a;
      op.why = "faster";
      return;
    case Pace::same:
      op.why = "the same";
      return;
    case Pace::undecided:
      op.why = "undecided";
      return;
  }
}

int rank(const ComparedOperator& op) {
  return op.winner == Winner::b ? 0 : op.winner == Winner::none ? 1 : 2;
}

}  // namespace

std::vector<ComparedOperator> compareOperators(const Report& a, const Report& b) {
  Matcher matcher;
  matcher.addA(a);
  matcher.addB(b);
  std::vector<ComparedOperator> operators = matcher.take();
  for (ComparedOperator& op : operators) decide(op);
  const auto ratio = [](const ComparedOperator& op) {
    return op.ratios.empty() ? 1 : summarize(op.ratios).geomean;
  };
  std::stable_sort(operators.begin(), operators.end(), [&](const auto& x, const auto& y) {
    return rank(x) != rank(y) ? rank(x) < rank(y) : ratio(x) > ratio(y);
  });
  return operators;
}

}  // namespace wb
