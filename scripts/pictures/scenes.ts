/** What the pictures of the command line show: the commands that are typed, and what happens meanwhile. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Pane } from "./pane.ts";
import { orders, ordersOptions, prices, returns, returnsWithFault, returnsWithFaults } from "./shop.ts";

export interface Scene {
  /** The command that it stands with in docs/cli.md, such as `runs show`. */
  readonly command: string;
  /** What is to be seen, for those who do not see it. */
  readonly caption: string;
  readonly columns: number;
  readonly rows: number;
  /** false: no runtime serves meanwhile. */
  readonly served: boolean;
  play(stage: Stage): Promise<void>;
}

export interface Stage {
  readonly pane: Pane;
  /** The project folder, ~/shop. */
  readonly folder: string;
  /** Calls a webhook, and resolves with the id of the run. */
  call(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<string>;
  /** Resolves with the ids of so many failed messages that wait, newest first. */
  kept(count: number): Promise<readonly string[]>;
}

/** Writes files of the project folder. */
function write({ folder }: Stage, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export const scenes: readonly Scene[] = [
  {
    command: "validate",
    caption: "bulkhead validate shows each problem with its file, its line and what is meant underlined",
    ...{ columns: 120, rows: 50, served: false },
    async play(stage) {
      write(stage, {
        "routes/orders.yaml": orders,
        "routes/prices.yaml": prices,
        "routes/returns.yaml": returnsWithFaults,
      });
      await stage.pane.type("bulkhead validate routes");
    },
  },
  {
    command: "run",
    caption:
      "bulkhead run --dev deploys what is saved, shows a file that is refused with its problem, and the log of a run",
    ...{ columns: 120, rows: 50, served: false },
    async play(stage) {
      const { pane } = stage;
      write(stage, { "routes/orders.yaml": orders, "routes/prices.yaml": prices });
      await pane.type("bulkhead run --dev", /✓ +orders[\s\S]*✓ +prices|✓ +prices[\s\S]*✓ +orders/);
      write(stage, { "routes/returns.yaml": returnsWithFault });
      await pane.shown(/✗ +returns[\s\S]*\^/);
      write(stage, { "routes/returns.yaml": returns });
      await pane.shown(/✓ +returns/);
      await stage.call("/api/returns", { reason: "too heavy" });
      await stage.call("/api/order-in", { orderNo: "17", sku: "anvil", quantity: 3 });
      await pane.shown(/order 17: 6/);
    },
  },
  {
    command: "deploy",
    caption: "bulkhead deploy --dry-run prints the plan with the lines that differ; bulkhead deploy carries it out",
    ...{ columns: 120, rows: 60, served: true },
    async play(stage) {
      write(stage, {
        "routes/orders.yaml": orders.replace(">= 1000", ">= 500"),
        "routes/orders.flow.yaml": ordersOptions,
        "routes/prices.yaml": prices,
        "routes/returns.yaml": returns,
      });
      await stage.pane.type("bulkhead deploy routes --dry-run");
      await stage.pane.type("bulkhead deploy routes");
    },
  },
  {
    command: "top",
    caption: "bulkhead top shows what each flow uses, refreshed in place",
    ...{ columns: 120, rows: 13, served: true },
    async play(stage) {
      const { pane } = stage;
      let calling = true;
      const callers = [1, 2, 3].map(async () => {
        for (let n = 0; calling; n += 1) {
          const sku = n % 5 === 0 ? "balloon" : "anvil";
          await stage.call("/api/order-in", { orderNo: String(n), sku, quantity: n });
          if (n % 3 === 0) await stage.call("/api/batch", [{ customer: "ann", amount: n }]);
          if (n % 10 === 0) await stage.call("/api/deliveries", "a parcel");
        }
      });
      await pane.type("bulkhead top", /orders +Started +[1-9][\s\S]*q ends|q ends[\s\S]*orders +Started +\d*[1-9]/);
      calling = false;
      await Promise.all(callers);
    },
  },
  {
    command: "trace",
    caption: "bulkhead trace follows the steps of each run, with durations and messages",
    ...{ columns: 120, rows: 40, served: true },
    async play(stage) {
      await stage.pane.type("bulkhead trace -f --flow orders", /Following/);
      await stage.call("/api/order-in", { orderNo: "17", sku: "rocket", quantity: 1 });
      await stage.call("/api/order-in", { orderNo: "18", sku: "balloon", quantity: 2 });
      await stage.pane.shown(/run\.completed[\s\S]*run\.failed/);
    },
  },
  {
    command: "runs show",
    caption:
      "bulkhead runs show names the step, the line and the message of a run that has failed, and what each step did",
    ...{ columns: 120, rows: 40, served: true },
    async play(stage) {
      const run = await stage.call("/api/order-in", { orderNo: "18", sku: "balloon", quantity: 2 });
      await stage.pane.type(`bulkhead runs show ${run}`);
    },
  },
  {
    command: "failed",
    caption: "bulkhead failed lists messages of failed runs that are kept, and shows one of them",
    ...{ columns: 120, rows: 60, served: true },
    async play(stage) {
      const later = { Prefer: "respond-async" };
      for (const sku of ["balloon", "balloon", "kite"])
        await stage.call("/api/order-in", { orderNo: "18", sku, quantity: 2 }, later);
      await stage.call("/api/deliveries", "a parcel for nobody", later);
      const [id] = await stage.kept(3);
      await stage.pane.type("bulkhead failed");
      await stage.pane.type(`bulkhead failed show ${id}`);
    },
  },
];

/** Where the picture of a command is, from docs/ on. */
export function pictureOf({ command }: Scene): string {
  return `pictures/${command.replaceAll(" ", "-")}.svg`;
}
