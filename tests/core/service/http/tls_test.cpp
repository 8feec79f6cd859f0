// SPDX-License-Identifier: Apache-2.0
// A site with a certificate that the test makes.
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <memory>

#include "tests/core/service/http/site_fixture.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

template <class Write>
void writeFile(const std::filesystem::path& path, const Write& write) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(write(file), 1);
  std::fclose(file);
}

/// A key, and a certificate for this machine that it signs itself.
class Identity {
 public:
  explicit Identity(const std::filesystem::path& folder)
      : certificate((folder / "certificate.pem").string()), key((folder / "key.pem").string()) {
    const Owned<EVP_PKEY> secret(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const Owned<X509> made(X509_new(), X509_free);
    X509_set_version(made.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), 1);
    constexpr long hour = 3600;
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -hour);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), hour);
    X509_set_pubkey(made.get(), secret.get());
    X509_NAME* const name = X509_get_subject_name(made.get());
    const auto* const common = reinterpret_cast<const unsigned char*>("127.0.0.1");
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common, -1, -1, 0);
    X509_set_issuer_name(made.get(), name);
    EXPECT_GT(X509_sign(made.get(), secret.get(), EVP_sha256()), 0);
    writeFile(certificate, [&](std::FILE* file) { return PEM_write_X509(file, made.get()); });
    writeFile(key, [&](std::FILE* file) {
      return PEM_write_PrivateKey(file, secret.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }
  std::string certificate, key;
};

class TlsTest : public SiteTest {
 protected:
  TemporaryFolder folder;
  Identity identity{folder.path()};
};

TEST_F(TlsTest, AnswersWhoTrustsTheCertificate) {
  config.http.certificate = identity.certificate;
  config.http.key = identity.key;
  open();
  httplib::SSLClient trusting("127.0.0.1", site->port());
  trusting.set_ca_cert_path(identity.certificate.c_str());
  trusting.enable_server_certificate_verification(true);
  const auto answer = trusting.Get("/v1/suites");
  ASSERT_TRUE(answer) << httplib::to_string(answer.error());
  EXPECT_EQ(answer->status, 200);

  const TemporaryFolder other;
  const Identity another(other.path());
  httplib::SSLClient doubting("127.0.0.1", site->port());
  doubting.set_ca_cert_path(another.certificate.c_str());
  doubting.enable_server_certificate_verification(true);
  EXPECT_FALSE(doubting.Get("/v1/suites"));
  auto plain = client();
  const auto refused = plain.Get("/v1/suites");
  EXPECT_FALSE(refused && refused->status == 200) << "nothing is said without TLS";
}

TEST_F(TlsTest, AKeyOfAnotherCertificateIsRefusedAtTheStart) {
  const TemporaryFolder other;
  config.http.certificate = identity.certificate;
  config.http.key = Identity(other.path()).key;
  const auto opened = ServedSite::open(
      {.service = service, .config = config, .log = ServiceLog(LogFormat::json, [](const std::string&) {})});
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().text.find("the key of the certificate"), std::string::npos) << opened.error().text;
}

}  // namespace
}  // namespace wb
