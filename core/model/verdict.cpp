// SPDX-License-Identifier: Apache-2.0
#include "core/model/verdict.h"

namespace wb {

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

}  // namespace wb
