/** The shape of each frame that a thread sends, and which of them cost control as much as a message. */
import { ToControl } from "../../shared/protocol.ts";

/** Fields of each frame with its kind; a result has timings behind them. */
export const fieldCounts: Readonly<Record<number, number>> = {
  ...{ [ToControl.result]: 11, [ToControl.log]: 6, [ToControl.trace]: 7, [ToControl.call]: 8, [ToControl.route]: 6 },
  ...{ [ToControl.announce]: 3, [ToControl.begin]: 5, [ToControl.withdraw]: 2, [ToControl.finished]: 1 },
  ...{
    [ToControl.mapped]: 2,
    [ToControl.steps]: 3,
    [ToControl.mocked]: 4,
    [ToControl.dropped]: 3,
    [ToControl.handled]: 7,
    [ToControl.failed]: 5,
  },
};
/** They cost control as much as a message: a run begins in another flow, all threads of the flow are notified, texts are parsed. */
export const costly: ReadonlySet<unknown> = new Set([ToControl.call, ToControl.route, ToControl.steps]);
