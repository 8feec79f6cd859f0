// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/progress_printer.h"

#include <fmt/format.h>

#include <utility>

#include <algorithm>
#include <optional>
#include <variant>

#include "app/cli/output/output.h"
#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/text/text_width.h"
#include "core/model/log_sources.h"
#include "core/model/operators/operator_name.h"

namespace wb {
namespace {

constexpr double worthALine = 10;  // in seconds

/// A kernel's compiler may print anything as often as it likes; the reports have all of it.
constexpr int mostDiagnostics = 100;

std::string kernelName(const Job& job, std::uint32_t kernel) {
  if (kernel >= job.kernels.size()) return fmt::format("kernel {}", kernel);
  const auto& source = job.kernels[kernel];
  return printable(source.path.empty() ? source.op : source.path);
}

Ink inkOf(Severity severity) {
  switch (severity) {
    case Severity::error:
      return Ink::red;
    case Severity::warning:
      return Ink::yellow;
    case Severity::note:
      return Ink::dim;
  }
  return Ink::plain;
}

}  // namespace

ProgressPrinter::ProgressPrinter(std::FILE* stream, Terminal terminal, bool verbose)
    : stream_(stream), terminal_(terminal), verbose_(verbose) {}

void ProgressPrinter::line(const std::string& text) {
  if (live_) std::fputs("\r\033[K", stream_);
  live_ = false;
  std::fputs(text.c_str(), stream_);
  std::fputc('\n', stream_);
  std::fflush(stream_);
}

void ProgressPrinter::take(const Job& job, const Event& event) {
  const std::lock_guard lock(mutex_);
  // An event about a kernel that the job does not have is ignored.
  const auto* done = std::get_if<StepDone>(&event);
  if (kernelOf(event).value_or(0) >= std::max<std::size_t>(job.kernels.size(), 1)) return;
  if (const auto* started = std::get_if<JobStarted>(&event)) {
    const Target& target = started->target;
    line(ink(terminal_, Ink::dim,
             printable(fmt::format("on {} ({}), torch {}{}", target.device, target.deviceName, target.torch,
                                   target.walls.empty() ? "" : ", inside walls"))));
  } else if (const auto* diagnosed = std::get_if<Diagnosed>(&event)) {
    if (const int before = diagnostics_[diagnosed->kernel]++; before >= mostDiagnostics) {
      if (before == mostDiagnostics)
        line(fmt::format("more messages about {} are not shown here", kernelName(job, diagnosed->kernel)));
      return;
    }
    const Diagnostic& diagnostic = diagnosed->diagnostic;
    const std::string place = text(diagnostic.place);
    line(fmt::format("{}: {}: {}", place.empty() ? kernelName(job, diagnosed->kernel) : printable(place),
                     ink(terminal_, inkOf(diagnostic.severity), name(diagnostic.severity)),
                     printableLines(diagnostic.message)));
  } else if (const auto* compiled = resultIn<Compiled>(event)) {
    planned_.resize(job.kernels.size());
    planned_[done->kernel] = compiled->cases;
    // A problem's operator is not known where its kernel was only compiled.
    const std::string op = compiled->op.empty() ? "" : " for " + printable(shortName(compiled->op));
    line(fmt::format("compiled {}{} in {}{} ({})", kernelName(job, done->kernel), op,
                     formatSeconds(compiled->seconds), compiled->cached ? ", cached" : "",
                     printable(compiled->toolchain)));
    if (!compiled->note.empty()) line(ink(terminal_, Ink::yellow, printableLines(compiled->note)));
  } else if (const auto* check = resultIn<CaseCheck>(event)) {
    if (tally(check->verdict) != Tally::fail) return;
    const std::uint32_t index = done->index.value_or(0);
    std::string what = fmt::format("case {}", index);
    if (done->kernel < planned_.size() && index < planned_[done->kernel].size()) {
      const Case& definition = planned_[done->kernel][index];
      what =
          printable(fmt::format("{} {} {}", shortName(definition.op), definition.shapes, definition.dtype));
    }
    line(fmt::format("{} {}: {}", ink(terminal_, Ink::red, name(check->verdict)), what,
                     wordsOfKernel(check->message)));
  } else if (const auto* side = std::get_if<SideStarted>(&event)) {
    // On a terminal the line that is rewritten tells it.
    const bool tell = !terminal_.interactive && side->first && side->seconds >= worthALine;
    if (tell && !std::exchange(toldFirstCall_, true))
      line(fmt::format("first call of case {} of {}: the kernel compiles or tunes itself, {:.0f} s so far",
                       side->index, kernelName(job, side->kernel), side->seconds));
  } else if (const auto* none = resultIn<NoResult>(event)) {
    // A case that was not timed has its reason in the table.
    if (done->stage != Stage::time)
      line(ink(
          terminal_, Ink::yellow,
          fmt::format("case {} of {} was not {}: {}", done->index.value_or(0), kernelName(job, done->kernel),
                      stageRow(done->stage).done, printable(firstLine(none->reason)))));
  } else if (const auto* failed = std::get_if<StageFailed>(&event)) {
    line(ink(terminal_, Ink::red, fmt::format("{} failed: ", name(failed->error.stage))) +
         printableLines(describe(failed->error)));
  } else if (const auto* lost = std::get_if<WorkerLost>(&event)) {
    // A kernel's own crash is the verdict of its case, which comes next.
    if (lost->blame == Blame::warpbench)
      line(ink(terminal_, Ink::red, printableLines(describe(*lost))) +
           "; no code of the kernel's was running: a fault of Warpbench, please report it");
  } else if (const auto* log = std::get_if<Log>(&event)) {
    if (log->source == preparingSource)
      line(fmt::format("preparing {}", printableLines(log->text)));
    else if (log->source == waitingSource)
      line(fmt::format("waiting in {}", printableLines(log->text)));
    else if (log->source == connectionSource || log->source == placeSource)
      line(printableLines(log->text));
    else if (verbose_)
      line(ink(terminal_, Ink::dim, fmt::format("[{}] {}", log->source, printableLines(log->text))));
  }
}

void ProgressPrinter::show(const Report& report) {
  if (!terminal_.interactive || report.outcome != Outcome::running) return;
  const std::lock_guard lock(mutex_);
  std::fputs("\r\033[K", stream_);
  std::fputs(fit(printable(fmt::format("{:3.0f} % {}", 100 * progressFraction(report), progressLine(report))),
                 terminal_.width - 1)
                 .c_str(),
             stream_);
  std::fflush(stream_);
  live_ = true;
}

void ProgressPrinter::clear() {
  const std::lock_guard lock(mutex_);
  if (live_) std::fputs("\r\033[K", stream_);
  live_ = false;
  std::fflush(stream_);
}

}  // namespace wb
