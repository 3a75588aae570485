/** What people do with issues, files and workflows, by the path of the form. */

import { basename } from "node:path";
import { HttpError } from "../../emulator/http/http-error.ts";
import {
  type Act,
  type Acts,
  ANSWERING,
  type Done,
  type Form,
  GATE_SCHEDULE,
  TEAM,
  written,
} from "./acts.ts";
import { mistakesOf, WORKFLOW_FILE } from "./mistakes.ts";
import { MAINTAINER } from "./people.ts";
import type { CommentRecord, IssueRecord } from "./records.ts";
import { bodyHash, TASKS_FILE, withTasks } from "./tasks.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CHANGED = "The text has changed meanwhile. Load the page again, and change it then.";

export const ISSUE_ACTS: Record<string, Act> = {
  "/issues": async (acts, { login, field }) => {
    const title = written(field("title"), "Give the issue a title.").trim();
    const fields = { title, body: field("body") };
    const opened = await acts.send<IssueRecord>(login, "POST", "/issues", fields);
    await acts.sendEvent("issues", login, { action: "opened", issue: opened });
    const path = `/issues/${opened.number}`;
    if (field("question") !== "") {
      const label = { name: "question" };
      await acts.send(MAINTAINER, "POST", `${path}/labels`, { labels: [label.name] });
      const issue = await acts.get<IssueRecord>(path);
      await acts.sendEvent("issues", MAINTAINER, { action: "labeled", issue, label });
    }
    return { message: "The issue is open.", to: path };
  },

  "/issues/:number/comments": async (acts, { number, login, field }) => {
    const body = written(field("body"), "Write something first, such as: /docs explain…");
    const issue = await acts.get<IssueRecord>(`/issues/${number}`);
    const to = `/issues/${number}/comments`;
    const comment = await acts.send<CommentRecord>(login, "POST", to, { body });
    const chosen = ANSWERING.find((file) => basename(file) === field("workflow")) ?? TEAM;
    await acts.sendEvent("issue_comment", login, { action: "created", issue, comment }, chosen);
    return { message: "Your comment is on the issue." };
  },

  // Ticks boxes of the text, and unticks the others.
  "/issues/:number/tick": async (acts, { number, field, all }) => {
    const path = `/issues/${number}`;
    const ticked = all("task").map(Number);
    const { issue, from } = await acts.inTurn(async () => {
      const text = (await acts.get<IssueRecord>(path)).body ?? "";
      if (bodyHash(text) !== field("seen")) throw new HttpError(409, CHANGED);
      const body = withTasks(text, ticked);
      const edited = await acts.send<IssueRecord>(MAINTAINER, "PATCH", path, { body });
      return { issue: edited, from: text };
    });
    await acts.sendEvent("issues", MAINTAINER, {
      action: "edited",
      issue,
      changes: { body: { from } },
    });
    return { message: "The boxes are saved." };
  },

  // The team workflow, by hand or on its schedule. The gate has a schedule, too.
  "/team": async (acts, { field }) => {
    if (field("how") === "hand") {
      void acts.dispatch("workflow_dispatch", MAINTAINER, { inputs: null, workflow: TEAM });
      return { message: "The team workflow runs." };
    }
    acts.world.github.emulated.site.advance(HOUR);
    for (const file of [TEAM, GATE_SCHEDULE]) {
      const schedule = acts.runs.workflowOf(file)?.cron;
      const end = acts.dispatch("schedule", MAINTAINER, { schedule, workflow: file });
      if (file === TEAM) void end.then(() => recordScheduledRun(acts));
    }
    return { message: "An hour has passed, and the team workflow runs." };
  },

  "/tasks": async (acts, { field }) => {
    await acts.commit(MAINTAINER, TASKS_FILE, "main", (old) => {
      if (bodyHash(old) !== field("seen")) throw new HttpError(409, CHANGED);
      return field("text");
    });
    await acts.sendEvent("push", MAINTAINER, { ref: "refs/heads/main", changed: [TASKS_FILE] });
    return { message: "The tasks are committed.", to: "" };
  },
};

/** Lets GitHub list the newest run of the team workflow, in which doctor looks. */
function recordScheduledRun({ runs, world: { github } }: Acts): void {
  const run = runs
    .list()
    .find(({ workflow, event }) => workflow.file === TEAM && event.name === "schedule");
  if (run?.conclusion === undefined) return;
  const { id, conclusion, createdAt } = run;
  github.home.scheduledRuns.push({ id, path: WORKFLOW_FILE, conclusion, at: Number(createdAt) });
}

/**
 * Runs a workflow, like its *Run workflow* button on GitHub or its schedule. First advances GitHub's clock by at least
 * a minute, because a job's record may be outdated for so long.
 */
export async function runWorkflow(acts: Acts, action: string, { field, all }: Form): Promise<Done> {
  const { service, github } = acts.world;
  const mistakes = mistakesOf(all("mistake"));
  const isBroken = field("broken") !== "";
  github.emulated.site.advance((Number(field("minutes")) || 1) * MINUTE);
  // A batch goes out as a new job, or as a message to the last one.
  for (const route of isBroken ? (["v2-create", "v2-message"] as const) : []) {
    await service.addFault({ route, status: 500 });
  }
  for (const mistake of mistakes) mistake.make(acts.world);
  const { file: workflow, events } = acts.runs.workflowOf(action) ?? {};
  const name = events && "workflow_dispatch" in events ? "workflow_dispatch" : "schedule";
  const end = acts.dispatch(name, MAINTAINER, { inputs: null, workflow });
  if (isBroken) void end.finally(() => service.clearFaults().catch(() => {}));
  void end.finally(() => {
    for (const mistake of mistakes) mistake.correct(acts.world);
    acts.count += 1;
  });
  return { message: `The workflow of ${action} runs.` };
}
