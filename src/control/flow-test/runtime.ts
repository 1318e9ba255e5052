/** Where tests run: in a runtime of their own, or in an existing one. */
import type { ApiClient } from "./api-client.ts";
import type { FlowSources } from "./flow-sources.ts";
import type { TestFile } from "./test-file.ts";

export interface TestRuntime {
  readonly api: ApiClient;
  /** Prepares the file's flows and documents; returns notes for the tester. Throws Refusal, BadFile, Unreachable. */
  prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]>;
  /** Removes what `prepare` has installed. */
  release(): Promise<void>;
  close(): Promise<void>;
}
