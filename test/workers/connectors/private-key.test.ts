/** Private keys of SSH. */
import assert from "node:assert/strict";
import { test } from "node:test";
import ssh2 from "ssh2";
import { readPrivateKey } from "../../../src/workers/connectors/sftp/private-key.ts";

test("an encrypted key is decrypted once, and one that cannot be read is left to the connection's own message", () => {
  const pair = ssh2.utils.generateKeyPairSync("ed25519", { passphrase: "phrase", cipher: "aes256-ctr", rounds: 1 });
  const key = readPrivateKey(pair.private, "phrase");
  assert.ok(typeof key !== "string" && key.isPrivateKey());
  assert.equal(readPrivateKey(pair.private, "phrase"), key);
  assert.equal(readPrivateKey(pair.private, "wrong"), pair.private);
  assert.equal(readPrivateKey(pair.private, undefined), pair.private);
});
