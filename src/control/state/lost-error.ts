/** What a failed message says whose run was under way when the runtime ended. */

/** The error of a message whose run was under way when the runtime ended. `before`: that of its last run that has ended. */
export function lostError(before: string | undefined): string {
  const unknown = "the runtime ended while a run of the message was under way: what it had done by then is not known";
  const { type, message: last } = JSON.parse(before ?? "{}") as { readonly type?: string; readonly message?: string };
  if (before !== undefined && type === lostType) return before;
  const message = before === undefined ? unknown : `${unknown}; the run before it failed with ${type}: ${last}`;
  return JSON.stringify({ type: lostType, message: message.slice(0, mostMessage), stepId: null, line: null });
}

const lostType = "RunLostException";
const mostMessage = 4000;
