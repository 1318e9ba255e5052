/** What became of a message that was tried: the answer, and each step's message. */
import { hashOf } from "../app/hash.ts";
import { MessageText } from "../runs/message-text.tsx";
import { indented, textOfMessage } from "../runs/messages.ts";
import { toneOf } from "../runs/runs-list.ts";
import { StepList } from "../runs/step-list.tsx";
import { Chip } from "../ui/chip.tsx";
import { Note } from "../ui/note.tsx";
import { words } from "../words.ts";
import type { Sent } from "./send-message.ts";

export function SentView({ sent }: { readonly sent: Sent }) {
  const { answer, result, run } = sent;
  const error = run?.error ?? result?.error ?? null;
  const durationMs = run?.durationMs ?? answer?.durationMs ?? result?.durationMs ?? 0;
  return (
    <>
      <h2>{words.tryIt.answer}</h2>
      <div className="watch-row">
        {answer !== undefined && (
          <Chip tone={answer.status < 400 ? "good" : "bad"}>{words.tryIt.status(answer.status)}</Chip>
        )}
        {run !== undefined && <Chip tone={toneOf(run.status)}>{words.runs.statuses[run.status]}</Chip>}
        <span className="faint">{words.runs.ms(durationMs)}</span>
        <span className="space" />
        {run !== undefined && <a href={hashOf(["runs", run.id])}>{words.tryIt.openRun}</a>}
      </div>
      {error !== null && (
        <Note kind="error" title={words.runs.failedAt(error.stepId, error.line)}>
          <p>
            {error.type}: {error.message}
          </p>
        </Note>
      )}
      <MessageText label={words.tryIt.answer} text={textOfAnswer(sent)} />
      <h2>{words.runs.steps}</h2>
      {run === undefined ? <p className="faint">{words.tryIt.noRun}</p> : <StepList key={run.id} run={run} />}
    </>
  );
}

function textOfAnswer({ answer, result }: Sent): string {
  if (answer !== undefined) {
    const headers = Object.fromEntries(answer.headers);
    return textOfMessage({ headers, body: indented(answer.body), bodyType: "" }) + (answer.cut ? words.tryIt.cut : "");
  }
  if (result === undefined) return "";
  const headers = Object.fromEntries(Object.entries(result.headers).map(([name, value]) => [name, String(value)]));
  const body = typeof result.body === "string" ? result.body : JSON.stringify(result.body ?? null);
  return textOfMessage({ headers, body, bodyType: "" });
}
