/** Reports a flow's options, and the settings that it has with those of the runtime. */
import { AppError } from "../../shared/errors.ts";
import { type FlowOptions, optionsOf, settingsOf } from "../stores/flow-options.ts";
import type { Deployment } from "./deployment.ts";
import type { FlowSettings } from "./flow-check.ts";
import type { ReportedOptions, SettingsInForce } from "./flow-service.ts";

/** `deployment`: the live one, which may have fewer threads than the flow asks for. */
export function reportOptions(
  settings: FlowSettings,
  options: FlowOptions,
  deployment: Pick<Deployment, "limits"> | undefined,
): ReportedOptions {
  return { ...optionsOf(options), inForce: settingsInForce(settings, options, deployment) };
}

function settingsInForce(
  settings: FlowSettings,
  options: FlowOptions,
  deployment: Pick<Deployment, "limits"> | undefined,
): SettingsInForce | undefined {
  try {
    const {
      limits,
      record,
      isolation = "thread",
      logHandled = true,
      keepFailed = true,
    } = settings(settingsOf(options));
    return { isolation, threads: deployment?.limits.threads ?? limits.threads, record, keepFailed, logHandled };
  } catch (error) {
    // The operator has lowered what flows may set; the next deployment is refused with the reason.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
