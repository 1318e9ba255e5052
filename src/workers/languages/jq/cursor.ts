/** A place among the tokens of a jq text. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import type { Token } from "./lexer.ts";

/** A cursor. `expect`, `name` and `variable` throw ExpressionSyntaxError for another token. */
export class Cursor {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(list: readonly Token[]) {
    this.#tokens = list;
  }

  /** The token after the next one. */
  get following(): Token {
    return this.#tokens[this.#at + 1] ?? this.peek();
  }

  /** Puts back the token that was taken last. */
  back(): void {
    this.#at -= 1;
  }

  peek(): Token {
    return this.#tokens[this.#at] as Token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  is(text: string): boolean {
    const token = this.peek();
    return (token.kind === "op" || token.kind === "name") && token.text === text;
  }

  takes(text: string): boolean {
    if (!this.is(text)) return false;
    this.#at += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.takes(text)) throw this.unexpected(this.peek(), `'${text}'`);
  }

  name(what: string): string {
    const token = this.next();
    if (token.kind !== "name") throw this.unexpected(token, what);
    return token.text;
  }

  variable(): string {
    const token = this.next();
    if (token.kind !== "variable") throw this.unexpected(token, "a variable such as $name");
    return token.text;
  }

  unexpected({ text, index }: Token = this.peek(), wanted?: string): ExpressionSyntaxError {
    return new ExpressionSyntaxError(
      `unexpected '${text}'${wanted === undefined ? "" : `, where ${wanted} is needed`}`,
      index,
    );
  }
}
