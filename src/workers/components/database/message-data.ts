/** Rewrites a statement that a message's data completes (`toD`) into one that takes the data as parameters. */
import { shown } from "./query.ts";

interface Rewritten {
  /** With `:#${...}` for each expression that can be a parameter. */
  readonly statement: string;
  /** Quoted texts around expressions, each with the name of the variable that takes its place. */
  readonly texts: readonly (readonly [variable: string, template: string])[];
  /** Expressions that stand where SQL has a name or a word, which no parameter can give. */
  readonly names: readonly string[];
}

/** What stands before the name of a table, a column or a routine. */
const beforeName = /\b(?:from|into|update|join|table|call|order\s+by|group\s+by)\s*$/i;
const opening = /[$](?:simple)?\{/y;

/** Advises what to write in place of `toD` with this statement, for the warning `data_in_path`. */
export function statementAdvice(written: string): string {
  const { statement, texts, names } = rewrite(written);
  const [first] = names;
  const set = texts.map(
    ([variable, template]) => `setVariable: {name: ${variable}, expression: {simple: {expression: "${template}"}}}`,
  );
  const before = set.length === 0 ? "" : ` after ${set.join(" and ")}`;
  const advice =
    statement === written.trim() && first !== undefined
      ? ""
      : `: write 'to'${before}, whose statement takes it as a value: ${shown(statement)}`;
  const choose =
    first === undefined
      ? ""
      : `; ${first} stands where no value can, for example where a table is named: choose among whole statements with 'choice'`;
  return `what stands in \${...} becomes a part of the statement, and a message can change what that does${advice}${choose}`;
}

/** As `statementAdvice`, for the template of a procedure, which reads expressions itself. */
export function callAdvice(template: string): string {
  return `what stands in \${...} becomes a part of the call, and a message can change what that does: write 'to' in place of 'toD', which takes each as one value: ${shown(template)}`;
}

function rewrite(written: string): Rewritten {
  const text = written.trim();
  const texts: [string, string][] = [];
  const names: string[] = [];
  let statement = "";
  let at = 0;
  while (at < text.length) {
    const next = nextOf(text, at);
    if (next === undefined) break;
    const { from, end, quoted } = next;
    const part = text.slice(from, end);
    statement += text.slice(at, from);
    at = end;
    if (!quoted) {
      if (/:#(?:in:)?$/.test(statement)) statement += part;
      else if (/[\w".]$/.test(statement) || beforeName.test(statement) || /^[\w".]/.test(text.slice(end))) {
        names.push(part);
        statement += part;
      } else
        statement += `${/\bin\s*\(\s*$/i.test(statement) && /^\s*\)/.test(text.slice(end)) ? ":#in:" : ":#"}${part}`;
      continue;
    }
    const inside = part.slice(1, -1);
    const whole = inside.startsWith("$") && closingBrace(inside, 0) === inside.length;
    if (whole) {
      statement += `:#${inside}`;
      continue;
    }
    const variable = `text${texts.length + 1}`;
    texts.push([variable, inside.replaceAll("''", "'")]);
    statement += `:#${variable}`;
  }
  return { statement: statement + text.slice(at), texts, names };
}

/** Finds the next expression, or the quoted text that has one. */
function nextOf(
  text: string,
  start: number,
): { readonly from: number; readonly end: number; readonly quoted: boolean } | undefined {
  for (let at = start; at < text.length; at++) {
    if (text[at] === "'") {
      const end = closingQuote(text, at);
      if (/[$](?:simple)?\{/.test(text.slice(at, end))) return { from: at, end, quoted: true };
      at = end - 1;
    } else if (startsExpression(text, at)) return { from: at, end: closingBrace(text, at), quoted: false };
  }
  return undefined;
}

function startsExpression(text: string, at: number): boolean {
  opening.lastIndex = at;
  return opening.test(text);
}

/** Quotes inside of an expression are its own. */
function closingQuote(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (startsExpression(text, at)) at = closingBrace(text, at) - 1;
    else if (text[at] === "'" && text[at + 1] === "'") at += 1;
    else if (text[at] === "'") return at + 1;
  }
  return text.length;
}

function closingBrace(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") open += 1;
    else if (text[at] === "}" && --open === 0) return at + 1;
  }
  return text.length;
}
