/** Writes docs/examples.md: the examples by category, each with what its companion file says of it. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { generated } from "./generated.ts";

interface Example {
  readonly id: string;
  readonly title: string;
  readonly purpose: string;
  readonly needs: string;
  readonly category: string;
}

const folder = new URL("../examples/", import.meta.url);
const titles: Readonly<Record<string, string>> = {
  http: "HTTP services and webhooks",
  brokers: "Message brokers",
  databases: "Databases",
  files: "Files",
  schedules: "Schedules and mail",
  reliability: "When things fail",
};
const examples = readdirSync(folder).sort().map(readExample);

/** The description of an example has three lines: its title, what it does, what it needs. */
function readExample(id: string): Example {
  const file = new URL(`${id}/${id}.flow.yaml`, folder);
  const { description, category } = parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const [title = "", purpose = "", needs = "", ...more] = String(description).trimEnd().split("\n");
  if (!needs.startsWith("Needs ") || more.length > 0)
    throw new Error(`${id}: its description is a title, what it does, and what it needs, a line each`);
  if (titles[String(category)] === undefined) throw new Error(`${id}: there is no category '${category}'`);
  return { id, title, purpose, needs, category: String(category) };
}

const tables = Object.entries(titles).map(([category, title]) => {
  const rows = examples
    .filter((one) => one.category === category)
    .map(
      ({ id, title, purpose, needs }) =>
        `| [${id}](../examples/${id}/${id}.yaml) | **${title}.** ${purpose} ${needs} |`,
    );
  return [`## ${title}`, "", "| example | |", "|---|---|", ...rows, ""].join("\n");
});

generated(
  "docs/examples.md",
  `# Examples

${examples.length} flows to begin from, each in a folder of its own below \`examples/\`, with tests that run without any server. This page is
generated from their companion files by \`npm run docs\`: do not edit.

A folder has

- \`<id>.yaml\`: the flow. The comment at its head says what to set, and how to call it.
- \`<id>.flow.yaml\`: its companion file ([api.md](api.md#3-flows)) with the description, the category, and the params to change.
- \`documents/\`: the connections, mappings and access policies that it needs. Servers are \`example.org\`; passwords are names of secrets.
- \`tests/<id>.yaml\`: its tests ([testing-flows.md](testing-flows.md)). Each shows what the flow does when the other side fails.

Try one, change it, and try it again:

\`\`\`sh
cp -r examples/scatter-gather my-flows
npm run flow-test -- my-flows/tests
\`\`\`

Run it: write the params into the companion file and the servers into \`documents/connections/\`, store the secrets
([connections.md](connections.md) for those of connections, [operating.md](operating.md#secrets) for others), and deploy the folder
([cli.md](cli.md#deploy)):

\`\`\`sh
npx bulkhead validate my-flows             # all problems, without a server
npx bulkhead deploy my-flows --dry-run     # what would change, and what the runtime does not have yet
npx bulkhead deploy my-flows
\`\`\`

${tables.join("\n")}`,
);
