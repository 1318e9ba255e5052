/** Gives a flow's files to the user, as they are: its YAML, and the companion with its options when it has one. */
import { readFlow } from "../api/workspace.ts";
import { attempt } from "../ui/attempt.ts";
import { giveFile } from "../ui/give-file.ts";
import { words } from "../words.ts";

export async function exportFlow(id: string): Promise<void> {
  await attempt(words.flows.exportFailed(id), async () => {
    const { yaml, companion } = await readFlow(id);
    giveFile(`${id}.yaml`, yaml);
    if (companion !== undefined) giveFile(`${id}.flow.yaml`, companion);
  });
}
