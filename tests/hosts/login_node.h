// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/targets/run_target.h"
#include "tests/hosts/slurm_cluster.h"
#include "tests/hosts/ssh_host.h"

namespace wb {

/// A cluster of this machine whose login node is a host that ssh reaches.
class LoginNode {
 public:
  LoginNode();

  /// Why there can be none on this machine; "" where there can.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// The target of "slurm://gpu?gres=gpu:1" and the like behind it.
  [[nodiscard]] RunTarget target(const std::string& cluster) const;
  [[nodiscard]] const SshHost& host() const { return host_; }

 private:
  const SshHost host_;
  std::unique_ptr<SlurmCluster> cluster_;
  std::string missing_;
};

}  // namespace wb
