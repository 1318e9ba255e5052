/** Where tests run: a runtime of their own, or one that is there. */
import type { ApiClient } from "./api-client.ts";
import type { FlowSources } from "./flow-sources.ts";
import type { TestFile } from "./test-file.ts";

export interface TestRuntime {
  readonly api: ApiClient;
  /** Makes the file's flows and documents ready; answers what the tester should know. Throws Refusal, BadFile, Unreachable. */
  prepare(file: TestFile, sources: FlowSources): Promise<readonly string[]>;
  /** Takes away what `prepare` has made. */
  release(): Promise<void>;
  close(): Promise<void>;
}
