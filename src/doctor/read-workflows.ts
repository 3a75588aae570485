/** Reads the workflow files of a default branch, and what became of the scheduled ones. */

import * as z from "zod/mini";
import type { GitHub } from "../github/api/client.ts";
import type { RepositoryContext } from "../github/trigger/run-context.ts";
import { type Fact, known, mapFact } from "../runtime/fact.ts";
import type { GitHubAsker } from "./ask.ts";
import type { LastRun, Schedule, WorkflowFile } from "./facts.ts";

const FOLDER = ".github/workflows";

/** One request for all files. */
export async function readWorkflows(
  ask: GitHubAsker,
  repository: string,
): Promise<Fact<WorkflowFile[]>> {
  const expression = `HEAD:${FOLDER}`;
  const folder = await ask.read(({ repositories }) => {
    return repositories.folder({ repository, expression });
  });
  const yaml = await import("yaml");
  return mapFact(folder, (answer) => {
    const files = (answer.repository.object?.entries ?? []).filter(({ name }) => {
      return /\.ya?ml$/.test(name);
    });
    return files.map(({ name, object }) => {
      return workflowOf(`${FOLDER}/${name}`, object?.text ?? "", yaml);
    });
  });
}

/** Events about which something is found. */
const EVENTS = ["schedule", "merge_group"];

/** How a step of these actions looks, in any copy of the repository. */
const OURS = /\buses:\s*["']?[\w.-]+\/docs-agent-action[/@]/;

/** Maximum length of a workflow file that is parsed. */
const MOST_CHARACTERS = 100_000;

export function workflowOf(path: string, text: string, yaml: typeof import("yaml")): WorkflowFile {
  const names = text.length > MOST_CHARACTERS ? [] : triggersIn(text, yaml);
  return { path, events: EVENTS.filter((event) => names.includes(event)), isOurs: OURS.test(text) };
}

const workflowFile = z.object({
  on: z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]),
});

/** The events under `on:`; none if it cannot be read. */
function triggersIn(text: string, { parse }: typeof import("yaml")): unknown[] {
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

/** What became of the scheduled workflows with these actions, and of the one that runs. */
export async function readSchedules(
  ask: GitHubAsker,
  { repository, workflow }: RepositoryContext,
  files: Fact<readonly WorkflowFile[]>,
): Promise<Fact<Schedule[]>> {
  if (files.type !== "known") return files;
  const scheduled = files.value
    .filter(({ path, events, isOurs }) => {
      return events.includes("schedule") && (isOurs || path === workflow);
    })
    .map(({ path }) => path);
  if (scheduled.length === 0) return known([]);
  return await ask.read((github) => readScheduled(github, repository, scheduled));
}

/** @param paths of the files */
async function readScheduled(
  github: GitHub,
  repository: string,
  paths: readonly string[],
): Promise<Fact<Schedule[]>> {
  const listed = await github.actions.workflows({ repository });
  if (listed.type !== "known") return listed;
  const schedules: Schedule[] = [];
  for (const path of paths) {
    const own = listed.value.workflows.find((workflow) => workflow.path === path);
    const isRead = own !== undefined && schedules.length < MOST_SCHEDULES;
    const lastRun: Fact<LastRun> = isRead
      ? await readLastRun(github, repository, own.id)
      : known({ type: "unread" });
    if (lastRun.type !== "known") return lastRun;
    schedules.push({ path, state: own?.state ?? null, lastRun: lastRun.value });
  }
  return known(schedules);
}

async function readLastRun(github: GitHub, repository: string, id: number): Promise<Fact<LastRun>> {
  const runs = await github.actions.scheduledRuns({ repository, id });
  return mapFact(runs, ({ workflow_runs: [last] }): LastRun => {
    if (last === undefined) return { type: "none" };
    return { type: "begun", conclusion: last.conclusion ?? null, url: last.html_url };
  });
}
