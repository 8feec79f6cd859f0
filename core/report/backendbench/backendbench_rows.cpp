// SPDX-License-Identifier: Apache-2.0
#include "core/report/backendbench/backendbench_rows.h"

#include <fmt/format.h>

#include <limits>

#include "core/base/python_float.h"
#include "core/model/operators/operator_name.h"
#include "core/report/backendbench/python_text.h"

namespace wb {
namespace {

constexpr double notCompared = -std::numeric_limits<double>::infinity();

/// A type as str(type(e)) spells it: "RuntimeError" → "<class 'RuntimeError'>".
std::string typeText(std::string_view type) {
  constexpr std::string_view builtins = "builtins.";
  if (type.empty() || type.starts_with("<class ")) return std::string(type);
  if (type.starts_with(builtins)) type.remove_prefix(builtins.size());
  return fmt::format("<class '{}'>", type);
}

/// The text of str(e); Warpbench's own message has the type's name before it.
std::string exceptionText(const CaseCheck& check) {
  std::string_view type = check.errorType;
  if (const auto quote = type.find('\''); quote != std::string_view::npos)
    type = type.substr(quote + 1, type.rfind('\'') - quote - 1);
  type = type.substr(type.rfind('.') + 1);  // since npos + 1 is 0
  if (!type.empty() && check.message == type) return {};
  if (!type.empty() && check.message.starts_with(fmt::format("{}: ", type)))
    return check.message.substr(type.size() + 2);
  return check.message;
}

std::string exceptionBlock(const BackendBenchRow& row, std::string_view exception, std::string_view trace) {
  return fmt::format("\nException raised for {}:\n    args: {}\n    exc: {}\n    traceback: {}\n\n", row.op,
                     row.args, exception, trace.ends_with('\n') ? trace.substr(0, trace.size() - 1) : trace);
}

/// Whether there were outputs that were compared, with whatever result.
bool compared(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
    case Verdict::mismatch:
    case Verdict::wrongShape:
    case Verdict::wrongDtype:
    case Verdict::wrongCount:
    case Verdict::wrongDevice:
    case Verdict::changedInput:
      return true;
    default:
      return false;
  }
}

/// Whether there is NaN or infinity where the outputs first differ.
bool oddPlace(const ErrorFigures& errors) {
  const auto odd = [](const std::string& value) {
    return value.find("nan") != std::string::npos || value.find("inf") != std::string::npos;
  };
  return odd(errors.expected) || odd(errors.actual);
}

void fillErrors(BackendBenchRow& row, const CaseCheck& check) {
  if (check.peer) {
    row.maxAbs = check.peer->maxAbs;
    row.maxRel = check.peer->maxRel;
  } else if (check.errors && check.verdict == Verdict::mismatch && oddPlace(*check.errors)) {
    // Warpbench's errors leave places out where one side is not a number; BackendBench's become NaN.
    row.maxAbs = row.maxRel = std::numeric_limits<double>::quiet_NaN();
  } else if (check.errors) {
    row.maxAbs = check.errors->maxAbs;
    row.maxRel = check.errors->maxRel;
  } else if (!compared(check.verdict)) {
    row.maxAbs = row.maxRel = notCompared;
  }
}

BackendBenchRow start(const CaseRow& row) {
  const Case& definition = row.definition;
  BackendBenchRow out;
  out.op = shortName(definition.op);
  out.group = definition.group;
  out.args = definition.label.empty() ? definition.args : definition.label;
  return out;
}

BackendBenchRow correctnessRow(const CaseRow& row, bool like) {
  const CaseCheck& check = row.check;
  BackendBenchRow out = start(row);
  out.ok = check.verdict == Verdict::pass;
  fillErrors(out, check);
  if (out.ok) return out;
  if (check.verdict == Verdict::threw) {
    out.message = exceptionBlock(out, exceptionText(check), check.trace);
    out.errorType = typeText(check.errorType);
    out.trace = check.trace;
  } else if (!like || !compared(check.verdict)) {
    out.message = check.message.empty() ? std::string(name(check.verdict)) : check.message;
  }
  return out;
}

std::string pythonFigure(const std::optional<double>& value) {
  return value ? pythonFloat(*value) : "None";
}

/// BackendBench compares before it times; there a wrong answer is an exception.
BackendBenchRow failedPerformanceRow(const CaseRow& row) {
  const CaseCheck& check = row.check;
  BackendBenchRow out = start(row);
  if (check.verdict == Verdict::threw) {
    out.message = exceptionBlock(out, exceptionText(check), check.trace);
  } else if (compared(check.verdict)) {
    fillErrors(out, check);
    out.message = exceptionBlock(
        out,
        fmt::format(
            "Reference and result tensors are not close: max absolute error {}, max relative error {}",
            pythonFigure(out.maxAbs), pythonFigure(out.maxRel)),
        check.message);
  } else {
    out.message = check.message.empty() ? std::string(name(check.verdict)) : check.message;
    out.skipped = check.message == streamSkip;
  }
  return out;
}

BackendBenchRow performanceRow(const CaseRow& row, bool like, bool onCpu, bool counts) {
  if (!row.timing) return failedPerformanceRow(row);
  if (!counts) {
    BackendBenchRow out = start(row);
    out.message = "not scored: the kernel crashed or hung in another case";
    return out;
  }
  const CaseTiming& timing = *row.timing;
  BackendBenchRow out = start(row);
  out.ok = true;
  const double unit = like && onCpu ? 1 : 1e3;  // without a GPU BackendBench's times are seconds
  out.candidateTime = timing.candidate * unit;
  out.referenceTime = timing.reference * unit;
  out.speedup = like ? timing.reference / timing.candidate : timing.speedup.ratio;
  return out;
}

void add(BackendBenchRows& rows, const CaseRow& row, const Stages& stages, bool like, bool onCpu,
         bool counts) {
  const Verdict verdict = row.check.verdict;
  if (verdict == Verdict::invalid || verdict == Verdict::notRun) {
    ++(verdict == Verdict::invalid ? rows.voidCases : rows.notRun);
    return;
  }
  const CaseUse use = row.definition.use;
  if (use != CaseUse::time) rows.correctness.push_back(correctnessRow(row, like));
  if (use == CaseUse::check || !stages.has(Stage::time)) return;
  if (verdict == Verdict::pass && !row.timing)
    ++rows.notTimed;
  else
    rows.performance.push_back(performanceRow(row, like, onCpu, counts));
}

}  // namespace

BackendBenchRows backendBenchRows(const Report& report, bool like) {
  BackendBenchRows rows;
  const bool onCpu = report.device == "cpu";
  for (const auto& kernel : report.kernels)
    for (const auto& chunk : kernel->cases.chunks())
      for (const CaseRow& row : *chunk)
        add(rows, row, report.stages, like, onCpu, like || scored(report, *kernel));
  return rows;
}

}  // namespace wb
