/** A remark within a page or a dialog. */
import type { ReactNode } from "react";
import "./notes.css";
import { Icon } from "./icon.tsx";

interface NoteProps {
  readonly kind: "info" | "done" | "warn" | "error";
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

const icons = { info: "info", done: "check", warn: "warn", error: "error" } as const;

export function Note({ kind, title, children }: NoteProps) {
  return (
    <div className={`note ${kind}`}>
      <Icon name={icons[kind]} />
      <div className="note-text">
        {title !== undefined && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}
