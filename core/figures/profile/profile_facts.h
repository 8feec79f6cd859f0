// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures/columns.h"
#include "core/figures/profile/profile_figures.h"

namespace wb {

// The figures of the profile stage share these: which cases, which values, and what is said where there are
// none.

/// A profiled case with all that belongs to it; points into the report.
struct ProfiledCase {
  CaseKey at;
  const KernelReport* kernel = nullptr;
  const CaseRow* row = nullptr;
  const CaseProfile* profile = nullptr;
  /// "0/3"
  [[nodiscard]] std::string rowId() const;
  [[nodiscard]] const SideProfile& side(Side which) const {
    return which == Side::candidate ? profile->candidate : profile->reference;
  }
};
/// All profiled cases, or the one that was asked for; none where that one has no profile.
[[nodiscard]] std::vector<ProfiledCase> casesWithProfile(const Report& report, OneCase only);
/// The same without those that say why they were not profiled.
[[nodiscard]] std::vector<ProfiledCase> casesWithData(const Report& report, OneCase only);
/// The first column of tables that show several cases; what their rows are made from has a `caseTitle`.
template <class From>
[[nodiscard]] ColumnOf<From> caseColumn() {
  return {{.key = "case", .title = "Case", .meaning = "The profiled case", .kind = ColumnKind::group},
          [](const From& from) {
            Cell cell;
            cell.text = from.caseTitle;
            return cell;
          }};
}
/// Columns for a table of these cases: without the case where there is one only.
template <class From>
[[nodiscard]] std::vector<ColumnOf<From>> forCases(const std::vector<ColumnOf<From>>& columns,
                                                   const std::vector<ProfiledCase>& cases) {
  return cases.size() > 1 ? columns : without(columns, "case");
}

/// The title of a figure of counters with the state of the caches, "Metrics, cold L2". Where cases differ in
/// it, their own titles say it (countedCaseTitle); where it is not known, nothing does.
[[nodiscard]] std::string countedTitle(std::string title, const std::vector<ProfiledCase>& cases);
/// caseTitle, with the state of the caches where the figure's title cannot say it.
[[nodiscard]] std::string countedCaseTitle(const Report& report, const ProfiledCase& one,
                                           const std::vector<ProfiledCase>& cases);
/// The end of the title of a figure of samples or activity: the same call has just run before.
inline constexpr std::string_view warmedUp = ", hot L2";

/// Which part of a profile a figure needs.
enum class Need { counters, launches, samples, timeline, listing };
/// Why there is nothing to show, with what to do about it; for the `empty` of a figure.
[[nodiscard]] std::string whyEmpty(const Report& report, Need need, OneCase only);

/// A metric of one launch: counted, or computed by the catalogue's formula from what was counted.
[[nodiscard]] std::optional<double> metricOf(const Launch& launch, std::string_view name);
/// The launch that takes longest, by the counters' time or else by its activity record; null without
/// launches.
[[nodiscard]] const Launch* longestLaunch(const SideProfile& side);
/// The seconds of a launch: gpu__time_duration where it was counted, else by the activity record; 0 when
/// unknown.
[[nodiscard]] double secondsOf(const Launch& launch);
/// A value of the catalogue in its unit: "81.2 %", "3.12 TB/s", "12 345".
[[nodiscard]] std::string metricText(double value, std::string_view unit);
/// A short name for narrow places, without template arguments and namespaces:
/// "vectorized_elementwise_kernel".
[[nodiscard]] std::string shortName(const Launch& launch);

/// What a side computed and moved in one call, from counters. Nothing where it is not known.
struct Work {
  /// The sum over launches.
  double seconds = 0;
  /// The operations of all kinds, and those on the tensor cores.
  std::optional<double> flops, tensorFlops;
  std::optional<double> fp64Flops;
  /// The type that most of those multiplied, "FP16", "BF16" or "TF32"; or "".
  std::string tensorType;
  /// The tensor cores worked, but their operations were not counted.
  bool tensorUncounted = false;
  std::optional<double> dramBytes, l2Bytes, l1Bytes;
};
[[nodiscard]] Work workOf(const SideProfile& side);

/// The number of samples. Reasons that CUPTI gives twice ("…_not_issued" is a part of the same samples) count
/// once.
[[nodiscard]] std::int64_t samplesOf(const PcSample& sample);
[[nodiscard]] std::int64_t samplesOf(const SideProfile& side);
/// Samples by stall reason.
using Stalls = std::map<std::string, std::int64_t>;
/// Adds a sample's reasons to a sum by reason.
void addStalls(Stalls& sum, const PcSample& sample);
[[nodiscard]] std::int64_t totalSamples(const Stalls& stalls);
/// The reason that most samples gave, except that warps were issuing or ready; "" without samples.
[[nodiscard]] std::string topStall(const std::map<std::string, std::int64_t>& sum);

/// The machine code into which a case's samples fell. One function may be listed once for each dtype that it
/// was compiled for; then the listing is taken whose lines agree with those of the samples.
class SampledCode {
 public:
  explicit SampledCode(const ProfiledCase& one);
  /// The listing of a function; null where there is none.
  [[nodiscard]] const Listing* of(const std::string& function) const;
  [[nodiscard]] const Instruction* at(const std::string& function, std::uint64_t offset) const;
  /// The line that an instruction was made for: the sample's own place, else its listing's. Line 0 unknown.
  [[nodiscard]] Place placeOf(const PcSample& sample) const;

 private:
  const KernelReport& kernel_;
  std::map<std::string, const Listing*> listings_;
};
[[nodiscard]] const Instruction* instructionAt(const Listing& listing, std::uint64_t offset);

/// The trimmed text of a line of the kernel's own source; "" for another file or a line that it does not
/// have.
[[nodiscard]] std::string sourceLine(const KernelReport& kernel, const Place& place);
}  // namespace wb
