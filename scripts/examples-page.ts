/** Writes docs/examples.md: the examples by category, each with what its companion file says of it. */
import { categories, readExamples } from "../src/cli/examples.ts";
import { generated } from "./generated.ts";

const examples = readExamples();

const tables = Object.entries(categories).map(([category, title]) => {
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

Begin a project with one (\`bulkhead init --list\` lists them, too), change it, and try it again; [the designer](designer.md#recipes) draws
them, and makes a flow of one with a click:

\`\`\`sh
npx bulkhead init my-project --from scatter-gather
cd my-project
npx bulkhead test
\`\`\`

Run it: write the params into the companion file and the servers into \`documents/connections/\`, store the secrets
([connections.md](connections.md) for those of connections, [operating.md](operating.md#secrets) for others), and deploy the folder
([cli.md](cli.md#deploy)):

\`\`\`sh
npx bulkhead validate                    # all problems, without a server
npx bulkhead deploy routes --dry-run     # what would change, and what the runtime does not have yet
npx bulkhead deploy routes
\`\`\`

${tables.join("\n")}`,
);
