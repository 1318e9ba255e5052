/** Reads options from a verb, else from its `rest`, else from `restConfiguration`. */
import type { Report } from "../report.ts";
import { describeNode, entryOf, type MapNode, type ScalarNode } from "../tree.ts";
import { scalarText } from "./nodes.ts";
import { flag, type Part, type Parts, text } from "./parts.ts";

export interface RestOptions {
  readonly bindingMode: string;
  readonly consumes: ScalarNode | undefined;
  readonly produces: ScalarNode | undefined;
  readonly enableCORS: boolean;
  readonly clientRequestValidation: boolean;
  readonly skipBindingOnErrorCode: boolean;
  readonly enableNoContentResponse: boolean;
}

/** The defaults of Camel's RestConfiguration. */
export const defaultOptions: RestOptions = {
  bindingMode: "off",
  consumes: undefined,
  produces: undefined,
  enableCORS: false,
  clientRequestValidation: false,
  skipBindingOnErrorCode: true,
  enableNoContentResponse: false,
};

const flags = ["enableCORS", "clientRequestValidation", "skipBindingOnErrorCode", "enableNoContentResponse"] as const;
const mediaKeys = ["consumes", "produces"] as const;

export const mediaParts: Readonly<Record<(typeof mediaKeys)[number], Part>> = {
  consumes: text("The media types that requests may have, such as `application/json`; others are answered with 415."),
  produces: text("The media types of answers; a caller that takes none of them is answered with 406."),
};

export const optionParts: Parts & Readonly<Record<(typeof flags)[number], Part>> = {
  bindingMode: {
    kind: "one of off, auto, json",
    words: "Whether JSON bodies become values for the route, and its reply JSON again; `auto` where a body is JSON.",
  },
  clientResponseValidation: flag("Only `false` is possible; use step `validate` in the route."),
  enableCORS: flag("Sends Access-Control headers with each answer, and answers OPTIONS for the path."),
  clientRequestValidation: flag(
    "Answers requests with 4xx whose media type, parameters or JSON do not fit, before the route runs.",
  ),
  skipBindingOnErrorCode: flag("Leaves the body of an answer with a status of 300 or more as it is; true by default."),
  enableNoContentResponse: flag("Answers 204 when the route leaves no body."),
};

export function readOptions(node: MapNode, outer: RestOptions, owner: string, report: Report): RestOptions {
  const options: { -readonly [key in keyof RestOptions]: RestOptions[key] } = { ...outer };
  for (const key of flags) options[key] = flagIn(node, key, outer[key], owner, report);
  for (const key of mediaKeys) {
    const value = entryOf(node, key)?.value;
    if (value?.kind === "scalar" && scalarText(value) !== undefined) options[key] = value;
  }
  const response = entryOf(node, "clientResponseValidation")?.value;
  if (response !== undefined && flagIn(node, "clientResponseValidation", false, owner, report)) {
    report.error(
      "not_yet",
      `'clientResponseValidation' of '${owner}' is refused: use step 'validate' in the route`,
      response,
    );
  }
  options.bindingMode = bindingMode(node, owner, report) ?? outer.bindingMode;
  return options;
}

function bindingMode(node: MapNode, owner: string, report: Report): string | undefined {
  const value = entryOf(node, "bindingMode")?.value;
  if (value === undefined || (value.kind === "scalar" && value.text === null)) return undefined;
  const mode = scalarText(value)?.toLowerCase() ?? "";
  if (["off", "auto", "json"].includes(mode)) return mode;
  if (mode === "xml" || mode === "json_xml") {
    const message = `'bindingMode: ${mode}' of '${owner}' is refused: only JSON is bound; use unmarshal and marshal in the route`;
    report.error("not_yet", message, value);
  } else {
    report.error(
      "invalid_value",
      `'bindingMode' of '${owner}' is off, auto or json; found ${describeNode(value)}`,
      value,
    );
  }
  return undefined;
}

export function flagIn(node: MapNode, key: string, standard: boolean, owner: string, report: Report): boolean {
  const value = entryOf(node, key)?.value;
  if (value === undefined || (value.kind === "scalar" && value.text === null)) return standard;
  const text = scalarText(value)?.toLowerCase();
  if (text === "true" || text === "false") return text === "true";
  report.error("invalid_value", `'${key}' of '${owner}' is true or false; found ${describeNode(value)}`, value);
  return standard;
}
