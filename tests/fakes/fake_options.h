// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace wb::fake {

/// What the fake worker was told to do.
struct Options {
  std::string device = "cpu";
  std::string mode = "answer";
  std::set<std::uint32_t> at{1};   ///< cases in which `mode` strikes
  Stage stage = Stage::check;      ///< in which it strikes
  std::uint32_t kernel = 0;        ///< in which it strikes
  std::string side = "candidate";  ///< whose turn it is when it strikes: "reference", "comparing", "inputs"
  bool alone = false;              ///< strikes too when the reference runs alone
  std::string tellFile;            ///< file beside the kernel whose content it logs, with the kernel's path
  std::string script;              ///< event log to replay
  int cases = 0;                   ///< per kernel; 0: those of the job
  int mismatch = 2;                ///< case that mismatches; -1: none
  int floodMebibytes = 1024;       ///< what the flood modes print
  std::string daemon{};            ///< the file with the number of the daemon that is left behind
  std::string hold{};              ///< a file while which is there no case but the first goes on
  double delay = 0;                ///< seconds per case and stage
  double spread = 0;               ///< by which share the delays of cases differ from it at most
  double compile = 0, load = 0;    ///< seconds per kernel
  double startDelay = 0;           ///< seconds before the greeting
  double beat = 0.1;               ///< seconds between heartbeats
  int protocol = 0;                ///< said in the greeting; 0: the real one
  std::string host{};              ///< said where it is asked what it builds with; "": by the device
  std::string buildsWith = "fake compiler 1.0";
  std::string ahead = "build";  ///< what it does where it compiles ahead
  double aheadDelay = 0;        ///< seconds per kernel that it compiles ahead
  bool ignoreCancel = false, ignoreTerm = false;
};

extern const std::string_view helpText;

/// Takes "--name=value" arguments into `options`; the first that is not understood comes back, else "".
std::string applyArguments(const std::vector<std::string>& arguments, Options& options);

/// Arguments in a text, separated by white space.
std::vector<std::string> splitArguments(std::string_view text);

/// The arguments that a kernel's source gives for itself: what follows "fake:" on its line.
std::vector<std::string> argumentsIn(std::string_view kernelText);

}  // namespace wb::fake
