/** What becomes of the functions and operators of Camel's simple here. */
import { type Answer, askedOfSimple } from "./asked.ts";
import { camelFunctions, camelOperators } from "./catalog-names.ts";

export interface CamelName extends Answer {
  readonly name: string;
}

/** Values for arguments, by the names that Camel's catalogue gives them; any other is the body. */
const values: Readonly<Record<string, string>> = {
  ...{
    type: "String",
    num: "1",
    min: "1",
    max: "2",
    width: "5",
    head: "1",
    tail: "1",
    boolean: "true",
    reverse: "true",
  },
  ...{ separator: "';'", msg: "'m'", message: "'m'", text: "'a'", before: "'a'", after: "'b'", from: "a", to: "b" },
  ...{ name: "a", key: "a", prefix: "p", algorithm: "SHA-256", input: "header:a", state: "a", file: "a" },
  ...{ predicate: "${body} == 1", "val...": "1,2" },
};

/** Functions that the catalogue writes in another way than the language, or whose arguments have few values. */
const samples: Readonly<Record<string, string>> = {
  "date(command)": "date:now",
  "date-with-timezone(command:timezone:pattern)": "date-with-timezone:now:UTC:yyyy",
  "map(key1,value1,...)": "map(a,1)",
  not: "not(${body} == 1)",
  "simpleJsonpath(input,exp)": "simpleJsonpath(header:a,b.c)",
  "uuid(type)": "uuid(short)",
};

const operands: Readonly<Record<string, string>> = {
  "++": "${body}++",
  "--": "${body}--",
  "? :": "${body} == 1 ? 'a' : 'b'",
  "~>": "${body} ~> ${trim()}",
  "?~>": "${body} ?~> ${trim()}",
  "&&": "${body} == 1 && ${body} == 2",
  "||": "${body} == 1 || ${body} == 2",
  is: "${body} is 'String'",
  "!is": "${body} !is 'String'",
  range: "${body} range '1..2'",
  "!range": "${body} !range '1..2'",
};

/** Resolves with the functions of Camel's catalogue, in its order. */
export function functionStates(): Promise<readonly CamelName[]> {
  return statesOf(camelFunctions, (name) => `\${${samples[name] ?? callOf(name)}}`);
}

export function operatorStates(): Promise<readonly CamelName[]> {
  return statesOf(camelOperators, (name) => operands[name] ?? `\${body} ${name} 'a'`);
}

async function statesOf(names: readonly string[], textOf: (name: string) => string): Promise<readonly CamelName[]> {
  const states: CamelName[] = [];
  for (const name of names) states.push({ name, ...(await askedOfSimple(textOf(name))) });
  return states;
}

/** `pad(exp,width)` becomes `pad(${body},5)`. */
function callOf(name: string): string {
  return name.replace(/\((.*)\)$/, (_, list: string) => `(${list.split(",").map((one) => values[one] ?? "${body}")})`);
}
