/** Starts the runtime: the first thread boots on a core of its own while this one loads the rest of the code. */
import { readConfig } from "./config.ts";
import { localThreads } from "./threads/local-threads.ts";

/** Resolves when the runtime listens. Throws ConfigError, and Error for what keeps it from starting. */
export async function start(version: string): Promise<void> {
  const config = readConfig(process.env);
  const threads = localThreads(config.limits);
  if (config.isolation === "thread") threads.plain.bootAhead();
  try {
    const { serve } = await import("./serve.ts");
    await serve(config, threads, version);
  } catch (error) {
    await threads.plain.close();
    throw error;
  }
}
