/** Circles of files: each imports the next one, and the last imports the first. */

import path from "node:path";
import { type ESTree, Visitor } from "vite";
import type { SourceFile } from "./source-file.ts";

/** The files that each file imports. */
type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Groups of files that import each other, directly or through others of the group. Every way to import counts: values,
 * types, re-exports, `import()` as an expression and as a type.
 */
export function circlesOf(sources: readonly SourceFile[]): string[][] {
  const graph = importGraph(sources);
  const reached = new Map([...graph.keys()].map((file) => [file, filesReachedFrom(file, graph)]));
  const reaches = (from: string, to: string) => reached.get(from)?.has(to) === true;
  const files = [...graph.keys()].filter((file) => reaches(file, file));
  const circles = Map.groupBy(files, (file) =>
    files.find((other) => reaches(file, other) && reaches(other, file)),
  );
  return [...circles.values()];
}

function importGraph(sources: readonly SourceFile[]): ImportGraph {
  const known = new Set(sources.map((source) => source.path));
  const importsOf = (source: SourceFile) => {
    const folder = path.posix.dirname(source.path);
    const targets = specifiersOf(source)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => path.posix.join(folder, specifier))
      .filter((target) => known.has(target));
    return new Set(targets);
  };
  return new Map(sources.map((source) => [source.path, importsOf(source)]));
}

/** What a file imports, as it is written there. */
function specifiersOf({ program }: SourceFile): string[] {
  const specifiers: string[] = [];
  const add = ({ source }: { source: ESTree.Expression | null }) => {
    if (source?.type === "Literal" && typeof source.value === "string") {
      specifiers.push(source.value);
    }
  };
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program);
  return specifiers;
}

/** The file itself is among them if it is part of a circle. */
function filesReachedFrom(start: string, graph: ImportGraph): Set<string> {
  const reached = new Set<string>();
  const pending = [start];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    for (const target of graph.get(file) ?? []) {
      if (!reached.has(target)) pending.push(target);
      reached.add(target);
    }
  }
  return reached;
}
