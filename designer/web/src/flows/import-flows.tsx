/** Takes files of the user into the workspace as flows, each as it is; what is there already is asked about. */
import { refreshFlows } from "../api/cache.ts";
import { target } from "../api/target.ts";
import { createFlow, listFlows, writeFlow } from "../api/workspace.ts";
import { goTo } from "../app/address.ts";
import { attempt } from "../ui/attempt.ts";
import { openDialog } from "../ui/dialogs.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { ImportDialog, type ImportPlan } from "./import-dialog.tsx";
import { readFiles, type SourceFile } from "./import-files.ts";

export async function importFlows(files: readonly SourceFile[]): Promise<void> {
  if (files.length === 0) return;
  const read = await attempt(words.flows.importFailed, async () => {
    const entries = await listFlows();
    return { entries, ...(await readFiles(files, entries)) };
  });
  if (read === undefined) return;
  const plans = await openDialog<readonly ImportPlan[]>((close) => (
    <ImportDialog {...read} target={target.get()} close={close} />
  ));
  if (plans === undefined) return;
  const done: string[] = [];
  for (const plan of plans) {
    if (plan.action === "skip") continue;
    const id = await attempt(words.flows.importOneFailed(plan.id), () => write(plan));
    if (id !== undefined) done.push(id);
  }
  refreshFlows();
  const [only, ...others] = done;
  if (only === undefined) return;
  notify({
    kind: "done",
    text: words.flows.imported(done.length),
    ...(others.length === 0 && { action: { label: words.flows.open, run: () => goTo("flows", only) } }),
  });
}

async function write(plan: Exclude<ImportPlan, { action: "skip" }>): Promise<string> {
  const { yaml, companion } = plan.flow;
  const content = { yaml, ...(companion !== undefined && { companion: companion.text }) };
  const written =
    plan.action === "create" ? await createFlow(plan.id, content) : await writeFlow(plan.id, plan.etag, content);
  return written.id;
}
