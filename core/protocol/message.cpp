// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/model/json/json_codec.h"
#include "core/protocol/base64.h"

namespace wb {

namespace {

using nlohmann::json;

// The numbers 1 to 15 are frozen.
enum class Type : std::uint16_t {
  hello = 1,
  welcome = 2,
  runJob = 16,
  cancel = 17,
  ping = 18,
  bye = 19,
  heartbeat = 20,
  happened = 21,
  elsewhere = 22,
  askBuilds = 23,
  builds = 24,
  compileAhead = 25,
  built = 26,
};
constexpr Type lastType = Type::built;

/// The members of what a machine builds with, by their keys.
constexpr std::array<std::pair<const char*, std::string BuildFacts::*>, 8> buildFacts{
    {{"host", &BuildFacts::host},
     {"machine", &BuildFacts::machine},
     {"compiler", &BuildFacts::compiler},
     {"cLibrary", &BuildFacts::cLibrary},
     {"cppLibrary", &BuildFacts::cppLibrary},
     {"torch", &BuildFacts::torch},
     {"cudaCompiler", &BuildFacts::cudaCompiler},
     {"architecture", &BuildFacts::architecture}}};

struct Encoder {
  std::pair<Type, json> operator()(const Hello& hello) const {
    return {Type::hello,
            {{"protocol", hello.protocol},
             {"build", hello.build},
             {"target", toJson(hello.target)},
             {"failure", hello.failure},
             {"hint", hello.hint}}};
  }
  std::pair<Type, json> operator()(const Welcome& welcome) const {
    json made{{"accepted", welcome.accepted}, {"reason", welcome.reason}};
    if (welcome.seal) made["seal"] = *welcome.seal;
    return {Type::welcome, std::move(made)};
  }
  std::pair<Type, json> operator()(const RunJob& run) const { return {Type::runJob, toJson(run.job)}; }
  std::pair<Type, json> operator()(const Cancel&) const { return {Type::cancel, json::object()}; }
  std::pair<Type, json> operator()(const Ping&) const { return {Type::ping, json::object()}; }
  std::pair<Type, json> operator()(const Bye& bye) const { return {Type::bye, {{"spoiled", bye.spoiled}}}; }
  std::pair<Type, json> operator()(const Heartbeat& heartbeat) const {
    return {Type::heartbeat, {{"beat", heartbeat.beat}}};
  }
  std::pair<Type, json> operator()(const Happened& happened) const {
    return {Type::happened, toJson(happened.event)};
  }
  std::pair<Type, json> operator()(const Elsewhere& elsewhere) const {
    return {Type::elsewhere, {{"state", static_cast<unsigned>(elsewhere.state)}, {"text", elsewhere.text}}};
  }
  std::pair<Type, json> operator()(const AskBuilds&) const { return {Type::askBuilds, json::object()}; }
  std::pair<Type, json> operator()(const Builds& builds) const {
    json made = json::object();
    for (const auto& [key, member] : buildFacts) made[key] = builds.facts.*member;
    return {Type::builds, std::move(made)};
  }
  std::pair<Type, json> operator()(const CompileAhead& ahead) const {
    return {Type::compileAhead, {{"job", toJson(ahead.job)}, {"architecture", ahead.architecture}}};
  }
  std::pair<Type, json> operator()(const Built& built) const {
    return {Type::built,
            {{"key", built.file.key},
             {"about", built.file.about},
             {"content", base64Of(built.file.content)},
             {"hash", built.file.hash},
             {"from", built.from},
             {"proof", built.proof}}};
  }
};

std::string textOr(const json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

/// Insists on the protocol's number only: the other members may mean something else in another version, and
/// then only the number and the build matter.
Result<std::optional<Message>> readHello(const json& from) {
  const auto protocol = from.find("protocol");
  if (protocol == from.end() || !protocol->is_number_integer())
    return Error{Stage::setup, "the worker's greeting has no protocol number"};
  Hello hello;
  hello.protocol = protocol->is_number_unsigned() && protocol->get<std::uint64_t>() > 1U << 30
                       ? 1 << 30
                       : protocol->get<int>();
  hello.build = textOr(from, "build");
  hello.failure = textOr(from, "failure");
  hello.hint = textOr(from, "hint");
  if (const auto target = from.find("target"); target != from.end()) {
    Result<Target> read = targetFromJson(*target);
    if (!read && hello.protocol == protocolVersion) return read.error();
    if (read) hello.target = *std::move(read);
  }
  return std::optional<Message>{std::move(hello)};
}

Result<std::optional<Message>> readWelcome(const json& from) {
  const auto accepted = from.find("accepted"), seal = from.find("seal");
  Welcome welcome{accepted != from.end() && accepted->is_boolean() && accepted->get<bool>(),
                  textOr(from, "reason")};
  if (seal == from.end()) return std::optional<Message>{std::move(welcome)};
  const auto isByte = [](const json& each) {
    return each.is_number_unsigned() && each.get<std::uint64_t>() < 256;
  };
  SealKey& key = welcome.seal.emplace();
  if (!seal->is_array() || seal->size() != key.size() || !std::all_of(seal->begin(), seal->end(), isByte))
    return Error{Stage::setup, "the seal is no list of 16 bytes"};
  std::transform(seal->begin(), seal->end(), key.begin(),
                 [](const json& each) { return each.get<std::uint8_t>(); });
  return std::optional<Message>{std::move(welcome)};
}

Result<std::optional<Message>> readBye(const json& from) {
  const auto spoiled = from.find("spoiled");
  return std::optional<Message>{Bye{spoiled != from.end() && spoiled->is_boolean() && spoiled->get<bool>()}};
}

Result<std::optional<Message>> readHeartbeat(const json& from) {
  const auto beat = from.find("beat");
  const bool known = beat != from.end() && beat->is_number_unsigned();
  return std::optional<Message>{Heartbeat{known ? beat->get<std::uint64_t>() : 0}};
}

Result<std::optional<Message>> readElsewhere(const json& from) {
  const auto state = from.find("state");
  if (state == from.end() || !state->is_number_unsigned() ||
      state->get<std::uint64_t>() > static_cast<unsigned>(Elsewhere::State::gone))
    return std::optional<Message>{};
  return std::optional<Message>{
      Elsewhere{static_cast<Elsewhere::State>(state->get<unsigned>()), textOr(from, "text")}};
}

Result<std::optional<Message>> readBuilds(const json& from) {
  Builds builds;
  for (const auto& [key, member] : buildFacts) builds.facts.*member = textOr(from, key);
  return std::optional<Message>{std::move(builds)};
}

Result<std::optional<Message>> readAhead(const json& from) {
  const auto job = from.find("job");
  if (job == from.end()) return Error{Stage::setup, "there is no job to compile ahead"};
  WB_TRY(Job read, jobFromJson(*job));
  return std::optional<Message>{CompileAhead{std::move(read), textOr(from, "architecture")}};
}

Result<std::optional<Message>> readBuilt(const json& from) {
  auto content = bytesOfBase64(textOr(from, "content"));
  if (!content) return Error{Stage::setup, "what was built is no base64"};
  const auto proof = from.find("proof");
  Built built{{textOr(from, "key"), textOr(from, "about"), *std::move(content), textOr(from, "hash")},
              textOr(from, "from"),
              proof != from.end() && proof->is_number_unsigned() ? proof->get<std::uint64_t>() : 0};
  return std::optional<Message>{std::move(built)};
}

Result<std::optional<Message>> decode(Type type, const json& from) {
  switch (type) {
    case Type::hello:
      return readHello(from);
    case Type::welcome:
      return readWelcome(from);
    case Type::cancel:
      return std::optional<Message>{Cancel{}};
    case Type::ping:
      return std::optional<Message>{Ping{}};
    case Type::bye:
      return readBye(from);
    case Type::heartbeat:
      return readHeartbeat(from);
    case Type::runJob: {
      WB_TRY(Job job, jobFromJson(from));
      return std::optional<Message>{RunJob{std::move(job)}};
    }
    case Type::happened: {
      WB_TRY(Event event, eventFromJson(from));
      return std::optional<Message>{Happened{std::move(event)}};
    }
    case Type::elsewhere:
      return readElsewhere(from);
    case Type::askBuilds:
      return std::optional<Message>{AskBuilds{}};
    case Type::builds:
      return readBuilds(from);
    case Type::compileAhead:
      return readAhead(from);
    case Type::built:
      return readBuilt(from);
  }
  return std::optional<Message>{};
}

bool isKnown(std::uint16_t type) {
  return type == 1 || type == 2 ||
         (type >= static_cast<std::uint16_t>(Type::runJob) && type <= static_cast<std::uint16_t>(lastType));
}

}  // namespace

std::uint64_t proofOf(const Built& built, const SealKey& key) {
  std::string all;
  for (const std::string* part :
       {&built.file.key, &built.file.about, &built.file.hash, &built.from, &built.file.content})
    all += fmt::format("{} ", part->size()) + *part;
  return sipHash(key, all);
}

bool isElsewhere(const Frame& frame) {
  return frame.type == static_cast<std::uint16_t>(Type::elsewhere);
}

Frame toFrame(const Message& message, std::uint32_t run) {
  const auto [type, content] = std::visit(Encoder{}, message);
  return Frame{static_cast<std::uint16_t>(type), 0, run, dump(content)};
}

Result<std::optional<Message>> fromFrame(const Frame& frame) {
  if (!isKnown(frame.type)) return std::optional<Message>{};
  const auto failed = [&](const Error& cause) {
    return Error{Stage::setup, fmt::format("a message of type {} cannot be read: {}", frame.type, cause.text),
                 "worker and program may be of different versions"};
  };
  const Result<json> content = parseJson(frame.payload);
  if (!content) return failed(content.error());
  if (!content->is_object()) return failed(Error{Stage::setup, "expected an object"});
  Result<std::optional<Message>> message = decode(static_cast<Type>(frame.type), *content);
  if (!message) return failed(message.error());
  return message;
}

}  // namespace wb
