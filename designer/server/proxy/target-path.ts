/** What a browser may ask for: paths that the designer and the runtime read in one way. */
import { Refused } from "../refused.ts";

/** Escapes of a slash, a backslash, a dot, a percent sign and control characters. */
const hidden = /%(?:2f|5c|2e|25|[01][0-9a-f]|7f)/i;

/** Throws Refused for a request target that is not in normal form; it is refused, never repaired. */
export function refuseOddPath(target: string): void {
  const path = target.split("?", 1)[0] ?? "";
  const problem = !/^\/[\x21-\x7e]*$/.test(target)
    ? "it must begin with '/' and be ASCII"
    : path.includes("\\") || path.includes("#") || hidden.test(path)
      ? "it has an escaped slash or dot, a backslash or a control character"
      : /%(?![0-9a-f]{2})/i.test(path)
        ? "it has a '%' that two hexadecimal digits do not follow"
        : /\/\/|\/\.{1,2}(?:\/|$)/.test(path)
          ? "it has '//', '.' or '..'"
          : undefined;
  if (problem !== undefined) throw new Refused(400, `the path cannot be used: ${problem}`);
}
