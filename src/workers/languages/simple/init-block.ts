/** The block that sets variables ahead of an expression: `$init{ $a := ${body}; }init$` (Camel: SimpleInitBlockParser). */
import { ExpressionSyntaxError } from "../../engine/exception.ts";

const start = "$init{";
const end = "}init$";

export interface Assignment {
  readonly name: string;
  /** A template; a text in quotes without them. */
  readonly value: string;
  /** Where the value begins in the whole text. */
  readonly index: number;
}

export interface InitBlock {
  readonly assignments: readonly Assignment[];
  /** The text behind the block, with `${variable.a}` for each `$a`. */
  readonly rest: string;
  /** Where that begins in the whole text. */
  readonly restIndex: number;
}

/** Returns undefined for a text that does not begin with a block. Throws ExpressionSyntaxError. */
export function readInitBlock(text: string): InitBlock | undefined {
  const at = text.indexOf(start);
  if (at < 0) return undefined;
  if (at > 0) throw new ExpressionSyntaxError("an init block belongs at the beginning of the expression", at);
  const close = text.indexOf(end);
  if (close < 0) throw new ExpressionSyntaxError(`the init block has no end: write ${end}`, 0);
  const assignments = readAssignments(text.slice(0, close));
  const behind = close + end.length;
  const restIndex = text.charAt(behind) === "\n" ? behind + 1 : behind;
  return { assignments, rest: withVariables(text.slice(restIndex), assignments), restIndex };
}

/** Other lines of the block say nothing to Camel either. */
const statement = /(?:^\$init\{|\n)[ \t]*\$([A-Za-z_]\w*)[ \t]+(~?:=)[ \t]+/g;

function readAssignments(block: string): readonly Assignment[] {
  const found = [...block.matchAll(statement)];
  return found.map((match, order) => {
    const [whole, name = "", operator] = match;
    const index = match.index + whole.length;
    if (operator === "~:=")
      throw new ExpressionSyntaxError("an init block has no functions here: chain functions with ~>", match.index);
    const written = block.slice(index, found[order + 1]?.index ?? block.length).replace(/;?\s*$/, "");
    const quoted = /^(["'])(.*)\1$/s.exec(written);
    if (written === "") throw new ExpressionSyntaxError(`$${name} has no value`, index);
    return quoted === null ? { name, value: written, index } : { name, value: quoted[2] as string, index: index + 1 };
  });
}

/** Longer names come first, so that `$ab` is not `$a` and a letter. */
function withVariables(text: string, assignments: readonly Assignment[]): string {
  const names = [...new Set(assignments.map(({ name }) => name))].toSorted((a, b) => b.length - a.length);
  return names.reduce((filled, name) => filled.replaceAll(`$${name}`, () => `\${variable.${name}}`), text);
}
