/** Deploys a flow of the list: with its unsaved changes when it is open in the editor with some. */
import type { Target } from "../../../shared/wire.ts";
import { readFlow } from "../api/workspace.ts";
import { attempt } from "../ui/attempt.ts";
import { words } from "../words.ts";
import { openDeployment } from "./deploy-dialog.tsx";
import { sourceOfFile } from "./source.ts";

export async function deployStored(id: string, target: Target): Promise<void> {
  await attempt(words.deploy.refused, async () => {
    const { unsavedSession } = await import("../editor/open-sessions.ts");
    const session = unsavedSession(id);
    if (session === undefined) return openDeployment(sourceOfFile(await readFlow(id)), target);
    const { deploySession } = await import("../editor/deploy/deploy-session.ts");
    return deploySession(session);
  });
}
