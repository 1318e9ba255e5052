/** Secrets that flows and policies name; the operator provides their values in files or in the environment. */
export interface Secrets {
  /**
   * Reads the current value, anew at each call; undefined: no secret has the name. Throws AppError `bad_id`,
   * `store_failed`.
   */
  read(flowId: string, name: string): Promise<string | undefined>;
}

/** For a runtime without secrets. */
export const noSecrets: Secrets = { read: async () => undefined };
