import type { ConnectionKind } from "./kind.ts";

const always = "host keys are always checked: write knownHosts";
const list = (what: string): string => `${what}, with commas; by default those that are held to be safe.`;

export const sftp: ConnectionKind = {
  name: "sftp",
  title: "SFTP server",
  docs: "A server of files over SSH (SFTP).",
  port: 22,
  fields: ["username", "passwordRef", "privateKeyRef", "passphraseRef"],
  required: ["username"],
  options: {
    knownHosts: {
      type: "text",
      most: 20_000,
      words:
        "The server's keys, a line each as in the file known_hosts: `sftp.example.org ssh-ed25519 AAAA...`. A server with another key is refused, and the failure says which key it has.",
    },
    ciphers: { type: "text", words: list("The ciphers in their order") },
    keyExchange: { type: "text", words: list("The key exchanges in their order") },
    serverHostKeys: { type: "text", words: list("The kinds of host keys in their order") },
    authentications: {
      type: "text",
      words:
        "How to log in, in which order: `publickey`, `password`, with a comma between them. By default what there is.",
    },
    compression: { type: "flag", default: false, words: "Compresses what is sent and received." },
    keepAliveMs: {
      type: "whole",
      default: 5000,
      least: 0,
      most: 3_600_000,
      words: "After how many milliseconds of silence the server is asked whether it is there; 0: never.",
    },
    keepAliveCount: {
      type: "whole",
      default: 3,
      least: 1,
      most: 100,
      words: "How many such questions may stay without an answer before the connection is given up.",
    },
  },
  refused: {
    strictHostKeyChecking: always,
    hostVerifier: always,
    fingerprint: "write knownHosts, with the whole key",
    knownHostsFile: "write the file's content as knownHosts",
    privateKey:
      'a private key is a secret: put it into SECRETS_DIR/_connections/NAME, and write "privateKeyRef": "NAME"',
    passphrase: 'put it into SECRETS_DIR/_connections/NAME, and write "passphraseRef": "NAME"',
    agent: "the runtime has no agent: write privateKeyRef",
    proxy: "connections go to the server itself, whose address is checked: leave it out",
  },
  maxConnections: 5,
  example:
    '{"kind": "sftp", "servers": ["sftp.example.org:22"], "username": "shop", "privateKeyRef": "SHOP_SFTP", "options": {"knownHosts": "sftp.example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE0"}}',
};
