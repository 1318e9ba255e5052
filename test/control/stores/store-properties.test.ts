/** Any sequence of changes, restarts, kills, failures and losses of power, against a model that is a map of flows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MemoryFlowStore } from "../../../src/control/stores/memory-stores.ts";
import type { FlowStore } from "../../../src/control/stores/stores.ts";
import { contentHash } from "../../../src/control/stores/stores.ts";
import { Acknowledged, type Action } from "./acknowledged.ts";
import { assertPromises, openOn, stateOf } from "./crash-check.ts";
import { CrashFs } from "./crash-fs.ts";
import { hookedFs, systemError } from "./hooked-fs.ts";

type Event =
  | { readonly kind: "actions"; readonly actions: readonly Action[] }
  | { readonly kind: "restart" }
  /** At the operation of this number from now. */
  | { readonly kind: "kill"; readonly after: number }
  | { readonly kind: "fail"; readonly after: number; readonly code: string }
  /** `choices`: what is left of what was not synced. */
  | { readonly kind: "powerLoss"; readonly choices: readonly number[] };

const id = fc.constantFrom("a", "b", "c.d");
const plain = { noNullPrototype: true };
const content = fc.record(
  {
    yaml: fc.constantFrom("# one", "# two", "# drei \u{1f600}\r\n", "\ufeff# four"),
    params: fc.dictionary(
      fc.constantFrom("x", "constructor", "y"),
      fc.oneof(fc.string(), fc.boolean(), fc.constant(null)),
      {
        maxKeys: 2,
        noNullPrototype: true,
      },
    ),
    limits: fc.constantFrom({}, { queue: 5 }),
    state: fc.constantFrom("started", "stopped"),
  },
  plain,
);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("keep"), id, content }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove"), id, purge: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("state"), id, state: fc.constantFrom("started", "stopped") }) },
);
const actions = fc.uniqueArray(action, { minLength: 1, maxLength: 3, selector: (one) => one.id });
const change: fc.Arbitrary<Event> = fc.record({ kind: fc.constant("actions"), actions });
const restart: fc.Arbitrary<Event> = fc.constant({ kind: "restart" });
const after = fc.nat(30);
const incident: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant("kill"), after }),
  fc.record({ kind: fc.constant("fail"), after, code: fc.constantFrom("EIO", "ENOSPC", "EMFILE") }),
  fc.record({ kind: fc.constant("powerLoss"), choices: fc.array(fc.nat(3), { maxLength: 12 }) }),
);

async function assertServed(store: FlowStore, promised: Acknowledged): Promise<void> {
  const files = await store.list();
  const expected = promised.ids.flatMap((one) => {
    const { now } = promised.get(one);
    return now === null ? [] : [{ id: one, hash: contentHash(now.yaml) }];
  });
  assert.deepEqual(
    files.map((file) => ({ id: file.id, hash: file.hash })),
    expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  for (const one of promised.ids) {
    const { now, last } = promised.get(one);
    const head = (await store.read(one))?.head ?? undefined;
    assert.equal(head?.yaml, now?.yaml);
    assert.deepEqual(head?.params, now?.params);
    assert.equal(head?.state, now?.state);
    if (now !== null) assert.ok((head?.revision ?? 0) >= last);
  }
}

test("the store in memory behaves like the model, also over restarts", async () => {
  const events = fc.array(fc.oneof({ weight: 4, arbitrary: change }, { weight: 1, arbitrary: restart }), {
    maxLength: 15,
  });
  await fc.assert(
    fc.asyncProperty(events, async (sequence) => {
      const store = new MemoryFlowStore({ flowYamlBytes: 1000 });
      const promised = new Acknowledged();
      for (const event of sequence) {
        if (event.kind === "actions") await Promise.all(event.actions.map((one) => promised.act(store, one)));
        else await assertPromises(store, await store.load(), promised);
        await assertServed(store, promised);
      }
    }),
    { numRuns: 200 },
  );
});

test("the store on files keeps every promise through kills, failures and losses of power", async () => {
  const events = fc.array(fc.oneof({ weight: 3, arbitrary: change }, restart, { weight: 2, arbitrary: incident }), {
    maxLength: 15,
  });
  await fc.assert(
    fc.asyncProperty(events, async (sequence) => {
      const machine = new Machine();
      await machine.boot();
      for (const event of sequence) await machine.meet(event);
      await machine.boot();
    }),
    { numRuns: 200 },
  );
});

class Machine {
  readonly #promised = new Acknowledged();
  #disk = new CrashFs();
  #store: FlowStore = openOn(this.#disk);
  #incident: { readonly kind: "kill" | "fail"; left: number; readonly code: string } | undefined;
  #dead = false;
  #failed = false;

  async meet(event: Event): Promise<void> {
    if (event.kind === "actions") await this.#act(event.actions);
    else if (event.kind === "kill") this.#incident = { kind: "kill", left: event.after, code: "KILLED" };
    else if (event.kind === "fail") this.#incident = { kind: "fail", left: event.after, code: event.code };
    else if (event.kind === "powerLoss") this.#losePower(event.choices);
    if (event.kind === "restart" || event.kind === "powerLoss" || this.#dead) await this.boot();
  }

  /** Checks what it finds, unless it dies again, and then boots again. */
  async boot(): Promise<void> {
    this.#dead = false;
    this.#failed = false;
    this.#store = openOn(hookedFs({ before: () => this.#before() }, this.#disk));
    const flows = await this.#store.load().catch((error: unknown) => {
      if (this.#dead || this.#failed) return undefined;
      throw error;
    });
    if (this.#dead || flows === undefined) return this.boot();
    // A warning reports what a failing disk does not let the store record.
    if (!this.#failed) await assertPromises(this.#store, flows, this.#promised);
    for (const one of this.#promised.ids) {
      const flow = flows.find((other) => other.id === one);
      this.#promised.found(one, flow === undefined ? null : stateOf(flow));
    }
    if (this.#failed) return this.boot();
    await assertServed(this.#store, this.#promised);
  }

  async #act(wanted: readonly Action[]): Promise<void> {
    const dead = () => this.#dead;
    await Promise.all(wanted.map((one) => this.#promised.act(this.#store, one, dead)));
    if (!this.#dead && this.#store.status().writable) await assertServed(this.#store, this.#promised);
  }

  #losePower(choices: readonly number[]): void {
    let at = 0;
    this.#disk = this.#disk.afterPowerLoss((count) => (choices[at++ % Math.max(1, choices.length)] ?? 0) % count);
    this.#incident = undefined;
  }

  #before(): void {
    if (this.#dead) throw systemError("KILLED");
    if (this.#incident === undefined || this.#incident.left-- > 0) return;
    const { kind, code } = this.#incident;
    this.#incident = undefined;
    if (kind === "kill") this.#dead = true;
    else this.#failed = true;
    throw systemError(code);
  }
}
