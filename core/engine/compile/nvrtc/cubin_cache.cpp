// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/nvrtc/cubin_cache.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/files/paths.h"
#include "core/engine/compile/nvrtc/prelude.h"

namespace wb {
namespace {

std::filesystem::path cacheFile(const std::string& key) {
  return cacheFolder() / "cubin" / key;
}

constexpr std::size_t largestEntry = std::size_t{256} << 20;

void replaceAll(std::string& text, const std::string& old, const std::string& now) {
  if (old.empty() || old == now) return;
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size()))
    text.replace(at, old.size(), now);
}

std::vector<std::string> linesIn(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0, end = text.find('\n'); end != std::string::npos;
       start = end + 1, end = text.find('\n', start))
    lines.push_back(text.substr(start, end - start));
  return lines;
}

std::optional<NvrtcResult> resultIn(const std::string& bytes, const NvrtcRequest& request) {
  const auto json = nlohmann::json::from_msgpack(bytes, true, false);
  if (!json.is_object()) return std::nullopt;
  NvrtcResult result;
  std::string more, files;
  for (auto [name, member] : {std::pair{"log", &result.log},
                              {"cubin", &result.cubin},
                              {"ptx", &result.ptx},
                              {"loweredName", &result.loweredName},
                              {"moreLoweredNames", &more},
                              {"files", &files}}) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_binary()) return std::nullopt;
    const auto& data = found->get_binary();
    member->assign(data.begin(), data.end());
  }
  result.moreLoweredNames = linesIn(more);
  const auto paths = linesIn(files);
  for (std::size_t i = 0; i < paths.size() && i < request.files.size(); ++i)
    replaceAll(result.log, paths[i], request.files[i].path);
  result.ok = true;
  return result;
}

void tell(const BuildExchange* exchange, const std::string& key, const std::string& bytes) {
  if (exchange == nullptr || !exchange->built) return;
  BuiltFile file{key, {}, bytes, {}};
  file.hash = hashOf(file);
  exchange->built(std::move(file));
}

/// Keeps what another machine has built; nothing where that is none.
std::optional<NvrtcResult> take(const std::string& key, const NvrtcRequest& request,
                                const BuildExchange* exchange) {
  const auto file = exchange != nullptr && exchange->given ? exchange->given(key) : std::nullopt;
  auto result = file ? resultIn(file->content, request) : std::nullopt;
  if (!result) return std::nullopt;
  (void)writeFileAtomically(cacheFile(key), file->content).has_value();
  exchange->used(key);
  return result;
}

}  // namespace

std::string cubinKey(const NvrtcRequest& request, const std::string& toolchain) {
  std::string headers;
  for (const auto& header : rawCudaHeaders()) headers += header.text;
  for (const auto& [name, text] : request.headers) headers.append(name).append(1, '\n').append(text);
  std::string fileName = request.fileName;
  nameFiles(headers, request.files);
  for (const auto& file : request.files)
    if (fileName == file.path) fileName = file.name;
  std::string names = request.nameExpression;
  for (const auto& name : request.moreNames) names += '\n' + name;
  auto folders = request.folders;
  for (const auto& folder : cudaIncludeFolders()) folders.push_back({folder, cudaHeadersIn(folder)});
  return contentHash({request.source, fileName, request.prelude, names,
                      placeless(request.options, std::move(folders)), headers, toolchain});
}

std::optional<NvrtcResult> readCubin(const std::string& key, const NvrtcRequest& request,
                                     const BuildExchange* exchange) {
  const auto bytes = readFile(cacheFile(key), largestEntry);
  auto result = bytes ? resultIn(*bytes, request) : std::nullopt;
  if (!result) return take(key, request, exchange);
  std::error_code ignored;  // a new time keeps what is used often when the cache is cleaned
  std::filesystem::last_write_time(cacheFile(key), std::filesystem::file_time_type::clock::now(), ignored);
  tell(exchange, key, *bytes);
  return result;
}

void writeCubin(const std::string& key, const NvrtcRequest& request, const NvrtcResult& result,
                const BuildExchange* exchange) {
  auto binary = [](const std::string& text) { return nlohmann::json::binary({text.begin(), text.end()}); };
  std::string more, files;
  for (const auto& name : result.moreLoweredNames) more += name + '\n';
  for (const auto& file : request.files) files += file.path + '\n';
  const nlohmann::json json{{"log", binary(result.log)},        {"cubin", binary(result.cubin)},
                            {"ptx", binary(result.ptx)},        {"loweredName", binary(result.loweredName)},
                            {"moreLoweredNames", binary(more)}, {"files", binary(files)}};
  const auto packed = nlohmann::json::to_msgpack(json);
  const std::string bytes(packed.begin(), packed.end());
  // Without a cache (on a full or read-only disk) the next run compiles again, which needs no message.
  (void)writeFileAtomically(cacheFile(key), bytes).has_value();
  tell(exchange, key, bytes);
}

}  // namespace wb
