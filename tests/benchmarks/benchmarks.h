// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace wb::bench {

/// One line: what, measured, aim, and the peer or floor beside it.
void row(const std::string& what, const std::string& measured, const std::string& aim,
         const std::string& beside);

/// Seconds since `start`.
double since(std::chrono::steady_clock::time_point start);

void flow(const std::string& device);    ///< the real worker: save → verdict, crash → next job
void timing(const std::string& device);  ///< the null test: how well the timer times
void suites(const std::string& device);  ///< whole commands over suites, beside BackendBench's
void strict(const std::string& device);  ///< what --strict adds, by the length of the kernel
void walls();                            ///< what a start inside walls costs
void service();                          ///< what the service adds to a run
void cluster();                          ///< what the runner costs with 64 workers
void remote();                           ///< what ssh and Slurm add to a run
void core();                             ///< fold, codec, figures over 10 000 cases

}  // namespace wb::bench
