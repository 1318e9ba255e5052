/** What an expression gives for the last message that its step has received, while a person types it. */
import { type ReactNode, useEffect, useState } from "react";
import type { Schemas } from "../../api/runtime.ts";
import { target } from "../../api/target.ts";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { currentItem } from "../actions/places.ts";
import { validatePauseMs } from "../session/limits.ts";
import type { EditorSession } from "../session/session.ts";
import { evaluate, type LastMessage, lastMessageOf, type TriedExpression } from "./last-message.ts";

interface WithValueProps {
  readonly session: EditorSession;
  readonly isEditable: boolean;
  readonly tried: TriedExpression;
  /** The field. */
  readonly children: ReactNode;
}

/** Nothing is asked for until the field has the focus. */
export function WithValue({ session, isEditable, tried, children }: WithValueProps) {
  const [isUsed, setIsUsed] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears of the focus of its field, and takes none
    <div className="with-value" onFocus={() => setIsUsed(true)}>
      {children}
      {isUsed && isEditable && tried.text !== "" && <ExpressionValue session={session} tried={tried} />}
    </div>
  );
}

type Shown = Schemas["ExpressionValue"] | "asked" | "no-message" | "no-answer";

function ExpressionValue({ session, tried }: Pick<WithValueProps, "session" | "tried">) {
  const at = useStore(target)?.name;
  const [last, setLast] = useState<LastMessage>();
  const [shown, setShown] = useState<Shown>("asked");
  const { language, text, isCondition } = tried;
  const hasPlaceholder = text.includes("{{");
  useEffect(() => {
    if (at === undefined || hasPlaceholder) return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    const show = async (): Promise<void> => {
      try {
        const item = currentItem(session);
        const message = item && (await lastMessageOf(at, session, item, signal));
        const params = session.get().options["params"];
        const value = message && (await evaluate(at, { language, text, isCondition }, message, params, signal));
        if (signal.aborted) return;
        setLast(message);
        setShown(value ?? "no-message");
      } catch {
        if (!signal.aborted) setShown("no-answer");
      }
    };
    const timer = setTimeout(() => void show(), validatePauseMs);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [at, session, language, text, isCondition, hasPlaceholder]);
  const { value: texts } = words.form;
  if (at === undefined) return null;
  if (hasPlaceholder) return <p className="value-note">{texts.placeholder}</p>;
  if (shown === "asked") return <p className="value-note">{texts.asked}</p>;
  if (shown === "no-message") return <p className="value-note">{texts.noMessage}</p>;
  if (shown === "no-answer") return <p className="value-note">{texts.noAnswer}</p>;
  const isPartial = /variable|exchangeProperty|exception/.test(`${language} ${text}`);
  return (
    <div className="value-note" role="status">
      <span>{texts.title(last?.at ?? "")}</span>
      {"error" in shown ? (
        <span className="field-error">{shown.error}</span>
      ) : (
        <pre className="value-text">{textOf(shown)}</pre>
      )}
      {isPartial && <span>{texts.partial}</span>}
    </div>
  );
}

function textOf({ value, cut }: { readonly value?: unknown; readonly cut: boolean }): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null, null, 2);
  return cut ? `${text}…` : text;
}
