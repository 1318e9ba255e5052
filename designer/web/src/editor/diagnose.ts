/** Lets the runtime check the flow while it is edited, and places what it finds at lines and items. */
import { orThrow } from "../../../../src/client/client.ts";
import type { Loaded } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { sentenceOf } from "../api/sentence.ts";
import { mayDo } from "../api/session.ts";
import { target } from "../api/target.ts";
import { optionsToSend } from "../deploy/options.ts";
import { diagnosticRange, lineColumnAt, pathOfPointer, secretsOf } from "../model/index.ts";
import { words } from "../words.ts";
import { missingSecret, type SecretName, secretNames } from "./secret-names.ts";
import { itemAt, itemOfPath } from "./session/find-items.ts";
import { recheckPauseMs, validatePauseMs } from "./session/limits.ts";
import type { EditorSession } from "./session/session.ts";
import type { EditorDiagnostic } from "./session/state.ts";

type Found = Schemas["ValidateAnswer"]["diagnostics"][number];

/** Checks the flow now and after each edit, once it rests. @returns ends it */
export function watchDiagnostics(session: EditorSession): () => void {
  let checked: unknown;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = new AbortController();
  const check = async (): Promise<void> => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    const { text, options, flow } = session.get();
    const at = target.get();
    if (at === undefined || flow.errors.length > 0) return;
    if (!mayDo("editor")) return session.setNotChecked(words.yaml.checkNotAllowed);
    try {
      const answer = await orThrow(
        runtimeOf(at.name).POST("/_api/flows/{id}/validate", {
          params: { path: { id: session.id } },
          body: { yaml: text, ...optionsToSend(options) },
          signal,
        }),
      );
      if (session.get().text !== text || session.get().options !== options) return;
      const found = answer.diagnostics.map((one) => placed(session, one));
      session.setDiagnostics([...found, ...missingSecrets(session, secretNames(at.name, session.id).get())]);
    } catch (error) {
      // The flow can be edited without.
      if (signal.aborted) return;
      session.setNotChecked(sentenceOf(error));
      clearTimeout(timer);
      timer = setTimeout(() => void check(), recheckPauseMs);
    }
  };
  const onChange = (): void => {
    const { text, options } = session.get();
    const now = `${text}\n${JSON.stringify(options)}`;
    if (now === checked) return;
    checked = now;
    clearTimeout(timer);
    timer = setTimeout(() => void check(), validatePauseMs);
  };
  const ends = [session.subscribe(onChange), target.subscribe(() => void check()), followSecrets(session, check)];
  checked = `${session.get().text}\n${JSON.stringify(session.get().options)}`;
  void check();
  return () => {
    clearTimeout(timer);
    asked.abort();
    for (const end of ends) end();
  };
}

/** The check knows no secrets: they are compared with the names that the runtime lists. */
function missingSecrets(session: EditorSession, names: Loaded<readonly SecretName[]>): readonly EditorDiagnostic[] {
  const { flow, index, text } = session.get();
  return secretsOf(flow).flatMap(({ name, from, to }): EditorDiagnostic[] => {
    const message = missingSecret(session.id, [name], names);
    if (message === undefined) return [];
    return [{ severity: "error", message, ...lineColumnAt(text, from), from, to, key: itemAt(index, from)?.key }];
  });
}

/** Calls when the runtime that is chosen has other names than before. @returns ends it */
function followSecrets({ id }: EditorSession, check: () => Promise<void>): () => void {
  let end = (): void => {};
  const follow = (): void => {
    end();
    const names = secretNames(target.get()?.name, id);
    let seen = JSON.stringify(names.get().value);
    end = names.subscribe(() => {
      const now = JSON.stringify(names.get().value);
      if (now !== seen) void check();
      seen = now;
    });
  };
  const endTarget = target.subscribe(follow);
  follow();
  return () => {
    endTarget();
    end();
  };
}

function placed(session: EditorSession, found: Found): EditorDiagnostic {
  const { text, index } = session.get();
  const { severity, message, pointer } = found;
  // Problems of options and of the policy have no place in the text.
  const [line, column] = [found.line ?? 1, found.column ?? 1];
  const end = { endLine: found.endLine ?? undefined, endColumn: found.endColumn ?? undefined };
  const range = diagnosticRange(text, { line, column, ...end });
  const pointed = itemOfPath(index, pathOfPointer(pointer ?? ""));
  const item = pointed ?? itemAt(index, range.from);
  return { severity: severity === "error" ? "error" : "warning", message, line, column, ...range, key: item?.key };
}
