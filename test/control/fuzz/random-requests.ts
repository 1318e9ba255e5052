/** Requests for the operations of the OpenAPI document: good ones, and those with something wrong in path, query, headers or body. */
import fc from "fast-check";
import { hintsWith } from "./hints.ts";
import type { OpenApi, Operation, Parameter } from "./openapi-document.ts";
import { bodiesOf, headersWith, idsOf, queriesOf } from "./random-parts.ts";

export interface RandomRequest {
  readonly operation: Operation;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What a caller knows beside the schemas. */
export interface Known {
  /** Ids of flows and runs. */
  readonly ids: readonly string[];
  /** Values of conditional headers. */
  readonly tags: readonly string[];
}

export function requestsFor(api: OpenApi, { ids, tags }: Known): fc.Arbitrary<RandomRequest> {
  const hints = hintsWith(ids);
  const headers = headersWith(tags);
  const perOperation = api.operations.map((operation) => {
    const inPath = operation.parameters.filter((one) => one.in === "path");
    const inQuery = operation.parameters.filter((one) => one.in === "query");
    const arbitrary = fc
      .record({
        path: fc
          .tuple(...inPath.map((one) => idsOf(one, api, ids)))
          .map((values) => fill(operation.path, inPath, values)),
        query: queriesOf(inQuery, api, hints),
        headers,
        body: bodiesOf(operation, api, hints),
      })
      .map(
        (parts): RandomRequest => ({
          operation,
          target: parts.path + (parts.query.length === 0 ? "" : `?${new URLSearchParams(parts.query)}`),
          headers: { ...parts.headers, ...(parts.body.type !== undefined && { "Content-Type": parts.body.type }) },
          body: parts.body.text,
        }),
      );
    // What is not there yet has one answer; what takes documents has the most to get wrong.
    const weight = "501" in operation.responses ? 1 : operation.body === undefined ? 4 : 12;
    return { arbitrary, weight };
  });
  return fc.oneof(...perOperation);
}

/** What is escaped already stays as it is, bad escapes too; what would lead to another operation is escaped. */
function fill(path: string, parameters: readonly Parameter[], values: readonly string[]): string {
  return parameters.reduce((text, { name }, index) => {
    const value = values[index] ?? "";
    const asItIs = /^[!-~]+$/.test(value) && !/[?#/]/.test(value);
    return text.replace(`{${name}}`, () => (asItIs ? value : encodeURIComponent(value.toWellFormed())));
  }, path);
}
