/** Secrets that flows and policies name; their values are the operator's, in files or in the environment. */
export interface Secrets {
  /** The value as it is now, read anew at each call; undefined: there is none of the name. Throws AppError `bad_id`, `store_failed`. */
  read(flowId: string, name: string): Promise<string | undefined>;
}

/** Where no secrets are configured. */
export const noSecrets: Secrets = { read: async () => undefined };
