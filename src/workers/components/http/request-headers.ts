/** Selects the headers of a message that are sent to a server (Camel: HttpProducer, HttpHeaderFilterStrategy). */
import { isSteeringHeader } from "../../../shared/http-headers.ts";
import { asText } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { elementsOf } from "../../engine/json-node.ts";
import type { HttpSettings } from "./settings.ts";

/** HttpUtil.addCommonFilters: headers of the body and of the connection. */
export const commonHeaders: ReadonlySet<string> = new Set(
  "content-length content-type host cache-control connection date pragma trailer transfer-encoding upgrade via warning".split(
    " ",
  ),
);
/** Further headers of the connection, which Camel would send. */
const ofConnection: ReadonlySet<string> = new Set(["expect", "keep-alive", "proxy-connection"]);

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const controls = /[\x00-\x08\x0a-\x1f\x7f]/g;
const aboveLatin1 = /[\u0100-\uffff]/;

/**
 * Returns alternating names and values: all headers of the message but the filtered ones, including those of the
 * request that began the run, such as Authorization. A list of several values is `[a, b]`. Names that are not valid in
 * HTTP are omitted.
 */
export function requestHeaders({ message }: Exchange, settings: HttpSettings): string[] {
  const { options } = settings;
  const sent: string[] = [];
  const names = new Set<string>();
  const add = (name: string, value: string): void => {
    names.add(name.toLowerCase());
    sent.push(name, fieldValue(value));
  };
  if (!options.skipRequestHeaders) {
    const inQuery = options.bridgeEndpoint ? queryNames(message.headers.get("CamelHttpQuery")) : undefined;
    for (const [name, value] of message.headers.entries()) {
      const lower = name.toLowerCase();
      if (commonHeaders.has(lower) || ofConnection.has(lower) || isSteeringHeader(lower)) continue;
      if (inQuery?.has(name) === true || !token.test(name)) continue;
      const text = headerText(value);
      if (text !== undefined) add(name, text);
    }
  }
  const host = options.preserveHostHeader ? headerText(message.headers.get("Host")) : undefined;
  if (host !== undefined || options.customHostHeader !== undefined) add("Host", host ?? options.customHostHeader ?? "");
  if (!names.has("user-agent")) add("User-Agent", options.userAgent ?? "bulkhead");
  // A bridge forwards the answer's encoding unchanged.
  if (!names.has("accept-encoding") && !options.bridgeEndpoint) add("Accept-Encoding", "gzip, deflate, br");
  return sent;
}

function headerText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const list = elementsOf(value);
  if (list === undefined) return asText(value);
  const texts = list.filter((one) => one !== null && one !== undefined).map((one) => asText(one));
  if (texts.length === 0) return undefined;
  return texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
}

/** A line break becomes a space, as in Apache's client; text beyond Latin-1 is sent as UTF-8. */
export function fieldValue(text: string): string {
  const line = text.replaceAll(controls, " ").trim();
  return aboveLatin1.test(line) ? Buffer.from(line).toString("latin1") : line;
}

function queryNames(query: unknown): ReadonlySet<string> {
  return new Set(new URLSearchParams(asText(query)).keys());
}
