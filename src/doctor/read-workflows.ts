/** Reads the workflow files of a default branch, and what became of the scheduled ones. */

import * as z from "zod/mini";
import type { RepositoryContext } from "../github/trigger/run-context.ts";
import { type Fact, known, mapFact, type Unread } from "../runtime/fact.ts";
import type { GitHubAsker } from "./ask.ts";
import type { GitHubFacts, Schedule, Triggers, WorkflowFile } from "./facts.ts";

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
      return workflowOf(`${FOLDER}/${name}`, object?.text ?? null, yaml);
    });
  });
}

/** Events about which something is found. */
const EVENTS = ["schedule", "merge_group"];

/** How a step of these actions looks, in any copy of the repository. */
const OURS = /\buses:\s*["']?[\w.-]+\/docs-agent-action[/@]/;

/** Maximum length of a workflow file that is parsed. */
const MOST_CHARACTERS = 100_000;

/** @param text null if GitHub does not show it */
export function workflowOf(
  path: string,
  text: string | null,
  yaml: typeof import("yaml"),
): WorkflowFile {
  const isRead = text !== null && text.length <= MOST_CHARACTERS;
  return {
    path,
    triggers: isRead ? triggersIn(text, yaml) : null,
    isOurs: text !== null && OURS.test(text),
  };
}

const workflowFile = z.object({
  on: z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())]),
});

const scheduled = z.object({
  schedule: z.array(z.object({ cron: z.string(), timezone: z.optional(z.unknown()) })),
});

/** Null if the file cannot be read. */
function triggersIn(text: string, { parse }: typeof import("yaml")): Triggers | null {
  let file: unknown;
  try {
    file = parse(text, { logLevel: "error" });
  } catch {
    return null;
  }
  const { data } = workflowFile.safeParse(file);
  if (data === undefined) return null;
  const { on } = data;
  const names = namesIn(on);
  const schedules = scheduled.safeParse(on).data?.schedule ?? [];
  return {
    events: EVENTS.filter((event) => names.includes(event)),
    crons: schedules.map(({ cron }) => cron),
    isUtc: schedules.every(({ timezone }) => timezone === undefined),
  };
}

function namesIn(on: z.infer<typeof workflowFile>["on"]): unknown[] {
  if (typeof on === "string") return [on];
  return Array.isArray(on) ? on : Object.keys(on);
}

/** Maximum number of scheduled workflows whose last runs are read. */
const MOST_SCHEDULES = 2;

/** What became of the scheduled workflows with these actions, and of the one that runs. */
export async function readSchedules(
  ask: GitHubAsker,
  { repository, workflow }: RepositoryContext,
  files: Fact<readonly WorkflowFile[]>,
): Promise<GitHubFacts["schedules"]> {
  if (files.type !== "known") return files;
  // Of a file that was not read to its end, nobody knows whose steps it has.
  const isMeant = ({ path, triggers, isOurs }: WorkflowFile) =>
    isOurs || path === workflow || triggers === null;
  const meant = files.value.filter(isMeant);
  const unreadFiles = meant.filter(({ triggers }) => triggers === null).map(({ path }) => path);
  const timed = meant.flatMap(({ path, triggers }) =>
    triggers?.events.includes("schedule") === true ? [{ path, triggers }] : [],
  );
  if (timed.length === 0) return known({ named: [], unreadFiles });
  const listed = await ask.read(({ actions }) => actions.workflows({ repository }));
  if (listed.type !== "known") return listed;
  const named: Schedule[] = [];
  for (const { path, triggers } of timed) {
    const own = listed.value.workflows.find((workflow) => workflow.path === path);
    const isRead = own !== undefined && named.length < MOST_SCHEDULES;
    const runs = isRead ? await readRuns(ask, repository, own.id) : NOT_READ;
    const { crons, isUtc } = triggers;
    named.push({ path, crons, isUtc, state: own?.state ?? null, since: sinceOf(own), runs });
  }
  return known({ named, unreadFiles });
}

const NOT_READ: Unread = {
  type: "unread",
  cause: "incomplete",
  reason: "only those of the first two workflows are read",
  isPassing: false,
  status: null,
};

/** GitHub changes the time of the last update when a workflow is enabled. */
function sinceOf(workflow: { created_at: string; updated_at: string } | undefined): number | null {
  if (workflow === undefined) return null;
  const times = [workflow.created_at, workflow.updated_at].map((time) => Date.parse(time));
  const readable = times.filter((time) => !Number.isNaN(time));
  return readable.length === 0 ? null : Math.max(...readable);
}

/** Any other conclusion but success, such as that of a run that was cancelled or skipped, says nothing. */
const FAILED = ["failure", "startup_failure", "timed_out", "action_required"];

async function readRuns(
  ask: GitHubAsker,
  repository: string,
  id: number,
): Promise<Schedule["runs"]> {
  const runs = await ask.read(({ actions }) => actions.scheduledRuns({ repository, id }));
  return mapFact(runs, ({ workflow_runs: newestFirst }) => {
    const [newest] = newestFirst;
    const [concluded = null] = newestFirst.flatMap(({ conclusion, html_url: url }) => {
      if (typeof conclusion !== "string") return [];
      const isFailed = FAILED.includes(conclusion);
      return isFailed || conclusion === "success" ? [{ isFailed, conclusion, url }] : [];
    });
    return { newestAt: newest === undefined ? null : Date.parse(newest.created_at), concluded };
  });
}
