/** The warning that no route of a flow consumes the `direct:` target of one of its calls. */
import type { Diagnostic } from "./diagnostic.ts";

const code = "external_direct";
const begin = "no route of this flow consumes 'direct:";

export function externalDirect(name: string): Pick<Diagnostic, "code" | "message"> {
  return { code, message: `${begin}${name}': the call needs another flow of the group that does` };
}

/** Returns the name of the target that a diagnostic warns of; undefined: it is another diagnostic. */
export function externalDirectOf(diagnostic: Pick<Diagnostic, "code" | "message">): string | undefined {
  if (diagnostic.code !== code || !diagnostic.message.startsWith(begin)) return undefined;
  return diagnostic.message.slice(begin.length, diagnostic.message.lastIndexOf("': "));
}
