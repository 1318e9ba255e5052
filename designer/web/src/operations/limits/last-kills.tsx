/** Of flows whose threads were killed: the last time, why, and which limit was passed. */
import { useMemo } from "react";
import { hashOf } from "../../app/hash.ts";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import { lastKillOf } from "../last-kill.ts";

const { limits: texts } = words.operations;
/** Each is a request. */
const most = 20;

interface LastKillsProps {
  readonly target: string;
  /** The flows with the most kills first. */
  readonly flows: readonly string[];
}

export function LastKills({ target, flows }: LastKillsProps) {
  if (flows.length === 0) return null;
  return (
    <ul className="last-kills" aria-label={texts.lastKills}>
      {flows.slice(0, most).map((flowId) => (
        <LastKill key={flowId} target={target} flowId={flowId} />
      ))}
    </ul>
  );
}

function LastKill({ target, flowId }: { readonly target: string; readonly flowId: string }) {
  const kill = useStore(useMemo(() => lastKillOf(target, flowId), [target, flowId])).value;
  if (kill === undefined) return null;
  return (
    <li>
      <a href={hashOf(["flows", flowId])}>{flowId}</a> {texts.lastKill(kill.at, kill.reason, kill.detail)}
    </li>
  );
}
