import type { RouteName, ServiceState } from "./state.ts";

const JOB = "[^/]+/job";

/** Which requests belong to which route. */
const ROUTES: Record<RouteName, RegExp> = {
  "v2-create": new RegExp(`^POST /v2/agent/${JOB}$`),
  "v2-message": new RegExp(`^POST /v2/agent/${JOB}/[^/]+/message$`),
  "v2-get": new RegExp(`^GET /v2/agent/${JOB}/[^/]+$`),
  "v1-create": new RegExp(`^POST /v1/agent/${JOB}$`),
  "v1-get": new RegExp(`^GET /v1/agent/${JOB}/[^/]+$`),
  "v1-list": new RegExp(`^GET /v1/agent/${JOB}s$`),
  "assistant-v1": /^POST \/discovery\/v1\/assistant\/[^/]+\/message$/,
  "assistant-v2": /^POST \/discovery\/v2\/assistant\/[^/]+\/message$/,
};

/** The answer that a fault in the seed has for this request, used up by one; undefined: none. */
export function takeFault(state: ServiceState, method: string, path: string): Response | undefined {
  const found = state.faults.find(
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
