/** Gives a flow's files to the user: its YAML as it is, and its options beside it when it has some. */
import { readFlow } from "../api/workspace.ts";
import { attempt } from "../ui/attempt.ts";
import { giveFile } from "../ui/give-file.ts";
import { words } from "../words.ts";

export async function exportFlow(id: string): Promise<void> {
  await attempt(words.flows.exportFailed(id), async () => {
    const { yaml, options } = await readFlow(id);
    giveFile(`${id}.yaml`, yaml);
    if (Object.keys(options).length === 0) return;
    const { stringify } = await import("yaml");
    giveFile(`${id}.flow.yaml`, stringify(options));
  });
}
