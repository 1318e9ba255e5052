/** Finds the fault of a text that is not XPath: the library mostly reports no more than that there is one. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]" };

/** Ends with what something has to follow; a star, a hyphen or a word may as well be a name or its end. */
const cut = /(?:[/|+,=<>]|::|[\s)\]](?:-|and|or|div|mod))\s*$/;

/** The library's message for a fault of which it reports nothing. */
const unknown = "XPath parse error";

/** Returns the first bracket or quote without a partner, or the library's `message`. */
export function syntaxFault(text: string, message: string): ExpressionSyntaxError {
  const open: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    if (character === "'" || character === '"') {
      const end = text.indexOf(character, index + 1);
      if (end < 0) return new ExpressionSyntaxError(`the text that begins with ${character} has no end`, index);
      index = end;
    } else if (character in closing) open.push(index);
    else if (character === ")" || character === "]") {
      const last = open.pop();
      if (last === undefined || closing[text[last] as string] !== character)
        return new ExpressionSyntaxError(`unexpected '${character}'`, index);
    }
  }
  const last = open.pop();
  if (last !== undefined) return new ExpressionSyntaxError(`'${text[last]}' is not closed`, last);
  if (cut.test(text)) return new ExpressionSyntaxError("it ends where more is needed", text.length);
  return new ExpressionSyntaxError(message === unknown ? "it is not valid XPath 1.0" : message, 0);
}
