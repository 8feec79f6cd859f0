// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/nvrtc/cubin_cache.h"

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

}  // namespace

std::string cubinKey(const NvrtcRequest& request, const std::string& toolchain) {
  std::string options, headers;
  for (const auto& option : request.options) options += option + '\n';
  for (const auto& header : rawCudaHeaders()) headers += header.text;
  for (const auto& [name, text] : request.headers) headers += name + '\n' + text;
  std::string names = request.nameExpression;
  for (const auto& name : request.moreNames) names += '\n' + name;
  return contentHash({request.source, request.fileName, request.prelude, names, options, headers, toolchain});
}

std::optional<NvrtcResult> readCubin(const std::string& key) {
  auto bytes = readFile(cacheFile(key), std::size_t{256} << 20);
  if (!bytes) return std::nullopt;
  std::error_code ignored;  // a new time keeps what is used often when the cache is cleaned
  std::filesystem::last_write_time(cacheFile(key), std::filesystem::file_time_type::clock::now(), ignored);
  const auto json = nlohmann::json::from_msgpack(*bytes, true, false);
  if (!json.is_object()) return std::nullopt;
  NvrtcResult result;
  std::string more;
  for (auto [name, member] : {std::pair{"log", &result.log},
                              {"cubin", &result.cubin},
                              {"ptx", &result.ptx},
                              {"loweredName", &result.loweredName},
                              {"moreLoweredNames", &more}}) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_binary()) return std::nullopt;
    const auto& data = found->get_binary();
    member->assign(data.begin(), data.end());
  }
  for (std::size_t start = 0, end = more.find('\n'); end != std::string::npos;
       start = end + 1, end = more.find('\n', start))
    result.moreLoweredNames.push_back(more.substr(start, end - start));
  result.ok = true;
  return result;
}

void writeCubin(const std::string& key, const NvrtcResult& result) {
  auto binary = [](const std::string& text) { return nlohmann::json::binary({text.begin(), text.end()}); };
  std::string more;
  for (const auto& name : result.moreLoweredNames) more += name + '\n';
  const nlohmann::json json{{"log", binary(result.log)},
                            {"cubin", binary(result.cubin)},
                            {"ptx", binary(result.ptx)},
                            {"loweredName", binary(result.loweredName)},
                            {"moreLoweredNames", binary(more)}};
  const auto bytes = nlohmann::json::to_msgpack(json);
  // Without a cache (on a full or read-only disk) the next run compiles again, which needs no message.
  (void)writeFileAtomically(cacheFile(key), std::string(bytes.begin(), bytes.end())).has_value();
}

}  // namespace wb
