/** What is tried with an open flow: kept while another panel is shown. */
import type { FlowAnswer, FlowCall } from "../../../shared/wire.ts";
import { call } from "../api/designer.ts";
import { runtimeOf } from "../api/runtime.ts";
import type { EditorSession } from "../editor/session/session.ts";
import type { FlowTest } from "../tests/test-file.ts";
import { createStore, type Store } from "../ui/store.ts";
import { type Draft, noDraft } from "./draft.ts";
import { type Sent, sendMessage } from "./send-message.ts";

export interface TryState {
  readonly draft: Draft;
  readonly isSending: boolean;
  /** What became of the last message. */
  readonly sent: Sent | undefined;
  /** The last message. */
  readonly message: FlowTest | undefined;
  /** Why the last one could not be sent. */
  readonly error: unknown;
}

const states = new WeakMap<EditorSession, Store<TryState>>();

export function tryStateOf(session: EditorSession): Store<TryState> {
  const known = states.get(session);
  if (known !== undefined) return known;
  const store = createStore<TryState>({
    draft: noDraft,
    isSending: false,
    sent: undefined,
    message: undefined,
    error: undefined,
  });
  states.set(session, store);
  return store;
}

export function editDraft(session: EditorSession, change: Partial<Draft>): void {
  tryStateOf(session).set((before) => ({ ...before, draft: { ...before.draft, ...change } }));
}

/** Sends to a runtime; rejects as `sendMessage` does. */
export function sendTo(target: string, flowId: string, message: FlowTest): Promise<Sent> {
  const callFlow = async (body: FlowCall): Promise<FlowAnswer> =>
    (await call<FlowAnswer>(`/targets/${encodeURIComponent(target)}/call`, { method: "POST", body })).data;
  return sendMessage({ client: runtimeOf(target), callFlow }, flowId, message);
}

export async function tryMessage(session: EditorSession, target: string, message: FlowTest): Promise<void> {
  const store = tryStateOf(session);
  store.set((before) => ({ ...before, isSending: true, message, error: undefined }));
  try {
    const sent = await sendTo(target, session.id, message);
    store.set((before) => ({ ...before, sent, isSending: false }));
  } catch (error) {
    store.set((before) => ({ ...before, sent: undefined, error, isSending: false }));
  }
}
