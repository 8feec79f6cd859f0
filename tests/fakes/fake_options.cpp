// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_options.h"

#include <cstdlib>
#include <sstream>

namespace wb::fake {

const std::string_view helpText =
    R"(warpbench-fake-worker: speaks Warpbench's protocol on descriptors 0 and 1, without torch.

Arguments come from the command line, then from $WARPBENCH_FAKE, then, for one kernel, from a line of its source
that says "fake: --mode=… …". Later ones win.

  --device=cpu|cuda:N   what it says it runs on
  --script=FILE         replay FILE for every job: one event a line, as JSON; {"sleep": 0.1} waits
  --cases=N             cases per kernel (default: those of the job for its operator, else 12)
  --mismatch=K|none     the case that mismatches (default 2)
  --delay=SECONDS       for each case and stage
  --spread=SHARE        the delay of a case is by up to this share longer or shorter, by its number
  --compile=SECONDS     for a kernel that is compiled
  --load=SECONDS        for a kernel that another worker has compiled
  --tell-file=NAME      log the file of this name beside the kernel, and where both are
  --flood=MEBIBYTES     what the flood modes print (default 1024)
  --daemon=FILE         leave a daemon behind that no signal but SIGKILL ends, with its number in FILE
  --hold=FILE           no case but the first goes on while there is such a file
  --start-delay=SECONDS before the greeting
  --beat=SECONDS        between heartbeats (default 0.1)
  --protocol=N          protocol version said in the greeting
  --host=NAME           the machine that it says it builds on
  --builds-with=NAME    the compiler that it says it has ("" for none)
  --ahead=build|nothing|large|crash|hang|offer   what it does with a kernel that it is to compile ahead; the last
                        one offers what it has built while it runs cases
  --ahead-delay=SECONDS for a kernel that it compiles ahead
  --ignore-cancel       go on when told to stop
  --ignore-term         survive SIGTERM (and ignore Cancel)
  --mode=MODE[:K,K…]    what to do; K are the cases in which it strikes (default 1)
  --stage=check|time|profile|compile   the stage in which it strikes (default check)
  --kernel=N            the kernel in which it strikes (default 0)
  --side=candidate|reference|comparing|inputs   whose turn it is when it strikes (default candidate); the
                        reference and the comparison come after the candidate's call
  --alone               strikes too when the reference runs alone

Modes for whole jobs:
  answer                plausible results: passes, one mismatch, timings (the default)
  compile-error         a diagnostic and a failed compile stage
  not-timed             passes, but no case can be timed
  not-profiled          no case can be profiled
  counters-refused      a GPU whose counters are kept to administrators
  early-finish          says Finished after case K
  finished-twice        says Finished twice
  bad-index             says things about cases and kernels that are not there
  forge-verdicts        says "pass" of every case while the first runs, then hangs
  forge-kernel          speaks of a kernel that is not there, then hangs
  diagnostics           ten thousand messages of a compiler, the first a long one
  unknown-message       mixes messages of unknown types in
  chatty                64 KiB of log with every case
Modes that strike in case K (a job whose work does not name K is left alone):
  hang sleep-silently   loop for ever; the second without heartbeats (stops itself, SIGSTOP)
  segfault abort kill exit throw   die so; throw is an uncaught exception, exit is exit(7)
  unheard               exit as a worker does that has not heard its runner for too long
  flood                 a gigabyte (--flood) on the standard error, then go on
  stdout-flood          a gigabyte of text into the protocol's stream
  garbage oversized half-frame bad-json   break the stream
  close                 close the protocol's output and stay
  orphan                die and leave a grandchild that holds the pipes
  die-between           finish case K, then segfault before the next
  bye                   finish case K, then end in order, as after a broken device
  spoiled               finish the kernel, then leave for a fresh worker, as after a kernel that spoiled it
Modes for the start:
  no-hello hello-garbage hello-failure exit-at-start segfault-at-start banner
  die-idle-once         as die-idle, the first time: --script=FILE remembers it
  die-idle              greet, then exit 0.05 s after having been welcomed
  deaf                  greet, then never read again
)";

namespace {

bool applyMode(const std::string& value, Options& options) {
  const std::size_t colon = value.find(':');
  options.mode = value.substr(0, colon);
  if (colon == std::string::npos) return true;
  options.at.clear();
  std::istringstream numbers(value.substr(colon + 1));
  for (std::string number; std::getline(numbers, number, ',');)
    options.at.insert(static_cast<std::uint32_t>(std::strtoul(number.c_str(), nullptr, 10)));
  return !options.at.empty();
}

bool applyStage(const std::string& value, Options& options) {
  for (const Stage stage : {Stage::compile, Stage::check, Stage::time, Stage::profile})
    if (name(stage) == value) {
      options.stage = stage;
      return true;
    }
  return false;
}

bool applyOne(const std::string& key, const std::string& value, Options& options) {
  const double number = std::strtod(value.c_str(), nullptr);
  if (key == "--mode") return applyMode(value, options);
  if (key == "--stage") return applyStage(value, options);
  if (key == "--judges") return true;  // it has nothing to make ready
  if (key == "--device")
    options.device = value;
  else if (key == "--script")
    options.script = value;
  else if (key == "--tell-file")
    options.tellFile = value;
  else if (key == "--cases")
    options.cases = static_cast<int>(number);
  else if (key == "--mismatch")
    options.mismatch = value == "none" ? -1 : static_cast<int>(number);
  else if (key == "--flood")
    options.floodMebibytes = static_cast<int>(number);
  else if (key == "--kernel")
    options.kernel = static_cast<std::uint32_t>(number);
  else if (key == "--delay")
    options.delay = number;
  else if (key == "--spread")
    options.spread = number;
  else if (key == "--compile")
    options.compile = number;
  else if (key == "--load")
    options.load = number;
  else if (key == "--daemon")
    options.daemon = value;
  else if (key == "--hold")
    options.hold = value;
  else if (key == "--start-delay")
    options.startDelay = number;
  else if (key == "--host")
    options.host = value;
  else if (key == "--builds-with")
    options.buildsWith = value;
  else if (key == "--ahead")
    options.ahead = value;
  else if (key == "--ahead-delay")
    options.aheadDelay = number;
  else if (key == "--beat")
    options.beat = number;
  else if (key == "--protocol")
    options.protocol = static_cast<int>(number);
  else if (key == "--side")
    options.side = value;
  else if (key == "--alone")
    options.alone = true;
  else if (key == "--ignore-cancel")
    options.ignoreCancel = true;
  else if (key == "--ignore-term")
    options.ignoreCancel = options.ignoreTerm = true;
  else
    return false;
  return true;
}

}  // namespace

std::string applyArguments(const std::vector<std::string>& arguments, Options& options) {
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
    if (!applyOne(argument.substr(0, equals), value, options)) return argument;
  }
  return "";
}

std::vector<std::string> splitArguments(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::vector<std::string> result;
  for (std::string word; words >> word;) result.push_back(word);
  return result;
}

std::vector<std::string> argumentsIn(std::string_view kernelText) {
  constexpr std::string_view marker = "fake:";
  const std::size_t found = kernelText.find(marker);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = kernelText.substr(found + marker.size());
  std::vector<std::string> arguments = splitArguments(rest.substr(0, rest.find('\n')));
  std::erase_if(arguments, [](const std::string& word) { return !word.starts_with("--"); });
  return arguments;
}

}  // namespace wb::fake
