/** Ids of messages, which have four types in AMQP and are texts in JMS (the mapping of Qpid JMS). */
import type { TypedValue } from "./byte-reader.ts";

const uuidPrefix = "ID:AMQP_UUID:";
const ulongPrefix = "ID:AMQP_ULONG:";
const binaryPrefix = "ID:AMQP_BINARY:";
const barePrefix = "ID:AMQP_NO_PREFIX:";

/** A text that does not begin with `ID:` gets a prefix, since ids of JMS begin so. */
export function messageIdText(id: TypedValue): string | null {
  const { value } = id;
  if (typeof value === "string" && id.type !== "uuid" && !value.startsWith("ID:")) return `${barePrefix}${value}`;
  return correlationText(id);
}

/** What an application has chosen as a correlation id stays as it is. */
export function correlationText({ type, value }: TypedValue): string | null {
  if (value === null || value === undefined) return null;
  if (type === "uuid") return `${uuidPrefix}${String(value)}`;
  if (value instanceof Uint8Array) return `${binaryPrefix}${Buffer.from(value).toString("hex").toUpperCase()}`;
  if (typeof value === "number" || typeof value === "bigint") return `${ulongPrefix}${value}`;
  return String(value);
}

/** The id that a text stands for. */
export function idOfText(
  text: string,
):
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "ulong"; readonly value: bigint }
  | { readonly type: "uuid"; readonly value: Uint8Array }
  | { readonly type: "binary"; readonly value: Uint8Array } {
  const rest = (prefix: string): string | undefined =>
    text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
  const uuid = rest(uuidPrefix)?.replaceAll("-", "");
  if (uuid !== undefined && /^[0-9a-f]{32}$/i.test(uuid)) return { type: "uuid", value: Buffer.from(uuid, "hex") };
  const whole = rest(ulongPrefix);
  if (whole !== undefined && /^\d{1,20}$/.test(whole))
    return { type: "ulong", value: BigInt.asUintN(64, BigInt(whole)) };
  const hex = rest(binaryPrefix);
  if (hex !== undefined && /^(?:[0-9a-f]{2})*$/i.test(hex)) return { type: "binary", value: Buffer.from(hex, "hex") };
  return { type: "string", value: rest(barePrefix) ?? text };
}
