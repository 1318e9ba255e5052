/** `/_api/deployments`: deploys a set of flows, mappings and policies in one piece. */
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import type { SetAnswer, SetDocument, SetWarning, SplitSet } from "../deployments/set-document.ts";
import { changeOptions, noOptions, sentOptions } from "../stores/flow-options.ts";
import { knownOfSet, setAnswerSchema, setRestSchema, setSchema } from "./deployment-schemas.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { deployErrors } from "./flow-deployments.ts";
import { readPart } from "./request-parts.ts";
import { flag, jsonAnswer, keepQuery, mostWhole, wholeNumber } from "./schemas.ts";
import type { Services } from "./services.ts";
import { findUnknown, refuseMisspelt } from "./unknown-fields.ts";

const query = z.strictObject({
  dryRun: flag.optional(),
  prune: flag.optional(),
  keep: keepQuery.optional(),
  strict: flag.optional(),
  expectRemovals: wholeNumber("the number of removals that you expect", 0, mostWhole).optional(),
});

const keptAnyway: SetWarning = {
  code: "no_effect",
  message: "keep=state is for the flows that prune=true removes: without it none is removed",
};

const ofParts = [
  "id_taken",
  "precondition_failed",
  "mapping_invalid",
  "mapping_in_use",
  "policy_invalid",
  "connection_invalid",
  "connection_in_use",
  "removals_refused",
] as const;

export function deploymentsEndpoints({ deployments, limits, actorOf }: Services): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/_api/deployments",
      action: "flows.write",
      name: "deploySet",
      summary:
        "Deploys flows, mappings, policies and connections together, all or none. dryRun=true: answers what would change, with diffs; prune=true: removes what an earlier deployment of the set brought and this one does not have (with keep=state its flows' state stays); strict=true: refuses mappings and policies with warnings.",
      query,
      body: { schema: setSchema, media: ["json"], raw: true, limit: "deploymentBytes" },
      answers: { 200: jsonAnswer("Deployed, or (dryRun) planned.", setAnswerSchema) },
      errors: [...deployErrors, ...ofParts],
      made: nameOfSet,
      async handle({ query: { dryRun = false, prune = false, keep, strict = false, expectRemovals }, body, request }) {
        const split = await deployments.split(body.bytes);
        const { document, warnings } = readSet(split, limits.values);
        if (prune && document.set === undefined)
          throw new AppError(
            "bad_request",
            "prune=true removes what an earlier deployment of a set brought: name the set",
          );
        const options = {
          dryRun,
          prune,
          keepState: keep === "state",
          strict,
          expectRemovals,
          actor: actorOf(request.raw),
        };
        const answer = await deployments.deploy(document, options);
        const idle = keep !== undefined && !prune ? [keptAnyway] : [];
        return { ...answer, warnings: [...idle, ...warnings, ...answer.warnings] };
      },
    }),
  ];
}

/** As the audit log names it: by the set, or by what was sent. */
function nameOfSet({ set, flows, mappings }: SetAnswer): string {
  if (set !== undefined) return `set ${set}`;
  return [...flows.map(({ id }) => `flow ${id}`), ...mappings.map(({ kind, id }) => `${kind} mapping ${id}`)].join(
    ", ",
  );
}

interface SetBounds {
  readonly deploymentItems: number;
  readonly flowYamlBytes: number;
}

/** Throws bad_request, body_too_large, and flow_invalid for a misspelt field. */
function readSet(
  { rest, documents }: SplitSet,
  { deploymentItems, flowYamlBytes }: SetBounds,
): { readonly document: SetDocument; readonly warnings: readonly SetWarning[] } {
  const sent = readPart(setRestSchema, rest);
  const { set, flows = [], mappings = [], policies = [], connections = [] } = sent;
  const count = flows.length + mappings.length + policies.length + connections.length;
  if (set === undefined && count === 0)
    throw new AppError("bad_request", "there is nothing to deploy: send flows or mappings, or name a set");
  if (count > deploymentItems) {
    throw new AppError(
      "bad_request",
      `the set has ${count} flows, mappings, policies and connections, more than ${deploymentItems}: split it`,
    );
  }
  for (const { id, yaml } of flows) {
    if (Buffer.byteLength(yaml) > flowYamlBytes)
      throw new AppError("body_too_large", `the YAML of flow '${id}' is larger than ${flowYamlBytes} bytes`);
  }
  const own = flows.flatMap(({ id, policy }) => (policy === undefined ? [] : [{ flowId: id, document: policy }]));
  const document: SetDocument = {
    set,
    flows: flows.map((flow) => ({
      ...{ id: flow.id, yaml: flow.yaml, ifMatch: flow.ifMatch, ifNoneMatch: flow.ifNoneMatch },
      options: changeOptions(noOptions, sentOptions(flow)),
    })),
    mappings: mappings.map(({ kind, id, ifMatch, ifNoneMatch }, index) => ({
      ...{ kind, id, ifMatch, ifNoneMatch },
      bytes: documents[index] ?? new Uint8Array(),
    })),
    policies: [...own, ...policies.map(({ flowId, policy }) => ({ flowId, document: policy }))],
    connections: connections.map(({ name, document: sentDocument }) => ({ name, document: sentDocument })),
  };
  refuseTwice(document.flows.map(({ id }) => `flow '${id}'`));
  refuseTwice(document.mappings.map(({ kind, id }) => `${kind} mapping '${id}'`));
  refuseTwice(document.connections.map(({ name }) => `connection '${name}'`));
  refuseTwice(document.policies.map(({ flowId }) => `policy of '${flowId}'`));
  const warnings = refuseMisspelt([
    findUnknown(sent, knownOfSet.set),
    ...flows.map((flow) => findUnknown(flow, knownOfSet.flow, `flow '${flow.id}'`)),
    ...mappings.map((one) => findUnknown(one, knownOfSet.mapping, `${one.kind} mapping '${one.id}'`)),
    ...policies.map((one) => findUnknown(one, knownOfSet.policy, `the policy of '${one.flowId}'`)),
    ...connections.map((one) => findUnknown(one, knownOfSet.connection, `connection '${one.name}'`)),
  ]);
  return { document, warnings };
}

/** Throws bad_request for names that are the same, or differ only by case, which some disks do not tell apart. */
function refuseTwice(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      const what = other === name ? "is in the set twice" : `and ${other} differ only by case`;
      throw new AppError("bad_request", `the ${name} ${what}`);
    }
    seen.set(name.toLowerCase(), name);
  }
}
