/** What the screens share of the servers' state, each asked for once. */
import { orThrow } from "../../../../src/client/client.ts";
import { ApiError } from "../../../../src/client/errors.ts";
import type { MappingKind } from "../../../shared/mapping-uses.ts";
import type { FlowEntry, MappingEntry } from "../../../shared/wire.ts";
import { whenIdle } from "../ui/when-idle.ts";
import { words } from "../words.ts";
import { type Polled, polled } from "./polled.ts";
import { runtimeOf, type Schemas } from "./runtime.ts";
import type { MessageSummary, ValueSummary } from "./runtime-mappings.ts";
import { followStream } from "./streams/follow.ts";
import { listFlows } from "./workspace.ts";
import { listMappings } from "./workspace-mappings.ts";

const known = new Map<string, Polled<unknown>>();
const healthMs = 5000;

/** `key` has the kind and the target; for a key it is always the same. */
function shared<T>(
  key: string,
  everyMs: number,
  load: (signal: AbortSignal) => Promise<T>,
  follow?: (onChange: () => void) => () => void,
  longestMs?: number,
): Polled<T> {
  const one = known.get(key) ?? polled({ load, everyMs, follow, longestMs, isVisible: () => !document.hidden });
  known.set(key, one);
  return one as Polled<T>;
}

/** Flows of the workspace: asked for when the server reports a change, and now and then, should it not be heard. */
export function workspaceFlows(): Polled<readonly FlowEntry[]> {
  return shared("workspace", 10_000, listFlows, followWorkspace);
}

/** Behind what one waits for. */
function followWorkspace(onChange: () => void): () => void {
  let wasLost = false;
  let end = whenIdle(() => {
    end = followStream(
      { kind: "workspace" },
      {
        onBatch: onChange,
        onConnection({ kind }) {
          // Changes of the meantime are not reported.
          if (kind === "open" && wasLost) onChange();
          wasLost = kind === "lost";
        },
      },
    );
  });
  return () => end();
}

/** Mappings of the workspace. */
export function workspaceMappings(): Polled<readonly MappingEntry[]> {
  return shared("mappings", 4000, listMappings);
}

export function valueMappings(target: string): Polled<readonly ValueSummary[]> {
  return shared(`value ${target}`, 4000, (signal) =>
    orThrow(runtimeOf(target).GET("/_api/value-mappings", { signal })),
  );
}

export function messageMappings(target: string): Polled<readonly MessageSummary[]> {
  return shared(`message ${target}`, 4000, (signal) =>
    orThrow(runtimeOf(target).GET("/_api/message-mappings", { signal })),
  );
}

/** Mappings of a runtime, with who uses them. */
export function runtimeMappings(target: string, kind: MappingKind): Polled<readonly (ValueSummary | MessageSummary)[]> {
  return kind === "value" ? valueMappings(target) : messageMappings(target);
}

/** Asks again for the mappings of both sides: something was changed from here. */
export function refreshMappings(target: string): void {
  void workspaceMappings().refresh();
  void valueMappings(target).refresh();
  void messageMappings(target).refresh();
}

/** Flows of a runtime, with what they have used. */
export function runtimeFlows(target: string): Polled<readonly Schemas["FlowSummary"][]> {
  return shared(`flows ${target}`, 4000, (signal) =>
    orThrow(runtimeOf(target).GET("/_api/flows", { params: { query: { usage: true } }, signal })),
  );
}

/** Runtimes that did not answer at last. */
const away = new Set<string>();

/** Asked for each 5 s, also while the runtime does not answer: its return is seen here, and all the rest is asked for then. */
export function runtimeHealth(target: string): Polled<Schemas["Health"]> {
  const load = async (signal: AbortSignal): Promise<Schemas["Health"]> => {
    try {
      const health = await orThrow(runtimeOf(target).GET("/_api/health", { signal }));
      // Whoever has no valid token gets a report, too: a short one.
      if (health.store === undefined) throw new ApiError(401, "unauthorized", words.errors.tokenRefused);
      if (away.delete(target)) askAgain(target);
      return health;
    } catch (error) {
      if (!signal.aborted) away.add(target);
      throw error;
    }
  };
  return shared(`health ${target}`, healthMs, load, undefined, healthMs);
}

function askAgain(target: string): void {
  for (const [key, one] of known) {
    const isOther = key.endsWith(` ${target}`) && key !== `health ${target}`;
    if (isOther && one.get().error !== undefined) void one.refresh();
  }
}

/** The table of limits changes with a restart of the runtime only. */
export function runtimeLimits(target: string): Polled<readonly Schemas["Limit"][]> {
  return shared(`limits ${target}`, 0, (signal) => orThrow(runtimeOf(target).GET("/_api/limits", { signal })));
}

/** Asks again for the flows of both sides: something was changed from here. */
export function refreshFlows(target?: string): void {
  void workspaceFlows().refresh();
  if (target !== undefined) {
    void runtimeFlows(target).refresh();
    void runtimeHealth(target).refresh();
  }
}
