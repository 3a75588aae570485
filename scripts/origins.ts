/**
 * The table of the origins that the actions contact. `test/support/origins.ts` compares it with every connection of the
 * bundles in the end-to-end tests, and `test/e2e/origins.test.ts` contacts each.
 */

import { table } from "./markdown-table.ts";

/** What a connection is for. */
export type Origin = "service" | "github" | "logs" | "proxy";

interface OriginRow {
  readonly host: string;
  readonly use: string;
  /** The credential that is sent there. */
  readonly credential: string;
}

export const ORIGINS: Record<Origin, OriginRow> = {
  service: {
    host: "`api.mintlify.com`, or that of `base-url`",
    use: "the service: jobs, builds, questions",
    credential: "the API key",
  },
  github: {
    host: "`api.github.com`, with data residency `api.SUBDOMAIN.ghe.com`, or that of `github-api-url`",
    use: "GitHub's REST and GraphQL APIs, and redirects within them: a renamed repository is read where it is now",
    credential: "the `github-token`",
  },
  logs: {
    host: "wherever GitHub's API sends for a job's log: on github.com, a host below `blob.core.windows.net`",
    use: "only land: the log of a failed job, with `actions: read`",
    credential: "none",
  },
  proxy: {
    host: "that of `HTTPS_PROXY`",
    use: "a tunnel to the others, if it is set",
    credential: "the user name and password in its URL",
  },
};

/** A row an origin. All of them are `https:`, but the proxy may be `http:`. */
export function originsTable(): string {
  const rows = Object.values(ORIGINS).map(({ host, use, credential }) => [host, use, credential]);
  return table(["host", "for", "gets"], rows);
}
