/** The options of ftp and ftps endpoints beside those that all servers of files have, and the connection that they describe. */
import type { Slots, Z } from "../../engine/slots.ts";
import type { RemoteScheme } from "./connection.ts";
import { remoteOptions } from "./options.ts";

const noBeans = "there are no beans of this kind: leave it out";
const noStores = "write a named connection, whose field tls has ca, certRef and keyRef";
const active =
  "in active mode the server opens connections to its client, and threads that run flows cannot wait for any: leave it out, or write true";

function ftpFields(slots: Slots) {
  const { text, only, refused } = slots;
  return {
    ...remoteOptions(slots),
    passiveMode: only(true, active),
    binary: only(true, "files are sent and received as they are: leave it out, or write true"),
    siteCommand: text("Commands that are sent with SITE after the login, a line each, such as `UMASK 022`.").optional(),
    account: refused("servers that ask for an account (ACCT) are not supported: leave it out"),
    activePortRange: refused(active),
    ftpClient: refused(noBeans),
    ftpClientConfig: refused(noBeans),
    ftpClientConfigParameters: refused(noBeans),
    ftpClientParameters: refused(noBeans),
  };
}

export function ftpOptions(z: Z, slots: Slots) {
  return z.object(ftpFields(slots));
}

export function ftpsOptions(z: Z, slots: Slots) {
  const { flag, integer, oneOf, only, idle, refused } = slots;
  return z.object({
    ...ftpFields(slots),
    implicit: flag(
      "TLS from the first byte, for the server that `host` names; without this the connection begins in clear, and changes to TLS before the login.",
    ).default(false),
    execProt: oneOf(["P"], "How connections for data are protected: always `P`, encrypted.").optional(),
    execPbsz: idle(integer, "it is always 0 with TLS"),
    disableSecureDataChannelDefaults: only(false, "connections for data are always encrypted: leave it out"),
    securityProtocol: idle(slots.text, "TLS 1.2 and 1.3 are used"),
    ftpClientKeyStoreParameters: refused(noStores),
    ftpClientTrustStoreParameters: refused(noStores),
    sslContextParameters: refused(noStores),
  });
}

export type FtpOptions = ReturnType<ReturnType<typeof ftpOptions>["parse"]>;
export type FtpsOptions = ReturnType<ReturnType<typeof ftpsOptions>["parse"]>;

/** The options of ftp endpoints in which secrets may stand. */
export const ftpSecrets = { host: "text", username: "text", password: "text" } as const;

export function ftpScheme({ siteCommand }: FtpOptions): RemoteScheme {
  return { kind: "ftp", port: 21, own: {}, given: [], ...sessionOf(siteCommand) };
}

export function ftpsScheme({ siteCommand, implicit }: FtpsOptions): RemoteScheme {
  const encryption = implicit ? "implicit" : "explicit";
  return {
    kind: "ftp",
    port: implicit ? 990 : 21,
    own: { tls: {}, options: { encryption } },
    given: implicit ? ["implicit"] : [],
    ...sessionOf(siteCommand),
  };
}

function sessionOf(siteCommand: string | undefined): Pick<RemoteScheme, "session"> {
  return siteCommand === undefined ? {} : { session: { siteCommand } };
}
