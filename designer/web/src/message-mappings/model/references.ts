/** Which fields of the message an expression names: for the lines between the trees, not for its meaning. */
import { endOfText } from "./names.ts";

/** Names from the message on. */
type Names = readonly string[];

interface Frame {
  /** What names begin at here; undefined: it is not known. */
  readonly context: Names | undefined;
  /** The path that goes on behind the closing bracket. */
  readonly after: Names | undefined;
}

const token = /\s+|\/\*[\s\S]*?\*\/|`[^`]*`|\$[\w$]*|[A-Za-z_]\w*|\d+(?:\.\d+)?|[\s\S]/y;
const words = new Set(["and", "or", "in", "true", "false", "null", "function"]);

/** `context`: what the expression begins at; undefined: it is not known, and only fields from `$root` on are found. */
export function fieldsNamed(
  expression: string,
  context: Names | undefined,
  parent: Names | undefined = [],
): readonly Names[] {
  const found = new Map<string, Names>();
  const frames: Frame[] = [{ context, after: undefined }];
  let path: Names | undefined;
  let afterDot = false;
  const end = (): void => {
    if (path !== undefined && path.length > 0) found.set(JSON.stringify(path), path);
    path = undefined;
  };
  const open = (inner: Names | undefined, after: Names | undefined): void => {
    frames.push({ context: inner, after });
    path = undefined;
  };
  token.lastIndex = 0;
  for (let one = token.exec(expression); one !== null; one = token.exec(expression)) {
    const [text] = one;
    const here = frames.at(-1)?.context;
    if (text === '"' || text === "'") {
      end();
      token.lastIndex = Math.min(endOfText(expression, one.index), expression.length);
    } else if (text === ".") {
      afterDot = true;
      continue;
    } else if (/^\s|^\/\*/.test(text)) {
      continue;
    } else if (text.startsWith("$")) {
      end();
      path =
        text === "$"
          ? here
          : text === "$$"
            ? context
            : /^\$(?:root|body)$/.test(text)
              ? []
              : text === "$parent"
                ? parent
                : undefined;
    } else if (/^[`A-Za-z_]/.test(text)) {
      const name = text.replaceAll("`", "");
      if (afterDot) path = path === undefined ? undefined : [...path, name];
      else {
        end();
        if (!words.has(text)) path = here === undefined ? undefined : [...here, name];
      }
    } else if (text === "[" || text === "{" || text === "(") {
      const before = path;
      end();
      const isInside = before !== undefined && (text !== "(" || afterDot);
      open(isInside ? before : here, text === "[" ? before : undefined);
    } else if (text === "]" || text === "}" || text === ")") {
      end();
      path = frames.length > 1 ? frames.pop()?.after : undefined;
    } else end();
    afterDot = false;
  }
  end();
  return [...found.values()];
}
