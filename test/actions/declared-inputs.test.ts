import { globSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { ACTIONS, type Action } from "../../scripts/actions.ts";
import type { Action as Run } from "../../src/entrypoints/run-entrypoint.ts";
import { dependenciesOf } from "../support/dependencies.ts";
import { contextOf } from "../support/run-context.ts";

const ROOT = path.join(import.meta.dirname, "../..");

const readText = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

/** The inputs that an `action.yml` declares, each with its file and line. */
function declaredInputs(file: string): Map<string, string> {
  const lineCounter = new LineCounter();
  const inputs = parseDocument(readText(file), { lineCounter }).get("inputs");
  if (!isMap(inputs)) throw new Error(`${file} has no inputs`);
  const keys = inputs.items.map(({ key }) => key).filter(isScalar);
  return new Map(
    keys.map(({ value, range }) => {
      const { line } = lineCounter.linePos(range?.[0] ?? 0);
      return [String(value), `${file}:${line}`];
    }),
  );
}

/** Inputs of earlier versions, which are errors now. */
const REMOVED: Record<string, string[]> = {
  "land/action.yml": ["name"],
  "queue/action.yml": ["per-hour"],
};

/** The inputs that an action reads. None is set, so it ends when it has checked them all. */
async function readInputs({ begins: { name, file } }: Action): Promise<Set<string>> {
  const exports: Record<string, Run> = await import(pathToFileURL(path.join(ROOT, file)).href);
  const names = new Set<string>();
  const read = (input: string) => {
    names.add(input);
    return "";
  };
  const context = { ...contextOf("workflow_dispatch"), workspace: os.tmpdir() };
  // An action that needs no input would go on.
  const dependencies = dependenciesOf();
  dependencies.cancellation.cancel();
  await expect(exports[name]?.(read, context, dependencies)).rejects.toMatchObject({
    kind: expect.stringMatching(/^(invalid-input|cancelled)$/),
  });
  return names;
}

/** Where the source names an input, as file and line. */
function placesInSource(name: string): string[] {
  const files = globSync(["src/inputs/*.ts", "src/*/inputs.ts"], { cwd: ROOT });
  const sources = files.filter((file) => !file.endsWith(".test.ts"));
  return sources.flatMap((file) =>
    readText(file)
      .split("\n")
      .flatMap((line, index) => (line.includes(`"${name}"`) ? [`${file}:${index + 1}`] : [])),
  );
}

test.each(ACTIONS)(
  "$name reads every input that $metadata declares, and no other",
  async (action) => {
    const declared = declaredInputs(action.metadata);
    const isRead = await readInputs(action);
    const unread = [...declared].filter(([name]) => !isRead.has(name));
    const removed = REMOVED[action.metadata] ?? [];
    const undeclared = [...isRead].filter((name) => !declared.has(name) && !removed.includes(name));
    expect([
      ...unread.map(([name, place]) => `${place}: the input ${name} is never read`),
      ...undeclared.map(
        (name) =>
          `${placesInSource(name).join(", ")}: ${name} is read, but ${action.metadata} does not declare it`,
      ),
    ]).toEqual([]);
  },
);
