import type { DocsPull } from "../github/docs-pull.ts";
import { counted } from "../text/sentence.ts";
import type { Decision, Facts, LandRules, News, Step } from "./facts.ts";
import type { Entry } from "./ledger.ts";
import { brokenRail, commentsOfWriters, lastWords, merging, person, wait } from "./merging.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** After a follow-up, how long the agent is left alone although its branch does not change, in milliseconds. */
const FOLLOW_UP_GRACE = 30 * MINUTE;
/** How long a follow-up waits for checks and builds that are not over, so that it can tell of all at once. */
const PENDING_GRACE = HOUR;

/**
 * What to do about a docs pull request. docs/land.md has a table of all cases.
 *
 * @param now GitHub's time, in milliseconds since 1970
 */
export function decide(facts: Facts, entry: Entry, rules: LandRules, now: number): Decision {
  const { pull, job, codePull } = facts;
  const only = (step: Step): Decision => ({ step, isReminder: false });
  if (pull.state !== "open") return only({ type: "ended" });
  if (job.state === "active") return only(wait("The agent is at work on it."));
  const last = entry.followUps.at(-1);
  if (last?.head === pull.head && now - Date.parse(last.at) < FOLLOW_UP_GRACE) {
    return only(wait("The agent was sent a follow-up and has not changed its branch yet."));
  }
  // No action on a pull request whose job may be active, or no longer names it.
  const isOurs = job.state === "unknown" || job.prLink === entry.url;
  if (job.state === "unread" || !isOurs) return only(nextStep(facts, entry, rules, now));
  if (codePull === "closed") {
    const why = "The code pull request that it documents was closed without merging.";
    return only({ type: "close", why });
  }
  const step = nextStep(facts, entry, rules, now);
  if (step.type !== "wait" && step.type !== "person") return only(step);
  const idle = now - lastActivity(pull, entry);
  if (rules.closeAfter > 0 && idle >= rules.closeAfter) {
    const days = counted(Math.floor(rules.closeAfter / DAY), "day");
    return only({ type: "close", why: `Nothing has happened here for ${days}.` });
  }
  const isLate = rules.remindAfter > 0 && idle >= rules.remindAfter;
  return { step, isReminder: isLate && !entry.isReminded };
}

/** Problems that the agent can fix if it is told. */
export function problemsOf(
  { pull }: Pick<Facts, "pull">,
  { preview }: Pick<Entry, "preview">,
  rules: Pick<LandRules, "checks" | "reviews" | "conflicts">,
): News[] {
  const { head } = pull;
  const news: News[] = [];
  if (rules.checks === "follow-up") {
    for (const check of pull.checks) {
      if (check.state === "red") news.push({ type: "check", id: `check ${check.id}`, check });
    }
    if (preview?.head === head && preview.state === "failed") {
      news.push({ type: "build", id: `build ${preview.statusId}`, log: preview.log });
    }
  }
  if (rules.reviews === "follow-up") {
    for (const review of lastWords(pull)) {
      if (review.state !== "changes-requested") continue;
      news.push({ type: "review", id: `review ${review.id}`, review });
    }
    for (const comment of commentsOfWriters(pull)) {
      news.push({ type: "comment", id: `comment ${comment.id}`, comment });
    }
  }
  if (rules.conflicts === "follow-up" && pull.isConflicting === true) {
    news.push({ type: "conflict", id: `conflict ${head}` });
  }
  return news;
}

/** When anything happened to it last, in milliseconds since 1970. */
function lastActivity({ createdAt, lastWordAt }: DocsPull, entry: Entry): number {
  const { foundAt, headAt, followUps } = entry;
  const moved = headAt === foundAt ? "" : headAt;
  const times = [createdAt, lastWordAt, moved, followUps.at(-1)?.at ?? ""];
  return Math.max(...times.map((time) => Date.parse(time) || 0));
}

function nextStep(facts: Facts, entry: Entry, rules: LandRules, now: number): Step {
  const { pull, job } = facts;
  if (job.state === "unread") return wait("Its job could not be polled; the next run tries again.");
  if (job.state === "unknown") {
    return person(
      "The service no longer knows its job, so it takes no follow-ups and is not merged.",
    );
  }
  if (job.prLink !== entry.url) {
    return person("Its job's record no longer names this pull request, so it is left as it is.");
  }
  const problems = problemsOf(facts, entry, rules);
  const fresh = problems.filter(({ id }) => !entry.sent.includes(id));
  if (fresh.length > 0) {
    const isYoung = now - Date.parse(entry.headAt) < PENDING_GRACE;
    if (isYoung && isPending(pull, entry)) return wait("Checks or builds are not over yet.");
    return followUp(fresh, entry, rules);
  }
  const isAsBefore = entry.followUps.at(-1)?.head === pull.head;
  const unsolved = problems.filter(({ type }) => isAsBefore || !BY_PEOPLE.includes(type));
  if (unsolved.length > 0) {
    return person(`The agent was told of ${newsText(unsolved)}, and has not mended it.`);
  }
  const rail = brokenRail(facts, rules);
  if (rail !== null) return person(rail);
  return merging(facts, entry, rules, now);
}

/** The person who asked for it checks whether the agent's new commits are enough. */
const BY_PEOPLE = ["review", "comment"];

function isPending({ checks }: DocsPull, { preview }: Entry): boolean {
  return checks.some(({ state }) => state === "pending") || preview?.state === "building";
}

function followUp(news: News[], entry: Entry, rules: LandRules): Step {
  const what = newsText(news);
  if (entry.isEditedByOthers) {
    return person(
      `Somebody else than the agent has pushed to it, so the agent is not told of ${what}.`,
    );
  }
  if (entry.isClosedToFollowUps) {
    return person(closedText(news));
  }
  if (entry.followUps.length >= rules.maxFollowUps) {
    const tried = counted(entry.followUps.length, "follow-up");
    return person(`There is ${what}, after ${tried} of at most ${rules.maxFollowUps}.`);
  }
  return { type: "follow-up", news };
}

/** That a job takes no follow-ups, in the words in which every run says it. */
export function closedText(news: readonly News[]): string {
  return `Its job takes no follow-ups, so the agent cannot be told of ${newsText(news)}.`;
}

/** For example `1 failed check and 2 review comments`. Words of the action's own. */
export function newsText(news: readonly News[]): string {
  const count = (type: News["type"], what: string) => {
    const found = news.filter((it) => it.type === type).length;
    return found === 0 ? [] : [counted(found, what)];
  };
  const parts = [
    ...count("check", "failed check"),
    ...count("build", "failed build of its preview"),
    ...count("review", "review that asks for changes"),
    ...count("comment", "review comment"),
    ...count("conflict", "conflict with its base"),
  ];
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}
