/** Parses jq's objects, and the patterns that destructure values. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import type { Token } from "./lexer.ts";
import { identity, type Node, type Pattern } from "./syntax.ts";

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

  unexpected({ kind, text, index }: Token = this.peek(), wanted?: string): ExpressionSyntaxError {
    return new ExpressionSyntaxError(
      `unexpected ${kind === "end" ? text : `'${text}'`}${wanted === undefined ? "" : `, where ${wanted} is needed`}`,
      index,
    );
  }
}

export abstract class ObjectParser extends Cursor {
  abstract pipe(): Node;
  abstract entryValue(): Node;
  abstract string(format: string): Node;

  patterns(): Pattern[] {
    const patterns = [this.#pattern()];
    while (this.takes("?//")) patterns.push(this.#pattern());
    return patterns;
  }

  #pattern(): Pattern {
    if (this.peek().kind === "variable") return { kind: "variable", name: this.next().text };
    if (this.takes("[")) {
      const elements: Pattern[] = [];
      do elements.push(this.#pattern());
      while (this.takes(","));
      this.expect("]");
      return { kind: "array", elements };
    }
    this.expect("{");
    const entries: { key: Node; bind: string | undefined; value: Pattern | undefined }[] = [];
    do {
      const bind = this.peek().kind === "variable" ? this.next().text : undefined;
      const key: Node = bind === undefined ? this.#key() : { kind: "literal", value: bind };
      entries.push({ key, bind, value: this.takes(":") ? this.#pattern() : undefined });
    } while (this.takes(","));
    this.expect("}");
    return { kind: "object", entries };
  }

  object(): Node {
    const entries: (readonly [Node, Node])[] = [];
    while (!this.is("}")) {
      entries.push(this.#entry());
      if (!this.is("}")) this.expect(",");
    }
    this.expect("}");
    return { kind: "object", entries };
  }

  #entry(): readonly [Node, Node] {
    const token = this.peek();
    if (token.kind === "variable") {
      this.next();
      const value = variableOf(token);
      if (!this.takes(":")) return [{ kind: "literal", value: token.text }, value];
      return [value, this.entryValue()];
    }
    const key = this.#key();
    if (this.takes(":")) return [key, this.entryValue()];
    if (token.text === "(") throw this.unexpected();
    return [key, { kind: "index", of: identity, key }];
  }

  #key(): Node {
    const token = this.next();
    if (token.kind === "name" || token.kind === "number") return { kind: "literal", value: token.text };
    if (token.kind === "string") {
      this.back();
      return this.string("text");
    }
    if (token.kind === "format") return this.string(token.text);
    if (token.text !== "(") throw this.unexpected(token);
    const key = this.pipe();
    this.expect(")");
    return key;
  }
}

/** A token of kind `variable`. */
export function variableOf({ text }: Token): Node {
  return text === "__loc__"
    ? { kind: "literal", value: { file: "<top-level>", line: 1 } }
    : { kind: "variable", name: text };
}
