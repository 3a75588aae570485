// The list of jobs, as the step summary shows it.
import { startLocalWorld } from "../../../emulator/local-world/index.ts";
import type { Job } from "../../../emulator/service/agent/job.ts";
import { DEFAULT_STEERING } from "../../../emulator/service/agent/steering.ts";
import { finishedJob } from "../../../emulator/service/seed.ts";
import type { Part } from "../page.ts";
import { runStep } from "./step.ts";

const MINUTE = 60_000;

export async function showJobs(): Promise<Part[]> {
  await using world = await startLocalWorld({
    service: {
      jobs: [
        job("0198a0f1", 190, "Describe the scopes of a key", "docs/scopes", 41),
        job("0198a4c7", 120, "Compare the two ways to paginate", "docs/paging", null),
        job("0198b2d9", 65, "Rewrite the quick start", "docs/quick-start", "failed"),
        job("0198c6e2", 12, "Explain how to verify a webhook", "docs/webhooks", 43),
        job("0198d113", 1, "Document the endpoint /v2/exports", "docs/exports", "active"),
      ],
    },
  });
  const { summary } = await runStep(world, { action: "jobs", eventName: "workflow_dispatch" });
  return [{ kind: "summary", job: "list-jobs", body: summary }];
}

/**
 * A job that version 1 of the API started.
 *
 * @param minutes ago
 * @param came its pull request's number, or null for none; or that it failed, or is still at work
 */
function job(
  id: string,
  minutes: number,
  prompt: string,
  branch: string,
  came: number | null | "failed" | "active",
): Job {
  const createdAt = Date.now() - minutes * MINUTE;
  const outcome =
    came === "active"
      ? null
      : {
          status: came === "failed" ? ("failed" as const) : ("completed" as const),
          at: createdAt + MINUTE,
          reason: null,
        };
  const steering = { ...DEFAULT_STEERING, durationMs: came === "active" ? null : MINUTE };
  return finishedJob({
    id,
    version: 1,
    createdAt,
    branch,
    prLink: typeof came === "number" ? `https://github.com/acme/docs/pull/${came}` : null,
    turns: [{ prompt, startedAt: createdAt, steering, outcome }],
  });
}
