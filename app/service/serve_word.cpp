// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "app/service/word.h"
#include "core/base/files/cache_limit.h"
#include "core/base/files/paths.h"
#include "core/base/process/plain_environment.h"
#include "core/base/python.h"
#include "core/base/text.h"
#include "core/jobs/warm_up_job.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/prepare.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/runner.h"
#include "core/service/cache_upkeep.h"
#include "core/service/evaluation/evaluation_routes.h"
#include "core/service/evaluation/evaluation_server.h"
#include "core/service/http/access/tokens.h"
#include "core/service/http/config/config.h"
#include "core/service/http/config/settings.h"
#include "core/service/http/served_site.h"
#include "core/service/mcp/http_mcp.h"
#include "core/service/service.h"

namespace wb {
namespace {

struct Options {
  std::string config;
  bool check = false;
  /// What the command line gives the settings, in their order; absent: nothing.
  std::vector<std::optional<std::string>> values;
  /// serve token
  CLI::App* tokenCommand = nullptr;
  Token token;
};

int complain(const Error& error) {
  fmt::print(stderr, "warpbench serve: {}\n", describe(error));
  return ExitStatus::usage;
}

int complain(const std::vector<Error>& errors) {
  for (const Error& each : errors) complain(each);
  return ExitStatus::usage;
}

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each);
    const auto end = variable.find('=');
    if (end != std::string_view::npos) variables.emplace(variable.substr(0, end), variable.substr(end + 1));
  }
  return variables;
}

FoundConfig configOf(const Options& options) {
  SettingSources sources{.file = options.config, .environment = environment(), .flags = {}};
  for (std::size_t i = 0; i < options.values.size(); ++i)
    if (options.values[i]) sources.flags.emplace_back(settings()[i].name, *options.values[i]);
  return readConfig(sources);
}

std::filesystem::path tokenFileOf(const ServeConfig& config) {
  return config.tokenFile.empty() ? defaultTokenFile() : config.tokenFile;
}

int makeToken(const Options& options) {
  const auto [config, problems] = configOf(options);
  if (!problems.empty()) return complain(problems);
  const auto file = tokenFileOf(config);
  const auto secret = newSecret();
  if (!secret) return complain(secret.error());
  Token token = options.token;
  token.hash = sha256(*secret);
  if (const auto added = addToken(file, token); !added) return complain(added.error());
  fmt::print("{}\n", *secret);
  fmt::print(
      stderr,
      "The token of '{}' is shown this once; {} has its hash.\nClients send it as: Authorization: Bearer "
      "TOKEN\nA server that runs takes it within seconds.\n",
      token.name, file.string());
  return ExitStatus::good;
}

Result<std::vector<Token>> tokensFor(const ServeConfig& config) {
  if (config.tokenFile.empty() && !std::filesystem::exists(defaultTokenFile())) return std::vector<Token>{};
  return readTokens(tokenFileOf(config));
}

/// How jobs are run here, and what is to be said about it.
struct Guards {
  bool sandbox = false, strict = false;
  std::vector<std::string> warnings;
};

Result<Guards> guardsFor(const ServeConfig& config) {
  Guards guards;
  const auto walls = config.sandbox == Wish::never ? Result<void>() : checkSandbox();
  if (!walls && config.sandbox == Wish::always) return walls.error();
  guards.sandbox = config.sandbox != Wish::never && walls.has_value();
  const bool mayJudge =
      config.strict == Wish::always || (config.strict == Wish::whereItCan && guards.sandbox);
  const auto judge = mayJudge ? checkStrict() : Result<void>();
  if (!judge && config.strict == Wish::always) return judge.error();
  guards.strict = mayJudge && judge.has_value();
  if (!judge) guards.warnings.push_back("kernels are not judged strictly: " + describe(judge.error()));
  if (!walls) guards.warnings.push_back("kernels run without walls: " + describe(walls.error()));
  if (config.sandbox == Wish::never)
    guards.warnings.emplace_back(
        "kernels run without walls, as the configuration says; they can do whatever "
        "this user can");
  return guards;
}

/// Everything that is found out before anything is started.
struct Prepared {
  ServeConfig config;
  std::vector<Token> tokens;
  std::vector<std::string> devices;
  Guards guards;
  EvaluationHost answering;
};

/// What follows from a configuration that is right.
Result<Prepared> prepare(ServeConfig config, std::vector<Token> tokens) {
  Prepared prepared{.config = std::move(config), .tokens = std::move(tokens)};
  WB_TRY(prepared.devices, resolveDevices(prepared.config.devices, devices()));
  prepared.answering = EvaluationHost::ofThisMachine();
  if (const MetricsWish wish = prepared.config.deviceMetrics; wish != MetricsWish::usual)
    prepared.answering.deviceMetrics = wish == MetricsWish::always;
  WB_TRY(prepared.guards, guardsFor(prepared.config));
  const auto warnings = warningsOf(prepared.config);
  prepared.guards.warnings.insert(prepared.guards.warnings.end(), warnings.begin(), warnings.end());
  return prepared;
}

int tellPlan(const Prepared& prepared) {
  const ServeConfig& config = prepared.config;
  fmt::print("address    {}:{}{}\n", config.http.address, config.http.port,
             config.http.certificate.empty() ? "" : " with TLS");
  fmt::print("devices    {}\n", joined(prepared.devices, ", "));
  fmt::print("folder     {}\n", config.service.folder.string());
  fmt::print("clients    {}\n", prepared.tokens.empty()
                                    ? "everybody on this machine"
                                    : fmt::format("whoever has one of {} tokens", prepared.tokens.size()));
  fmt::print("kernels    {}{}\n", prepared.guards.sandbox ? "inside walls" : "without walls",
             prepared.guards.strict ? ", judged strictly" : "");
  fmt::print("queue      {} runs, {} of a client\n", config.service.mostQueued,
             config.service.mostQueuedPerClient);
  for (const std::string& warning : prepared.guards.warnings) fmt::print("warning    {}\n", warning);
  return ExitStatus::good;
}

/// What other rooms answer, over the service as clients reach it.
HttpRoutes moreRoutes(Service& service, const Prepared& prepared) {
  EvaluationHost answering = prepared.answering;
  answering.sandbox = prepared.guards.sandbox;
  const auto evaluation = std::make_shared<EvaluationServer>(service, std::move(answering));
  McpHost host;
  host.service = &service;
  host.evaluation = evaluation.get();  // which lives as long as its routes
  host.catalogue = [python = prepared.config.python] { return catalogueOfTorch(python); };
  host.sandbox = prepared.guards.sandbox;
  host.strict = host.strictAlways = prepared.guards.strict;
  host.python = prepared.config.python;
  host.version = WB_VERSION;
  HttpRoutes routes = evaluationRoutes(evaluation);
  HttpRoutes mcp = mcpRoutes(std::make_shared<McpHttp>(std::move(host)));
  std::ranges::move(mcp.routes, std::back_inserter(routes.routes));
  routes.schemas.update(mcp.schemas);
  return routes;
}

/// Signals that end the service; they are blocked in all threads, and one waits for them.
sigset_t endingSignals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int each : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&set, each);
  return set;
}

/// Kernels can read the environment and print it.
void keepPlainEnvironment() {
  std::vector<std::string> others;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable(*each);
    const auto name = variable.substr(0, variable.find('='));
    if (!isPlainVariable(name)) others.emplace_back(name);
  }
  for (const std::string& name : others) ::unsetenv(name.c_str());
}

bool runsPython(const Prepared& prepared) {
  return std::filesystem::exists(workerProgram().parent_path() / "libwarpbench_worker.so") &&
         (!prepared.config.python.empty() || findPython().has_value());
}

std::unique_ptr<Runner> runnerFor(const Prepared& prepared, const std::string& device) {
  const std::string& python = prepared.config.python;
  RunnerOptions options;
  options.judges = prepared.guards.strict;
  // A judge loads no code of others, so that it is hardly ever lost.
  options.warmSpare = !prepared.guards.strict;
  // A strict judge stays. Whoever is judged so has no use for a worker inside walls, but for hot lines.
  options.walledSpare = prepared.guards.sandbox && !prepared.guards.strict;
  // Most kernels that are handed in are Python's. Its workers are a library beside the others' program.
  options.python = runsPython(prepared);
  auto runner = std::make_unique<Runner>(localLauncher(python), device, options);
  runner->start(options.python);
  return runner;
}

/// What is done for this machine's compilers and devices while it serves.
CacheDuties cacheDuties(const Prepared& prepared, Service& service, const ServiceLog& log) {
  const ExpectedJobs expected{
      .sandbox = prepared.guards.sandbox, .strict = prepared.guards.strict, .python = runsPython(prepared)};
  return {.prepare =
              [python = prepared.config.python](const std::stop_token& stop) {
                return prepareKernels({.python = python, .idle = true}, stop);
              },
          .warmUp =
              [expected, &service, log] {
                for (const std::string& sample : warmUpSamples(expected))
                  service.warmUp([&](const std::string& device) -> std::optional<Job> {
                    auto job = warmUpJob(device, expected, resourceFolder() / "samples" / sample);
                    if (job) return *std::move(job);
                    log.say("warning", fmt::format("{} is not warmed up: {}", device, describe(job.error())));
                    return std::nullopt;
                  });
              },
          .trim = [] { keepCacheWithin(cacheFolder(), cacheLimitBytes()); },
          .tell = [log](const std::string& text) { log.say("info", text); }};
}

void useTokens(ServedSite& site, const Result<std::vector<Token>>& tokens, const ServiceLog& log) {
  if (!tokens) return log.say("warning", "the tokens stay as they were: " + describe(tokens.error()));
  site.useTokens(*tokens);
  log.say("info", fmt::format("lets in whoever has one of {} tokens", tokens->size()));
}

int serve(const Prepared& prepared) {
  keepPlainEnvironment();
  const sigset_t ending = endingSignals();
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  const ServiceLog log(prepared.config.log, writeToStandardError);
  for (const std::string& warning : prepared.guards.warnings) log.say("warning", warning);
  std::error_code failed;
  // A name in a request is never a file here: nothing lies in the folder in which relative paths begin.
  std::filesystem::current_path("/", failed);
  ServiceOptions options = prepared.config.service;
  options.tell = [log](const std::string& text) { log.say("warning", text); };
  options.tellCourse = [log](const std::string& text) { log.say("info", text); };
  auto service = Service::open(std::move(options), prepared.devices, [&prepared](const std::string& device) {
    return runnerFor(prepared, device);
  });
  if (!service) return complain(service.error());
  std::optional<CacheUpkeep> upkeep(std::in_place, cacheDuties(prepared, **service, log));
  auto site = ServedSite::open({.service = **service,
                                .config = prepared.config,
                                .tokens = prepared.tokens,
                                .sandbox = prepared.guards.sandbox,
                                .strict = prepared.guards.strict,
                                .strictAlways = prepared.config.strict == Wish::always,
                                .moreRoutes = [&](Service& reached) { return moreRoutes(reached, prepared); },
                                .log = log,
                                .compilers = [&upkeep] { return upkeep->compilers(); }});
  if (!site) {
    // What warms devices up ends.
    (*service)->drain(std::chrono::milliseconds(0));
    return complain(site.error());
  }
  const bool isSix = prepared.config.http.address.find(':') != std::string::npos;
  fmt::print("http{}://{}{}{}:{}/\n", prepared.config.http.certificate.empty() ? "" : "s", isSix ? "[" : "",
             prepared.config.http.address, isSix ? "]" : "", (*site)->port());
  std::fflush(stdout);
  log.say("info", fmt::format("serves {} on port {}", joined(prepared.devices, ", "), (*site)->port()));
  TokenFile tokenFile(tokenFileOf(prepared.config));
  constexpr timespec betweenLooks{2, 0};
  while (::sigtimedwait(&ending, nullptr, &betweenLooks) < 0)
    if (const auto changed = tokenFile.changed()) useTokens(**site, *changed, log);
  log.say("info", "stops: runs that are under way may end, what waits stays in the journal");
  // Whoever asks twice does not want to wait.
  std::thread([ending] {
    int again = 0;
    ::sigwait(&ending, &again);
    ::_exit(ExitStatus::cancelled);
  }).detach();
  (*site)->drain();
  site->reset();
  upkeep.reset();
  service->reset();
  log.say("info", "has stopped");
  return ExitStatus::good;
}

void declare(CLI::App& app, const std::shared_ptr<Options>& options) {
  app.add_option(
      "--config", options->config,
      fmt::format("Configuration file (TOML); else {} if it is there", defaultConfigFile().string()));
  app.add_flag("--check", options->check, "Says what it would do, and leaves");
  options->values.resize(settings().size());
  for (std::size_t i = 0; i < settings().size(); ++i)
    app.add_option(flagOf(settings()[i]), options->values[i], std::string(settings()[i].help));
  app.require_subcommand(0, 1);
  app.footer(
      "The file has the same settings (port, [queue] most, …), and so has the environment "
      "(WARPBENCH_SERVE_QUEUE_MOST);\nthe command line is the strongest, the file the weakest.");
  CLI::App* token = app.add_subcommand("token", "Make a token, show it once and keep its hash");
  options->tokenCommand = token;
  token->add_option("NAME", options->token.name, "Name of the client")->required();
  token->add_option("--requests", options->token.limits.requestsPerMinute, "Requests a minute; 0 is no limit")
      ->check(CLI::Range(0, 1'000'000));
  token
      ->add_option("--queued", options->token.limits.mostQueued,
                   "Runs that may wait; 0 is the service's limit")
      ->check(CLI::Range(0, 1'000'000));
  token->add_option("--priority", options->token.limits.highestPriority, "The highest priority of its runs")
      ->check(CLI::Range(-100, 100));
  token->add_flag("--admin", options->token.isAdmin, "It sees and ends the runs of all");
}

int run(const Options& options) {
  if (options.tokenCommand->parsed()) return makeToken(options);
  auto [config, problems] = configOf(options);
  if (!problems.empty()) return complain(problems);
  auto tokens = tokensFor(config);
  if (!tokens) return complain(tokens.error());
  if (const auto wrong = checkConfig(config, *tokens); !wrong.empty()) return complain(wrong);
  const auto prepared = prepare(std::move(config), *std::move(tokens));
  if (!prepared) return complain(prepared.error());
  return options.check ? tellPlan(*prepared) : serve(*prepared);
}

}  // namespace

ServiceWord serveWord() {
  auto options = std::make_shared<Options>();
  return {"serve", "Run kernels for other programs, over HTTP",
          [options](CLI::App& app) { declare(app, options); }, [options] { return run(*options); }};
}

}  // namespace wb
