/** The message that is sent: route, headers and body. Ctrl+Enter in a field sends it. */
import type { KeyboardEvent } from "react";
import { Field } from "../ui/field.tsx";
import { words } from "../words.ts";
import { type Draft, type TryRoute, wrongHeader } from "./draft.ts";

interface MessageFormProps {
  readonly draft: Draft;
  readonly routes: readonly TryRoute[];
  readonly onChange: (change: Partial<Draft>) => void;
  readonly onSend: () => void;
}

export function MessageForm({ draft, routes, onChange, onSend }: MessageFormProps) {
  const wrong = wrongHeader(draft.headers);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <>
      <Field label={words.runs.route}>
        {(input) => (
          <select
            {...input}
            className="input"
            value={draft.routeId === "" ? (routes[0]?.id ?? "") : draft.routeId}
            onChange={(event) => onChange({ routeId: event.target.value })}
          >
            {routes.map(({ id, uri, webhook }) => (
              <option key={id} value={id}>
                {words.tryIt.route(id, webhook ?? uri)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={words.tryIt.headers}
        help={words.tryIt.headersHelp}
        error={wrong === undefined ? undefined : words.tryIt.wrongHeader(wrong)}
      >
        {(input) => (
          <textarea
            {...input}
            className="input"
            spellCheck={false}
            rows={Math.min(6, draft.headers.split("\n").length)}
            value={draft.headers}
            onKeyDown={onKeyDown}
            onChange={(event) => onChange({ headers: event.target.value })}
          />
        )}
      </Field>
      <Field label={words.tryIt.body}>
        {(input) => (
          <textarea
            {...input}
            className="input"
            spellCheck={false}
            rows={Math.max(4, Math.min(14, draft.body.split("\n").length))}
            value={draft.body}
            onKeyDown={onKeyDown}
            onChange={(event) => onChange({ body: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
