/** The access policy of one flow on the runtime: read by everybody, changed by operators. */
import { useEffect, useMemo, useRef } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { polled } from "../../api/polled.ts";
import { runtimeOf } from "../../api/runtime.ts";
import { mayDo } from "../../api/session.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Note } from "../../ui/note.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import type { AccessRow } from "./access-rows.ts";
import { CallerQuestion } from "./caller-question.tsx";
import { PolicyEditor } from "./policy-editor.tsx";
import { textOfPolicy } from "./policy-text.ts";

const { access: texts } = words.operations;

interface PolicySectionProps {
  readonly target: string;
  readonly row: AccessRow;
  readonly onChanged: () => void;
}

/** A policy as it was read. `etag` is absent when there is none. */
export interface ReadPolicy {
  readonly text: string;
  readonly etag: string | undefined;
}

export function PolicySection({ target, row: { flowId, guard, routes, policy }, onChanged }: PolicySectionProps) {
  const revision = policy?.revision;
  /** undefined: there is no policy that could be read. */
  const known = useRef(revision);
  const read = useMemo(
    () =>
      polled<ReadPolicy>({
        async load(signal) {
          if (known.current === undefined) return { text: "", etag: undefined };
          const params = { path: { flowId } };
          const answer = await runtimeOf(target).GET("/_api/auth/{flowId}", { params, signal });
          const document = await orThrow(Promise.resolve(answer));
          return { text: textOfPolicy(document ?? {}), etag: answer.response.headers.get("etag") ?? undefined };
        },
        everyMs: 0,
        isVisible: () => true,
      }),
    [target, flowId],
  );
  useEffect(() => {
    if (known.current === revision) return;
    known.current = revision;
    void read.refresh();
  }, [read, revision]);
  const { value, error } = useStore(read);
  return (
    <section className="policy">
      <h2>{texts.policyOf(flowId)}</h2>
      <Note kind={guard === "enforce" ? "info" : "warn"}>
        <p>{texts.guardTexts[guard]}</p>
      </Note>
      {policy?.warnings.map(({ code, message, pointer }) => (
        <Note key={`${code} ${pointer}`} kind="warn" title={code}>
          <p>{message}</p>
        </Note>
      ))}
      {error !== undefined && (
        <ErrorNote title={texts.policyNotRead(flowId)} error={error} onRetry={() => void read.refresh()} />
      )}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : (
        <PolicyEditor target={target} flowId={flowId} read={value} onChanged={onChanged} />
      )}
      {policy !== undefined && mayDo("editor") && (
        <CallerQuestion target={target} flowId={flowId} routes={routes} principals={policy.principals} />
      )}
    </section>
  );
}
