/** Runs the rules over a file: textlint parses, walks and places, and the rules are ours. */
import { extname } from "node:path";
import type { TxtDocumentNode, TxtParentNode } from "@textlint/ast-node-types";
import { TextlintKernel, type TextlintKernelPlugin, type TextlintKernelRule } from "@textlint/kernel";
import { parseCompanion } from "./companion-description.ts";
import { type PlainText, plainText, sentences } from "./plain-text.ts";
import { findIn, type ProseRule } from "./rule.ts";
import { rules } from "./rules.ts";
import { parseMarkdown } from "./written-markdown.ts";

export interface Finding {
  readonly file: string;
  /** From 1 on, as are columns. */
  readonly line: number;
  readonly column: number;
  /** The line in which the finding ends. */
  readonly lastLine: number;
  readonly rule: string;
  readonly advice: string;
}

type Parse = (text: string, path: string) => TxtDocumentNode | Promise<TxtDocumentNode>;

/** The parser of TypeScript takes a quarter of a second to load, so pages alone are read without it. */
const parseTypeScript: Parse = async (text, path) => (await import("./typescript-strings.ts")).parseStrings(text, path);

const parsers: Readonly<Record<string, Parse>> = {
  ".md": parseMarkdown,
  ".ts": parseTypeScript,
  ".tsx": parseTypeScript,
  ".yaml": parseCompanion,
};
const kernel = new TextlintKernel();
const kernelRules = rules.map(kernelRule);
const sentencesOf = new WeakMap<TxtParentNode, readonly PlainText[]>();

export async function lint(file: string, text: string): Promise<readonly Finding[]> {
  const ext = extname(file);
  const parse = parsers[ext];
  if (parse === undefined) throw new Error(`${file}: only ${Object.keys(parsers).join(", ")} can be read`);
  const plugins = [plugin(ext, parse)];
  const { messages } = await kernel.lintText(text, { filePath: file, ext, plugins, rules: kernelRules });
  return messages.map(({ ruleId, message, loc }) => ({
    file,
    line: loc.start.line,
    column: loc.start.column,
    lastLine: loc.end.line,
    rule: ruleId,
    advice: message,
  }));
}

function plugin(extension: string, parse: Parse): TextlintKernelPlugin {
  class Processor {
    availableExtensions(): string[] {
      return [extension];
    }

    processor() {
      return {
        preProcess: (text: string, path = "") => parse(text, path),
        postProcess: (messages: never[], path = "") => ({ messages, filePath: path }),
      };
    }
  }
  return { pluginId: extension, plugin: { Processor } };
}

function kernelRule(rule: ProseRule): TextlintKernelRule {
  return {
    ruleId: rule.name,
    rule: ({ RuleError, getFilePath, locator, report }) => {
      if (rule.except?.test(getFilePath() ?? "")) return {};
      const check = (node: TxtParentNode, texts: readonly PlainText[]): void => {
        for (const { text, offsets } of texts) {
          for (const [from, to] of findIn(rule, text)) {
            const at = (index: number): number => (offsets[index] ?? 0) - node.range[0];
            report(node, new RuleError(rule.advice, { padding: locator.range([at(from), at(to - 1) + 1]) }));
          }
        }
      };
      if (rule.cell) return { TableCell: (node: TxtParentNode) => check(node, [plainText(node)]) };
      const bySentence = (node: TxtParentNode): void => check(node, cachedSentences(node));
      return { Paragraph: bySentence, Header: bySentence, TableCell: bySentence };
    },
  };
}

/** Each rule reads the sentences of each node. */
function cachedSentences(node: TxtParentNode): readonly PlainText[] {
  const known = sentencesOf.get(node);
  if (known !== undefined) return known;
  const found = sentences(node);
  sentencesOf.set(node, found);
  return found;
}
