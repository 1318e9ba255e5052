/** The connection of an smtp endpoint: a named one, or one to the server that its URI names. */
import { readServer } from "../../../shared/connections/servers.ts";
import type { MailClient } from "../../connectors/mail-client.ts";
import type { Connection, OwnConnection } from "../../engine/connections/connection.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { SmtpOptions } from "./options.ts";

/** What stands for a secret in a flow that is only checked. */
const standIn = "http://secret.invalid";

type Scheme = "smtp" | "smtps";

/** Throws an Error for options that contradict each other. */
export function connectionOf(
  scheme: Scheme,
  options: SmtpOptions,
  context: Pick<EndpointContext, "connection">,
): Connection<MailClient> {
  const own = ownOf(scheme, options);
  const { connection: reference } = options;
  if (own !== undefined && reference !== undefined)
    throw new Error("connection names a connection, and host a server of its own: leave one of them out");
  return context.connection({ kinds: ["smtp"], option: "connection", reference, own });
}

function ownOf(scheme: Scheme, options: SmtpOptions): OwnConnection | undefined {
  const { host, port, password } = options;
  if (host === undefined) {
    const given = Object.entries({ port, username: options.username, password }).find(
      ([, value]) => value !== undefined,
    );
    if (given === undefined) return undefined;
    throw new Error(
      `${given[0]} describes a server of the endpoint's own: write host, too, or connection in its place`,
    );
  }
  const address = host.replaceAll(standIn, "secret.invalid");
  const at = address.lastIndexOf("@");
  const user = at < 0 ? undefined : address.slice(0, at);
  if (user?.includes(":") === true)
    throw new Error("a password in the address would be shown: write username and password as options");
  const read = readServer(address.slice(at + 1).replace(/\/$/, ""));
  if (typeof read === "string") throw new Error(read);
  if (port !== undefined && read.port !== 0) throw new Error("the port is in host already: leave port out");
  const isImplicit = scheme === "smtps";
  const encrypts =
    isImplicit || options.tls || options["mail.smtp.starttls.enable"] || options["mail.smtp.starttls.required"];
  return {
    kind: "smtp",
    servers: [{ host: read.host, port: port ?? (read.port || (isImplicit ? 465 : 25)) }],
    username: options.username ?? user,
    password,
    ...(encrypts && { tls: {}, options: { encryption: isImplicit ? "implicit" : "starttls" } }),
  };
}
