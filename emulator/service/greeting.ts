/** What the service's address shows to whoever opens it: what runs here, and where to look next. */

import type { Call } from "../http/app.ts";
import { escapeHtml, page } from "../http/html.ts";
import { CONTROL_PREFIX } from "./control.ts";
import { ADMIN_KEY, ASSISTANT_KEY } from "./seed.ts";
import type { Service } from "./service.ts";
import type { ServiceState } from "./state.ts";

/** No path of the service itself: all of those go on to want a key. */
export const GREETING_PATH = "/";

const TITLE = "The documentation service, emulated";

/** A page for a browser, JSON for anything else. */
export function greet(call: Call, { state, github }: Service): Response {
  const facts = {
    ...greetingOf(state, new URL(call.req.url).origin),
    github: [github.site.webUrl],
  };
  if (call.req.header("accept")?.includes("text/html") !== true) {
    return call.json({ about: TITLE, ...facts });
  }
  const rows = Object.entries(facts).map(
    ([name, values]) => `<dt>${escapeHtml(name)}</dt>${values.map(description).join("")}`,
  );
  return call.html(page(TITLE, `<dl>${rows.join("")}</dl>`));
}

/** Keys that a seed brought are not shown: only the two that the source code tells everybody. */
function greetingOf(state: ServiceState, origin: string): Record<string, string[]> {
  const known = state.keys.map(({ secret }) => secret);
  return {
    projects: state.projects.map(({ id, repository }) => `${id} (${repository})`),
    domains: state.domains,
    keys: [ADMIN_KEY, ASSISTANT_KEY].filter((key) => known.includes(key)),
    endpoints: [
      "POST /v2/agent/{projectId}/job",
      "GET /v2/agent/{projectId}/job/{id}",
      "POST /v2/agent/{projectId}/job/{id}/message",
      "GET /v1/agent/{projectId}/jobs",
      "POST /discovery/v1/assistant/{domain}/message",
    ],
    "look at": [
      `${origin}/_emulate`,
      `${origin}${CONTROL_PREFIX}jobs`,
      `${origin}${CONTROL_PREFIX}requests`,
    ],
  };
}

function description(value: string): string {
  const text = escapeHtml(value);
  return `<dd>${/^https?:/.test(value) ? `<a href="${text}">${text}</a>` : `<code>${text}</code>`}</dd>`;
}
