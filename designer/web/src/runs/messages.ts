/** Messages of recorded runs as texts, so that two of them can be compared line by line. */

/** A message as the runtime previews it. */
export interface Preview {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bodyType: string;
  readonly attachments?:
    | readonly {
        readonly name: string;
        readonly fileName?: string;
        readonly contentType: string;
        readonly bytes: number;
      }[]
    | undefined;
}

/** Headers in the order of their names, attachments, and the body; JSON is indented when it is whole. */
export function textOfMessage({ headers, body, attachments = [] }: Preview): string {
  const lines = Object.keys(headers)
    .sort()
    .map((name) => `${name}: ${headers[name]}`);
  const parts = attachments.map(
    ({ name, fileName, contentType, bytes }) =>
      `attachment ${name}: ${fileName ?? name} (${contentType}, ${bytes} bytes)`,
  );
  return `${[...lines, ...parts, "", indented(body)].join("\n")}\n`;
}

/** A text that is a JSON object or list, with one value a line. Long numbers keep their digits: nothing is calculated. */
export function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    JSON.parse(text);
  } catch {
    // It was cut, or is no JSON.
    return text;
  }
  return layOut(text);
}

function layOut(json: string): string {
  let out = "";
  let depth = 0;
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  for (const [index, token] of tokens.entries()) {
    const line = (): string => `\n${"  ".repeat(depth)}`;
    if (token === "{" || token === "[") {
      depth += 1;
      const isEmpty = tokens[index + 1] === (token === "{" ? "}" : "]");
      out += isEmpty ? token : token + line();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const isEmpty = tokens[index - 1] === (token === "}" ? "{" : "[");
      out += isEmpty ? token : line() + token;
    } else if (token === ",") out += token + line();
    else out += token === ":" ? ": " : token;
  }
  return out;
}

/** What a step has done to its message, in a word. */
export type Effect = "none" | "body" | "headers" | "both" | "unknown";

export function effectOf(before: Preview | undefined, after: Preview | undefined, sameBody = false): Effect {
  if (before === undefined || after === undefined) return "unknown";
  const body = !sameBody && (before.body !== after.body || before.bodyType !== after.bodyType);
  const names = new Set([...Object.keys(before.headers), ...Object.keys(after.headers)]);
  const headers = [...names].some((name) => before.headers[name] !== after.headers[name]);
  return body ? (headers ? "both" : "body") : headers ? "headers" : "none";
}
