/**
 * Replaces `{{secret:NAME}}` in a simple text by a parameter of the thread, so that the secret's value is never parsed.
 */
import { fillSecrets, hasSecret, secretMark } from "../../../shared/secret-mark.ts";
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { functionEnd, functionStart } from "./scan.ts";

/**
 * Binds the secrets of a text. Throws ExpressionSyntaxError for a secret inside a function, because some functions do
 * not evaluate their text.
 */
export function bindSecrets(text: string): string {
  let bound = "";
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const length = functionStart(text, i);
    if (length === 0) continue;
    const end = functionEnd(text, i + length, 0);
    if (hasSecret(text.slice(i, end))) {
      const message =
        "a secret cannot stand inside of a function: give it to a variable (setVariable with constant: '{{secret:NAME}}') " +
        "and write ${variable.name}";
      throw new ExpressionSyntaxError(message, i);
    }
    bound += reading(text.slice(at, i)) + text.slice(i, end + 1);
    at = end + 1;
    i = end;
  }
  return bound + reading(text.slice(at));
}

function reading(text: string): string {
  return fillSecrets(text, (name) => `\${properties:${secretMark(name)}}`);
}
