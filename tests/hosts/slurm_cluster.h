// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/process/process.h"

namespace wb {

/// A Slurm cluster on this machine (tests/hosts/slurm_cluster) that lives as long as this object. Its clients
/// are led to it by SLURM_CONF, so there is one at a time.
class SlurmCluster {
 public:
  /// Null where Slurm is not installed; `why` then says so. A cluster that does not come up fails the test.
  static std::unique_ptr<SlurmCluster> start(std::string& why);
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  /// What a client of Slurm prints.
  static std::string ask(const std::vector<std::string>& command);
  /// The jobs in the queue, a line for each: "17 RUNNING".
  static std::string jobs();
  /// squeue's answer about the first job that runs, such as its node by "%N".
  static std::string ofJob(const std::string& format);
  /// Blocks until no job is left; false after 20 s.
  static bool awaitNoJobs();
  /// The same until these are the jobs' names, a line for each.
  static bool awaitJobs(const std::string& names);

 private:
  /// Sets what clients need, as the script prints it. True when the cluster is ready then.
  bool takeEnvironment() const;
  SlurmCluster(std::filesystem::path folder, Child child);
  std::filesystem::path folder_;
  Child child_;
};

}  // namespace wb
