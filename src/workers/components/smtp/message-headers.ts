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

/** Which headers count: undefined: those that steps have set; true: those that a broker has delivered, too; false: none. */
export type UseHeader = boolean | undefined;

/** What came with the message may be a stranger's, and does not count unless the endpoint says so; Camel takes all. */
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
   * Returns the values of a header that says who gets the mail or who has sent it; undefined without one that counts. Throws for
   * one that a caller over HTTP has sent where the endpoint takes those that came with the message.
   */
  addresses(name: string, use: UseHeader): readonly string[] | undefined {
    const texts = textsOf(this.#exchange.message.headers.get(name));
    if (texts === undefined || use === false) return undefined;
    if (use === true && this.#isOfCaller && !this.#isSet(name))
      throw new FlowException(
        "java.lang.IllegalArgumentException",
        `the header ${name} came with the call over HTTP, and a caller may not address mails: set it in a step, remove it, or leave useHeaderRecipients, useHeaderFrom and useHeaderReplyTo out`,
      );
    return use === true || this.#isSet(name) ? texts : undefined;
  }

  /** Returns the value of a header, on one line; undefined without one that counts. */
  line(name: string, use?: UseHeader): string | undefined {
    if (use === false) return undefined;
    const counts = this.#isSet(name) || (use === true && !this.#isOfCaller);
    return counts ? oneLine(textsOf(this.#exchange.message.headers.get(name))?.join(", ")) : undefined;
  }

  /** Returns the headers that are sent as they are. `except`: the name of one that is not. */
  *sent(except: string): Iterable<MailHeader> {
    for (const [name, value] of this.#exchange.message.headers.entries()) {
      const lower = name.toLowerCase();
      if (others.has(lower) || lower === except.toLowerCase() || isSteeringHeader(lower)) continue;
      if (!token.test(name) || isCredentialHeader(lower) || !this.#isSet(name)) continue;
      for (const text of textsOf(value) ?? []) yield [name, oneLine(text) ?? ""];
    }
  }

  /** Whether a step of the flow has set it. */
  #isSet(name: string): boolean {
    return this.#exchange.message.headers.isWritten(name);
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
