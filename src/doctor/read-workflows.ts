/** Reads the workflow files of a default branch, and what became of the scheduled ones. */

import * as z from "zod/mini";
import { RepositoryReader } from "../github/api/repository.ts";
import type { RunContext } from "../github/trigger/run-context.ts";
import { linesOf } from "../text/sentence.ts";
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
      return entries
        .filter(({ name }) => /\.ya?ml$/.test(name))
        .map(({ name, object }) => workflowOf(`${FOLDER}/${name}`, object?.text ?? ""));
    },
    ["contents: read"],
  );
}

/** Events about which something is found. */
const EVENTS = ["schedule", "merge_group"];

/** How a step of these actions looks, in any copy of the repository. */
const OURS = /\buses:\s*["']?[\w.-]+\/docs-agent-action[/@]/;

export function workflowOf(path: string, text: string): WorkflowFile {
  const words = new Set(triggersIn(text).match(/\w+/g));
  return { path, events: EVENTS.filter((event) => words.has(event)), isOurs: OURS.test(text) };
}

/** The lines under `on:`, without comments. */
function triggersIn(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/(^|\s)#.*$/, ""));
  const start = lines.findIndex((line) => /^(on|"on"|'on')\s*:/.test(line));
  if (start === -1) return "";
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^[^\s-]/.test(line));
  const below = end === -1 ? rest : rest.slice(0, end);
  return linesOf([lines[start], ...below].join("\n")).join("\n");
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
  { repository, workflow }: Pick<RunContext, "repository" | "workflow">,
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
