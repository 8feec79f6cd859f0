// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/ssh/ssh_command.h"

#include <gmock/gmock.h>

#include <string>

namespace wb {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::MatchesRegex;

RunTarget target(const std::string& text) {
  const auto read = parseTarget(text);
  EXPECT_TRUE(read);
  return *read;
}

TEST(SshCommandTest, NothingIsAskedAndEveryKeyIsChecked) {
  const auto argv = sshCommand(target("ssh://me@box:2222/cpu?config=/etc/own"), "/run/wb");
  EXPECT_THAT(argv, AllOf(Contains("BatchMode=yes"), Contains("StrictHostKeyChecking=yes"),
                          Contains(MatchesRegex("ControlPath=/run/wb/[0-9a-f]{8}%C")), Contains("-F"),
                          Contains("/etc/own")));
  EXPECT_EQ(argv[argv.size() - 2], "box");
  EXPECT_EQ(argv[argv.size() - 3], "--");
  EXPECT_THAT(sshCommand(target("ssh://box"), {}), Contains("ControlPath=none"));
}

TEST(SshCommandTest, TheCommandIsOneForEveryLoginShell) {
  const std::string command = sshCommand(target("ssh://box"), {}).back();
  for (const char odd : {'\n', '!', '\\'}) EXPECT_EQ(command.find(odd), std::string::npos);
}

TEST(SshFailureTest, EachHasWordsOfItsOwn) {
  const auto words = [](const char* errors) { return describe(sshFailure("box", errors).error); };
  EXPECT_THAT(words("ssh: Could not resolve hostname box: Name or service not known"),
              HasSubstr("there is no host \"box\""));
  EXPECT_THAT(words("ssh: connect to host box port 22: Connection refused"),
              HasSubstr("box refuses the connection"));
  EXPECT_THAT(words("ssh: connect to host box port 22: Connection timed out"),
              HasSubstr("box does not answer"));
  EXPECT_THAT(words("No ED25519 host key is known for box and you have requested strict checking.\r\n"
                    "Host key verification failed."),
              AllOf(HasSubstr("the key of box is not known here"), HasSubstr("compare the fingerprint")));
  EXPECT_THAT(words("me@box: Permission denied (publickey)."), HasSubstr("ssh-copy-id"));
  EXPECT_THAT(words(""), HasSubstr("ended without a word"));
  EXPECT_THAT(words("something new"), HasSubstr("something new"));
}

TEST(SshFailureTest, OnlyTheNetworkMayPass) {
  EXPECT_TRUE(sshFailure("box", "Connection timed out").mayPass);
  EXPECT_FALSE(sshFailure("box", "Permission denied (publickey).").mayPass);
  EXPECT_TRUE(sshFailure("box", "ssh: Could not resolve hostname box: no such name").isUnknownName);
}

TEST(SshFailureTest, AChangedKeyHasItsPlace) {
  const SshFailure failure =
      sshFailure("box",
                 "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
                 "The fingerprint for the ED25519 key sent by the remote host is\nSHA256:abc+/1.\r\n"
                 "Add correct host key in /home/me/.ssh/known_hosts to get rid of this message.\r\n"
                 "Offending ED25519 key in /home/me/.ssh/known_hosts:7\r\n");
  EXPECT_EQ(failure.newFingerprint, "SHA256:abc+/1");
  EXPECT_EQ(failure.knownFile, "/home/me/.ssh/known_hosts");
  EXPECT_EQ(failure.knownLine, 7);
}

}  // namespace
}  // namespace wb
