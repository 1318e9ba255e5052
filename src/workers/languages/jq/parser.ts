/** Parses jq texts to trees, by the grammar of jq 1.7. */
import { maxDigits, readWhole } from "../../../shared/whole-numbers.ts";
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import { type Token, tokenize } from "./lexer.ts";
import { ObjectParser, variableOf } from "./object-parser.ts";
import { alternativeLevel, call, combine, type Definition, identity, isSingle, levelOf, type Node } from "./syntax.ts";

const maxText = 10_000;
/** The greatest nesting of parentheses, conditions and the like. */
const maxDepth = 200;

/** Parses a text. Throws ExpressionSyntaxError. */
export function parse(text: string): Node {
  if (text.length > maxText) throw new ExpressionSyntaxError(`a jq text has at most ${maxText} characters`, 0);
  return new Parser(tokenize(text)).whole();
}

export function parseDefinition(text: string): Definition {
  return new Parser(tokenize(text)).definition();
}

class Parser extends ObjectParser {
  #depth = 0;

  whole(): Node {
    const node = this.peek().kind === "end" ? identity : this.pipe();
    if (this.peek().kind !== "end") throw this.unexpected();
    return node;
  }

  definition(): Definition {
    this.expect("def");
    const name = this.name("the function's name");
    const parameters: { name: string; isValue: boolean }[] = [];
    if (this.takes("(")) {
      do {
        const token = this.next();
        if (token.kind !== "name" && token.kind !== "variable") throw this.unexpected(token);
        parameters.push({ name: token.text, isValue: token.kind === "variable" });
      } while (this.takes(";"));
      this.expect(")");
    }
    this.expect(":");
    const body = this.pipe();
    this.expect(";");
    return { name, parameters, body };
  }

  pipe(): Node {
    this.#depth += 1;
    if (this.#depth > maxDepth)
      throw new ExpressionSyntaxError(`it nests more than ${maxDepth} deep`, this.peek().index);
    const node = this.#pipeInside();
    this.#depth -= 1;
    return node;
  }

  #pipeInside(): Node {
    if (this.is("def") || this.is("label")) return this.#scoped();
    const left = this.#comma();
    return this.takes("|") ? { kind: "pipe", left, right: this.pipe() } : left;
  }

  /** `def f: ...; body` and `label $name | body`. */
  #scoped(): Node {
    if (this.is("def")) return { kind: "define", definition: this.definition(), body: this.pipe() };
    this.expect("label");
    const name = this.variable();
    this.expect("|");
    return { kind: "label", name, body: this.pipe() };
  }

  #comma(): Node {
    let left = this.#binary(alternativeLevel);
    while (this.takes(",")) left = { kind: "comma", left, right: this.#binary(alternativeLevel) };
    return left;
  }

  #binary(least: number): Node {
    let left = this.#postfix();
    for (;;) {
      const { kind, text } = this.peek();
      const level = kind === "op" || kind === "name" ? levelOf(text) : undefined;
      if (level === undefined || level < least) return left;
      this.next();
      const right = this.#binary(level === alternativeLevel ? level : level + 1);
      left = combine(text, level, left, right);
      const again = this.peek();
      if (isSingle(level) && again.kind === "op" && levelOf(again.text) === level) throw this.unexpected();
    }
  }

  /** `binds`: `term as $x | body` is part of it; the operands of `try` and `reduce` end before. */
  #postfix(binds = true): Node {
    let node = this.#term();
    for (;;) {
      if (this.takes("?")) node = { kind: "try", body: node, handler: undefined };
      else if (this.is("[")) node = this.#bracket(node);
      else if (this.peek().kind === "field") node = indexed(node, this.next().text);
      else if (this.is(".") && this.following.kind === "string") {
        this.next();
        node = { kind: "index", of: node, key: this.string("text") };
      } else if (this.is(".") && this.following.text === "[") {
        this.next();
        node = this.#bracket(node);
      } else if (binds && this.takes("as")) {
        const patterns = this.patterns();
        this.expect("|");
        return { kind: "bind", source: node, patterns, body: this.pipe() };
      } else return node;
    }
  }

  /** `[]`, `[key]`, `[from:to]` after a term. */
  #bracket(of: Node): Node {
    this.expect("[");
    if (this.takes("]")) return { kind: "iterate", of };
    if (this.takes(":")) {
      const to = this.pipe();
      this.expect("]");
      return { kind: "slice", of, from: undefined, to };
    }
    const key = this.pipe();
    if (this.takes(":")) {
      const to = this.is("]") ? undefined : this.pipe();
      this.expect("]");
      return { kind: "slice", of, from: key, to };
    }
    this.expect("]");
    return { kind: "index", of, key };
  }

  #term(): Node {
    const token = this.next();
    switch (token.kind) {
      case "number":
        return { kind: "literal", value: literalNumber(token) };
      case "string":
        this.back();
        return this.string("text");
      case "format":
        return this.peek().kind === "string" ? this.string(token.text) : { kind: "format", name: token.text };
      case "field":
        return indexed(identity, token.text);
      case "variable":
        return variableOf(token);
      case "name":
        return this.#word(token);
      default:
        return this.#symbol(token);
    }
  }

  #symbol(token: Token): Node {
    switch (token.text) {
      case ".": {
        if (this.peek().kind === "string") return { kind: "index", of: identity, key: this.string("text") };
        return identity;
      }
      case "..":
        return { kind: "recurse" };
      case "-":
        return { kind: "negate", of: this.#postfix() };
      case "(": {
        const node = this.pipe();
        this.expect(")");
        return node;
      }
      case "[": {
        if (this.takes("]")) return { kind: "array", of: undefined };
        const of = this.pipe();
        this.expect("]");
        return { kind: "array", of };
      }
      case "{":
        return this.object();
      default:
        throw this.unexpected(token);
    }
  }

  #word(token: Token): Node {
    switch (token.text) {
      case "if":
        return this.#if();
      case "try": {
        const body = this.#postfix(false);
        return { kind: "try", body, handler: this.takes("catch") ? this.#postfix(false) : undefined };
      }
      case "reduce":
      case "foreach":
        return this.#fold(token.text);
      case "label":
      case "def":
        this.back();
        return this.#scoped();
      case "import":
      case "include":
        throw new ExpressionSyntaxError(`there are no modules here: '${token.text}' cannot be used`, token.index);
      case "then":
      case "elif":
      case "else":
      case "end":
      case "as":
      case "catch":
      case "and":
      case "or":
      case "__loc__":
        throw this.unexpected(token);
      default:
        return this.#call(token);
    }
  }

  #call({ text }: Token): Node {
    if (text === "break") return { kind: "break", name: this.variable() };
    const constants: Readonly<Record<string, unknown>> = { null: null, true: true, false: false };
    if (Object.hasOwn(constants, text) && !this.is("(")) return { kind: "literal", value: constants[text] };
    const args: Node[] = [];
    if (this.takes("(")) {
      do args.push(this.pipe());
      while (this.takes(";"));
      this.expect(")");
    }
    return call(text, ...args);
  }

  #if(): Node {
    const test = this.pipe();
    this.expect("then");
    const yes = this.pipe();
    if (this.takes("elif")) return { kind: "if", test, yes, no: this.#if() };
    const no = this.takes("else") ? this.pipe() : undefined;
    this.expect("end");
    return { kind: "if", test, yes, no };
  }

  #fold(kind: "reduce" | "foreach"): Node {
    const source = this.#postfix(false);
    this.expect("as");
    const patterns = this.patterns();
    this.expect("(");
    const start = this.pipe();
    this.expect(";");
    const update = this.pipe();
    if (kind === "reduce") {
      this.expect(")");
      return { kind, source, patterns, start, update };
    }
    const extract = this.takes(";") ? this.pipe() : undefined;
    this.expect(")");
    return { kind, source, patterns, start, update, extract };
  }

  /** Parses an entry's value; it ends before a comma, which separates the entries of an object. */
  entryValue(): Node {
    const left = this.#binary(alternativeLevel);
    return this.takes("|") ? { kind: "pipe", left, right: this.entryValue() } : left;
  }

  string(format: string): Node {
    const token = this.next();
    if (token.kind !== "string" || token.parts === undefined) throw this.unexpected(token);
    const parts = token.parts.map((part) => (typeof part === "string" ? part : new Parser(part).whole()));
    const [only] = parts;
    return parts.length === 1 && typeof only === "string"
      ? { kind: "literal", value: only }
      : { kind: "string", parts, format };
  }
}

function indexed(of: Node, key: string): Node {
  return { kind: "index", of, key: { kind: "literal", value: key } };
}

/** A whole number keeps every digit. */
function literalNumber({ text, index }: Token): number | bigint {
  if (text.length > maxDigits) throw new ExpressionSyntaxError(`a number has at most ${maxDigits} digits`, index);
  return /^\d+$/.test(text) ? readWhole(text) : Number(text);
}
