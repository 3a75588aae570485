/** Errors that the service answers with on request. */

const JOB = "[^/]+/job";

/** Which requests belong to which route. */
const ROUTES = {
  "v2-create": new RegExp(`^POST /v2/agent/${JOB}$`),
  "v2-message": new RegExp(`^POST /v2/agent/${JOB}/[^/]+/message$`),
  "v2-get": new RegExp(`^GET /v2/agent/${JOB}/[^/]+$`),
  "v1-create": new RegExp(`^POST /v1/agent/${JOB}$`),
  "v1-get": new RegExp(`^GET /v1/agent/${JOB}/[^/]+$`),
  "v1-list": new RegExp(`^GET /v1/agent/${JOB}s$`),
  preview: /^POST \/v1\/project\/preview\/[^/]+$/,
  "update-status": /^GET \/v1\/project\/update-status\/[^/]+$/,
  "assistant-v1": /^POST \/discovery\/v1\/assistant\/[^/]+\/message$/,
  "assistant-v2": /^POST \/discovery\/v2\/assistant\/[^/]+\/message$/,
};

export type RouteName = keyof typeof ROUTES;

export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];

/** An answer given in place of the route's own, `times` times. */
export interface Fault {
  route: RouteName;
  status: number;
  times: number;
  headers: Record<string, string>;
  /** Sent as it is; null: `{error: …}`. */
  body: string | null;
}

/** A fault with only what differs from the defaults: once, no headers, a plain error as the body. */
export type FaultSeed = Pick<Fault, "route" | "status"> & Partial<Fault>;

/** A complete fault. */
export function fault(seed: FaultSeed): Fault {
  return { times: 1, headers: {}, body: null, ...seed };
}

/** The answer that the next fault has for this request; uses it up once. Undefined: there is none. */
export function takeFault(faults: Fault[], method: string, path: string): Response | undefined {
  const found = faults.find(
    ({ route, times }) => times > 0 && ROUTES[route].test(`${method} ${path}`),
  );
  if (found === undefined) return undefined;
  found.times -= 1;
  const { status, headers, body } = found;
  return new Response(body ?? JSON.stringify({ error: `Emulated fault ${status}` }), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
