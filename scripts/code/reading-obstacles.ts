/** What a reader of the source stumbles over, found in its syntax tree. */

import { type ESTree, Visitor } from "vite";
import type { SourceFile } from "./source-file.ts";

/** Each kind of obstacle, and how many of it there are to be in src/ at most. */
export const KINDS = [
  // Spreads of a literal, which put several fields on one line.
  { kind: "packed literals", most: 0 },
  // `as` expressions, except for `as const`.
  { kind: "casts", most: 12 },
  { kind: "Object.assign", most: 1 },
  // In place of what is absent.
  { kind: '?? ""', most: 30 },
  { kind: "lines over 120 columns", most: 30 },
  { kind: "functions over 50 lines", most: 3 },
  { kind: "names that several files export", most: 8 },
  // Interfaces and type aliases.
  { kind: "named types", most: 480 },
  { kind: "Pick<", most: 60 },
  // `catch` clauses and calls of `.catch()`, outside of the folders that make errors of requests.
  { kind: "catches", most: 15 },
  { kind: "files that move a ref", most: 1 },
] as const;

type ObstacleKind = (typeof KINDS)[number]["kind"];

export interface Obstacle {
  kind: ObstacleKind;
  path: string;
  line: number;
  /** The line, or the name that the obstacle is about. */
  text: string;
}

const MAX_COLUMNS = 120;
const MAX_FUNCTION_LINES = 50;
/** The folders that make errors of requests, and of whole runs. */
const CATCHING_FOLDERS = /^src\/(github|service|net|runtime|entrypoints)\//;

/** The obstacles in each file, and then those between files. */
export function obstaclesIn(sources: readonly SourceFile[]): Obstacle[] {
  return [...sources.flatMap(obstaclesInFile), ...sharedNames(sources)];
}

function obstaclesInFile(source: SourceFile): Obstacle[] {
  const found: Obstacle[] = longLines(source);
  const add = (kind: ObstacleKind, { start }: ESTree.Node) => found.push(at(source, kind, start));
  const addIfLong = (node: ESTree.Node) => {
    const lines = source.text.slice(node.start, node.end).split("\n");
    if (lines.length > MAX_FUNCTION_LINES) add("functions over 50 lines", node);
  };
  const addCatch = (node: ESTree.Node) => {
    if (!CATCHING_FOLDERS.test(source.path)) add("catches", node);
  };
  const addType = (node: ESTree.Node) => add("named types", node);
  new Visitor({
    SpreadElement: (spread) => {
      const { type } = spread.argument;
      const isLiteral = type === "ObjectExpression" || type === "ArrayExpression";
      if (isLiteral) add("packed literals", spread);
    },
    TSAsExpression: (cast) => {
      if (!isNamed(cast.typeAnnotation, "const")) add("casts", cast);
    },
    CallExpression: (call) => {
      if (isMember(call.callee, "Object", "assign")) add("Object.assign", call);
      if (isMember(call.callee, null, "catch")) addCatch(call);
      const isMove = isMember(call.callee, "git", "move");
      const isFirst = found.every(({ kind }) => kind !== "files that move a ref");
      if (isMove && isFirst) add("files that move a ref", call);
    },
    LogicalExpression: (expression) => {
      const { operator, right } = expression;
      const isEmpty = right.type === "Literal" && right.value === "";
      if (operator === "??" && isEmpty) add('?? ""', expression);
    },
    TSTypeReference: (reference) => {
      if (isNamed(reference, "Pick")) add("Pick<", reference);
    },
    TSInterfaceDeclaration: addType,
    TSTypeAliasDeclaration: addType,
    CatchClause: addCatch,
    FunctionDeclaration: addIfLong,
    FunctionExpression: addIfLong,
    ArrowFunctionExpression: addIfLong,
  }).visit(source.program);
  return found;
}

function at({ path, text }: SourceFile, kind: ObstacleKind, start: number): Obstacle {
  const line = text.slice(0, start).split("\n").length;
  return { kind, path, line, text: (text.split("\n")[line - 1] ?? "").trim() };
}

function longLines({ path, text }: SourceFile): Obstacle[] {
  return text
    .split("\n")
    .map((line, index) => ({ line: index + 1, text: line.trim(), columns: line.trimEnd().length }))
    .filter(({ columns }) => columns > MAX_COLUMNS)
    .map(({ line, text }) => ({ kind: "lines over 120 columns", path, line, text }));
}

/** The names of values and types that several files export, each at its first export. */
function sharedNames(sources: readonly SourceFile[]): Obstacle[] {
  const exports = sources.flatMap((source) =>
    exportedNames(source).map(({ name, start }) => ({
      ...at(source, "names that several files export", start),
      text: name,
    })),
  );
  const byName = Map.groupBy(exports, ({ text }) => text);
  return [...byName.values()].flatMap((all) => {
    const [first, ...others] = all.filter(
      ({ path }, index) => all.findIndex((other) => other.path === path) === index,
    );
    if (first === undefined || others.length === 0) return [];
    return { ...first, text: `${first.text} (${others.map(({ path }) => path).join(", ")})` };
  });
}

/** What a file declares and exports by its name. What it only passes on from another file is that file's. */
function exportedNames({ program }: SourceFile): { name: string; start: number }[] {
  return program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || statement.source !== null) return [];
    const { declaration, specifiers, start } = statement;
    const names = specifiers.map(({ exported }) =>
      exported.type === "Literal" ? exported.value : exported.name,
    );
    return [...names, ...declaredNames(declaration)].map((name) => ({ name, start }));
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

function isNamed(type: ESTree.TSType, name: string): boolean {
  return (
    type.type === "TSTypeReference" &&
    type.typeName.type === "Identifier" &&
    type.typeName.name === name
  );
}

/** @param object the name of what has the member; null: anything */
function isMember(expression: ESTree.Expression, object: string | null, member: string): boolean {
  if (expression.type !== "MemberExpression") return false;
  if (expression.property.type !== "Identifier" || expression.property.name !== member)
    return false;
  const { object: owner } = expression;
  return object === null || (owner.type === "Identifier" && owner.name === object);
}
