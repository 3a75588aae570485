/** The table of the events that start a job, by whom; test/trust/hostile/outsiders.test.ts runs the bundle on each. */

import { EVENT_ROWS, type EventRule, RUNS_BEFORE } from "../src/github/trigger/events.ts";
import { table } from "./markdown-table.ts";

/** Who causes an event, and who wrote its text. */
export const PEOPLE = [
  "a writer",
  "a stranger",
  "a fork",
  "a bot",
  "an app, for a writer",
  "a writer, a stranger's text",
  "a stranger, a writer's text",
  "the agent",
] as const;

export type Person = (typeof PEOPLE)[number];

/** A job is started; the step is skipped, and the summary says who is not allowed; or it is skipped with a line. */
export type StartEnd = "starts" | "refused" | "nothing";

/** By the sender alone. */
const BY_SENDER: Record<Person, StartEnd> = {
  "a writer": "starts",
  "a stranger": "refused",
  "a fork": "refused",
  "a bot": "refused",
  "an app, for a writer": "starts",
  "a writer, a stranger's text": "starts",
  "a stranger, a writer's text": "refused",
  "the agent": "refused",
};

const BY_BOTH: Record<Person, StartEnd> = {
  ...BY_SENDER,
  "an app, for a writer": "refused",
  "a writer, a stranger's text": "refused",
};

const BY_PHRASE: Record<Person, StartEnd> = {
  ...BY_BOTH,
  "a writer, a stranger's text": "nothing",
  "a stranger, a writer's text": "nothing",
};

/** Events about a pull request, a push, or a run that may be the agent's own. */
const OF_AGENT = /^(pull_request|pull_request_target|workflow_run)$|^push$/;

/**
 * What becomes of an event, with a phrase and without.
 *
 * @param variant the event of the run before this one
 * @param namesApp whether the event says that an app acts for a person
 */
export function endsOf(
  rule: EventRule,
  { name, variant, who }: { name: string; variant: string; who: Person },
  namesApp: boolean,
): [withPhrase: StartEnd, withoutPhrase: StartEnd] {
  if (who === "the agent" && OF_AGENT.test(name)) return ["nothing", "nothing"];
  switch (rule) {
    case "runs":
      return ["starts", "starts"];
    case "sender":
      return [BY_SENDER[who], BY_SENDER[who]];
    case "closed":
      return ["nothing", BY_SENDER[who]];
    case "after-run": {
      if (who === "a fork") return ["nothing", "nothing"];
      const end = RUNS_BEFORE.includes(variant) ? "starts" : BY_RUN[who];
      return [end, end];
    }
    case "asks": {
      const isUnseen = who === "an app, for a writer" && !namesApp;
      return isUnseen ? ["starts", "starts"] : [BY_PHRASE[who], BY_BOTH[who]];
    }
  }
}

/** By the actor and the triggering actor of the run before. */
const BY_RUN: Record<Person, StartEnd> = { ...BY_BOTH, "an app, for a writer": "starts" };

/** The kinds of events, as the table names them. */
const KINDS: { title: string; rule: EventRule; name: string; variant: string }[] = [
  { title: namesOf("asks"), rule: "asks", name: "issue_comment", variant: "" },
  { title: namesOf("runs").replace(" `push`,", ""), rule: "runs", name: "release", variant: "" },
  { title: "`push`", rule: "runs", name: "push", variant: "" },
  {
    title: "`pull_request` and `pull_request_target`, merged",
    rule: "runs",
    name: "pull_request",
    variant: "",
  },
  { title: namesOf("sender"), rule: "sender", name: "issues", variant: "" },
  {
    title: `\`workflow_run\` after ${RUNS_BEFORE.map((name) => `\`${name}\``).join(", ")}`,
    rule: "after-run",
    name: "workflow_run",
    variant: "push",
  },
  {
    title: "`workflow_run` after another event",
    rule: "after-run",
    name: "workflow_run",
    variant: "",
  },
  { title: "every other event", rule: "closed", name: "discussion", variant: "" },
];

function namesOf(rule: EventRule): string {
  return EVENT_ROWS.filter((row) => row.rule === rule && !row.isMerged)
    .map(({ event, action }) => `\`${event}\`${action === null ? "" : ` ${action}`}`)
    .join(", ");
}

/** A row a kind of events, a column a person. Two words: with a phrase, and without. */
export function startsTable(): string {
  const rows = KINDS.map(({ title, rule, name, variant }) => [
    title,
    ...PEOPLE.map((who) => {
      const ends = endsOf(rule, { name, variant, who }, true);
      return ends[0] === ends[1] ? ends[0] : ends.join(" / ");
    }),
  ]);
  return table(["event", ...PEOPLE], rows);
}
