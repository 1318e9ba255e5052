/** Checks of flows' texts that are remembered: what was checked before, by this very code, is not checked again after a restart. */
import type { CheckRequest, CheckResult } from "../../shared/check.ts";
import type { CheckedModels } from "../stores/checked-models.ts";
import { contentHash } from "../stores/stores.ts";
import type { Gate } from "../threads/waiting.ts";
import type { CheckPool } from "./check-pool.ts";
import { readCheckResult } from "./check-pool.ts";

export interface KnownCheck extends CheckResult {
  /** Keeps what was found for the next start, unless it is from there. */
  remember(): void;
}

export class KnownChecks {
  readonly #checks: CheckPool;
  readonly #models: CheckedModels;

  constructor(checks: CheckPool, models: CheckedModels) {
    this.#checks = checks;
    this.#models = models;
  }

  check(request: CheckRequest): Promise<KnownCheck> {
    return this.#check(request, this.#keyOf(request));
  }

  /** Looks first whether this has been checked before; `gate` is for those that have not. */
  async recall(request: CheckRequest, gate?: Gate): Promise<KnownCheck> {
    const key = this.#keyOf(request);
    const known = await this.#read(request, key);
    if (known !== undefined) return { ...known, remember() {} };
    const check = () => this.#check(request, key);
    return gate === undefined ? check() : gate.pass(check);
  }

  /** Of whatever else was kept: it is read as a thread's answer is, and what does not pass has never been. */
  async #read(request: CheckRequest, key: string): Promise<CheckResult | undefined> {
    const kept = await this.#models.read(request.flowId, key);
    if (kept === undefined) return undefined;
    try {
      return readCheckResult(kept, request);
    } catch {
      return undefined;
    }
  }

  forget(flowId: string): void {
    this.#models.forget(flowId);
  }

  async #check(request: CheckRequest, key: string): Promise<KnownCheck> {
    const { flow, diagnostics } = await this.#checks.check(request);
    if (flow === undefined) return { diagnostics, remember() {} };
    return { flow, diagnostics, remember: () => this.#models.keep(request.flowId, key, { flow, diagnostics }) };
  }

  /** All that a check depends on: what it was asked, and the code that answered. */
  #keyOf({ flowId, yaml, params, limits, variables = new Map() }: CheckRequest): string {
    const { codeVersion } = this.#checks;
    return contentHash(JSON.stringify([codeVersion, process.version, flowId, yaml, params, limits, [...variables]]));
  }
}
