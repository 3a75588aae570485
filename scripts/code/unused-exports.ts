/** Exports that no other file imports. */

import path from "node:path";
import { type ESTree, Visitor } from "vite";
import type { SourceFile } from "./source-file.ts";

/** Stands for every export of a file, where an import does not name them. */
const ALL = "*";

/** Declarations of types. A class is one, too. */
const TYPES = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration", "ClassDeclaration"]);

/**
 * The exports that no other file of a list imports, each as `FILE: NAME`. A type that its own file uses, too, is none:
 * it describes what the file exports. A file that is imported as a whole (`import *`, `export *`, `import()` as a value
 * or a type) has none.
 */
export function unusedExports(sources: readonly SourceFile[]): string[] {
  const imported = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const [file, name] of importsOf(source)) {
      const names = imported.get(file) ?? new Set();
      imported.set(file, names.add(name));
    }
  }
  return sources.flatMap((source) => {
    const names = imported.get(source.path) ?? new Set();
    if (names.has(ALL)) return [];
    const unused = exportsOf(source).filter((name) => !names.has(name));
    return unused.map((name) => `${source.path}: ${name}`);
  });
}

/** What a file imports from files of the project. */
function importsOf({ path: file, program }: SourceFile): [file: string, name: string][] {
  const found: [string, string][] = [];
  const add = (source: ESTree.Expression | null, names: readonly string[]) => {
    const specifier = source?.type === "Literal" ? source.value : null;
    if (typeof specifier !== "string" || !specifier.startsWith(".")) return;
    const target = path.posix.join(path.posix.dirname(file), specifier);
    for (const name of names) found.push([target, name]);
  };
  /** `import()`s whose result is taken apart, which are not visited again as a whole. */
  const named = new Set<ESTree.Node>();
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) => add(source, specifiers.map(importedName)),
    ExportNamedDeclaration: ({ source, specifiers }) =>
      add(
        source,
        specifiers.map(({ local }) => nameOf(local)),
      ),
    ExportAllDeclaration: ({ source }) => add(source, [ALL]),
    TSImportType: ({ source }) => add(source, [ALL]),
    VariableDeclarator: ({ id, init }) => {
      const load = init?.type === "AwaitExpression" ? init.argument : null;
      if (load?.type !== "ImportExpression" || id.type !== "ObjectPattern") return;
      named.add(load);
      const names = id.properties.map((property) =>
        property.type === "Property" && property.key.type === "Identifier"
          ? property.key.name
          : ALL,
      );
      add(load.source, names);
    },
    ImportExpression: (load) => {
      if (!named.has(load)) add(load.source, [ALL]);
    },
  }).visit(program);
  return found;
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  if (specifier.type === "ImportSpecifier") return nameOf(specifier.imported);
  return specifier.type === "ImportDefaultSpecifier" ? "default" : ALL;
}

/** Values and types that a file exports by their names, except for types that it uses itself. */
function exportsOf({ program }: SourceFile): string[] {
  const mentions = new Map<string, number>();
  new Visitor({
    Identifier: ({ name }) => mentions.set(name, (mentions.get(name) ?? 0) + 1),
  }).visit(program);
  return program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration") return [];
    const { declaration, specifiers } = statement;
    const names = declaredNames(declaration);
    const isType = declaration !== null && TYPES.has(declaration.type);
    const counted = isType ? names.filter((name) => mentions.get(name) === 1) : names;
    return [...specifiers.map(({ exported }) => nameOf(exported)), ...counted];
  });
}

function declaredNames(declaration: ESTree.Declaration | null): string[] {
  if (declaration === null) return [];
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) =>
      id.type === "Identifier" ? [id.name] : [],
    );
  }
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}
