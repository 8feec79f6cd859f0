// SPDX-License-Identifier: Apache-2.0
// What a built kernel is known by: what it is made of, and not where that lies.
#include <gmock/gmock.h>

#include "core/base/files/file.h"
#include "core/engine/compile/host/build_cache.h"
#include "core/engine/compile/host/precompiled_header.h"
#include "core/engine/compile/nvrtc/cubin_cache.h"
#include "core/engine/compile/placeless.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

TorchInstallation torchAt(const std::string& packages) {
  TorchInstallation torch;
  torch.root = packages + "/torch";
  torch.version = "2.11.0+cu130";
  torch.identity = "2.11.0+cu130 of 70d99e99";
  torch.includes = {torch.root / "include", torch.root / "include/torch/csrc/api/include"};
  return torch;
}

HostCompiler someClang() {
  HostCompiler compiler;
  compiler.path = "/usr/bin/clang++";
  compiler.tool = "clang++";
  compiler.version = "clang++ 14.0.6";
  compiler.identity = "Debian clang version 14.0.6";
  compiler.library = {"x86-64", "2.36", "libstdc++ 12", true};
  compiler.clang = true;
  return compiler;
}

TEST(BuildKeys, FoldersAreKnownByWhatIsInThem) {
  const std::vector<KnownFolder> folders{
      {"/a/torch", "TORCH"}, {"/a/torch/extra", "EXTRA"}, {"/home/me", "SOURCE"}};
  EXPECT_EQ(
      placeless({"-I", "/a/torch/include", "-I/a/torch/extra/x", "-O2", "-iquote", "/home/me"}, folders),
      "-I\nTORCH/include\n-IEXTRA/x\n-O2\n-iquote\nSOURCE\n");
  // Another folder whose name begins alike is another one.
  EXPECT_EQ(placeless({"-I/a/torch2/include", "-I/home/memory"}, folders),
            "-I/a/torch2/include\n-I/home/memory\n");
  EXPECT_EQ(placeless({"-I/a/torch"}, {{"", "NOTHING"}}), "-I/a/torch\n");
}

TEST(BuildKeys, TheSameTorchAtTwoPlacesGivesTheSameKey) {
  const HostCompiler clang = someClang();
  const std::string here = standardHeadersKey(clang, torchAt("/opt/venv/site-packages"));
  EXPECT_EQ(here, standardHeadersKey(clang, torchAt("/home/you/.local/lib")));
  // What is precompiled is good in one place alone.
  EXPECT_NE(precompiledHeaderKey(clang, torchAt("/opt/venv/site-packages")),
            precompiledHeaderKey(clang, torchAt("/home/you/.local/lib")));
  HostCompiler called = clang;
  called.path = "clang++-14";
  called.linker = "-fuse-ld=mold";
  EXPECT_EQ(standardHeadersKey(called, torchAt("/opt/venv/site-packages")), here);
}

TEST(BuildKeys, WhateverItIsMadeOfChangesTheKey) {
  const TorchInstallation torch = torchAt("/opt");
  const HostCompiler clang = someClang();
  const std::string key = standardHeadersKey(clang, torch);
  TorchInstallation otherTorch = torch;
  otherTorch.identity = "2.11.0+cpu of 70d99e99";
  EXPECT_NE(standardHeadersKey(clang, otherTorch), key);
  TorchInstallation cuda = torch;
  cuda.header = "warpbench_cuda.h";
  EXPECT_NE(standardHeadersKey(clang, cuda), key);
  const auto changed = [&](auto change) {
    HostCompiler other = clang;
    change(other);
    return standardHeadersKey(other, torch);
  };
  EXPECT_NE(changed([](HostCompiler& c) { c.identity = "Debian clang version 15.0.6"; }), key);
  EXPECT_NE(changed([](HostCompiler& c) { c.library.machine = "aarch64"; }), key);
  EXPECT_NE(changed([](HostCompiler& c) { c.library.cxx11Abi = false; }), key);
  EXPECT_NE(changed([](HostCompiler& c) { c.options = {"-ffast-math"}; }), key);
  // Which library it needs is asked when it is loaded.
  EXPECT_EQ(changed([](HostCompiler& c) { c.library.c = "2.41"; }), key);
}

TEST(BuildKeys, OnlyTheProcessorAtHandIsNotInItsName) {
  EXPECT_EQ(processorMeant({"-O2", "-march=x86-64-v3"}), "");
  EXPECT_EQ(processorMeant({"-O2", "-march=native"}).size(), 32U);
}

TEST(BuildKeys, TheCompilerSaysWhatItBuildsFor) {
  const StandardLibrary library = libraryIn(
      "#define __GLIBC__ 2\n#define __GLIBC_MINOR__ 36\n#define _GLIBCXX_RELEASE 12\n"
      "#define _GLIBCXX_USE_CXX11_ABI 1\n#define __x86_64__ 1\n#define __GLIBC_USE(F) __GLIBC_USE_ ## F\n");
  EXPECT_EQ(library.machine, "x86-64");
  EXPECT_EQ(library.c, "2.36");
  EXPECT_EQ(library.cpp, "libstdc++ 12");
  EXPECT_TRUE(library.cxx11Abi);
  EXPECT_FALSE(libraryIn("#define _GLIBCXX_USE_CXX11_ABI 0\n").cxx11Abi);
  EXPECT_EQ(libraryIn("#define __aarch64__ 1\n#define _LIBCPP_VERSION 190000\n").cpp, "libc++ 190000");
  const auto found = usualHostCompiler();
  ASSERT_TRUE(found);
  EXPECT_NE(found->library.machine, "");
  EXPECT_NE(found->library.c, "");
}

TEST(BuildKeys, BinariesAreKnownByArchitectureAndContent) {
  NvrtcRequest request;
  request.source = "__global__ void relu() {}";
  request.fileName = "relu.cu";
  request.options = {"--gpu-architecture=sm_90", "-I/home/me/kernels"};
  request.folders = {{"/home/me/kernels", "SOURCE"}};
  const std::string key = cubinKey(request, "NVRTC 13.0");
  NvrtcRequest there = request;
  there.options[1] = "-I/cache/sources/1f/home/me/kernels";
  there.folders = {{"/cache/sources/1f/home/me/kernels", "SOURCE"}};
  EXPECT_EQ(cubinKey(there, "NVRTC 13.0"), key);
  EXPECT_NE(cubinKey(request, "NVRTC 13.1"), key);
  NvrtcRequest other = request;
  other.options[0] = "--gpu-architecture=sm_80";
  EXPECT_NE(cubinKey(other, "NVRTC 13.0"), key);
  other = request;
  other.options.emplace_back("--use_fast_math");
  EXPECT_NE(cubinKey(other, "NVRTC 13.0"), key);
}

TEST(BuildKeys, FilesOfASourceAreKnownByTheirNames) {
  const auto request = [](const std::string& folder) {
    NvrtcRequest made;
    made.source = "__global__ void relu() {}";
    made.fileName = folder + "/relu.cu";
    made.headers = {{"warpbench-1-own.cuh", "#line 1 \"" + folder + "/own.cuh\"\nint own;"}};
    made.files = {{folder + "/relu.cu", "relu.cu"}, {folder + "/own.cuh", "own.cuh"}};
    return made;
  };
  const std::string key = cubinKey(request("/home/me"), "NVRTC 13.0");
  EXPECT_EQ(cubinKey(request("/home/you/other"), "NVRTC 13.0"), key);
  NvrtcRequest other = request("/home/me");
  other.headers[0].second += "int more;";
  EXPECT_NE(cubinKey(other, "NVRTC 13.0"), key);
  other = request("/home/me");
  other.files[0].name = other.fileName = "gelu.cu";
  EXPECT_NE(cubinKey(other, "NVRTC 13.0"), key);
}

TEST(BuildKeys, MessagesNameTheFilesAsTheyAreHere) {
  const auto folder = ScratchFolder::make(fs::temp_directory_path());
  ASSERT_TRUE(folder);
  setenv("WARPBENCH_CACHE", folder->path().c_str(), 1);
  NvrtcRequest there, here;
  there.files = {{"/there/relu.cu", "relu.cu"}};
  here.files = {{"/here/relu.cu", "relu.cu"}};
  NvrtcResult result;
  result.ok = true;
  result.log = "/there/relu.cu(3): warning";
  result.cubin = "binary";
  std::optional<BuiltFile> sent;
  const BuildExchange sending{{}, {}, [&](BuiltFile file) { sent = std::move(file); }};
  writeCubin("key", there, result, &sending);
  ASSERT_TRUE(sent);
  fs::remove_all(folder->path() / "cubin");
  std::string used;
  const BuildExchange taking{[&](const std::string& key) { return key == sent->key ? sent : std::nullopt; },
                             [&](const std::string& key) { used = key; },
                             {}};
  EXPECT_FALSE(readCubin("other", here, &taking));
  EXPECT_EQ(used, "");
  const auto taken = readCubin("key", here, &taking);
  ASSERT_TRUE(taken);
  EXPECT_EQ(used, "key");
  EXPECT_EQ(taken->cubin, "binary");
  EXPECT_EQ(taken->log, "/here/relu.cu(3): warning");
  // From now on it is in the cache.
  const auto kept = readCubin("key", there);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->log, "/there/relu.cu(3): warning");
  unsetenv("WARPBENCH_CACHE");
}

TEST(BuildKeys, CudaIsKnownByTheHeadersThatTellItsVersion) {
  const auto folder = ScratchFolder::make(fs::temp_directory_path());
  ASSERT_TRUE(folder);
  const auto headers = [&](const std::string& place, const std::string& text) {
    EXPECT_TRUE(writeFileAtomically(folder->path() / place / "cuda_runtime_api.h", text));
    return cudaHeadersIn((folder->path() / place).string());
  };
  const std::string one = headers("one", "#define CUDART_VERSION 13000");
  EXPECT_EQ(headers("two", "#define CUDART_VERSION 13000"), one);
  EXPECT_NE(headers("three", "#define CUDART_VERSION 13010"), one);
}

}  // namespace
}  // namespace wb
