/** A new project folder: its files, and how they get there without a loss of what is there already. */
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "./errors.ts";

/** Below a project folder, where run, validate and test look for them. */
export const flowsFolder = "routes";

const schemaFile = "flow-schema.json";

/** Editors with the YAML language server complete and mark what stands below it. */
const schemaLine = `# yaml-language-server: $schema=./${schemaFile}\n`;

const ignored = `# What \`bulkhead run\` keeps beside the flows: their state, their revisions, the audit log, the locks of the folder.
/data/
/${flowsFolder}/.bulkhead-lock*
# What \`bulkhead run --dev\` keeps.
/.bulkhead/
# What the designer has deployed from here. Its examples, beside it, are yours to share.
/${flowsFolder}/.designer/state.json
# Tokens and secrets.
.env
`;

/** Texts by their paths below the folder of the flows: a flow that greets, in the spelling that Camel calls canonical, its params, its tests. */
export const starter: ReadonlyMap<string, string> = new Map([
  [
    "hello.yaml",
    `# Greets whoever calls it, in the words of the param \`greeting\` (hello.flow.yaml).
# Call: bulkhead call hello -d '{"name": "Ada"}'
- route:
    id: hello
    from:
      uri: webhook
      steps:
        - setVariable:
            id: who
            name: name
            expression: { simple: { expression: "\${body[name]}" } }
        - choice:
            id: is-named
            when:
              - expression: { simple: { expression: "\${variable.name} == null" } }
                steps:
                  - setHeader:
                      id: bad-request
                      name: CamelHttpResponseCode
                      expression: { constant: { expression: "400" } }
                  - setBody:
                      id: say-what-is-missing
                      expression: { constant: { expression: "say who you are: a name is missing" } }
            otherwise:
              steps:
                - setBody:
                    id: greet
                    expression: { simple: { expression: "{{greeting}}, \${variable.name}!" } }
                - log: { id: log-greeting, message: "\${body}" }
`,
  ],
  [
    "hello.flow.yaml",
    `# What belongs to the flow beside its steps; it is deployed together with hello.yaml.
description: Greets whoever calls it.
params: { greeting: Hello }
`,
  ],
  [
    "tests/hello.yaml",
    `flow: hello
params: { greeting: Welcome }
tests:
  - name: greets by name
    post: { path: /api/hello, body: { name: Ada } }
    expect: { status: 200, body: "Welcome, Ada!" }

  - name: without a name the answer is 400
    mocks:
      - { stepId: log-greeting, spy: true }
    post: { path: /api/hello, body: {} }
    expect: { status: 400, body: { $contains: a name is missing } }
    assert:
      - mockCalled: { stepId: log-greeting, times: 0 }
`,
  ],
]);

export interface Written {
  readonly written: readonly string[];
  /** Files of the project as a whole that were there: they stay as they are. */
  readonly kept: readonly string[];
}

/**
 * Writes a project. `flows`: texts by their paths below the folder of the flows; `schema` is asked for when there is none. Rejects with
 * CommandError when a file of them is there already, and has written nothing then.
 */
export async function writeProject(
  folder: string,
  flows: ReadonlyMap<string, string>,
  schema: () => Promise<object>,
): Promise<Written> {
  const own = [...flows].map(([path, text]): [string, string] => [
    join(folder, flowsFolder, path),
    isFlow(path) ? schemaLine + text : text,
  ]);
  const inTheWay = own.map(([path]) => path).filter(isThere);
  if (inTheWay.length > 0)
    throw new CommandError(
      `nothing is written: ${inTheWay.join(", ")} ${inTheWay.length === 1 ? "is" : "are"} there already`,
    );
  const [schemaPath, ignorePath] = [join(folder, flowsFolder, schemaFile), join(folder, ".gitignore")];
  const kept = [schemaPath, ignorePath].filter(isThere);
  const all = [...own];
  if (!kept.includes(schemaPath)) all.push([schemaPath, `${JSON.stringify(await schema())}\n`]);
  if (!kept.includes(ignorePath)) all.push([ignorePath, ignored]);
  for (const [path, text] of all) writeNew(path, text);
  return { written: all.map(([path]) => path), kept };
}

/** Throws CommandError. */
function writeNew(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isFlow(path: string): boolean {
  return !path.includes("/") && path.endsWith(".yaml") && !path.endsWith(".flow.yaml");
}

/** Also a link that leads nowhere is in the way. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder on the way is a file: writing reports it.
    return false;
  }
}
