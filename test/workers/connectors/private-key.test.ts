/** Private keys of SSH, which connections of a thread share. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPrivateKey } from "../../../src/workers/connectors/sftp/private-key.ts";
import { makeSshKey } from "../../support/ssh-key.ts";

const passphrase = "a-passphrase-for-tests";
const pair = makeSshKey({ encrypted: { passphrase, rounds: 1 } });

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
