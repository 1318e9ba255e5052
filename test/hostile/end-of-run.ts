/** How a run's record tells its end, as one text. */
import type { Target } from "./case.ts";

interface Run {
  readonly id: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly limit?: { readonly name: string } | null;
  readonly error: { readonly type: string; readonly message: string } | null;
}

/** `killed/cpu_limit runCpuMs: java.lang.X: message`; of the route's first known run when that one is not known. */
export async function endOf({ api }: Target, runId: string | undefined): Promise<string> {
  const known = runId === undefined ? undefined : await api(`/runs/${runId}`);
  // Those of many callers have made room for each other.
  const run = known?.ok
    ? ((await known.json()) as Run)
    : ((await (await api("/runs?routeId=hostile&limit=500")).json()) as Run[]).at(-1);
  if (run === undefined) return "";
  const { status, outcome, limit, error } = run;
  return [`${status}/${outcome}`, limit?.name, error && `${error.type}: ${error.message}`].filter(Boolean).join(" ");
}
