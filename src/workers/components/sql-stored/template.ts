/** The template of a call, as Camel writes it: `NAME(INTEGER ${header.a}, OUT INTEGER sum, INOUT VARCHAR :#b both)`. */

export interface StoredParameter {
  readonly mode: "in" | "out" | "inout";
  /** The type in upper case, such as INTEGER. */
  readonly type: string;
  /** `${...}`, `:#name`, a number or a quoted text; undefined for OUT. */
  readonly value: string | undefined;
  /** The name under which it comes back. */
  readonly name: string | undefined;
}

export interface StoredCall {
  readonly procedure: string;
  readonly parameters: readonly StoredParameter[];
}

const form = /^\s*([A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*)\s*\((.*)\)\s*$/s;
const parameterForm =
  /^(?:(OUT|INOUT)\s+)?(?:java\.sql\.Types\.)?([A-Za-z_]+)(?:\s*\(\s*\d+\s*\))?\s*(\$\{.*\}|\$simple\{.*\}|:#\w+|:#\$\{.*\}|'(?:[^']|'')*'|-?\d+(?:\.\d+)?)?\s*([A-Za-z_]\w*)?$/is;

/** Throws an Error that names the fault of the template. */
export function parseTemplate(text: string): StoredCall {
  const [, procedure, list = ""] = form.exec(text) ?? [];
  if (procedure === undefined)
    throw new Error(`'${text.slice(0, 100)}' is a name with parameters, such as ADD(INTEGER :#a, OUT INTEGER sum)`);
  return { procedure, parameters: parts(list).map(parameterOf) };
}

function parameterOf(text: string): StoredParameter {
  const [, way = "in", type = "", value, name] = parameterForm.exec(text) ?? [];
  const mode = way.toLowerCase() as StoredParameter["mode"];
  if (type === "" || /^(?:out|inout|in)$/i.test(type))
    throw new Error(`the parameter '${text}' is a type with a value or a name: INTEGER :#a, OUT INTEGER sum`);
  if (mode !== "out" && value === undefined)
    throw new Error(`the parameter '${text}' needs a value: \${header.a}, :#a, a number or a text in quotes`);
  if (mode === "out" && (value !== undefined || name === undefined))
    throw new Error(`the parameter '${text}' has no value, and a name under which it comes back: OUT INTEGER sum`);
  if (mode === "inout" && name === undefined)
    throw new Error(`the parameter '${text}' needs a name under which it comes back: INOUT INTEGER :#a both`);
  if (mode === "in" && name !== undefined)
    throw new Error(`the parameter '${text}' has a name, which only OUT and INOUT have`);
  return { mode, type: type.toUpperCase(), value, name };
}

/** Cuts at commas outside of braces, brackets and quotes. */
function parts(list: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list[at] as string;
    if (character === "'") quoted = !quoted;
    else if (!quoted && "({[".includes(character)) depth += 1;
    else if (!quoted && ")}]".includes(character)) depth -= 1;
    else if (!quoted && depth === 0 && character === ",") {
      found.push(list.slice(from, at).trim());
      from = at + 1;
    }
  }
  const last = list.slice(from).trim();
  if (last !== "" || found.length > 0) found.push(last);
  return found;
}
