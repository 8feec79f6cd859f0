// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/commands/verb.h"
#include "app/cli/output/output.h"
#include "app/cli/output/terminal.h"
#include "core/doctor/doctor.h"
#include "core/figures/text/text_width.h"
#include "core/model/exit/exit_status.h"

namespace wb {
namespace {

Ink inkOf(DoctorLine::State state) {
  return state == DoctorLine::State::good      ? Ink::green
         : state == DoctorLine::State::missing ? Ink::yellow
                                               : Ink::red;
}

/// Gives 0 when kernels can run here (on the CPU at least), else 3.
int examine() {
  const Terminal out = terminal(STDOUT_FILENO);
  const std::vector<DoctorLine> lines = examineMachine();
  for (const DoctorLine& one : lines) {
    const std::string mark = ink(out, inkOf(one.state), fmt::format("{:<7}", name(one.state)));
    show(fmt::format("{}  {:<18} {}\n", mark, printable(one.what), printable(one.found)));
    if (!one.hint.empty())
      show(fmt::format("         {:<18} {}\n", "", ink(out, Ink::dim, "→ " + printable(one.hint))));
  }
  show(conclusion(lines) + "\n");
  return canRunKernels(lines) ? ExitStatus::good : ExitStatus::noWorker;
}

}  // namespace

Verb doctorVerb() {
  return {"doctor", "Say what is installed, what is missing and what to do", [](CLI::App&) {},
          [](const std::string&) { return examine(); }};
}

}  // namespace wb
