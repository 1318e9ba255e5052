/** The flow as its YAML: what is written here is drawn, and what is drawn is written here. */
import { useEffect, useRef } from "react";
import { mayDo } from "../../api/session.ts";
import { lineColumnAt } from "../../model/index.ts";
import { words } from "../../words.ts";
import { useSession } from "../canvas/context.ts";
import type { EditorSession } from "../session/session.ts";
import { followSession, openTextEditor } from "./text-editor.ts";
import "./yaml.css";

export function YamlPanel({ session }: { readonly session: EditorSession }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const view = openTextEditor(place.current, session, mayDo("editor"));
    const end = followSession(view, session);
    return () => {
      end();
      view.destroy();
    };
  }, [session]);
  return (
    <div className="yaml">
      <div ref={place} className="yaml-text" />
      <Problems session={session} />
    </div>
  );
}

/** What is wrong, in words, below the text. */
function Problems({ session }: { readonly session: EditorSession }) {
  const flow = useSession(session, (state) => state.flow);
  const diagnostics = useSession(session, (state) => state.diagnostics);
  const check = useSession(session, (state) => state.check);
  const syntax = flow.errors.map(({ from, message }) => ({
    ...lineColumnAt(flow.text, from),
    message,
    severity: "error",
  }));
  const all = syntax.length > 0 ? syntax : diagnostics;
  const notChecked = typeof check === "object" ? words.yaml.notChecked(check.notChecked) : undefined;
  if (all.length === 0) {
    if (notChecked !== undefined) return <p className="yaml-problems warning">{notChecked}</p>;
    return <p className="yaml-problems good">{check === "done" ? words.yaml.noProblem : words.yaml.checking}</p>;
  }
  return (
    <ul className="yaml-problems" aria-live="polite" aria-label={words.yaml.problems}>
      {all.slice(0, 50).map(({ line, column, message, severity }) => (
        <li key={`${line}:${column}:${message}`} className={severity}>
          {words.yaml.at(line, column)} {message}
        </li>
      ))}
      {syntax.length === 0 && notChecked !== undefined && <li className="warning">{notChecked}</li>}
    </ul>
  );
}
