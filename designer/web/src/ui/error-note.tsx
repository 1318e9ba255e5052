/** What went wrong, and what to do. */
import "./notes.css";
import { sentenceOf } from "../api/sentence.ts";
import { words } from "../words.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface ErrorNoteProps {
  /** What could not be done. */
  readonly title: string;
  /** What was thrown. */
  readonly error: unknown;
  /** Tries once more. */
  readonly onRetry?: (() => void) | undefined;
}

export function ErrorNote({ title, error, onRetry }: ErrorNoteProps) {
  return (
    <div className="note error" role="alert">
      <Icon name="error" />
      <div className="note-text">
        <strong>{title}</strong>
        <p>{sentenceOf(error)}</p>
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>{words.ui.retry}</Button>}
    </div>
  );
}
