/** How a call to GitHub can fail. */

import * as z from "zod/mini";
import type { ExchangeError } from "../../net/http.ts";
import { textOrEmpty, textOrNull, type UnusableAnswer } from "./answer.ts";

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
export function wordsOfRefusal(body: unknown): string {
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
