// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <httplib.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/service/http/served_site.h"
#include "tests/core/service/fake_service.h"

namespace wb {

/// A site over a service whose runs the test steps, on a free port of this machine.
class SiteTest : public testing::Test {
 private:
  // These outlive the site, which writes to them until its last connection has ended.
  std::mutex mutex_;
  std::vector<std::string> lines_;

 protected:
  ServeConfig config;
  std::vector<Token> tokens;
  ServedSite::MoreRoutes moreRoutes;
  std::function<std::string()> compilers;
  FakeService service;
  std::unique_ptr<ServedSite> site;

  SiteTest() {
    config.http.port = 0;
    config.service.folder = std::filesystem::temp_directory_path();
  }

  void open() {
    auto opened = ServedSite::open({.service = service,
                                    .config = config,
                                    .tokens = tokens,
                                    .sandbox = false,
                                    .strict = false,
                                    .moreRoutes = moreRoutes,
                                    .log = ServiceLog(LogFormat::json,
                                                      [this](const std::string& line) {
                                                        const std::lock_guard lock(mutex_);
                                                        lines_.push_back(line);
                                                      }),
                                    .compilers = compilers});
    ASSERT_TRUE(opened) << opened.error().text;
    site = *std::move(opened);
  }

  [[nodiscard]] httplib::Client client() const {
    httplib::Client made("127.0.0.1", site->port());
    made.set_read_timeout(60);
    made.set_keep_alive(true);
    return made;
  }

  /// What was written to the log when everything that was asked is answered and written down.
  std::vector<nlohmann::json> logged() {
    site.reset();
    std::vector<nlohmann::json> parsed;
    for (const std::string& line : lines_) parsed.push_back(nlohmann::json::parse(line));
    return parsed;
  }
};

/// A token of the name, whose secret is "secret of NAME".
inline Token tokenFor(const std::string& name, ClientLimits limits = {}, bool isAdmin = false) {
  return {.name = name, .hash = sha256("secret of " + name), .limits = limits, .isAdmin = isAdmin};
}
inline httplib::Headers as(const std::string& name) {
  return {{"Authorization", "Bearer secret of " + name}};
}

/// The smallest run that there is: ATen against itself.
inline const std::string reluRun = R"({"op":"relu","stages":["compile","check"]})";

}  // namespace wb
