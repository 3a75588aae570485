/** Reads the workflow files of a default branch, and what became of the scheduled ones. */

import * as z from "zod/mini";
import { RepositoryReader } from "../github/api/repository.ts";
import type { RepositoryContext } from "../github/trigger/run-context.ts";
import type { GitHubAsker } from "./ask.ts";
import type { LastRun, Reading, Schedule, WorkflowFile } from "./facts.ts";

const FOLDER = ".github/workflows";

/** One request for all files. */
const FILES = `object(expression: "HEAD:${FOLDER}") {
  ... on Tree { entries { name object { ... on Blob { text } } } }
}`;

const filesAnswer = z.object({
  object: z.nullish(
    z.object({
      entries: z.nullish(
        z.array(
          z.object({
            name: z.string(),
            object: z.nullish(z.object({ text: z.nullish(z.string()) })),
          }),
        ),
      ),
    }),
  ),
});

export async function readWorkflows(
  ask: GitHubAsker,
  repository: string,
): Promise<Reading<WorkflowFile[]>> {
  return await ask.read(
    async (github) => {
      const answer = await new RepositoryReader(github, repository).query(filesAnswer, FILES);
      const entries = answer.object?.entries ?? [];
      const yaml = await import("yaml");
      return entries
        .filter(({ name }) => /\.ya?ml$/.test(name))
        .map(({ name, object }) => workflowOf(`${FOLDER}/${name}`, object?.text ?? "", yaml));
    },
    ["contents: read"],
  );
}

/** Events about which something is found. */
const EVENTS = ["schedule", "merge_group"];

/** How a step of these actions looks, in any copy of the repository. */
const OURS = /\buses:\s*["']?[\w.-]+\/docs-agent-action[/@]/;

/** Maximum length of a workflow file that is parsed. */
const MOST_CHARACTERS = 100_000;

export function workflowOf(
  path: string,
  text: string,
  yaml: Pick<typeof import("yaml"), "parse">,
): WorkflowFile {
  const names = text.length > MOST_CHARACTERS ? [] : triggersIn(text, yaml);
  return { path, events: EVENTS.filter((event) => names.includes(event)), isOurs: OURS.test(text) };
}

const workflowFile = z.object({
  on: z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]),
});

/** The events under `on:`; none if it cannot be read. */
function triggersIn(text: string, { parse }: Pick<typeof import("yaml"), "parse">): unknown[] {
  let file: unknown;
  try {
    file = parse(text, { logLevel: "error" });
  } catch {
    return [];
  }
  const { data } = workflowFile.safeParse(file);
  if (data === undefined) return [];
  if (typeof data.on === "string") return [data.on];
  return Array.isArray(data.on) ? data.on : Object.keys(data.on);
}

/** Maximum number of scheduled workflows whose last run is read. */
const MOST_SCHEDULES = 2;

const workflowsAnswer = z.object({
  workflows: z.array(z.object({ id: z.int(), path: z.string(), state: z.string() })),
});
const runsAnswer = z.object({
  workflow_runs: z.array(z.object({ conclusion: z.nullish(z.string()), html_url: z.string() })),
});

/** What became of the scheduled workflows with these actions, and of the one that runs. */
export async function readSchedules(
  ask: GitHubAsker,
  { repository, workflow }: Pick<RepositoryContext, "repository" | "workflow">,
  files: Reading<readonly WorkflowFile[]>,
): Promise<Reading<Schedule[]>> {
  if (files.type !== "read") return files;
  const scheduled = files.value
    .filter(({ path, events, isOurs }) => {
      return events.includes("schedule") && (isOurs || path === workflow);
    })
    .map(({ path }) => path);
  if (scheduled.length === 0) return { type: "read", value: [] };
  return await ask.read(
    async (github) => {
      const reader = new RepositoryReader(github, repository);
      const list = { per_page: 100 };
      const { workflows } = await reader.get(workflowsAnswer, "/actions/workflows", list);
      const schedules: Schedule[] = [];
      for (const path of scheduled) {
        const known = workflows.find((listed) => listed.path === path);
        const isRead = known !== undefined && schedules.length < MOST_SCHEDULES;
        const lastRun: LastRun = isRead ? await readLastRun(reader, known.id) : { type: "unread" };
        schedules.push({ path, state: known?.state ?? null, lastRun });
      }
      return schedules;
    },
    ["actions: read"],
  );
}

async function readLastRun(reader: RepositoryReader, workflow_id: number): Promise<LastRun> {
  const path = "/actions/workflows/{workflow_id}/runs";
  const newest = { workflow_id, event: "schedule", per_page: 1 };
  const { workflow_runs } = await reader.get(runsAnswer, path, newest);
  const [last] = workflow_runs;
  if (last === undefined) return { type: "none" };
  return { type: "begun", conclusion: last.conclusion ?? null, url: last.html_url };
}
