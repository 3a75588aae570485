/** What people and checks do with pull requests, by the path of the form. */

import { AGENT, WORKFLOW } from "../../emulator/github/people.ts";
import { type Act, type Acts, type Form, written } from "./acts.ts";
import { DEFAULT_PERSON, MAINTAINER } from "./people.ts";
import type { FileRecord, PullRecord, ReviewCommentRecord } from "./records.ts";

const IGNORED_LABEL = "skip-docs";

const TITLES = [
  "Retry webhooks three times",
  "Add the flag `--output`",
  "Rotate keys without downtime",
  "Read settings from the environment",
  "Accept several files in one upload",
  "Let webhooks be paused",
];

/** Title of the next change, if a person gives none. */
export function suggestedTitle(changes: number): string {
  return TITLES[changes % TITLES.length] ?? "";
}

export const PULL_ACTS: Record<string, Act> = {
  "/changes": (acts, { field }) =>
    acts.inTurn(async () => {
      const { home } = acts.world.github;
      const title = field("title").trim() || suggestedTitle(home.pulls.length);
      const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
      const short = words.slice(0, 5).join("-");
      const isTaken = short === "" || home.tip(`change/${short}`) !== "";
      const name = isTaken ? [...words.slice(0, 5), home.nextNumber].join("-") : short;
      const docs = { [`docs/${name}.md`]: `# ${title}\n` };
      const files = { [`src/${name}.ts`]: `// ${title}\n`, ...(field("docs") !== "" && docs) };
      const labels = field("ignored") === "" ? [] : [IGNORED_LABEL];
      const branch = `change/${name}`;
      const pull = home.openPull({ title, labels, commits: [{ message: title, files }], branch });
      if (field("how") !== "open") {
        home.merge(pull, "squash");
        return { message: `Pull request #${pull.number} is merged.` };
      }
      await sendPullEvent(acts, pull.number, DEFAULT_PERSON, "opened");
      return { message: `Pull request #${pull.number} is open.`, to: `/pull/${pull.number}` };
    }),

  "/pull/:number/gate": async (acts, { number, field }) => {
    const path = `/issues/${number}/labels`;
    const how = field("how");
    if (how === "set" || how === "remove") {
      const name = written(field("label"), `Name a label, such as: ${IGNORED_LABEL}`).trim();
      if (how === "set") await acts.send(MAINTAINER, "POST", path, { labels: [name] });
      else await acts.send(MAINTAINER, "DELETE", `${path}/${encodeURIComponent(name)}`, {});
      const action = how === "set" ? "labeled" : "unlabeled";
      await sendPullEvent(acts, number, MAINTAINER, action, { label: { name } });
    } else await sendPullEvent(acts, number, DEFAULT_PERSON, "synchronize");
    return { message: "The workflow of gate runs." };
  },

  "/pull/:number/end": async (acts, { number, field }) => {
    const path = `/pulls/${number}`;
    const isMerge = field("how") === "merge";
    if (isMerge) await acts.send(MAINTAINER, "PUT", `${path}/merge`, {});
    else await acts.send(MAINTAINER, "PATCH", path, { state: "closed" });
    await sendPullEvent(acts, number, MAINTAINER, "closed");
    return { message: `The pull request is ${isMerge ? "merged" : "closed"}.` };
  },

  "/pull/:number/reviews": async (acts, { number, login, field }) => {
    const event = field("event") || "COMMENT";
    const body = field("body");
    if (event !== "APPROVE") written(body, "Write something first: what should change?");
    const path = `/pulls/${number}`;
    const place = placeOf(field);
    const own = place === undefined || body === "" ? { body } : { comments: [{ ...place, body }] };
    const review = await acts.send<{ id: number }>(login, "POST", `${path}/reviews`, {
      event,
      ...own,
    });
    const pull_request = await acts.get<PullRecord>(path);
    await acts.sendEvent("pull_request_review", login, {
      action: "submitted",
      review,
      pull_request,
    });
    const all = await acts.get<ReviewCommentRecord[]>(`${path}/comments?per_page=100`);
    for (const comment of all) {
      if (comment.pull_request_review_id !== review.id) continue;
      const payload = { action: "created", comment, pull_request };
      await acts.sendEvent("pull_request_review_comment", login, payload);
    }
    return { message: "Your review is on the pull request." };
  },

  "/pull/:number/checks": async (acts, { number, field }) => {
    const { head } = await acts.get<PullRecord>(`/pulls/${number}`);
    const conclusion = field("conclusion") || "success";
    const isGood = conclusion === "success";
    const [place, message] = [placeOf(field), field("body")];
    const lines = { start_line: place?.line, end_line: place?.line, annotation_level: "failure" };
    const annotations = isGood || !place ? [] : [{ path: place.path, message, ...lines }];
    const output = { title: isGood ? "Everything is fine" : message, summary: "", annotations };
    const run = { name: field("name"), head_sha: head.sha, conclusion, output };
    await acts.send(WORKFLOW, "POST", "/check-runs", run);
    return { message: "The check has reported." };
  },

  // A commit to the base conflicts with the pull request.
  "/pull/:number/commits": async (acts, { number, login, field }) => {
    const { head, base } = await acts.get<PullRecord>(`/pulls/${number}`);
    const isConflict = field("to") === "base";
    acts.count += 1;
    const line = `\nEdited by ${login} (${acts.count}).\n`;
    const branch = isConflict ? base.ref : head.ref;
    await acts.commit(login, field("path"), branch, (old) => (isConflict ? line : old + line));
    if (!isConflict) await sendPullEvent(acts, number, login, "synchronize");
    return { message: "The commit is pushed." };
  },
};

/** A place in a file; undefined if none is chosen. */
function placeOf(field: Form["field"]): { path: string; line: number } | undefined {
  const path = field("path");
  return path === "" ? undefined : { path, line: Number(field("line")) || 1 };
}

/**
 * Sends the workflows an event of a pull request with code. The gate ignores the agent's.
 *
 * @param action as GitHub calls it: `synchronize`, for example
 */
async function sendPullEvent(
  acts: Acts,
  number: number,
  login: string,
  action: string,
  more: object = {},
) {
  const pull_request = await acts.get<PullRecord>(`/pulls/${number}`);
  if (pull_request.user.login === AGENT) return;
  const files = await acts.get<FileRecord[]>(`/pulls/${number}/files?per_page=100`);
  const changed = files.map(({ filename }) => filename);
  const payload = { action, number, pull_request, changed, ...more };
  await acts.sendEvent("pull_request", login, payload);
}
