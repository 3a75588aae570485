/** Tells failures of GitHub's API from mistakes of the action. */

import * as z from "zod/mini";
import { ExchangeError } from "../../net/http.ts";
import { textOrEmpty, textOrNull, UnusableAnswer } from "./answer.ts";

/** A part of GraphQL's answer to a failed query. Anything may be missing. */
export interface GraphqlError {
  type?: unknown;
  message?: unknown;
  path?: unknown;
}

/** An error about a part of a query. */
export interface PartError {
  type: string | null;
  message: string;
  /** The fields that lead to the part; null if it is about the whole query. */
  path: readonly (string | number)[] | null;
}

/** GitHub refused a part of a question that was asked together with others. */
export class PartFailure extends Error {
  override readonly name = "PartFailure";
  readonly errors: readonly PartError[];
  /** The answer without the part. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(errors: readonly PartError[], data: PartFailure["data"]) {
    super(errors.map(({ message }) => message).join("\n"));
    this.errors = errors;
    this.data = data;
  }
}

const refusalBody = z.object({
  message: textOrEmpty,
  errors: z.nullish(
    z.union([
      z.string(),
      z.array(
        z.union([
          z.string(),
          z.object({
            message: textOrEmpty,
            resource: textOrEmpty,
            field: textOrEmpty,
            code: textOrEmpty,
          }),
        ]),
      ),
    ]),
  ),
});

/** GitHub's own words in the body of a refusal, with those about single fields; empty if there are none. */
export function messageOf(body: unknown): string {
  const { data } = refusalBody.safeParse(body);
  if (data === undefined) return "";
  const errors = typeof data.errors === "string" ? [data.errors] : (data.errors ?? []);
  const details = errors.map((error) => {
    if (typeof error === "string") return error;
    return error.message || [error.resource, error.field, error.code].filter(Boolean).join(" ");
  });
  return [data.message, details.filter(Boolean).join(", ")].filter(Boolean).join(": ");
}

/** A failed call to GitHub. */
export type GitHubFailure =
  | { type: "unanswered"; error: ExchangeError }
  | { type: "unusable"; error: UnusableAnswer }
  /** GraphQL returns refusals with status 200. */
  | { type: "graphql"; errors: readonly GraphqlError[] }
  | { type: "refused"; status: number; headers: Headers; message: string };

export type Headers = Readonly<Record<string, string | undefined>>;

/** Null for any other error, which is a mistake of the action. */
export function failureOf(thrown: unknown): GitHubFailure | null {
  if (thrown instanceof ExchangeError) return { type: "unanswered", error: thrown };
  if (thrown instanceof UnusableAnswer) return { type: "unusable", error: thrown };
  if (isGraphqlRefusal(thrown)) return { type: "graphql", errors: thrown.errors };
  if (!isHttpError(thrown)) return null;
  const { status, response } = thrown;
  const message = response?.data === undefined ? thrown.message : messageOf(response.data);
  // If its `fetch` throws, Octokit throws a made-up 500 with the original error as its cause.
  if (response === undefined) return failureOf(thrown.cause);
  return { type: "refused", status, headers: response.headers ?? {}, message };
}

/** Octokit's error of a REST request. Its classes are loaded only for requests, so it is known by its name. */
interface HttpError extends Error {
  status: number;
  /** Undefined if there was no answer. */
  response?: { headers?: Headers; data?: unknown };
}

function isHttpError(thrown: unknown): thrown is HttpError {
  return thrown instanceof Error && thrown.name === "HttpError";
}

/** @returns whether GitHub refused a query of GraphQL, or a part of it */
function isGraphqlRefusal(thrown: unknown): thrown is Error & { errors: readonly GraphqlError[] } {
  if (thrown instanceof PartFailure) return true;
  return thrown instanceof Error && thrown.name === "GraphqlResponseError";
}

/** The errors in an answer of GraphQL; none if it has none. */
export const partErrors = z.pipe(
  z.nullish(
    z.array(
      z.object({
        type: textOrNull,
        message: textOrEmpty,
        path: z.pipe(
          z.nullish(z.array(z.union([z.string(), z.number()]))),
          z.transform((path) => path ?? null),
        ),
      }),
    ),
  ),
  z.transform((errors) => errors ?? []),
);

const partialAnswer = z.object({ data: z.record(z.string(), z.unknown()), errors: partErrors });

/** What GitHub answered to a query of which it refused parts; null for any other error, and if it refused all. */
export function partialAnswerOf(thrown: unknown): Pick<PartFailure, "data" | "errors"> | null {
  return isGraphqlRefusal(thrown) ? (partialAnswer.safeParse(thrown).data ?? null) : null;
}
