/** The headers of a message that are meant for the mail (Camel: MailBinding.appendHeadersFromCamelMessage). */
import { isCredentialHeader, isSteeringHeader } from "../../../shared/http-headers.ts";
import type { MailHeader } from "../../connectors/mail-client.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { elementsOf } from "../../engine/json-node.ts";

/** Headers that are written by other means, and those of a connection or of the mail's way. */
const others: ReadonlySet<string> = new Set(
  (
    "to cc bcc from sender reply-to subject contenttype content-type content-transfer-encoding content-disposition content-length content-encoding " +
    "content-id mime-version message-id received return-path host connection transfer-encoding keep-alive upgrade expect te trailer " +
    "accept accept-encoding accept-language user-agent"
  ).split(" "),
);
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const controls = /[\x00-\x1f\x7f]+/g;

export class MailHeaders {
  readonly #exchange: Exchange;
  /** true: a call over HTTP began the message, and headers that no step has set are those of its caller. */
  readonly #isOfCaller: boolean;

  constructor(exchange: Exchange) {
    const { headers } = exchange.message;
    this.#exchange = exchange;
    this.#isOfCaller = headers.has("CamelHttpMethod") && !headers.isWritten("CamelHttpMethod");
  }

  /**
   * Returns the values of a header that says who gets the mail or who has sent it; undefined without one. Throws for one
   * that a caller over HTTP has sent.
   */
  addresses(name: string): readonly string[] | undefined {
    const texts = textsOf(this.#exchange.message.headers.get(name));
    if (texts === undefined || this.#counts(name)) return texts;
    throw new FlowException(
      "java.lang.IllegalArgumentException",
      `the header ${name} came with the call over HTTP, and a caller may not address mails: set it in a step, remove it, or write useHeaderRecipients, useHeaderFrom or useHeaderReplyTo: false`,
    );
  }

  /** Returns the value of a header, on one line; undefined without one, and for one of a caller. */
  line(name: string): string | undefined {
    return this.#counts(name) ? oneLine(textsOf(this.#exchange.message.headers.get(name))?.join(", ")) : undefined;
  }

  /** Returns the headers that are sent as they are. `except`: the name of one that is not. */
  *sent(except: string): Iterable<MailHeader> {
    for (const [name, value] of this.#exchange.message.headers.entries()) {
      const lower = name.toLowerCase();
      if (others.has(lower) || lower === except.toLowerCase() || isSteeringHeader(lower)) continue;
      if (!token.test(name) || isCredentialHeader(lower) || !this.#counts(name)) continue;
      for (const text of textsOf(value) ?? []) yield [name, oneLine(text) ?? ""];
    }
  }

  #counts(name: string): boolean {
    return !this.#isOfCaller || this.#exchange.message.headers.isWritten(name);
  }
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return undefined;
  const list = elementsOf(value);
  if (list === undefined) return [asText(value)];
  return list.filter((one) => one !== null && one !== undefined).map((one) => asText(one));
}

/** A line break would begin a header of its own. */
function oneLine(text: string | undefined): string | undefined {
  return text?.replaceAll(controls, " ").trim();
}
