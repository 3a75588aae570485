/**
 * The reasons of the gate by their codes: of its verdicts, and why there is no draft. The sentences are made where they
 * are shown, and the table in docs/gate.md is made from this one.
 */

import { HOUR, MINUTE } from "../runtime/clock.ts";
import {
  fixed,
  type ReasonEntry,
  type ReasonOf,
  textOfReason,
  varying,
  type Waiter,
} from "../runtime/reason.ts";
import { inlineCode } from "../text/markdown.ts";

/** Of several pull requests, the last one decides. */
export const VERDICTS = ["not-needed", "included", "excused", "covered", "needed"] as const;

export type GateVerdict = (typeof VERDICTS)[number];

/** The most files of a pull request that GitHub lists. */
export const MOST_FILES = 3000;

/** Shows text from outside. */
type Quote = (text: string) => string;

interface GateEntry<P> extends ReasonEntry<P> {
  /** @param quote shows text from outside: by default as code */
  text(parameters: P, quote?: Quote): string;
}

/** Longest text from outside in Markdown, in characters. */
const LONGEST = 400;

const NEXT = "the next run asks again";

/** What a verdict is for: the text is a few words. */
export const VERDICT_REASONS = {
  closed: notNeeded({}, () => "closed"),
  label: notNeeded({ label: "skip-docs" }, ({ label }, quote) => `label ${quote(label)}`),
  author: notNeeded({ author: "renovate[bot]" }, ({ author }, quote) => `author ${quote(author)}`),
  "no-label": notNeeded({}, () => "no label of `only-labels`"),
  "no-files": notNeeded({}, () => "changes no files"),
  "no-path": notNeeded({}, () => "no file matches `paths`"),
  "by-agent": notNeeded({}, () => "opened by the documentation agent"),
  docs: decided("included", { path: "docs/guide.mdx" }, ({ path }, quote) => quote(path)),
  excuse: decided(
    "excused",
    { login: "octocat", words: "only the tests change" },
    ({ login, words }, quote) => quote(`${login}: ${words}`),
  ),
  job: {
    ...decided("covered", {}, () => "a docs job"),
    waitsFor: "agent",
    wayOut: "its docs pull request",
  },
  requesting: {
    ...decided("covered", {}, () => "a docs job that is being requested"),
    waitsFor: "github",
    longest: 10 * MINUTE,
    wayOut: "the service's answer",
  },
  "no-docs": needed({}, () => "it changes no documentation"),
  "too-many-files": needed({}, () => `it changes more than ${MOST_FILES} files`),
  "job-failed": needed({}, () => "its docs job failed"),
  "job-unknown": needed({}, () => "the service does not know its docs job"),
  "docs-closed": needed({}, () => "its docs pull request was closed without merging"),
  "request-refused": needed({}, () => "the service refused its docs job"),
} satisfies Record<string, GateEntry<object> & { verdict: GateVerdict }>;

export type VerdictReason = ReasonOf<typeof VERDICT_REASONS>;

/** What there is to say beside a verdict, such as why there is no draft: whole sentences. */
export const GATE_NOTES = {
  "excuse-denied": varying(
    "person",
    null,
    { denial: "`octocat` has no write permission" },
    ({ denial }) => `A line \`docs: none, …\` does not count: ${denial}.`,
    "the same line, anew, by somebody with write permission",
  ),
  "no-key": noDraft(
    "person",
    null,
    "there is no `api-key`, as in runs for forks",
    "a run on a schedule, or the inputs `api-key` and `project-id`",
  ),
  unapproved: noDraft(
    "reviewer",
    null,
    "nobody with write permission approves the pull request",
    "an approval by somebody with write permission",
  ),
  objection: note(
    "reviewer",
    { login: "octocat" },
    ({ login }, quote) => `There is no draft while ${quote(login)} asks for changes.`,
    "their approval, or the dismissal of their review",
  ),
  "other-base": note(
    "person",
    { base: "work/api" },
    ({ base }, quote) => `There is no draft: upkeep does not read the branch ${quote(base)}.`,
    "another base branch; or ask with `/docs`",
  ),
  "dashboard-closed": noDraft(
    "person",
    null,
    "the dashboard is closed",
    "reopen upkeep's dashboard",
  ),
  halted: noDraft(
    "person",
    null,
    "there were too many failures in a row",
    'the box "Go on" on upkeep\'s dashboard',
  ),
  merged: noDraft("nobody", null, "the pull request was merged in the meantime", "none"),
  changed: noDraft("github", HOUR, "what it depends on changed right before the request", NEXT),
  limited: noDraft("limit", HOUR, "the service's hourly limit is reached", NEXT),
  unsent: noDraft(
    "github",
    HOUR,
    "the run was cancelled, or took too long to send the request",
    NEXT,
  ),
  "others-first": noDraft("github", HOUR, "other runs wrote to the ledger first", NEXT),
  uncertain: note(
    "person",
    { words: "the connection was lost" },
    ({ words }, quote) =>
      `There is no draft: the service may have received the request (${quote(words)}).`,
    "ask with `/docs`, or decide on upkeep's dashboard after the merge",
  ),
  "no-draft": note(
    "person",
    { message: "The API key is invalid." },
    ({ message }, quote) => `There is no draft. ${quote(message)}`,
    "what the message names, then the next run; or ask with `/docs`",
  ),
} satisfies Record<string, GateEntry<object>>;

export type GateNote = ReasonOf<typeof GATE_NOTES>;

/** A reason that waits for nobody. */
function decided<P, V extends GateVerdict>(
  verdict: V,
  example: P,
  text: (parameters: P, quote: Quote) => string,
) {
  return { ...note("nobody", example, text, "none"), verdict };
}

function notNeeded<P>(example: P, text: (parameters: P, quote: Quote) => string) {
  return decided("not-needed", example, text);
}

function needed<P>(example: P, text: (parameters: P, quote: Quote) => string) {
  const wayOut = "one of the comment's three ways";
  return { ...note("person", example, text, wayOut), verdict: "needed" as const };
}

/** @param text with text from outside quoted */
function note<P>(
  waitsFor: Waiter,
  example: P,
  text: (parameters: P, quote: Quote) => string,
  wayOut: string,
): GateEntry<P> {
  return {
    waitsFor,
    longest: null,
    example,
    text: (parameters, quote = asCode) => text(parameters, quote),
    wayOut,
  };
}

/** @param why the end of a sentence */
function noDraft(waitsFor: Waiter, longest: number | null, why: string, wayOut: string) {
  return fixed(waitsFor, longest, `There is no draft: ${why}.`, wayOut);
}

function asCode(text: string): string {
  return inlineCode(text.replaceAll("`", ""), LONGEST);
}

const GATE_REASONS = { ...VERDICT_REASONS, ...GATE_NOTES };

/** In Markdown, with text from outside as code. */
export function gateReasonText(reason: VerdictReason | GateNote): string {
  return textOfReason(GATE_REASONS, reason);
}

/** Where Markdown is not rendered: with text from outside as it is. */
export function plainReason(reason: VerdictReason | GateNote): string {
  const entry: GateEntry<object> = GATE_REASONS[reason.code];
  return entry.text(reason, (text) => text);
}
