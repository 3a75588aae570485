/** Faults: answers that a route gives in place of its own. */

const JOB = "[^/]+/job";

const ROUTES = {
  "v2-create": new RegExp(`^POST /v2/agent/${JOB}$`),
  "v2-message": new RegExp(`^POST /v2/agent/${JOB}/[^/]+/message$`),
  "v2-get": new RegExp(`^GET /v2/agent/${JOB}/[^/]+$`),
  preview: /^POST \/v1\/project\/preview\/[^/]+$/,
  update: /^POST \/v1\/project\/update\/[^/]+$/,
  jobs: /^GET \/v1\/agent\/[^/]+\/jobs$/,
  "update-status": /^GET \/v1\/project\/update-status\/[^/]+$/,
};

/** An answer given in place of the route's own. */
export interface Fault {
  route: keyof typeof ROUTES;
  status: number;
  /** Default: once. */
  times?: number;
  headers?: Record<string, string>;
  /** Sent as it is. Default: `{error: …}`. */
  body?: string;
}

/** The answer of the first fault for this request, if there is one. Counts as one of its times. */
export function takeFault(faults: Fault[], method: string, path: string): Response | undefined {
  const fault = faults.find(
    ({ route, times = 1 }) => times > 0 && ROUTES[route].test(`${method} ${path}`),
  );
  if (fault === undefined) return undefined;
  const { status, times = 1, headers } = fault;
  fault.times = times - 1;
  const body = fault.body ?? JSON.stringify({ error: `Emulated fault ${status}` });
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
