/** Opens the messages that wait for a consumer, from wherever it is shown; their view is loaded with the first look. */
import { createElement } from "react";
import { openDialog } from "../../ui/dialogs.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import type { PeekDialogProps } from "./peek-dialog.tsx";

export interface PeekedConsumer {
  /** The name of the runtime. */
  readonly target: string;
  readonly flowId: string;
  readonly routeId: string;
  readonly uri: string;
}

const View = onDemand<PeekDialogProps>(async () => (await import("./peek-dialog.tsx")).PeekDialog);

export function peekAt(consumer: PeekedConsumer): void {
  void openDialog((close) => createElement(View, { ...consumer, onClose: () => close() }));
}
