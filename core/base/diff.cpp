// SPDX-License-Identifier: Apache-2.0
#include "core/base/diff.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace wb {
namespace {

/// The most steps that one search for a middle takes; texts that differ more are cut at the farthest point.
constexpr std::ptrdiff_t mostSteps = 1024;

using Index = std::ptrdiff_t;

/// Marks the lines that only one of two texts has. Lines are numbers, equal for equal lines.
class Comparison {
 public:
  Comparison(std::vector<std::uint32_t> before, std::vector<std::uint32_t> after)
      : a_(std::move(before)),
        b_(std::move(after)),
        removed_(a_.size()),
        added_(b_.size()),
        forward_(a_.size() + b_.size() + 3),
        backward_(forward_.size()) {
    compare(0, Index(a_.size()), 0, Index(b_.size()));
  }

  [[nodiscard]] std::vector<DiffHunk> hunks() const {
    std::vector<DiffHunk> found;
    std::size_t a = 0, b = 0;
    while (a < a_.size() || b < b_.size()) {
      const DiffHunk start{a, 0, b, 0};
      while (a < a_.size() && removed_[a]) ++a;
      while (b < b_.size() && added_[b]) ++b;
      if (a == start.before && b == start.after)
        ++a, ++b;  // an equal line
      else
        found.push_back({start.before, a - start.before, start.after, b - start.after});
    }
    return found;
  }

 private:
  struct Point {
    Index a = 0, b = 0;
  };

  void compare(Index a0, Index a1, Index b0, Index b1) {
    while (true) {
      while (a0 < a1 && b0 < b1 && a_[a0] == b_[b0]) ++a0, ++b0;
      while (a0 < a1 && b0 < b1 && a_[a1 - 1] == b_[b1 - 1]) --a1, --b1;
      if (a0 == a1 || b0 == b1) break;
      const Point middle = middleOf(a0, a1, b0, b1);
      compare(a0, middle.a, b0, middle.b);
      a0 = middle.a, b0 = middle.b;
    }
    std::fill(removed_.begin() + a0, removed_.begin() + a1, true);
    std::fill(added_.begin() + b0, added_.begin() + b1, true);
  }

  // A point on a shortest way from (a0, b0) to (a1, b1), neither of the two. Ways are searched from both ends
  // at once: of each diagonal k = a - b the farthest point that d steps reach. Both ranges are not empty and
  // begin and end with different lines, so at least two steps are needed.
  Point middleOf(Index a0, Index a1, Index b0, Index b1) {
    const Index n = a1 - a0, m = b1 - b0, delta = n - m;
    const bool odd = (delta & 1) != 0;
    const Index zero = m + 1;  // where the diagonal 0 lies in the arrays
    std::fill_n(forward_.begin(), n + m + 3, -1);
    std::fill_n(backward_.begin(), n + m + 3, -1);
    forward_[zero + 1] = backward_[zero + 1] = 0;
    for (Index d = 0;; ++d) {
      const Index first = -farthestDiagonal(d, m), last = farthestDiagonal(d, n);
      for (Index k = first; k <= last; k += 2) {
        Index x = farthest(forward_, zero, k, n, m);
        while (x >= 0 && x < n && x - k < m && a_[a0 + x] == b_[b0 + x - k]) ++x;
        forward_[zero + k] = x;
        const Index other = delta - k;
        if (odd && x >= 0 && other >= -(d - 1) && other <= d - 1 && backward_[zero + other] >= 0 &&
            x + backward_[zero + other] >= n)
          return {a0 + x, b0 + x - k};
      }
      for (Index k = first; k <= last; k += 2) {
        Index x = farthest(backward_, zero, k, n, m);
        while (x >= 0 && x < n && x - k < m && a_[a1 - 1 - x] == b_[b1 - 1 - (x - k)]) ++x;
        backward_[zero + k] = x;
        const Index other = delta - k;
        if (!odd && x >= 0 && other >= -d && other <= d && forward_[zero + other] >= 0 &&
            x + forward_[zero + other] >= n)
          return {a1 - x, b1 - (x - k)};
      }
      if (d >= mostSteps) return farthestPoint(a0, b0, n, m, zero, d);
    }
  }

  // The diagonals that d steps reach are those of d's parity, as far as the texts go.
  static Index farthestDiagonal(Index d, Index size) { return d <= size ? d : size - ((d - size) & 1); }

  // How far one more step reaches on the diagonal k, from one of its neighbours; −1 where it leaves the
  // texts.
  static Index farthest(const std::vector<Index>& reached, Index zero, Index k, Index n, Index m) {
    const Index below = reached[zero + k - 1], above = reached[zero + k + 1];
    const Index right = below >= 0 && below < n ? below + 1 : -1;
    const Index down = above >= 0 && above - k <= m ? above : -1;
    return std::max(right, down);
  }

  Point farthestPoint(Index a0, Index b0, Index n, Index m, Index zero, Index d) const {
    Point best{0, 0};
    for (Index k = -farthestDiagonal(d, m); k <= farthestDiagonal(d, n); k += 2) {
      const Index x = forward_[zero + k];
      if (x >= 0 && x + x - k > best.a + best.b) best = {x, x - k};
    }
    return {a0 + best.a, b0 + best.b};
  }

  const std::vector<std::uint32_t> a_, b_;
  std::vector<bool> removed_, added_;
  std::vector<Index> forward_, backward_;
};

}  // namespace

std::vector<std::string_view> wholeLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

std::vector<DiffHunk> diffLines(std::span<const std::string_view> before,
                                std::span<const std::string_view> after) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  const auto numbered = [&](std::span<const std::string_view> lines) {
    std::vector<std::uint32_t> all;
    all.reserve(lines.size());
    for (const std::string_view line : lines)
      all.push_back(numbers.try_emplace(line, std::uint32_t(numbers.size())).first->second);
    return all;
  };
  std::vector<std::uint32_t> a = numbered(before);
  return Comparison(std::move(a), numbered(after)).hunks();
}

std::string mergeHunks(std::span<const std::string_view> before, std::span<const std::string_view> after,
                       std::span<const DiffHunk> hunks, const std::vector<bool>& taken) {
  std::string merged;
  std::size_t at = 0;
  const auto add = [&merged](std::span<const std::string_view> lines, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) merged += lines[i];
  };
  for (std::size_t i = 0; i < hunks.size(); ++i) {
    const DiffHunk& hunk = hunks[i];
    add(before, at, hunk.before);
    at = hunk.before + hunk.removed;
    if (i < taken.size() && taken[i])
      add(after, hunk.after, hunk.after + hunk.added);
    else
      add(before, hunk.before, at);
  }
  add(before, at, before.size());
  return merged;
}

}  // namespace wb
