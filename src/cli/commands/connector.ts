import { relative } from "node:path";
import { checkoutOf, templateFolder } from "../connector/checkout.ts";
import { type Names, readNames } from "../connector/names.ts";
import { type ConnectorPlan, planConnector } from "../connector/plan.ts";
import { writeConnector } from "../connector/write.ts";
import { UsageError } from "../errors.ts";
import { sayJson, type Terminal } from "../terminal.ts";
import { type AddCommand, addCommand, withJson } from "../tree.ts";

interface Options {
  readonly in: string;
  readonly title?: string;
  readonly port: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export const addConnector: AddCommand = (parent, { terminal }) => {
  const group = addCommand(parent, "connector", {
    summary: "writes a new connector into a checkout of the sources",
    examples: ["bulkhead connector new message-board"],
  });
  const command = addCommand(group, "new <name>", {
    summary: "writes a connector that works: its kind, its driver, a component with both ends, tests and a page",
    details: `The name is that of the kind of connections and of the component. It is a connector to queues of a small server that speaks lines over TCP, which is among its tests: replace the protocol by that of the product (docs/writing-a-connector.md), and the tests go on saying what holds. Its template is ${templateFolder}/. No file is overwritten; lists that name every connector get a line. All is written, or nothing.`,
    examples: [
      "bulkhead connector new message-board --dry-run",
      'bulkhead connector new message-board --title "Message Board" --port 4711',
    ],
  });
  withJson(command, "prints the files, the lines that lists get, and the next commands as JSON")
    .option("--in <folder>", "a folder of the checkout", ".")
    .option("--title <title>", "the name of the product; by default that of the connector, as words")
    .option("--port <port>", "the port of the product's servers", portOf, 7000)
    .option("--dry-run", "only shows what would be written")
    .action((name: string, options: Options) => {
      const names = readNames(name, options.title, options.port);
      const checkout = checkoutOf(options.in);
      const plan = planConnector(checkout, names);
      if (options.dryRun !== true) writeConnector(checkout, plan);
      const next = nextOf(checkout, names);
      if (options.json === true)
        sayJson(terminal, {
          checkout,
          written: options.dryRun !== true,
          files: plan.files.map(({ path }) => path),
          changed: plan.changed.map(({ path, added }) => ({ path, added })),
          next: next.map(([line]) => line),
        });
      else say(terminal, plan, options.dryRun === true, next);
    });
};

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new UsageError(`--port takes a number from 1 to 65535, and '${text}' is none`);
}

/** Commands, each with what it is for. */
function nextOf(checkout: string, { id }: Names): readonly (readonly [line: string, what: string])[] {
  const way = relative(process.cwd(), checkout);
  const tests = ["", "-messages"].map((part) => `test/control/connections/${id}${part}.test.ts`);
  return [
    ...(way === "" ? [] : [[`cd ${way}`, "the commands are those of the checkout"] as const]),
    ["npm run docs", "the pages, the reference and the client's types, which follow from the code"],
    ["npm run typecheck && npm run lint && npm run unused", "the code as it is now"],
    [
      `npm test -- ${tests.join(" ")} test/laws/laws.test.ts test/catalog.test.ts`,
      "its own tests, the laws, its example",
    ],
    [`npm run test:servers -- ${id}`, "the suite that every connector must pass"],
    [
      `$EDITOR src/workers/connectors/${id}/client.ts`,
      "the protocol: docs/writing-a-connector.md says what it has to hold",
    ],
  ];
}

function say(terminal: Terminal, plan: ConnectorPlan, isDry: boolean, next: ReturnType<typeof nextOf>): void {
  const [made, changed] = isDry ? ["to write ", "to change"] : ["written  ", "changed  "];
  for (const { path } of plan.files) terminal.say(`${terminal.paint("green", made)} ${path}`);
  for (const { path, added } of plan.changed) {
    terminal.say(`${terminal.paint("yellow", changed)} ${path}`);
    if (isDry) for (const line of added) terminal.say(`          + ${line}`);
  }
  terminal.say(isDry ? "\nNothing is written. Afterwards:" : "\nNext:");
  for (const [line, what] of next) terminal.say(`  ${terminal.paint("dim", `# ${what}`)}\n  ${line}`);
}
