/**
 * Cuts elements out of XML text without parsing it (Camel: TokenXMLExpressionIterator): the first end tag ends an
 * element.
 */

const nameEnd = /[\s/>]/;

/**
 * `name`: `order`, `<order>` or `p:order`; without a prefix it matches elements of every prefix. `namespaces` is added
 * to each start tag. As in Camel, the end tag of an inner element of the same name ends the outer one.
 */
export function* elementsOf(text: string, name: string, namespaces: string): Generator<string> {
  const wanted = name.replace(/^<|>$/g, "");
  for (let at = 0; ; ) {
    const open = startTag(text, wanted, at);
    if (open === undefined) return;
    const { start, end, tag, empty } = open;
    const until = empty ? end : endTag(text, wanted, end);
    if (until === undefined) return;
    yield withNamespaces(text.slice(start, end), tag, namespaces) + text.slice(end, until);
    at = until;
  }
}

/** Returns the namespace declarations of the first start tag of this name, each after a blank; "" without any. */
export function inheritedNamespaces(text: string, name: string): string {
  const open = startTag(text, name.replace(/^<|>$/g, ""), 0);
  if (open === undefined) return "";
  return [...text.slice(open.start, open.end).matchAll(/\sxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"<]*"|'[^'<]*')/g)]
    .map(([declaration]) => ` ${declaration.trim()}`)
    .join("");
}

interface StartTag {
  readonly start: number;
  readonly end: number;
  /** The name as written. */
  readonly tag: string;
  readonly empty: boolean;
}

function startTag(text: string, wanted: string, from: number): StartTag | undefined {
  for (let start = text.indexOf("<", from); start >= 0; start = text.indexOf("<", start + 1)) {
    const tag = nameAt(text, start + 1, wanted);
    if (tag === undefined) continue;
    const close = text.indexOf(">", start);
    if (close < 0) return undefined;
    return { start, end: close + 1, tag, empty: text[close - 1] === "/" };
  }
  return undefined;
}

function endTag(text: string, wanted: string, from: number): number | undefined {
  for (let at = text.indexOf("</", from); at >= 0; at = text.indexOf("</", at + 2)) {
    if (nameAt(text, at + 2, wanted) === undefined) continue;
    const close = text.indexOf(">", at);
    return close < 0 ? undefined : close + 1;
  }
  return undefined;
}

/** The most characters of a prefix that is recognized. */
const maxPrefix = 15;

/** Returns the name at `from` if it is the wanted one, with or without a prefix. */
function nameAt(text: string, from: number, wanted: string): string | undefined {
  let at = from;
  if (!text.startsWith(wanted, at)) {
    const prefix = /^[^:<>/]+:/.exec(text.slice(from, from + maxPrefix + 1))?.[0];
    if (prefix === undefined) return undefined;
    at += prefix.length;
    if (!text.startsWith(wanted, at)) return undefined;
  }
  const end = at + wanted.length;
  return nameEnd.test(text[end] ?? "") ? text.slice(from, end) : undefined;
}

function withNamespaces(tag: string, name: string, namespaces: string): string {
  if (namespaces === "") return tag;
  const missing = (namespaces.match(/ xmlns(?::[\w.-]+)?\s*=\s*(?:"[^"]*"|'[^']*')/g) ?? []).filter(
    (declaration) => !tag.includes(declaration.slice(0, declaration.indexOf("="))),
  );
  const end = tag.endsWith("/>") ? tag.length - 2 : tag.length - 1;
  return name.length + 1 > end ? tag : tag.slice(0, end) + missing.join("") + tag.slice(end);
}
