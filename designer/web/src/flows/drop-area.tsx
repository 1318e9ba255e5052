/** A part of the page on which files can be dropped. */
import { type DragEvent, type ReactNode, useState } from "react";
import { words } from "../words.ts";

interface DropAreaProps {
  /** undefined: nothing can be dropped. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined;
  readonly children: ReactNode;
}

export function DropArea({ onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  if (onFiles === undefined) return <div className="drop-area">{children}</div>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a button beside the list chooses files by keyboard
    <div
      className={isOver ? "drop-area over" : "drop-area"}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && <p className="drop-hint">{words.flows.drop}</p>}
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes("Files");
}
