/** How the client identifies itself to the broker. */
import type { ConnectionSettings } from "../../../shared/connection.ts";
import type { Mechanism } from "./library.ts";

/** Mechanisms by name; the broker's list decides which is used. */
export function mechanismsOf({
  username,
  password = "",
  cert,
}: Pick<ConnectionSettings, "username" | "password" | "cert">): Readonly<Record<string, () => Mechanism>> {
  if (username !== undefined) return { PLAIN: () => answering(Buffer.from(`\0${username}\0${password}`)) };
  const anonymous = { ANONYMOUS: () => answering(Buffer.from("anonymous")) };
  return cert === undefined ? anonymous : { EXTERNAL: () => answering(""), ...anonymous };
}

function answering(response: Uint8Array | string): Mechanism {
  return {
    start: (answer) => answer(undefined, response),
    step: (_challenge, answer) => answer(undefined, ""),
  };
}
