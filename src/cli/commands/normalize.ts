import { sayFindings, summaryOf } from "../findings.ts";
import { readFlowTexts, replaceText } from "../flow-texts.ts";
import { sayJson } from "../terminal.ts";
import { counted } from "../times.ts";
import { type AddCommand, addCommand, withJson } from "../tree.ts";

interface Options {
  readonly check?: boolean;
  readonly json?: boolean;
}

export const addNormalize: AddCommand = (parent, { terminal, ending }) => {
  const command = addCommand(parent, "normalize <paths...>", {
    summary: "rewrites flows to the canonical spelling of Camel's YAML DSL; no server is needed",
    details:
      "Takes files and folders. Expressions move below 'expression', and texts that stand for a step, an expression or a data format become maps: these short forms work here and in Camel 4.22, and Camel 4.23 deprecates them. Comments, anchors, order, quotes and line ends stay, and the flows mean the same. Files without short forms are not written.",
    examples: ["bulkhead normalize routes", "bulkhead normalize --check orders.yaml"],
  });
  withJson(command, "prints files and their short forms as JSON")
    .option("--check", "changes nothing: lists the short forms, and exits with 1 if there are any")
    .action(async (paths: readonly string[], { check = false, json = false }: Options) => {
      const texts = readFlowTexts(paths);
      const { normalizeTexts, shorthandsIn } = await import("../shorthands.ts");
      const normalized = await normalizeTexts(texts);
      const findings = normalized.flatMap(shorthandsIn);
      const faults = findings.filter(({ severity }) => severity === "error");
      if (!check)
        for (const { path, text, result } of normalized)
          if ("text" in result && result.text !== text) replaceText(path, result.text);
      if (json) sayJson(terminal, findings);
      else {
        sayFindings(terminal, check ? findings : faults, new Map(texts.map(({ path, text }) => [path, text])));
        if (check)
          terminal.say(
            findings.length > 0
              ? summaryOf(terminal, findings, texts.length)
              : `canonical: ${counted(texts.length, "file")}`,
          );
        else {
          const changed = normalized.filter(({ result }) => "places" in result && result.places.length > 0);
          for (const { path, result } of changed)
            terminal.say(`${path}: ${counted("places" in result ? result.places.length : 0, "short form")} rewritten`);
          terminal.say(`${counted(changed.length, "file")} of ${texts.length} rewritten`);
        }
      }
      if (check ? findings.length > 0 : faults.length > 0) ending.code = 1;
    });
};
