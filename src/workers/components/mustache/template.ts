/** The only import of mustache: reads templates. They are interpreted (render.ts), never made into code. */
import { ExpressionSyntaxError, exceptionMessage } from "../../engine/exception.ts";
import { LateModule } from "../../engine/late-module.ts";

/** Loaded by flows with templates alone. */
export const mustacheLibrary = new LateModule(async () => {
  const { default: library } = await import("mustache");
  const writer = new library.Writer() as InstanceType<typeof library.Writer> & { templateCache: unknown };
  // It would keep every template that a message ever brought.
  writer.templateCache = undefined;
  return writer;
});

/** A part of a template. Names are split at their dots; none: the value of the section itself. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "value"; readonly name: Name; readonly escaped: boolean }
  | { readonly kind: "section"; readonly name: Name; readonly inverted: boolean; readonly parts: readonly Part[] };

export type Name = readonly string[];

type Token = readonly [kind: string, value: string, start: number, end: number, parts?: readonly Token[]];

const maxLength = 65_536;
/** The most blanks in a row: the library looks for the end of a tag anew at each. */
const maxBlanks = 1000;
const maxNesting = 50;

/**
 * `roots`: what names begin with outside of sections. Throws ExpressionSyntaxError. `mustacheLibrary` must be loaded.
 */
export function parseTemplate(
  text: string,
  delimiters: readonly [start: string, end: string],
  roots: readonly string[],
): readonly Part[] {
  if (text.length > maxLength)
    throw new ExpressionSyntaxError(`a template has at most ${maxLength} characters`, maxLength);
  const blanks = new RegExp(`\\s{${maxBlanks + 1}}`).exec(text);
  if (blanks !== null) throw new ExpressionSyntaxError(`more than ${maxBlanks} blanks in a row`, blanks.index);
  let tokens: readonly Token[];
  try {
    tokens = mustacheLibrary.module().parse(text, [...delimiters]) as unknown as readonly Token[];
  } catch (error) {
    const message = exceptionMessage(error);
    const at = Number(/ at (\d+)$/.exec(message)?.[1] ?? 0);
    throw new ExpressionSyntaxError(
      message.replace(/ at \d+$/, "").replace(/^./, (first) => first.toLowerCase()),
      at,
    );
  }
  return new Reader(roots).parts(tokens, 0);
}

/** What a template may name with allowContextMapAll. */
const wider: ReadonlySet<string> = new Set(["exchangeProperty", "exchangeProperties", "in", "request"]);

class Reader {
  readonly #roots: readonly string[];

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  parts(tokens: readonly Token[], nesting: number): readonly Part[] {
    return tokens.flatMap((token) => this.#part(token, nesting) ?? []);
  }

  #part([kind, value, start, , inner = []]: Token, nesting: number): Part | undefined {
    switch (kind) {
      case "text":
        return { kind: "text", text: value };
      case "name":
      case "&":
        return { kind: "value", name: this.#name(value, start, nesting), escaped: kind === "name" };
      case "#":
      case "^": {
        if (nesting === maxNesting) throw new ExpressionSyntaxError(`sections nest at most ${maxNesting} deep`, start);
        const name = this.#name(value, start, nesting);
        return { kind: "section", name, inverted: kind === "^", parts: this.parts(inner, nesting + 1) };
      }
      case ">":
        throw new ExpressionSyntaxError(
          `a template includes no others ('> ${value}'): write it into this one, or render it first into a variable and use variables.name with three braces`,
          start,
        );
      default:
        return undefined;
    }
  }

  /** Outside of sections a name that begins with nothing known would always be empty. */
  #name(text: string, start: number, nesting: number): Name {
    if (text === ".") {
      if (nesting > 0) return [];
      throw new ExpressionSyntaxError("'.' is the value of a section: there is none around it", start);
    }
    if (/^[<$]/.test(text)) throw new ExpressionSyntaxError(`templates have no parents and blocks ('${text}')`, start);
    const name = text.split(".");
    if (name.includes("")) throw new ExpressionSyntaxError(`'${text}' is no name: write body.title`, start);
    const [root = ""] = name;
    if (nesting > 0 || this.#roots.includes(root)) return name;
    const way = wider.has(root)
      ? `the option allowContextMapAll gives names that begin with ${[...wider].join(", ")}`
      : `a name begins with ${this.#roots.join(", ")}, such as body.title`;
    throw new ExpressionSyntaxError(`there is no '${text}' here: ${way}`, start);
  }
}
