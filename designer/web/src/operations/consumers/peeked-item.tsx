/** One message that waits: a line, which opens to its headers and its body. */
import type { Schemas } from "../../api/runtime.ts";
import { MessageText } from "../../runs/message-text.tsx";
import { textOfMessage } from "../../runs/messages.ts";
import { Chip } from "../../ui/chip.tsx";
import { Note } from "../../ui/note.tsx";
import { words } from "../../words.ts";
import "../../runs/runs.css";

const { peek: texts } = words.operations.consumers;
/** The beginning of a body, which stands for it while it is closed. */
const briefCharacters = 160;

interface PeekedItemProps {
  readonly message: Schemas["PeekedMessage"];
  /** Its place among those that were found. */
  readonly index: number;
}

export function PeekedItem({ message, index }: PeekedItemProps) {
  const { at, headers, body, bodyType, unreadable } = message;
  const name = at ?? headers["JMSMessageID"] ?? texts.message(index + 1);
  return (
    <li>
      <details open={index === 0}>
        <summary>
          <code>{name}</code>
          {unreadable === null ? (
            <span className="faint">{body.slice(0, briefCharacters)}</span>
          ) : (
            <Chip tone="bad">{texts.unreadable}</Chip>
          )}
        </summary>
        {unreadable !== null && (
          <Note kind="error" title={texts.unreadableText}>
            <p>{unreadable}</p>
          </Note>
        )}
        <MessageText label={texts.textOf(name, bodyType)} text={textOfMessage({ headers, body, bodyType })} />
      </details>
    </li>
  );
}
