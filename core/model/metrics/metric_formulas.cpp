// SPDX-License-Identifier: Apache-2.0
#include "core/model/metrics/metric_formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/model/metrics/metric_catalogue.h"

namespace wb {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Values by name; NaN for a name that has none.
struct Values {
  std::span<const MetricValue> all;
  [[nodiscard]] double operator()(std::string_view name) const {
    const auto at = std::ranges::find(all, name, &MetricValue::name);
    return at == all.end() ? unknown : at->value;
  }
  [[nodiscard]] double orZero(std::string_view name) const {
    const double value = (*this)(name);
    return std::isnan(value) ? 0 : value;
  }
};

constexpr std::string_view duration = "gpu__time_duration.sum";  // in nanoseconds
constexpr std::string_view dramRead = "dram__bytes_read.sum";
constexpr std::string_view dramWritten = "dram__bytes_write.sum";
constexpr std::string_view l2Bytes = "lts__t_bytes.sum";
constexpr std::string_view l1Bytes = "l1tex__t_bytes.sum";
constexpr std::string_view loadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view loadRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view storeSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view storeRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view loadConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
constexpr std::string_view storeConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
constexpr std::string_view sharedLoads = "smsp__sass_inst_executed_op_shared_ld.sum";
constexpr std::string_view sharedStores = "smsp__sass_inst_executed_op_shared_st.sum";
constexpr std::string_view fadd = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum";
constexpr std::string_view fmul = "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum";
constexpr std::string_view ffma = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
constexpr std::string_view hadd = "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum";
constexpr std::string_view hmul = "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum";
constexpr std::string_view hfma = "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum";
constexpr std::string_view dadd = "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum";
constexpr std::string_view dmul = "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum";
constexpr std::string_view dfma = "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum";
constexpr std::string_view tensorActive = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view tensorFp16 = "sm__ops_path_tensor_src_fp16.sum";
constexpr std::string_view tensorBf16 = "sm__ops_path_tensor_src_bf16_dst_fp32.sum";
constexpr std::string_view tensorTf32 = "sm__ops_path_tensor_src_tf32_dst_fp32.sum";
constexpr std::string_view tensorFp8 = "sm__ops_path_tensor_src_fp8.sum";
constexpr std::string_view tensorFp64 = "sm__ops_path_tensor_src_fp64.sum";

double over(double value, double by) {
  return by == 0 ? unknown : value / by;
}
double perSecond(double value, const Values& of) {
  return over(value, of(duration) * 1e-9);
}
double dramBytes(const Values& of) {
  return of(dramRead) + of(dramWritten);
}
double flopFp32(const Values& of) {
  return of(fadd) + of(fmul) + 2 * of(ffma);
}
double flopFp16(const Values& of) {
  return of(hadd) + of(hmul) + 2 * of(hfma);
}
double flopFp64(const Values& of) {
  return of(dadd) + of(dmul) + 2 * of(dfma);
}

/// The operations of the tensor cores. They are counted for each type, and each costs passes. Where the
/// tensor cores were idle, the answer is zero without counting. Where they worked, the types were counted
/// together, and a type that is missing is one that the chip does not have. Half precision is on every chip
/// that counts any.
double flopTensor(const Values& of) {
  if (std::isnan(of(tensorActive))) return unknown;
  if (of(tensorActive) == 0) return 0;
  return of(tensorFp16) + of.orZero(tensorBf16) + of.orZero(tensorTf32) + of.orZero(tensorFp8) +
         of.orZero(tensorFp64);
}
double flop(const Values& of) {
  return flopFp32(of) + flopFp16(of) + flopFp64(of) + flopTensor(of);
}

struct Formula {
  std::string_view name;
  std::vector<std::string_view> inputs;
  double (*value)(const Values&);
};

const std::vector<Formula>& formulas() {
  static const std::vector<std::string_view> operations = {fadd, fmul, ffma, hadd, hmul,
                                                           hfma, dadd, dmul, dfma, tensorActive};
  const auto operationsAnd = [](std::initializer_list<std::string_view> more) {
    std::vector<std::string_view> all = operations;
    all.insert(all.end(), more);
    return all;
  };
  static const std::vector<Formula> all = {
      {"dram_bytes", {dramRead, dramWritten}, dramBytes},
      {"dram_bytes_per_second",
       {dramRead, dramWritten, duration},
       [](const Values& of) { return perSecond(dramBytes(of), of); }},
      {"sectors_per_request_global_load",
       {loadSectors, loadRequests},
       [](const Values& of) { return over(of(loadSectors), of(loadRequests)); }},
      {"sectors_per_request_global_store",
       {storeSectors, storeRequests},
       [](const Values& of) { return over(of(storeSectors), of(storeRequests)); }},
      {"shared_conflicts_per_load",
       {loadConflicts, sharedLoads},
       [](const Values& of) { return over(of(loadConflicts), of(sharedLoads)); }},
      {"shared_conflicts_per_store",
       {storeConflicts, sharedStores},
       [](const Values& of) { return over(of(storeConflicts), of(sharedStores)); }},
      {"flop_fp32", {fadd, fmul, ffma}, flopFp32},
      {"flop_fp16", {hadd, hmul, hfma}, flopFp16},
      {"flop_fp64", {dadd, dmul, dfma}, flopFp64},
      {"flop_tensor", {tensorActive}, flopTensor},
      {"flop", operations, flop},
      {"flop_per_second", operationsAnd({duration}),
       [](const Values& of) { return perSecond(flop(of), of); }},
      {"arithmetic_intensity", operationsAnd({dramRead, dramWritten}),
       [](const Values& of) { return over(flop(of), dramBytes(of)); }},
      {"arithmetic_intensity_l2", operationsAnd({l2Bytes}),
       [](const Values& of) { return over(flop(of), of(l2Bytes)); }},
      {"arithmetic_intensity_l1", operationsAnd({l1Bytes}),
       [](const Values& of) { return over(flop(of), of(l1Bytes)); }},
  };
  return all;
}

const Formula* find(std::string_view name) {
  const auto at = std::ranges::find(formulas(), name, &Formula::name);
  return at == formulas().end() ? nullptr : &*at;
}

bool has(std::span<const MetricValue> values, std::string_view name) {
  return std::ranges::find(values, name, &MetricValue::name) != values.end();
}

}  // namespace

std::vector<std::string_view> metricFormulas() {
  std::vector<std::string_view> names;
  for (const Formula& formula : formulas()) names.push_back(formula.name);
  return names;
}

std::vector<std::string> formulaInputs(std::string_view formula) {
  const Formula* found = find(formula);
  if (found == nullptr) return {};
  return {found->inputs.begin(), found->inputs.end()};
}

double evaluateFormula(std::string_view formula, std::span<const MetricValue> values) {
  const Formula* found = find(formula);
  return found == nullptr ? unknown : found->value(Values{values});
}

void addDerived(std::vector<MetricValue>& values) {
  const std::vector<MetricValue> counted = values;
  for (const MetricSection& section : metricSections())
    for (const std::string& name : section.metrics) {
      const MetricInfo* info = metricInfo(name);
      if (info->formula.empty() || has(values, name)) continue;
      const Formula* formula = find(info->formula);
      if (!std::ranges::all_of(formula->inputs, [&](std::string_view input) { return has(counted, input); }))
        continue;
      values.push_back({name, formula->value(Values{counted})});
    }
}

std::vector<MetricValue> metricsOfCall(std::span<const Launch> launches) {
  if (launches.empty()) return {};
  if (launches.size() == 1) return launches.front().metrics;
  std::vector<MetricValue> sums;
  std::vector<MetricValue> whole;
  for (const MetricValue& first : launches.front().metrics) {
    const MetricInfo* info = metricInfo(first.name);
    if (info == nullptr || !info->formula.empty()) continue;
    // A share of cycles tells of a whole call only whether the pipeline worked at all, which is what
    // flop_tensor needs.
    if (!info->sums && first.name != tensorActive) continue;
    double sum = 0;
    for (const Launch& launch : launches) sum += Values{launch.metrics}(first.name);
    if (std::isnan(sum)) continue;
    whole.push_back({first.name, sum});
    if (info->sums) sums.push_back({first.name, sum});
  }
  const std::size_t counted = whole.size();
  addDerived(whole);
  sums.insert(sums.end(), whole.begin() + static_cast<std::ptrdiff_t>(counted), whole.end());
  return sums;
}

}  // namespace wb
