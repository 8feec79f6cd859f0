// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clangd/compile_flags.h"

#include <array>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/python.h"
#include "core/base/toolkit.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

// clang asks for two headers that CUDA 13 has dropped; what they declared nobody uses. The third one is what
// a raw CUDA kernel finds declared when it is compiled for float.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> ourHeaders{{
    {"texture_fetch_functions.h", ""},
    {"surface_functions.h", ""},
    {"warpbench_raw.h",
     "#pragma once\n#include <cstdint>\n#include <cmath>\n#include <climits>\n#include <cfloat>\n"
     "#include <limits>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\nusing scalar_t = float;\n"},
}};

fs::path existing(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed) ? path : fs::path();
}

QString text(const fs::path& path) {
  return QString::fromStdString(path.string());
}

}  // namespace

HeaderPlaces findHeaders(const std::string& python) {
  HeaderPlaces places;
  fs::path interpreter = python;
  if (interpreter.empty())
    if (const Result<fs::path> found = findPython()) interpreter = *found;
  const fs::path prefix = interpreter.parent_path().parent_path();
  for (const fs::path& folder : packageFolders(prefix)) {
    if (places.torch.empty()) places.torch = existing(folder / "torch" / "include");
    // The wheel of the CUDA runtime has the headers, though no compiler.
    if (places.cuda.empty() && !existing(folder / "nvidia" / "cu13" / "include" / "cuda.h").empty())
      places.cuda = folder / "nvidia" / "cu13";
    if (places.python.empty())
      places.python = existing(fs::path("/usr/include") / folder.parent_path().filename());
  }
  for (const fs::path& nvcc : toolkitPrograms("nvcc")) {
    const fs::path toolkit = nvcc.parent_path().parent_path();
    if (existing(toolkit / "include" / "cuda.h").empty()) continue;
    places.cuda = toolkit;
    break;
  }
  places.ours = cacheFolder() / "clangd";
  for (const auto& [name, content] : ourHeaders)
    if (existing(places.ours / name).empty()) (void)writeFileAtomically(places.ours / name, content);
  return places;
}

QStringList compileCommand(const QString& path, const QString& language, const HeaderPlaces& places) {
  const bool cuda = language == QLatin1String("raw_cuda") || language == QLatin1String("torch_cuda") ||
                    path.endsWith(QLatin1String(".cu")) || path.endsWith(QLatin1String(".cuh"));
  // clangd 14 crashes in torch's headers when it reads them as CUDA in C++20.
  QStringList command{QStringLiteral("clang++"),
                      cuda ? QStringLiteral("-std=c++17") : QStringLiteral("-std=c++20"),
                      QStringLiteral("-ferror-limit=0")};
  const auto include = [&](const fs::path& folder) {
    if (!folder.empty()) command << QStringLiteral("-isystem") << text(folder);
  };
  if (cuda) {
    command << QStringLiteral("-xcuda") << QStringLiteral("--cuda-host-only")
            << QStringLiteral("--cuda-gpu-arch=sm_80") << QStringLiteral("-Wno-unknown-cuda-version")
            << QStringLiteral("-D__CLANG_CUDA_TEXTURE_INTRINSICS_H__") << QStringLiteral("-Xclang")
            << QStringLiteral("-fcuda-allow-variadic-functions");
    if (places.cuda.empty())
      command << QStringLiteral("-nocudainc");
    else
      command << QStringLiteral("--cuda-path=") + text(places.cuda);
    include(places.ours);
  } else {
    command << QStringLiteral("-xc++");
  }
  if (language != QLatin1String("raw_cuda") && !places.torch.empty()) {
    include(places.torch);
    include(places.torch / "torch" / "csrc" / "api" / "include");
    include(places.python);
  }
  if (!places.cuda.empty()) {
    include(places.cuda / "include");
    include(places.cuda / "include" / "cccl");
  }
  if (language == QLatin1String("raw_cuda"))
    command << QStringLiteral("-include") << text(places.ours / "warpbench_raw.h");
  return command << path;
}

}  // namespace wb
