/** Errors as Octokit throws them. Its classes come with the client, which tests without requests need not load. */

/** GitHub refused a request of REST. */
export function refusedRequest(
  status: number,
  message = "Refused",
  headers: Record<string, string> = {},
): Error {
  const error = new Error(message);
  return Object.assign(error, { name: "HttpError", status, response: { status, headers } });
}

/** Octokit's own `fetch`, which is the action's, has thrown. */
export function failedFetch(cause: unknown): Error {
  return Object.assign(new Error("x", { cause }), { name: "HttpError", status: 500 });
}

interface PartError {
  type?: string | undefined;
  message?: string;
  path?: (string | number)[];
}

/** GitHub refused a query of GraphQL. @param data what it answered all the same */
export function refusedQuery(errors: PartError[], data: object | null = null): Error {
  return Object.assign(new Error("refused"), { name: "GraphqlResponseError", errors, data });
}
