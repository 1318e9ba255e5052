/** What a screen shows when it has nothing to show: what would be here, and how to get it. */
import type { ReactNode } from "react";
import "./notes.css";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icons.ts";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What to do. */
  readonly text: string;
  /** The buttons that do it. */
  readonly children?: ReactNode;
}

export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{text}</p>
      {children !== undefined && <div className="empty-actions">{children}</div>}
    </div>
  );
}
