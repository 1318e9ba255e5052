/** Takes the message that a step of a recorded run gave the mapping. */
import { useEffect, useState } from "react";
import { orThrow } from "../../../../src/client/client.ts";
import { messageMappings } from "../api/cache.ts";
import { runtimeOf } from "../api/runtime.ts";
import { indented, type Preview } from "../runs/messages.ts";
import { attempt } from "../ui/attempt.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { openDialog } from "../ui/dialogs.tsx";
import { Loading } from "../ui/loading.tsx";
import { words } from "../words.ts";
import type { TrialMessage } from "./message.ts";

interface RunMessage {
  readonly runId: string;
  readonly flowId: string;
  readonly startedAt: string;
  readonly message: Preview;
}

export async function pickRunMessage(target: string, id: string): Promise<TrialMessage | undefined> {
  const found = await openDialog<RunMessage>((close) => <RunDialog target={target} id={id} close={close} />);
  if (found === undefined) return undefined;
  const { runId, message } = found;
  const headers = JSON.stringify({ headers: message.headers }, null, 2);
  const around = Object.keys(message.headers).length === 0 ? "" : headers;
  return { origin: `run:${runId}`, text: indented(message.body), around };
}

interface RunDialogProps {
  readonly target: string;
  readonly id: string;
  readonly close: (found?: RunMessage) => void;
}

function RunDialog({ target, id, close }: RunDialogProps) {
  const [found, setFound] = useState<readonly RunMessage[]>();
  useEffect(() => {
    void attempt(words.messageMappings.runsNotRead, () => messagesFor(target, id)).then((messages) =>
      setFound(messages ?? []),
    );
  }, [target, id]);
  return (
    <Dialog title={words.messageMappings.runTitle} onClose={() => close()} wide>
      <p>{words.messageMappings.runText}</p>
      {found === undefined ? (
        <Loading />
      ) : found.length === 0 ? (
        <p className="faint">{words.messageMappings.noRuns}</p>
      ) : (
        <ul className="run-messages">
          {found.map((one) => (
            <li key={one.runId}>
              <span>
                {words.runs.at(one.startedAt)} <span className="faint">{one.flowId}</span>
              </span>
              <code>{one.message.body.slice(0, 160)}</code>
              <Button onClick={() => close(one)}>{words.messageMappings.takeRun}</Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

/** Flows that are looked at, and runs of each. */
const mostFlows = 5;
const mostRuns = 10;

async function messagesFor(target: string, id: string): Promise<readonly RunMessage[]> {
  const list = messageMappings(target);
  await list.refresh();
  const users =
    list
      .get()
      .value?.find((one) => one.id === id)
      ?.usedBy.filter((user) => "flowId" in user) ?? [];
  const flows = [...new Set(users.map(({ flowId }) => flowId))].slice(0, mostFlows);
  const found = await Promise.all(
    flows.map(async (flowId) => {
      const query = { flowId, limit: mostRuns };
      const runs = await orThrow(runtimeOf(target).GET("/_api/runs", { params: { query } }));
      const steps = new Set(users.filter((user) => user.flowId === flowId).map(({ stepId }) => stepId));
      return Promise.all(runs.map((run) => messageOf(target, run.id, steps)));
    }),
  );
  return found
    .flat()
    .filter((one) => one !== undefined)
    .sort((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
}

async function messageOf(target: string, runId: string, steps: ReadonlySet<string>): Promise<RunMessage | undefined> {
  const result = await runtimeOf(target).GET("/_api/runs/{runId}", { params: { path: { runId } } });
  if (result.data === undefined) return undefined;
  const { stepRuns, flowId, startedAt } = result.data;
  const message = stepRuns.find((step) => steps.has(step.id) && step.in !== undefined)?.in;
  return message && { runId, flowId, startedAt, message };
}
