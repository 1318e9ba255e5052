/** Limits of what a runtime in a process of its own waits for at its start, while other work keeps the processors busy. */
export const patientLimits = {
  LIMIT_CHECK_MS: "30000",
  LIMIT_COMPILE_MS: "30000",
  LIMIT_THREAD_BOOT_MS: "60000",
  LIMIT_HOST_SILENT_MS: "60000",
} as const;
