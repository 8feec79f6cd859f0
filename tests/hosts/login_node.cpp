// SPDX-License-Identifier: Apache-2.0
#include "tests/hosts/login_node.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/base/files/file.h"

namespace wb {

LoginNode::LoginNode() : missing_(host_.missing()) {
  if (!missing_.empty()) return;
  std::string why;
  cluster_ = SlurmCluster::start(why);
  if (!cluster_) {
    missing_ = "no Slurm cluster: " + why;
    return;
  }
  // Whoever logs in is led to the cluster.
  std::string login;
  for (const char* name : {"SLURM_CONF", "PATH", "LD_LIBRARY_PATH"}) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr) login += fmt::format("export {}='{}'\n", name, value);
  }
  EXPECT_TRUE(writeFileAtomically(host_.home() / ".bashrc", login));
}

RunTarget LoginNode::target(const std::string& cluster) const {
  const RunTarget login = host_.target();
  const char mark = cluster.find('?') == std::string::npos ? '?' : '&';
  const auto read =
      parseTarget(fmt::format("ssh://box/{}{}config={}", cluster, mark, optionOf(login, "config")));
  EXPECT_TRUE(read) << describe(read.error());
  RunTarget there = read ? *read : RunTarget{};
  there.cache = login.cache;
  return there;
}

}  // namespace wb
