/** Private keys of SSH, which connections of a thread share. */
import assert from "node:assert/strict";
import { test } from "node:test";
import ssh2 from "ssh2";
import { readPrivateKey } from "../../../src/workers/connectors/sftp/private-key.ts";

const passphrase = "a-passphrase-for-tests";
const pair = ssh2.utils.generateKeyPairSync("ed25519", { passphrase, cipher: "aes256-ctr", rounds: 1 });

test("a key is decrypted once, and only for who has its passphrase", () => {
  const key = readPrivateKey(pair.private, passphrase);
  assert.ok(key.isPrivateKey());
  assert.equal(readPrivateKey(pair.private, passphrase), key);
  assert.throws(() => readPrivateKey(pair.private, "another"), /Cannot parse privateKey: /);
  assert.throws(() => readPrivateKey(pair.private, undefined), /Cannot parse privateKey: .*passphrase/);
});

test("what is no private key is refused", () => {
  assert.throws(() => readPrivateKey(pair.public, undefined), /it is a public key/);
  assert.throws(() => readPrivateKey("nonsense", undefined), /Cannot parse privateKey: /);
});
