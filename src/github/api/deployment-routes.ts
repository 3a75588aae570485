/** The routes of deployments. */

import * as z from "zod/mini";
import * as checks from "./answers/checks.ts";
import { list, write } from "./route.ts";

export const DEPLOYMENTS = {
  /** Those of an environment, the newest first. */
  list: list("GET deployments", ["deployments: read"], checks.deployments, {
    sends: ["environment"],
    most: 5,
  }),
  /** By default, GitHub merges the default branch into the ref, and requires every check to be green. */
  create: write("POST deployments", ["deployments: write"], z.object({ id: z.int() }), {
    sends: ["ref", "environment", "transient_environment", "payload"],
    fixed: { auto_merge: false, required_contexts: [], description: "Documentation" },
  }),
  setStatus: write("POST deployments/{id}/statuses", ["deployments: write"], z.unknown(), {
    sends: ["state", "description", "environment_url", "log_url"],
  }),
} as const;
