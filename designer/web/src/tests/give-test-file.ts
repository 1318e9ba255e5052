/** Gives the tests of a flow to the user as a file for `bulkhead test`. */
import { giveFile } from "../ui/give-file.ts";
import type { FlowTest } from "./test-file.ts";

export async function giveTestFile(flowId: string, tests: readonly FlowTest[]): Promise<void> {
  const { writeTestFile } = await import("./test-file.ts");
  giveFile(`${flowId}.tests.yaml`, writeTestFile(flowId, tests));
}
