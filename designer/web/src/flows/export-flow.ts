/** Gives a flow's files to the user: its YAML as it is, and its options beside it when it has some. */
import { readFlow } from "../api/workspace.ts";
import { attempt } from "../ui/attempt.ts";
import { words } from "../words.ts";

export async function exportFlow(id: string): Promise<void> {
  await attempt(words.flows.exportFailed(id), async () => {
    const { yaml, options } = await readFlow(id);
    give(`${id}.yaml`, yaml);
    if (Object.keys(options).length === 0) return;
    const { stringify } = await import("yaml");
    give(`${id}.flow.yaml`, stringify(options));
  });
}

function give(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
