/** Makes a test of a recorded run: what other systems answered become mocks, its calls and its end assertions. */
import { orThrow } from "../../../../src/client/client.ts";
import { runtimeOf } from "../api/runtime.ts";
import type { EditorSession } from "../editor/session/session.ts";
import { attempt } from "../ui/attempt.ts";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { addTest } from "./flow-tests.ts";

export async function addTestOfRun(session: EditorSession, target: string, runId: string): Promise<void> {
  await attempt(words.tests.notOfRun, async () => {
    const { name, mocks, replaceFrom, invoke, assertions, notes } = await orThrow(
      runtimeOf(target).GET("/_api/runs/{runId}/fixture", { params: { path: { runId } } }),
    );
    const added = addTest(session, name, { mocks, replaceFrom, invoke, assert: assertions });
    notify({ kind: "done", text: [words.tests.added(added), ...notes].join(" ") });
  });
}
