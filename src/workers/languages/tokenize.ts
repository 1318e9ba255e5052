/** The tokenize language (Camel: TokenizeLanguage). */

import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineLanguage, type LanguageContext } from "../engine/language.ts";
import { LazyList } from "../engine/lazy-list.ts";
import { textIn } from "../engine/message-text.ts";
import type { Expression } from "../engine/processor.ts";
import { compileRegex, type Regex, regexCache } from "../engine/regex.ts";
import { sourceReader } from "./input.ts";
import { grouped, pairsOf, skipFirst, tokensOf } from "./tokenize/parts.ts";
import { elementsOf, inheritedNamespaces } from "./tokenize/xml-elements.ts";

interface Options {
  readonly endToken?: string | undefined;
  readonly xml?: boolean | undefined;
  readonly includeTokens?: boolean | undefined;
  readonly inheritNamespaceTagName?: string | undefined;
  readonly group?: string | undefined;
  readonly groupDelimiter?: string | undefined;
  readonly skipFirst?: boolean | undefined;
  readonly source?: string | undefined;
}

export const tokenize = defineLanguage({
  name: "tokenize",
  docs:
    "The parts of a text, for split. `token` is a regular expression between the parts, with or without `regex` (as in Camel); with " +
    "endToken the parts are what stands between the two; with `xml: true` they are the elements of that name. `group` joins so many " +
    "parts, skipFirst leaves out the first. token, endToken and group may have simple in them. Outside of split it is a list.",
  text: "token",
  options: (z, { flag, idle, text }) =>
    z.object({
      endToken: text("What ends a part: the parts are what stands between `token` and this.").optional(),
      regex: idle(flag, "a token is a regular expression in any case, as in Camel"),
      xml: flag("`token` is the name of XML elements, and these are the parts.").default(false),
      includeTokens: flag("Keeps `token` and `endToken` around each part.").default(false),
      inheritNamespaceTagName: text(
        "The element around the parts whose namespaces each part gets; with `xml`.",
      ).optional(),
      group: text("Joins this many parts to one; may be a simple template.").optional(),
      groupDelimiter: text(
        "What stands between joined parts; by default the token itself, with `xml` nothing.",
      ).optional(),
      skipFirst: flag("Leaves out the first part, such as the line with the names of columns.").default(false),
      source: text(
        "Where the text is taken from: `header:name`, `property:name` or `variable:name`; by default the body.",
      ).optional(),
    }),
  example: ",",
  expression(text, options, context) {
    const walk = walker(text, options, context);
    const input = sourceReader(options.source, context);
    return (exchange) => {
      const value = input(exchange);
      if (value === null)
        throw new FlowException("java.lang.NullPointerException", "there is no text to tokenize: the input is null");
      const content = textIn(exchange, value);
      const parts = walk(content, exchange);
      return new LazyList(parts, exchange.run.limits.messageBodyBytes);
    };
  },
  predicate(text, options, context) {
    walker(text, options, context);
    // In Camel an iterator is a value, so the predicate is true.
    return () => true;
  },
});

type Walk = (content: string, exchange: Exchange) => () => Iterator<unknown>;

function walker(written: string, options: Options, context: LanguageContext): Walk {
  const { endToken, inheritNamespaceTagName, xml, includeTokens } = options;
  if (endToken !== undefined && inheritNamespaceTagName !== undefined)
    throw new Error("endToken and inheritNamespaceTagName exclude each other");
  if (xml && (endToken !== undefined || includeTokens)) throw new Error("xml and endToken exclude each other");
  if (includeTokens && endToken === undefined) throw new Error("includeTokens needs an endToken");
  const token = dynamicText(written, context);
  if (token.fixed === "") throw new Error("a token is missing");
  const parts = partsOf(token, options, context);
  const size = options.group === undefined ? undefined : dynamicText(options.group, context);
  if (size === undefined) {
    // Camel skips the first part only between tokens of text.
    const skips = options.skipFirst === true && !xml && endToken === undefined;
    return (content, exchange) => {
      const walk = parts(content, exchange);
      return skips ? () => skipFirst(walk()) : walk;
    };
  }
  return (content, exchange) => {
    const walk = parts(content, exchange);
    const count = groupSize(size.read(exchange));
    const delimiter = xml ? "" : (options.groupDelimiter ?? token.read(exchange));
    const skips = options.skipFirst === true && !xml;
    const { messageBodyBytes } = exchange.run.limits;
    return () => grouped(skips ? skipFirst(walk()) : walk(), count, delimiter, messageBodyBytes);
  };
}

function partsOf(
  token: DynamicText,
  options: Options,
  context: LanguageContext,
): (content: string, exchange: Exchange) => () => Iterator<string> {
  const { endToken, includeTokens = false, inheritNamespaceTagName, xml } = options;
  if (xml) {
    return (content, exchange) => {
      const namespaces =
        inheritNamespaceTagName === undefined ? "" : inheritedNamespaces(content, inheritNamespaceTagName);
      const name = token.read(exchange);
      return () => elementsOf(content, name, namespaces);
    };
  }
  if (endToken !== undefined) {
    const end = dynamicText(endToken, context);
    return (content, exchange) => {
      const [from, to] = [token.read(exchange), end.read(exchange)];
      return () => pairsOf(content, from, to, includeTokens);
    };
  }
  const cached = regexCache();
  const fixed: Regex | undefined = token.fixed === undefined ? undefined : compileRegex(token.fixed);
  return (content, exchange) => {
    const delimiter = fixed ?? cached(token.read(exchange));
    return () => tokensOf(content, delimiter);
  };
}

interface DynamicText {
  /** The text, if it contains no functions of simple. */
  readonly fixed: string | undefined;
  read(exchange: Exchange): string;
}

function dynamicText(text: string, context: LanguageContext): DynamicText {
  const simple = text.includes("${") ? context.language("simple") : undefined;
  if (simple === undefined) return { fixed: text, read: () => text };
  const value: Expression = simple.expression(text, {}, context);
  return { fixed: undefined, read: (exchange) => textIn(exchange, value(exchange)) };
}

function groupSize(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new FlowException(
    "java.lang.IllegalArgumentException",
    `group is a number of parts, 1 or more; found '${text}'`,
  );
}
