import type { RouteName, ServiceState } from "./state.ts";

const JOB = "[^/]+/job";

/** Which requests belong to which route. */
const ROUTES: Record<RouteName, RegExp> = {
  "v2-create": new RegExp(`^POST /v2/agent/${JOB}$`),
  "v2-message": new RegExp(`^POST /v2/agent/${JOB}/[^/]+/message$`),
  "v2-get": new RegExp(`^GET /v2/agent/${JOB}/[^/]+$`),
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
