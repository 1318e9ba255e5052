/**
 * Parameters that a component takes by their prefix, such as `arg.queue.x-message-ttl`, collected in one option: its text has
 * a line `name=value` for each, without the prefix.
 */

/** Returns the prefix and the option that a parameter belongs to. */
export function prefixOf(
  prefixed: Readonly<Record<string, string>> | undefined,
  name: string,
): { readonly prefix: string; readonly option: string } | undefined {
  for (const [prefix, option] of Object.entries(prefixed ?? {}))
    if (name.length > prefix.length && name.startsWith(prefix)) return { prefix, option };
  return undefined;
}

/** Adds a parameter to the text. */
export function withPrefixed(text: string | undefined, name: string, value: string): string {
  const line = `${name}=${value.replaceAll(/[\r\n]/g, " ")}`;
  return text === undefined || text === "" ? line : `${text}\n${line}`;
}

/** Reads the text back. Throws an Error for a line without a name. */
export function prefixedPairs(text: string | undefined): readonly (readonly [name: string, value: string])[] {
  const lines = (text ?? "").split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const equals = line.indexOf("=");
    if (equals < 1) throw new Error(`'${line.slice(0, 60)}' is no line of the form name=value`);
    return [line.slice(0, equals).trim(), line.slice(equals + 1).trim()] as const;
  });
}
