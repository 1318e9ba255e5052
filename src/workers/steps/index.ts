/** The registry of steps. */
import type { StepDefinition } from "../engine/step.ts";
import { aggregate } from "./aggregate.ts";
import { choice } from "./choice.ts";
import { circuitBreaker } from "./circuit-breaker.ts";
import { claimCheck } from "./claim-check.ts";
import { convertBodyTo } from "./convert-body-to.ts";
import { convertHeaderTo } from "./convert-header-to.ts";
import { convertVariableTo } from "./convert-variable-to.ts";
import { delay } from "./delay.ts";
import { doTry } from "./do-try.ts";
import { dynamicRouter } from "./dynamic-router.ts";
import { enrich } from "./enrich.ts";
import { filter } from "./filter.ts";
import { idempotentConsumer } from "./idempotent-consumer.ts";
import { kamelet } from "./kamelet.ts";
import { kameletSink } from "./kamelet-sink.ts";
import { loadBalance } from "./load-balance.ts";
import { log } from "./log.ts";
import { loop } from "./loop.ts";
import { marshal } from "./marshal.ts";
import { messageMapping } from "./message-mapping.ts";
import { multicast } from "./multicast.ts";
import { pipeline } from "./pipeline.ts";
import { poll } from "./poll.ts";
import { pollEnrich } from "./poll-enrich.ts";
import { recipientList } from "./recipient-list.ts";
import { removeHeader } from "./remove-header.ts";
import { removeHeaders } from "./remove-headers.ts";
import { removeProperties } from "./remove-properties.ts";
import { removeProperty } from "./remove-property.ts";
import { removeVariable } from "./remove-variable.ts";
import { resequence } from "./resequence.ts";
import { restBinding } from "./rest-binding.ts";
import { rollback } from "./rollback.ts";
import { routingSlip } from "./routing-slip.ts";
import { sample } from "./sample.ts";
import { script } from "./script.ts";
import { setBody } from "./set-body.ts";
import { setExchangePattern } from "./set-exchange-pattern.ts";
import { setHeader } from "./set-header.ts";
import { setHeaders } from "./set-headers.ts";
import { setProperty } from "./set-property.ts";
import { setVariable } from "./set-variable.ts";
import { setVariables } from "./set-variables.ts";
import { sort } from "./sort.ts";
import { split } from "./split.ts";
import { step } from "./step.ts";
import { stop } from "./stop.ts";
import { threads } from "./threads.ts";
import { throttle } from "./throttle.ts";
import { throwException } from "./throw-exception.ts";
import { to } from "./to.ts";
import { toD } from "./to-d.ts";
import { transacted } from "./transacted.ts";
import { transform } from "./transform.ts";
import { unmarshal } from "./unmarshal.ts";
import { validate } from "./validate.ts";
import { valueMapping } from "./value-mapping.ts";
import { wireTap } from "./wire-tap.ts";

export const steps: readonly StepDefinition[] = [
  aggregate,
  choice,
  circuitBreaker,
  claimCheck,
  convertBodyTo,
  convertHeaderTo,
  convertVariableTo,
  delay,
  doTry,
  dynamicRouter,
  enrich,
  filter,
  idempotentConsumer,
  kamelet,
  kameletSink,
  loadBalance,
  log,
  loop,
  marshal,
  messageMapping,
  multicast,
  pipeline,
  poll,
  pollEnrich,
  recipientList,
  removeHeader,
  removeHeaders,
  removeProperties,
  removeProperty,
  removeVariable,
  resequence,
  restBinding,
  rollback,
  routingSlip,
  sample,
  script,
  setBody,
  setExchangePattern,
  setHeader,
  setHeaders,
  setProperty,
  setVariable,
  setVariables,
  sort,
  split,
  step,
  stop,
  threads,
  throttle,
  throwException,
  to,
  toD,
  transacted,
  transform,
  unmarshal,
  validate,
  valueMapping,
  wireTap,
];
