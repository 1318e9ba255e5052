/**
 * The form of `{{secret:NAME}}` in a checked flow: the name between two noncharacters, which Unicode reserves for
 * internal use (U+FDD0, U+FDD1). The check refuses them in the texts of flows and parameters, so only the runtime can
 * make a mark.
 */

import { readEnvironmentName, shownVariable } from "./environment-mark.ts";

/** Folders before the name are written with `/`. No part begins with a dot, so no name leads out of its directory. */
const nameGrammar = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;
const maxName = 128;
/** The JSON Schema of the name of a secret. */
export const secretNameSchema = { type: "string", pattern: nameGrammar.source, maxLength: maxName } as const;
const mark = /\uFDD0([^\uFDD0\uFDD1]*)\uFDD1/g;
/** The mark within simple (`secretsInTemplate`). */
const bound = /\$\{properties:(\uFDD0[^\uFDD0\uFDD1]*\uFDD1)\}/g;

/** Returns why a text is not a secret's name; undefined when it is one. */
export function secretNameProblem(name: string): string | undefined {
  if (name.length <= maxName && nameGrammar.test(name)) return undefined;
  return (
    `a secret's name has 1 to ${maxName} characters of A-Z a-z 0-9 . _ - and begins with a letter or a digit, ` +
    "and so does each folder before it: 'KEY', 'kafka/client-password'"
  );
}

export function secretMark(name: string): string {
  return `\uFDD0${name}\uFDD1`;
}

export function hasSecret(text: string): boolean {
  return text.includes("\uFDD0");
}

/** Replaces each mark by what `value` returns for its name. */
export function fillSecrets(text: string, value: (name: string, index: number) => string): string {
  return text.replace(mark, (_, name: string, index: number) => value(name, index));
}

/** Returns the text as written in the flow: `{{secret:NAME}}`, `{{env:NAME}}`. */
export function shownSecrets(text: string): string {
  if (!hasSecret(text)) return text;
  return fillSecrets(text.replace(bound, "$1"), (name) => {
    const variable = readEnvironmentName(name);
    return variable === undefined ? `{{secret:${name}}}` : shownVariable(variable);
  });
}
