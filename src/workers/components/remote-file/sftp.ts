/** The options of sftp endpoints beside those that all servers of files have, and the connection that they describe. */
import type { Slots, Z } from "../../engine/slots.ts";
import type { RemoteScheme } from "./connection.ts";
import { remoteOptions } from "./options.ts";

const noFiles = "a flow has no files of keys: write";
const noCertificates = "certificates of users and hosts are not supported: write privateKey and knownHosts";

export function sftpOptions(z: Z, slots: Slots) {
  const { text, flag, integer, duration, oneOf, only, idle, refused } = slots;
  return z.object({
    ...remoteOptions(slots),
    privateKey: text(
      "The private key of `username`, in OpenSSH's or PEM format. Write a secret: `{{secret:NAME}}`.",
    ).optional(),
    privateKeyPassphrase: text("What the private key is encrypted with. Write a secret: `{{secret:NAME}}`.").optional(),
    knownHosts: text(
      "The keys of the server that `host` names, a line each as in the file known_hosts, or a secret with these. A server with another key is refused.",
    ).optional(),
    strictHostKeyChecking: refused("host keys are always checked: write knownHosts, and leave it out", "yes"),
    ciphers: text("The ciphers in their order, with commas, for the server that `host` names.").optional(),
    keyExchangeProtocols: text(
      "The key exchanges in their order, with commas, for the server that `host` names.",
    ).optional(),
    serverHostKeys: text(
      "The kinds of host keys in their order, with commas, for the server that `host` names.",
    ).optional(),
    preferredAuthentications: text(
      "How to log in at the server that `host` names, in which order: `publickey,password`.",
    ).optional(),
    compression: integer("Above 0: compresses what is sent and received; for the server that `host` names.").optional(),
    serverAliveInterval: duration(
      "After which silence the server that `host` names is asked whether it is there; 0: never.",
    ).optional(),
    serverAliveCountMax: integer("How many such questions may stay without an answer.").optional(),
    chmodDirectory: text("The rights that a directory gets when it is made for a file, such as `750`.")
      .refine((mode) => /^[0-7]{3,4}$/.test(mode), "chmodDirectory is written as 750")
      .optional(),
    filenameEncoding: oneOf(["UTF-8"], "The character set of names: always UTF-8.").optional(),
    binary: idle(flag, "files are sent and received as they are"),
    passiveMode: idle(flag, "the protocol has one connection, and no connections for data"),
    bulkRequests: idle(integer, "16 requests of a file are under way at a time"),
    existDirCheckUsingLs: idle(flag, "directories are looked for by their names"),
    useUserKnownHostsFile: refused(`${noFiles} knownHosts`, "true"),
    autoCreateKnownHostsFile: only(
      false,
      "the runtime does not trust an unchecked key: add the server's key to knownHosts",
    ),
    knownHostsFile: refused(`${noFiles} knownHosts, with the file's content`),
    knownHostsUri: refused(`${noFiles} knownHosts, with the file's content`),
    privateKeyFile: refused(`${noFiles} privateKey: {{secret:NAME}}`),
    privateKeyUri: refused(`${noFiles} privateKey: {{secret:NAME}}`),
    keyPair: refused(`${noFiles} privateKey: {{secret:NAME}}`),
    publicKeyAcceptedAlgorithms: refused("what the key can sign with is tried: leave it out"),
    caSignatureAlgorithms: refused(noCertificates),
    certBytes: refused(noCertificates),
    certFile: refused(noCertificates),
    certUri: refused(noCertificates),
    bindAddress: refused("connections begin at the machine's usual address: leave it out"),
    proxy: refused("connections go to the server itself, whose address is checked: leave it out"),
    jschLoggingLevel: refused("failures have their causes: leave it out", "WARN"),
    serverMessageLoggingLevel: refused("failures have their causes: leave it out", "DEBUG"),
  });
}

export type SftpOptions = ReturnType<ReturnType<typeof sftpOptions>["parse"]>;

/** The options of sftp endpoints in which secrets may stand. */
export const sftpSecrets = {
  host: "text",
  username: "text",
  password: "text",
  privateKey: "text",
  privateKeyPassphrase: "text",
  knownHosts: "text",
} as const;

export function sftpScheme(options: SftpOptions): RemoteScheme {
  const { privateKey, privateKeyPassphrase, knownHosts, ciphers, keyExchangeProtocols, serverHostKeys } = options;
  const { preferredAuthentications, compression, serverAliveInterval, serverAliveCountMax } = options;
  const own = {
    ...(knownHosts !== undefined && { knownHosts }),
    ...(ciphers !== undefined && { ciphers }),
    ...(keyExchangeProtocols !== undefined && { keyExchange: keyExchangeProtocols }),
    ...(serverHostKeys !== undefined && { serverHostKeys }),
    ...(preferredAuthentications !== undefined && { authentications: preferredAuthentications }),
    ...(compression !== undefined && { compression: compression > 0 }),
    ...(serverAliveInterval !== undefined && { keepAliveMs: serverAliveInterval }),
    ...(serverAliveCountMax !== undefined && { keepAliveCount: serverAliveCountMax }),
  };
  const given = { privateKey, privateKeyPassphrase, ...own };
  return {
    kind: "sftp",
    port: 22,
    own: { privateKey, passphrase: privateKeyPassphrase, options: own },
    given: Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  };
}
