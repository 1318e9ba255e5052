/** The registry of steps: what a route can do. */
import type { StepDefinition } from "../engine/step.ts";
import { choice } from "./choice.ts";
import { delay } from "./delay.ts";
import { filter } from "./filter.ts";
import { log } from "./log.ts";
import { pipeline } from "./pipeline.ts";
import { removeHeader } from "./remove-header.ts";
import { removeHeaders } from "./remove-headers.ts";
import { removeProperties } from "./remove-properties.ts";
import { removeProperty } from "./remove-property.ts";
import { removeVariable } from "./remove-variable.ts";
import { setBody } from "./set-body.ts";
import { setHeader } from "./set-header.ts";
import { setHeaders } from "./set-headers.ts";
import { setProperty } from "./set-property.ts";
import { setVariable } from "./set-variable.ts";
import { setVariables } from "./set-variables.ts";
import { step } from "./step.ts";
import { stop } from "./stop.ts";
import { throwException } from "./throw-exception.ts";
import { to } from "./to.ts";
import { transform } from "./transform.ts";

export const steps: readonly StepDefinition[] = [
  choice,
  delay,
  filter,
  log,
  pipeline,
  removeHeader,
  removeHeaders,
  removeProperties,
  removeProperty,
  removeVariable,
  setBody,
  setHeader,
  setHeaders,
  setProperty,
  setVariable,
  setVariables,
  step,
  stop,
  throwException,
  to,
  transform,
];
