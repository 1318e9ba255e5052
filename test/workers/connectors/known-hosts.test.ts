/** Keys of servers against lines of known_hosts. */
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { checkHostKey } from "../../../src/workers/connectors/sftp/known-hosts.ts";

function newKey(): Buffer {
  const type = Buffer.from("ssh-ed25519");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(type.length);
  return Buffer.concat([length, type, Buffer.from([0, 0, 0, 32]), randomBytes(32)]);
}

const key = newKey();
const text = key.toString("base64");
const salt = randomBytes(20);
const hashed = (name: string): string =>
  `|1|${salt.toString("base64")}|${createHmac("sha1", salt).update(name).digest("base64")}`;

const known: readonly (readonly [lines: string, port: number])[] = [
  [`files.example.org ssh-ed25519 ${text} of the server`, 22],
  [`# a comment\n\nother.example.org,files.example.org ssh-ed25519 ${text}`, 22],
  [`*.example.org ssh-ed25519 ${text}`, 22],
  [`FILES.example.or? ssh-ed25519 ${text}`, 22],
  [`[files.example.org]:2222 ssh-ed25519 ${text}`, 2222],
  [`${hashed("files.example.org")} ssh-ed25519 ${text}`, 22],
  [`files.example.org ssh-rsa AAAA\nfiles.example.org ssh-ed25519 ${text}`, 22],
];

for (const [lines, port] of known)
  test(`${lines.replaceAll(text, "KEY").slice(0, 60)} is for the server`, () => {
    assert.equal(checkHostKey(lines, "files.example.org", port, key).isKnown, true);
  });

const unknown: readonly (readonly [lines: string, problem: RegExp])[] = [
  ["", /is not known; if it is the server's, write into knownHosts: files\.example\.org ssh-ed25519 AAAA/],
  [`other.example.org ssh-ed25519 ${text}`, /is not known/],
  [`[files.example.org]:2222 ssh-ed25519 ${text}`, /is not known/],
  [`*.example.org,!files.example.org ssh-ed25519 ${text}`, /is not known/],
  [`files.example.org ssh-ed25519 ${newKey().toString("base64")}`, /is none of those that knownHosts has/],
  [`files.example.org ssh-ed25519 ${text}\n@revoked * ssh-ed25519 ${text}`, /is none of those/],
  [`@cert-authority *.example.org ssh-ed25519 ${text}`, /is not known/],
];

for (const [lines, problem] of unknown)
  test(`${lines.replaceAll(text, "KEY").slice(0, 60) || "nothing"} is not for the server, and the failure says which key it has`, () => {
    const verdict = checkHostKey(lines, "files.example.org", 22, key);
    assert.equal(verdict.isKnown, false);
    assert.match(verdict.problem, problem);
    assert.match(verdict.problem, /^the host key SHA256:[\w+/]{43} \(ssh-ed25519\)/);
  });
