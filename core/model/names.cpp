// SPDX-License-Identifier: Apache-2.0
#include "core/model/cache_state.h"
#include "core/model/diagnostic.h"
#include "core/model/event.h"
#include "core/model/report.h"

namespace wb {

std::string_view name(CaseUse use) {
  switch (use) {
    case CaseUse::checkAndTime:
      return "check-and-time";
    case CaseUse::check:
      return "check";
    case CaseUse::time:
      return "time";
  }
  return "";
}

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

std::string_view name(Side side) {
  return side == Side::candidate ? "candidate" : "reference";
}

std::string_view name(CacheState state) {
  switch (state) {
    case CacheState::unknown:
      return "unknown";
    case CacheState::cold:
      return "cold";
    case CacheState::hot:
      return "hot";
  }
  return "";
}

std::string_view name(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kernel:
      return "kernel";
    case ActivityKind::copy:
      return "copy";
    case ActivityKind::fill:
      return "fill";
    case ActivityKind::api:
      return "api";
  }
  return "";
}

std::string_view name(Blame blame) {
  switch (blame) {
    case Blame::kernel:
      return "kernel";
    case Blame::reference:
      return "reference";
    case Blame::profiler:
      return "profiler";
    case Blame::warpbench:
      return "warpbench";
  }
  return "";
}

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::running:
      return "running";
    case Outcome::finished:
      return "finished";
    case Outcome::cancelled:
      return "cancelled";
    case Outcome::workerLost:
      return "worker-lost";
  }
  return "";
}

std::string_view name(Progress progress) {
  switch (progress) {
    case Progress::waiting:
      return "waiting";
    case Progress::compiling:
      return "compiling";
    case Progress::checking:
      return "checking";
    case Progress::timing:
      return "timing";
    case Progress::profiling:
      return "profiling";
    case Progress::done:
      return "done";
    case Progress::failed:
      return "failed";
  }
  return "";
}

}  // namespace wb
