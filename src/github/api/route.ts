/** What the table of routes is written in: a read, a list, a write, a question or a mutation of GraphQL. */

import type * as z from "zod/mini";
import type { TokenPermissions } from "./explain.ts";

/** What all routes have. */
interface Needing {
  /** The permissions that the token needs. */
  readonly needs: TokenPermissions;
}

interface Rest<Path extends string, Sends extends string> extends Needing {
  /**
   * Method and path, which is below a repository unless it begins with a slash. `{name}` is a parameter, and `{+name}`
   * one whose slashes stay.
   */
  readonly path: Path;
  /** Names of further parameters: in the query of a read, in the body of a write. */
  readonly sends: readonly Sends[];
  /** What is sent each time. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** Reads are repeated once after a failure. */
export interface ReadRoute<Path extends string, Sends extends string, D> extends Rest<Path, Sends> {
  readonly type: "read";
  readonly answer: z.ZodMiniType<D>;
  /** Statuses that say that there is no such thing, if GitHub's own words match. */
  readonly absent: readonly number[];
  readonly absentWords: RegExp;
  /** `text` is read as it is, and so is a file that is asked for `raw`. */
  readonly format: "json" | "raw" | "text";
}

export interface ListRoute<Path extends string, Sends extends string, D, T>
  extends Rest<Path, Sends> {
  readonly type: "list";
  /** Of a page. */
  readonly answer: z.ZodMiniType<D>;
  readonly absent: readonly number[];
  /** The entries of a page. */
  items(page: D): readonly T[];
  /** Maximum number of pages, of 100 entries each. */
  readonly most: number;
}

export interface WriteRoute<Path extends string, Sends extends string, D>
  extends Rest<Path, Sends> {
  readonly type: "write";
  readonly answer: z.ZodMiniType<D>;
  /** Whether it may be repeated after a failure: doing it twice is the same as doing it once. */
  readonly isRepeatable: boolean;
  /** Whether a limit is waited out. What was confirmed right before is not done a minute later. */
  readonly isPatient: boolean;
}

/** A query whose text does not depend on its variables' values, so that it is written once. */
export interface Question<V extends string = string> {
  /** The types of its variables, such as `Int!`. */
  readonly variables: Readonly<Record<V, string>>;
  /**
   * Its root fields by their names in the answer, with their arguments and what is asked of them.
   *
   * @param variable refers to a variable
   */
  fields(variable: (name: V) => string): Readonly<Record<string, string>>;
  /** Fragments of the fields. They use no variables. */
  readonly fragments: string;
}

/** A query of GraphQL. It is repeated like a read. */
export interface QuestionRoute<V extends string, D> extends Needing {
  readonly type: "question";
  readonly question: Question<V>;
  readonly answer: z.ZodMiniType<D>;
  /** How many questions of the same moment are asked in one request. */
  readonly together: number;
}

/** The fields that lead to a part of an answer. */
export type FieldPath = readonly (string | number)[];

/** A part that is missing from an answer, and why. */
export interface MissingPart {
  readonly type: string | null;
  readonly path: FieldPath;
}

/** A query of whose answer parts may be missing, because the token may not read them. */
export interface PartialRoute<V extends string, D> extends Needing {
  readonly type: "partial";
  readonly question: Question<V>;
  readonly answer: z.ZodMiniType<D>;
  readonly together: number;
  /** Whether the rest counts without this part. */
  mayLack(part: MissingPart): boolean;
}

export interface MutationRoute<V extends string, D> extends Needing {
  readonly type: "mutation";
  readonly query: string;
  readonly variables: readonly V[];
  readonly answer: z.ZodMiniType<D>;
  /** GitHub's words if what is asked for was done before. */
  readonly doneWords: RegExp;
  readonly isPatient: boolean;
}

interface RestOptions<Sends extends string> {
  sends?: readonly Sends[];
  fixed?: Readonly<Record<string, unknown>>;
}

const ANY = /(?:)/;
const NONE = /(?!)/;

export function read<const Path extends string, D, const Sends extends string = never>(
  path: Path,
  needs: TokenPermissions,
  answer: z.ZodMiniType<D>,
  {
    sends = [],
    fixed = {},
    absent = [],
    absentWords = ANY,
    format = "json",
  }: RestOptions<Sends> & {
    absent?: readonly number[];
    absentWords?: RegExp;
    format?: "json" | "raw" | "text";
  } = {},
): ReadRoute<Path, Sends, D> {
  return { type: "read", path, needs, answer, sends, fixed, absent, absentWords, format };
}

/** A list whose pages are arrays. */
export function list<const Path extends string, T, const Sends extends string = never>(
  path: Path,
  needs: TokenPermissions,
  answer: z.ZodMiniType<readonly T[]>,
  options: RestOptions<Sends> & { absent?: readonly number[]; most: number },
): ListRoute<Path, Sends, readonly T[], T> {
  return listIn(path, needs, answer, (page) => page, options);
}

/** A list whose pages are objects that hold entries. */
export function listIn<const Path extends string, D, T, const Sends extends string = never>(
  path: Path,
  needs: TokenPermissions,
  answer: z.ZodMiniType<D>,
  items: (page: D) => readonly T[],
  {
    sends = [],
    fixed = {},
    absent = [],
    most,
  }: RestOptions<Sends> & { absent?: readonly number[]; most: number },
): ListRoute<Path, Sends, D, T> {
  return { type: "list", path, needs, answer, sends, fixed, absent, items, most };
}

export function write<const Path extends string, D, const Sends extends string = never>(
  path: Path,
  needs: TokenPermissions,
  answer: z.ZodMiniType<D>,
  {
    sends = [],
    fixed = {},
    isRepeatable = false,
    isPatient = true,
  }: RestOptions<Sends> & { isRepeatable?: boolean; isPatient?: boolean } = {},
): WriteRoute<Path, Sends, D> {
  return { type: "write", path, needs, answer, sends, fixed, isRepeatable, isPatient };
}

export function question<V extends string, D>(
  asked: Question<V>,
  needs: TokenPermissions,
  answer: z.ZodMiniType<D>,
  together = 1,
): QuestionRoute<V, D> {
  return { type: "question", question: asked, needs, answer, together };
}

export function partialQuestion<V extends string, D>(
  asked: Question<V>,
  needs: TokenPermissions,
  answer: z.ZodMiniType<D>,
  mayLack: (part: MissingPart) => boolean,
  together = 1,
): PartialRoute<V, D> {
  return { type: "partial", question: asked, needs, answer, mayLack, together };
}

export function mutate<const V extends string, D>(
  query: string,
  variables: readonly V[],
  needs: TokenPermissions,
  answer: z.ZodMiniType<D>,
  { doneWords = NONE, isPatient = true }: { doneWords?: RegExp; isPatient?: boolean } = {},
): MutationRoute<V, D> {
  return { type: "mutation", query, variables, needs, answer, doneWords, isPatient };
}

/** The names of the parameters in the path of a route. */
export type NamesIn<Path extends string> = Path extends `${string} /${string}`
  ? NamedIn<Path>
  : NamedIn<Path> | "repository";

type NamedIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `+${infer Plain}` ? Plain : Name) | NamedIn<Rest>
  : never;
