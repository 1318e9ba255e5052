/** The name of a new connector, in each form that its files have it in. */
import { UsageError } from "../errors.ts";

export interface Names {
  /** `message-board`: the kind, the scheme, and the names of files. */
  readonly id: string;
  /** `messageBoard`: a constant of the code. */
  readonly camel: string;
  /** `MessageBoard`: a part of the names of headers. */
  readonly pascal: string;
  /** The product, for people. */
  readonly title: string;
  readonly port: number;
}

/** Longer names would break lines of the generated code, which the formatter then wants otherwise. */
const mostCharacters = 24;
const grammar = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

const titleGrammar = /^[\p{L}\p{N}][\p{L}\p{N} .+-]{0,39}$/u;

/** Words that no constant of JavaScript modules may have, and those that would hide what every module has. */
const reserved: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function " +
    "if implements import in instanceof interface let new null package private protected public return static super switch this throw true " +
    "try typeof undefined var void while with yield"
  ).split(" "),
);

/** Throws UsageError with what to write instead. `title`: absent: of the name. */
export function readNames(given: string, title: string | undefined, port: number): Names {
  const id = given;
  if (!grammar.test(id) || id.length < 2 || id.length > mostCharacters) throw new UsageError(unfit(given));
  const camel = id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  if (reserved.has(camel))
    throw new UsageError(`'${id}' is a word of the language: write another name, such as ${id}-server`);
  const words = id.replaceAll("-", " ");
  const shown = title ?? capital(words);
  if (!titleGrammar.test(shown))
    throw new UsageError(`--title: '${shown}' is not a name of at most 40 letters, digits, spaces, dots, + and -`);
  return { id, camel, pascal: capital(camel), title: shown, port };
}

function unfit(given: string): string {
  const expected = `a name is of 2 to ${mostCharacters} small letters and digits, with single dashes between words, and begins with a letter`;
  const meant = given
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1-")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "");
  const hint = meant.length >= 2 && meant.length <= mostCharacters ? ` (did you mean '${meant}'?)` : "";
  return `'${given}' is no name of a connector${hint}: ${expected}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
