/** The fields of GitHub's answers about checks, rules, workflows and deployments that the action uses. */

import * as z from "zod/mini";
import { textOrEmpty } from "../answer.ts";

export const checkRuns = z.object({
  check_runs: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      conclusion: z.nullish(z.string()),
      app: z.nullish(z.object({ slug: textOrEmpty })),
    }),
  ),
});
export const combinedStatus = z.object({
  statuses: z.array(
    z.object({ context: z.string(), state: z.nullish(z.string()), description: textOrEmpty }),
  ),
});

export const rules = z.array(
  z.object({
    type: z.string(),
    parameters: z.nullish(
      z.object({
        required_status_checks: z.nullish(z.array(z.object({ context: z.string() }))),
        required_review_thread_resolution: z.nullish(z.boolean()),
      }),
    ),
  }),
);

export const protectedBranch = z.object({
  protection: z.nullish(
    z.object({
      required_status_checks: z.nullish(z.object({ contexts: z.nullish(z.array(z.string())) })),
    }),
  ),
});

export const workflows = z.object({
  workflows: z.array(
    z.object({
      id: z.int(),
      path: z.string(),
      state: z.string(),
      created_at: textOrEmpty,
      updated_at: textOrEmpty,
    }),
  ),
});

export const workflowRuns = z.object({
  workflow_runs: z.array(
    z.object({
      conclusion: z.nullish(z.string()),
      created_at: textOrEmpty,
      html_url: z.string(),
    }),
  ),
});

export const deployments = z.array(
  z.object({ id: z.int(), sha: z.string(), payload: z.unknown() }),
);

/** Statuses or check suites, by when they were made. */
export const statuses = z.array(z.object({ created_at: z.string() }));
export const suites = z.object({
  check_suites: z.array(z.object({ created_at: textOrEmpty })),
});
