/** Groups the diagnostics of a file that is refused under the one reason that stands last: what would have to change for it to be accepted. */
import type { Diagnostic } from "../../../src/shared/diagnostic.ts";

export interface Reason {
  readonly group: "JVM" | "the file itself" | "elsewhere" | "decided" | "not here yet";
  /** Such as `component kafka`. */
  readonly what: string;
}

type Read = (diagnostic: Diagnostic) => string | undefined;

/** In this order: the first group that one of a file's diagnostics belongs to is the file's. */
const groups: readonly (readonly [group: Reason["group"], read: Read])[] = [
  [
    "JVM",
    ({ message }) => (onJvm.test(message) && !ofBroker.test(message) ? "Java classes, beans or Groovy" : undefined),
  ],
  [
    "the file itself",
    ({ code }) => (invalid.has(code) ? "not valid in Camel either: a part is missing or unknown" : undefined),
  ],
  [
    "elsewhere",
    ({ code, message }) =>
      code === "unknown_kamelet"
        ? "a kamelet that neither the file nor the catalogue 4.22 has"
        : elsewhere.find(([name, pattern]) => code === name && pattern.test(message))?.[2],
  ],
  ["decided", ({ code, message }) => decided.find(([name, pattern]) => code === name && pattern.test(message))?.[2]],
  ["not here yet", ({ message }) => missingPart(message)],
];

const onJvm =
  /runs on the JVM|calls Java code|made by a script|outside of the JVM|there are no Java classes|there are no beans here/;

/** Beans that name a server, as a connection does. */
const ofBroker = /^bean '[^']+': type '[^']*ConnectionFactory'/;

/** Codes of files that Camel would not load, or could not run. */
const invalid = new Set(
  "missing_format missing_expression missing_option wrong_type no_steps no_routes unknown_component unknown_option bad_endpoint bad_uri invalid_value order expression_syntax unknown_language".split(
    " ",
  ),
);

const elsewhere = [
  ["unknown_configuration", /./, "a part that another file defines"],
  ["resource_here", /./, "a file of the machine as a text of the flow"],
  ["bad_option", /has no bean/, "a bean that another file defines"],
] as const;

const decided = [
  ["foreign_path", /./, "a path below /api, where paths are route ids"],
  ["no_environment", /./, "a vault or a property of the machine, in place of {{secret:}} or {{env:}}"],
  ["not_yet", /'exchangePattern' of component 'platform-http'/, "exchangePattern of platform-http"],
  ["not_yet", /API document|OpenAPI document/, "a rest service made of an OpenAPI document"],
] as const;

function missingPart(message: string): string | undefined {
  const [, part, name] = /^(component|data format|language|step) '([^']+)' is part of Camel/.exec(message) ?? [];
  if (name !== undefined) return `${part} ${name}`;
  if (ofBroker.test(message)) return "component jms";
  const [, need] = /^kamelet '[^']+' is refused: it is built on '([^']+)'/.exec(message) ?? [];
  if (need !== undefined) return `component ${need}`;
  const [, database] = /there is no driver for (.*?) here/.exec(message) ?? [];
  if (database !== undefined) return `a driver for ${database}`;
  return /it is part of Camel; this runtime does not have it yet/.test(message)
    ? "kamelets of steps that are here"
    : undefined;
}

/** undefined: a diagnostic that no group knows. */
export function reasonOf(errors: readonly Diagnostic[]): Reason | undefined {
  for (const [group, read] of groups) {
    const found = new Set(errors.map(read).filter((what) => what !== undefined));
    if (found.size > 0) return { group, what: [...found].sort().join(", ") };
  }
  return undefined;
}
