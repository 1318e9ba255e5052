/** What is wrong with a runtime, each with what to do about it. */
import { useMemo } from "react";
import type { Schemas } from "../../api/runtime.ts";
import { mayDo } from "../../api/session.ts";
import { target as targetStore } from "../../api/target.ts";
import { hashOf } from "../../app/hash.ts";
import { startFlow } from "../../deploy/operate.ts";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { lastKillOf } from "../last-kill.ts";

type Health = Schemas["Health"];
type Problem = NonNullable<Health["problems"]>[number];

const { health: texts } = words.operations;
/** Reported, and no reason for concern about the runtime itself. */
const mild: ReadonlySet<Problem["code"]> = new Set(["failed_messages", "file_not_deployed", "main_loop_late"]);

export function Problems({ target, health }: { readonly target: string; readonly health: Health }) {
  const { problems = [], failedFiles = [] } = health;
  if (problems.length === 0 && failedFiles.length === 0) return <p className="faint">{texts.noProblem}</p>;
  return (
    <div className="notes">
      {problems.map((problem, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal but for their place
        <ProblemNote key={`${problem.code} ${problem.flowId} ${index}`} target={target} problem={problem} />
      ))}
      {failedFiles.map(({ file, reason }) => (
        <Note key={file} kind="error" title={texts.failedFile(file)}>
          <p>{reason}</p>
          <p>{texts.failedFileText}</p>
        </Note>
      ))}
    </div>
  );
}

function ProblemNote({ target, problem }: { readonly target: string; readonly problem: Problem }) {
  const { code, message, flowId, routeId, file, until, since, lastError } = problem;
  const { title, advice } = texts.codes[code];
  const about = [flowId, routeId, file].filter((one) => one !== undefined).join(" / ");
  return (
    <Note kind={mild.has(code) ? "warn" : "error"} title={about === "" ? title : `${title}: ${about}`}>
      <p>{message}</p>
      {lastError !== undefined && lastError !== null && (
        <p>{texts.lastError(lastError.type, lastError.message, lastError.at)}</p>
      )}
      {since !== undefined && <p>{texts.since(since)}</p>}
      {code === "quarantined" && flowId !== undefined && <LastKill target={target} flowId={flowId} />}
      {until !== undefined && <p>{texts.until(until)}</p>}
      <p className="faint">{advice}</p>
      <Ways problem={problem} />
    </Note>
  );
}

/** Since when a flow is quarantined, and which limit it passed. */
function LastKill({ target, flowId }: { readonly target: string; readonly flowId: string }) {
  const kill = useStore(useMemo(() => lastKillOf(target, flowId), [target, flowId])).value;
  if (kill === undefined) return null;
  return (
    <>
      <p>{texts.quarantinedSince(kill.at)}</p>
      {kill.limit !== undefined && <p>{texts.passedLimit(kill.limit.name, kill.limit.allowed, kill.limit.used)}</p>}
    </>
  );
}

/** Where the problem can be looked at, and what can be done from here. */
function Ways({ problem: { code, flowId } }: { readonly problem: Problem }) {
  const chosen = useStore(targetStore);
  if (flowId === undefined) return null;
  return (
    <p className="ways">
      {code === "failed_messages" && <a href={hashOf(["failed"])}>{texts.toFailed}</a>}
      {code === "failing_route" && <a href={hashOf(["runs"], { flow: flowId, status: "failed" })}>{texts.toRuns}</a>}
      {(code === "consumer_failing" || code === "messages_overdue") && (
        <a href={hashOf(["operations"], { tab: "consumers", flow: flowId })}>{texts.toConsumers}</a>
      )}
      <a href={hashOf(["flows", flowId])}>{texts.toFlow}</a>
      {code === "quarantined" && chosen !== undefined && mayDo("operator") && (
        <Button icon="play" onClick={() => void startFlow(flowId, chosen)}>
          {texts.release}
        </Button>
      )}
    </p>
  );
}
