// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/server/tls.h"

#include <fmt/format.h>
#include <openssl/err.h>

#include <array>

namespace wb {
namespace {

Error wrongFile(std::string_view what, const std::string& file, std::string hint) {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_peek_last_error(), reason.data(), reason.size());
  ERR_clear_error();
  return {Stage::setup, fmt::format("{} cannot be used as {}: {}", file, what, reason.data()),
          std::move(hint)};
}

}  // namespace

Result<TlsContext> tlsContext(const std::string& certificate, const std::string& key) {
  TlsContext context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context) return Error{Stage::setup, "OpenSSL gives no TLS context", {}};
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(context.get(), certificate.c_str()) != 1)
    return wrongFile("a TLS certificate", certificate, "give a PEM file with the certificate and its chain");
  if (SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) != 1)
    return wrongFile("the key of the certificate", key, "give the PEM file of the key, without a password");
  if (SSL_CTX_check_private_key(context.get()) != 1)
    return wrongFile("the key of the certificate", key, "it belongs to another certificate");
  return context;
}

}  // namespace wb
