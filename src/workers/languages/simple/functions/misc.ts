/** Functions that test, choose, fail, convert and generate. */

import { randomHex } from "../../../../shared/ids.ts";
import { asValue, convertTo, isPlainObject } from "../../../engine/convert.ts";
import { ExpressionSyntaxError, FlowException } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { convertIn } from "../../../engine/message-text.ts";
import { writeJson } from "../../../engine/write-json.ts";
import { type Argument, argumentsOf, evalOf, literalOf, refuseRest } from "../arguments.ts";
import {
  bounded,
  type Call,
  type Eval,
  type FunctionTable,
  maxBytes,
  type SimpleFunction,
  simpleText,
} from "../eval.ts";
import { followPath } from "../ognl.ts";
import { prettyText } from "../text-building.ts";
import { elementsOf } from "./collection.ts";
import { typeArgument } from "./message.ts";

export const miscFunctions: FunctionTable = {
  null: (call) => constant(call, null),
  empty,
  newEmpty: empty,
  isEmpty: ofValue((value, max) => elementsOf(value, max).every((element) => (element ?? null) === null)),
  isAlpha: ofText((text) => /^\p{L}+$/u.test(text)),
  isNumeric: ofText((text) => /^\p{Nd}+$/u.test(text)),
  isAlphaNumeric: ofText((text) => /^[\p{L}\p{Nd}]+$/u.test(text)),
  kindOfType: ofValue(kindOfType),
  not: (call) => {
    const { list } = argumentsOf(call, "not(predicate)", 0, 1);
    const argument = list[0] ?? { text: "${body}", quoted: false, index: call.index };
    const test = call.scope.predicate(argument.text, argument.index);
    return (exchange, body) => !test(exchange, body);
  },
  iif: (call) => {
    const { list } = argumentsOf(call, "iif(predicate,trueExp,falseExp)", 3, 3);
    const [condition, then, otherwise] = list as [Argument, Argument, Argument];
    const test = call.scope.predicate(condition.text, condition.index);
    const [yes, no] = [evalOf(call, then), evalOf(call, otherwise)];
    return (exchange, body) => (test(exchange, body) ? yes(exchange, body) : no(exchange, body));
  },
  assert: (call) => {
    const { list } = argumentsOf(call, "assert(predicate,message)", 2, 2);
    const [condition, message] = list as [Argument, Argument];
    const test = call.scope.predicate(condition.text, condition.index);
    const text = evalOf(call, message);
    return (exchange, body) => {
      if (test(exchange, body)) return null;
      throw new FlowException(
        "org.apache.camel.language.simple.SimpleAssertionException",
        simpleText(text(exchange, body), exchange),
      );
    };
  },
  throwException: (call) => {
    const { list } = argumentsOf(call, "throwException(message)} or ${throwException(message,type)", 1, 2);
    const message = evalOf(call, list[0]);
    const type = list[1] === undefined ? "java.lang.IllegalArgumentException" : literalOf(call, list[1], "the type");
    if (!/^[A-Za-z_][\w.$]*$/.test(type)) {
      // Camel's catalogue names the type first, and its parser reads it last.
      throw new ExpressionSyntaxError(
        `'${type}' is not a class name: write \${throwException(message,type)}`,
        call.index,
      );
    }
    return (exchange, body) => {
      throw new FlowException(type, simpleText(message(exchange, body), exchange));
    };
  },
  val: (call) => {
    const { list, path, pathIndex } = argumentsOf(call, "val(exp)", 1, 1);
    return followPath(evalOf(call, list[0]), path, pathIndex, call);
  },
  convertTo: (call) => {
    const { list, path, pathIndex } = argumentsOf(call, "convertTo(type)} or ${convertTo(exp,type)", 1, 2);
    const value = list.length === 2 ? evalOf(call, list[0]) : evalOf(call, undefined);
    const type = typeArgument(call, list.at(-1) as Argument);
    return followPath(
      (exchange, body) => convertIn(exchange, value(exchange, body) ?? null, type),
      path,
      pathIndex,
      call,
    );
  },
  uuid,
  hash,
  base64Encode: ofValue((value, _max, exchange) =>
    Buffer.from(convertIn(exchange, value, "byte[]") as Uint8Array).toString("base64"),
  ),
  base64Decode: (call) => {
    const value = evalOf(call, argumentsOf(call, "base64Decode(exp)", 0, 1).list[0]);
    return (exchange, body) => {
      const read = value(exchange, body) ?? null;
      if (read === null) return null;
      try {
        return new Uint8Array(Buffer.from(atob(simpleText(read, exchange)), "latin1"));
      } catch {
        throw new FlowException("java.lang.IllegalArgumentException", "base64Decode: the text is not base64");
      }
    };
  },

  toJson: json(""),
  toPrettyJson: json("\t"),
  toJsonBody: (call) => bodyOnly(call, json("")),
  toPrettyJsonBody: (call) => bodyOnly(call, json("\t")),
  pretty: ofValue(prettyText),
  prettyBody: (call) => bodyOnly(call, ofValue(prettyText)),
  safeQuote: ofValue((value, max) => {
    if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return value;
    const text = convertTo(value, "String", max) as string;
    return bounded(`"${/^"[^"]*"$|^'[^']*'$/.test(text) ? text.slice(1, -1) : text}"`, max);
  }),
};

function constant(call: Call, value: unknown): Eval {
  refuseRest(call);
  return () => value;
}

/** `name(exp)`: null yields null, except for `isEmpty` and `kindOfType`. */
function ofValue(work: (value: unknown, max: number, exchange: Exchange) => unknown): SimpleFunction {
  return (call) => {
    const { list, path, pathIndex } = argumentsOf(call, `${call.name}(exp)`, 0, 1);
    const value = evalOf(call, list[0]);
    const ofNull = call.name === "isEmpty" ? true : call.name === "kindOfType" ? "null" : null;
    return followPath(
      (exchange, body) => {
        const read = value(exchange, body) ?? null;
        return read === null ? ofNull : work(read, maxBytes(exchange), exchange);
      },
      path,
      pathIndex,
      call,
    );
  };
}

/** `name(exp)`: a test of a text; null and blank text yield false. */
function ofText(work: (text: string) => boolean): SimpleFunction {
  return (call) => {
    const value = evalOf(call, argumentsOf(call, `${call.name}(exp)`, 0, 1).list[0]);
    return (exchange, body) => work(simpleText(value(exchange, body), exchange));
  };
}

function bodyOnly(call: Call, compile: SimpleFunction): Eval {
  refuseRest(call);
  return compile({ ...call, rest: "()" });
}

/** A text stays unchanged, whether it is JSON or not (Camel). */
function json(indent: "" | "\t"): SimpleFunction {
  return ofValue((value, max) => {
    if (typeof value === "string") return value;
    const text = value instanceof Date ? convertTo(value, "String", max) : writeJson(asValue(value), max, indent);
    return indent === "" ? text : `${text}\n`;
  });
}

/**
 * Names the kind of a value. As in Camel, anything iterable, also a map and bytes, is an array, and a date is an
 * object.
 */
function kindOfType(value: unknown): string {
  const inner = asValue(value);
  if (inner === null) return "null";
  if (typeof inner !== "object") return typeof inner;
  return Array.isArray(inner) || isPlainObject(inner) || inner instanceof Uint8Array ? "array" : "object";
}

function empty(call: Call): Eval {
  const { list } = argumentsOf(call, `${call.name}(string|list|map|set)`, 1, 1);
  switch (literalOf(call, list[0] as Argument, "the type").toLowerCase()) {
    case "string":
      return () => "";
    case "list":
    case "set":
      return () => [];
    case "map":
      return () => ({});
    default:
      throw new ExpressionSyntaxError(`\${${call.name}(...)} makes a string, list, map or set`, call.index);
  }
}

let counter = 0;

/**
 * Camel's generators: default (32 characters), short (16), simple (a number that counts up), classic and random (RFC
 * 9562).
 */
function uuid(call: Call): Eval {
  const type = call.rest === "" ? "default" : (argumentsOf(call, "uuid(type)", 0, 1).list[0]?.text ?? "default");
  switch (type) {
    case "default":
      return () => `${randomHex(15).toUpperCase()}-${randomHex(16).toUpperCase()}`;
    case "short":
      return () => randomHex(16).toUpperCase();
    case "simple":
      return () => String(++counter);
    case "classic":
    case "random":
      return () => crypto.randomUUID();
    default:
      throw new ExpressionSyntaxError(
        `\${uuid(${type})}: the types are default, short, simple, classic, random`,
        call.index,
      );
  }
}

/** Names of hashes in Java, with those of node:crypto. */
const algorithms: Readonly<Record<string, string>> = {
  MD5: "md5",
  "SHA-1": "sha1",
  "SHA-224": "sha224",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
  "SHA-512/224": "sha512-224",
  "SHA-512/256": "sha512-256",
  "SHA3-224": "sha3-224",
  "SHA3-256": "sha3-256",
  "SHA3-384": "sha3-384",
  "SHA3-512": "sha3-512",
};

/** Returns the hash of the value's bytes as lower-case hexadecimal. */
function hash(call: Call): Eval {
  const { list } = argumentsOf(call, "hash(exp)} or ${hash(exp,algorithm)", 1, 2);
  const value = evalOf(call, list[0]);
  const name = list[1] === undefined ? "SHA-256" : literalOf(call, list[1], "the algorithm").toUpperCase();
  const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
  if (algorithm === undefined) {
    throw new ExpressionSyntaxError(`hash: the algorithms are ${Object.keys(algorithms).join(", ")}`, call.index);
  }
  return (exchange, body) => {
    const bytes = convertIn(exchange, value(exchange, body), "byte[]");
    // Loaded only by flows that use it, since it takes a megabyte per thread.
    const { createHash } = process.getBuiltinModule("node:crypto");
    return bytes instanceof Uint8Array ? createHash(algorithm).update(bytes).digest("hex") : null;
  };
}
