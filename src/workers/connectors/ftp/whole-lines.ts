/** Replies of a server by whole lines (RFC 959, 4.2). */
import type ftp from "basic-ftp";

type Context = InstanceType<typeof ftp.Client>["ftp"];

/** The most characters of a line: a server that sends more is not one of files. */
const longestLine = 64 * 1024;

/**
 * The library takes the beginning of a line for a whole reply: `213 12` for the size in `213 1234`, when a packet or the
 * connection ends there. It gets what has a line's end, and an end of the connection ends a line that has none.
 */
export function byWholeLines(context: Context): void {
  const replies = context as unknown as { _onControlSocketData: (text: string) => void };
  const take = replies._onControlSocketData.bind(context);
  let rest = "";
  let socket = context.socket;
  replies._onControlSocketData = (text) => {
    // What has come before the encryption began is not part of what comes in it.
    const known = socket === context.socket ? rest + text : text;
    socket = context.socket;
    const end = known.lastIndexOf("\n") + 1;
    rest = known.slice(end);
    if (rest.length > longestLine)
      context.closeWithError(new Error(`a reply has a line of over ${longestLine} characters`));
    else if (end > 0) take(known.slice(0, end));
  };
}
