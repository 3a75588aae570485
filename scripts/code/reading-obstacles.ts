/** What a reader of a file stumbles over, counted in its syntax tree. */

import { type ESTree, Visitor } from "vite";
import type { SourceFile } from "./source-file.ts";

export interface ReadingObstacles {
  /** Spreads of a literal, which put several fields on one line. */
  packedLiterals: number;
  /** `as` expressions, except for `as const`. */
  casts: number;
  /** Calls of `Object.assign`. */
  objectAssigns: number;
  /** Empty strings in place of what is absent: `?? ""`. */
  emptyDefaults: number;
  /** Lines over 120 columns. */
  longLines: number;
}

const MAX_COLUMNS = 120;

export function readingObstacles({ program, text }: SourceFile): ReadingObstacles {
  const obstacles: ReadingObstacles = {
    packedLiterals: 0,
    casts: 0,
    objectAssigns: 0,
    emptyDefaults: 0,
    longLines: text.split("\n").filter((line) => line.trimEnd().length > MAX_COLUMNS).length,
  };
  new Visitor({
    SpreadElement: ({ argument: { type } }) => {
      if (type === "ObjectExpression" || type === "ArrayExpression") obstacles.packedLiterals += 1;
    },
    TSAsExpression: ({ typeAnnotation }) => {
      if (!isConst(typeAnnotation)) obstacles.casts += 1;
    },
    CallExpression: ({ callee }) => {
      if (isMember(callee, "Object", "assign")) obstacles.objectAssigns += 1;
    },
    LogicalExpression: ({ operator, right }) => {
      const isEmpty = right.type === "Literal" && right.value === "";
      if (operator === "??" && isEmpty) obstacles.emptyDefaults += 1;
    },
  }).visit(program);
  return obstacles;
}

/** Whether a file calls the method with which a Git ref is moved. */
export function movesRef({ program }: SourceFile): boolean {
  let isMoved = false;
  new Visitor({
    CallExpression: ({ callee }) => {
      if (isMember(callee, null, "move") || isMember(callee, null, "swap")) isMoved = true;
    },
  }).visit(program);
  return isMoved;
}

function isConst(type: ESTree.TSType): boolean {
  return (
    type.type === "TSTypeReference" &&
    type.typeName.type === "Identifier" &&
    type.typeName.name === "const"
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
