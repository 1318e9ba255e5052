/** The errors that the OpenAPI document declares, and which of them tests have caused. */
import assert from "node:assert/strict";
import { errorTable } from "../../../src/shared/errors.ts";
import type { TestApp } from "../../support/start-app.ts";

export interface Operation {
  readonly name: string;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly codes: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

export async function declaredBy(app: TestApp): Promise<readonly Operation[]> {
  const { paths } = (await (await app.api("/openapi.json")).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId: name, responses }] of Object.entries(methods)) {
      if (method === "head") continue;
      const codes = Object.values(responses).flatMap(
        ({ description }) => /^X-Error-Code: (.*)\.$/.exec(description)?.[1]?.split(", ") ?? [],
      );
      operations.push({ name, method: method.toUpperCase(), path, codes });
    }
  }
  return operations;
}

export class Causes {
  readonly operations: readonly Operation[];
  readonly #caused = new Set<string>();

  constructor(operations: readonly Operation[]) {
    this.operations = operations;
  }

  /** Operations that declare the code. */
  declaring(code: string): readonly Operation[] {
    return this.operations.filter(({ codes }) => codes.includes(code));
  }

  operation(name: string): Operation {
    const found = this.operations.find((one) => one.name === name);
    assert.ok(found !== undefined, `there is no operation ${name}`);
    return found;
  }

  /** Holds an answer against the code that it must have; what the operation does not declare must not come. */
  async note(name: string, code: string, answer: Pick<Response, "status" | "headers" | "text">): Promise<void> {
    const text = await answer.text();
    const place = `${name} ${code}: ${answer.status} ${text.slice(0, 300)}`;
    assert.equal(answer.headers.get("x-error-code"), code, place);
    assert.equal(answer.status, errorTable[code as keyof typeof errorTable], place);
    assert.ok(this.operation(name).codes.includes(code), `${place}: the document does not declare it`);
    this.#caused.add(`${name} ${code}`);
  }

  /** What is declared and was never caused, as `operation code`. */
  missing(): readonly string[] {
    const declared = this.operations.flatMap(({ name, codes }) => codes.map((code) => `${name} ${code}`));
    return declared.filter((one) => !this.#caused.has(one));
  }
}
