// SPDX-License-Identifier: Apache-2.0
#include "core/model/verdict.h"

namespace wb {

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::notRun:
      return "not-run";
    case Verdict::pass:
      return "pass";
    case Verdict::mismatch:
      return "mismatch";
    case Verdict::wrongShape:
      return "wrong-shape";
    case Verdict::wrongDtype:
      return "wrong-dtype";
    case Verdict::wrongCount:
      return "wrong-count";
    case Verdict::wrongDevice:
      return "wrong-device";
    case Verdict::threw:
      return "threw";
    case Verdict::crashed:
      return "crashed";
    case Verdict::hung:
      return "hung";
    case Verdict::changedInput:
      return "changed-input";
    case Verdict::refused:
      return "refused";
    case Verdict::invalid:
      return "void";
    case Verdict::quarantined:
      return "quarantined";
    case Verdict::missing:
      return "no-verdict";
    case Verdict::tampered:
      return "tampered";
  }
  return "";
}

Tally tally(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return Tally::pass;
    case Verdict::notRun:
    case Verdict::invalid:
      return Tally::neutral;
    default:
      return Tally::fail;
  }
}

bool endedItsWorker(Verdict verdict) {
  return verdict == Verdict::crashed || verdict == Verdict::hung || verdict == Verdict::quarantined;
}

std::string_view name(Pace pace) {
  switch (pace) {
    case Pace::undecided:
      return "undecided";
    case Pace::faster:
      return "faster";
    case Pace::slower:
      return "slower";
    case Pace::same:
      return "same";
  }
  return "";
}

}  // namespace wb
