/** Texts that endpoints name as Camel's resources (ResourceHelper), such as templates and schemas. All are in the flow. */
import type { BeanReference } from "./bean.ts";

const exampleOf = (name: string): string =>
  `beans: [{name: ${name}, type: java.lang.String, scriptLanguage: constant, scriptPropertyPlaceholders: false, script: the text}]`;

/**
 * Returns the text of `ref:name` (a bean of type `java.lang.String`), `mem:text` or `base64:text`. `what`: a noun for
 * messages, such as `template`. Throws Error for a resource that is not there, and for those that Camel reads of the
 * machine or of servers.
 */
export function flowResource(
  uri: string,
  what: string,
  bean: (reference: string) => BeanReference | undefined,
): string {
  const [, scheme = "", rest = ""] = /^([A-Za-z][A-Za-z0-9]*):(.*)$/s.exec(uri) ?? [];
  switch (scheme.toLowerCase()) {
    case "ref":
      return textOf(rest.trim(), bean);
    case "mem":
      return decoded(rest);
    case "base64":
      return base64Text(rest.trim());
    default:
      throw new Error(
        `'${uri.slice(0, 120)}': a flow reads no files, classpath or servers for a ${what}: put the ${what} into the flow, as ${exampleOf("name")}, and write 'ref:name'`,
      );
  }
}

function textOf(name: string, bean: (reference: string) => BeanReference | undefined): string {
  const text = bean(name)?.text;
  if (text !== undefined) return text;
  throw new Error(`'ref:${name}': the flow has no text of this name: write ${exampleOf(name === "" ? "name" : name)}`);
}

/** As in Camel, the text may be percent-encoded, since it stands in a URI. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function base64Text(text: string): string {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new Error("'base64:' is followed by text in base64");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    throw new Error("what 'base64:' holds is no UTF-8 text");
  }
}
