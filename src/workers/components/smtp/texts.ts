/** The text of a mail in its character set, and beside it the alternative one (Camel: MailBinding.determineContentType). */
import type { MailText } from "../../connectors/mail-client.ts";
import { type Charset, charsetNamed, charsetNameOf } from "../../engine/charset.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { textIn } from "../../engine/message-text.ts";
import { parseField } from "../../engine/multipart.ts";
import type { MailHeaders } from "./message-headers.ts";
import type { SmtpOptions } from "./options.ts";

type TextOptions = Pick<SmtpOptions, "contentType" | "alternativeBodyHeader" | "ignoreUnsupportedCharset">;

/** The best one is last. Throws UnsupportedEncodingException. */
export function textsOf(exchange: Exchange, headers: MailHeaders, options: TextOptions): readonly MailText[] {
  const { message } = exchange;
  const given = headers.line("contentType") ?? headers.line("Content-Type") ?? options.contentType;
  const { value } = parseField(given);
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(value))
    throw new FlowException(
      "jakarta.mail.internet.ParseException",
      `the content type is no type of a text, such as text/html: ${JSON.stringify(given.slice(0, 100))}`,
    );
  if (value.startsWith("multipart/"))
    throw new FlowException(
      "jakarta.mail.internet.ParseException",
      "a mail is made of its parts here: give the text as the body, and files as attachments",
    );
  const { name, charset } = charsetOf(given, exchange, options.ignoreUnsupportedCharset);
  const { body } = message;
  const known = charsetNameOf(exchange);
  // Bytes of the mail's own set, and those whose set nothing names, are sent as they are.
  const isWritten = body instanceof Uint8Array && (known === undefined || charsetNamed(known) === charset);
  const content = isWritten ? body : charset.encode(body === null ? "" : textIn(exchange, body));
  const text: MailText = { contentType: `${value}; charset=${name}`, content };
  const alternative = message.headers.get(options.alternativeBodyHeader);
  if (alternative === null || alternative === undefined) return [text];
  return [{ contentType: `text/plain; charset=${name}`, content: charset.encode(asText(alternative)) }, text];
}

function charsetOf(
  type: string,
  exchange: Exchange,
  ignoresUnknown: boolean,
): { readonly name: string; readonly charset: Charset } {
  const named = parseField(type).parameters.get("charset") ?? charsetNameOf(exchange);
  const name = named ?? "UTF-8";
  const charset = /^[\w.:+-]+$/.test(name) ? charsetNamed(name) : undefined;
  if (charset !== undefined) return { name, charset };
  const usual = charsetNamed("UTF-8");
  if (ignoresUnknown && usual !== undefined) return { name: "UTF-8", charset: usual };
  throw new FlowException("java.io.UnsupportedEncodingException", name.slice(0, 100));
}
