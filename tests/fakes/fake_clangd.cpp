// SPDX-License-Identifier: Apache-2.0
// A language server for tests: warpbench-fake-clangd [good|crash|once|hang|nonsense] [LOG]. It calls every
// "wrong" in a text an error, knows where "defined" is, and appends each start to the log and the commands of
// the texts to LOG.commands.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using Json = nlohmann::json;

void say(Json message) {
  message["jsonrpc"] = "2.0";
  const std::string body = message.dump();
  std::cout << "Content-Length: " << body.size() << "\r\n\r\n" << body << std::flush;
}

/// The next message; null at the end of the input.
Json hear() {
  std::string line;
  std::size_t length = 0;
  while (std::getline(std::cin, line) && line != "\r")
    if (line.starts_with("Content-Length: ")) length = std::stoul(line.substr(16));
  if (!std::cin) return {};
  std::string body(length, ' ');
  std::cin.read(body.data(), static_cast<std::streamsize>(length));
  return Json::parse(body);
}

Json place(const std::string& text, std::size_t at) {
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return {{"line", line}, {"character", start == std::string::npos ? at : at - start - 1}};
}

Json rangesOf(const std::string& text, const std::string& word) {
  Json ranges = Json::array();
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size()))
    ranges.push_back({{"start", place(text, at)}, {"end", place(text, at + word.size())}});
  return ranges;
}

void publish(const std::string& uri, const std::string& text, int version) {
  Json diagnostics = Json::array();
  for (const Json& range : rangesOf(text, "wrong"))
    diagnostics.push_back({{"range", range}, {"severity", 1}, {"message", "this is wrong"}});
  say({{"method", "textDocument/publishDiagnostics"},
       {"params", {{"uri", uri}, {"version", version}, {"diagnostics", diagnostics}}}});
}

Json answer(const std::string& method, const Json& params, const std::map<std::string, std::string>& texts) {
  if (method == "initialize") return {{"capabilities", Json::object()}};
  const std::string uri = params["textDocument"]["uri"];
  const std::string& text = texts.at(uri);
  if (method == "textDocument/definition")
    return Json::array({{{"uri", uri}, {"range", rangesOf(text, "defined").at(0)}}});
  if (method == "textDocument/hover") return {{"contents", {{"kind", "plaintext"}, {"value", "int mine"}}}};
  if (method == "textDocument/rename") {
    Json edits = Json::array();
    for (const Json& range : rangesOf(text, "defined"))
      edits.push_back({{"range", range}, {"newText", params["newName"]}});
    return {{"changes", {{uri, edits}}}};
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  std::string mode = argc > 1 ? argv[1] : "good";
  const std::string log = argc > 2 ? argv[2] : "";
  bool first = true;
  if (!log.empty()) {
    std::ifstream earlier(log);
    first = earlier.peek() == std::ifstream::traits_type::eof();
    std::ofstream(log, std::ios::app) << "started\n";
  }
  if (mode == "once") mode = first ? "crash" : "good";
  std::map<std::string, std::string> texts;
  for (Json message = hear(); !message.is_null(); message = hear()) {
    const std::string method = message.value("method", "");
    const Json& params = message["params"];
    if (method == "workspace/didChangeConfiguration" && !log.empty())
      std::ofstream(log + ".commands", std::ios::app) << params.dump() << "\n";
    if (method == "textDocument/didOpen") {
      if (mode == "crash") std::abort();
      if (mode == "nonsense") std::cout << std::string(5000, '?') << std::flush;
      texts[params["textDocument"]["uri"]] = params["textDocument"]["text"];
      publish(params["textDocument"]["uri"], params["textDocument"]["text"],
              params["textDocument"]["version"]);
    } else if (method == "textDocument/didChange") {
      texts[params["textDocument"]["uri"]] = params["contentChanges"][0]["text"];
      publish(params["textDocument"]["uri"], params["contentChanges"][0]["text"],
              params["textDocument"]["version"]);
    } else if (message.contains("id") && !(mode == "hang" && method != "initialize")) {
      say({{"id", message["id"]}, {"result", answer(method, params, texts)}});
    }
  }
  return 0;
}
