/**
 * The reasons of the gate by their codes: of its verdicts, and why there is no draft. The sentences are made where they
 * are shown, and the table in docs/gate.md is made from this one.
 */

import { HOUR, MINUTE } from "../runtime/clock.ts";
import type { ReasonEntry } from "../runtime/reason.ts";
import { inlineCode } from "../text/markdown.ts";

/** Of several pull requests, the last one decides. */
export const VERDICTS = ["not-needed", "included", "excused", "covered", "needed"] as const;

export type GateVerdict = (typeof VERDICTS)[number];

/** The most files of a pull request that GitHub lists. */
export const MOST_FILES = 3000;

/** What each code of a verdict says beside itself: texts are from outside. */
interface OfVerdicts {
  closed: object;
  label: { readonly label: string };
  author: { readonly author: string };
  "no-files": object;
  "no-path": object;
  "by-agent": object;
  docs: { readonly path: string };
  excuse: { readonly login: string; readonly words: string };
  job: { readonly jobId: string };
  requesting: object;
  "no-docs": object;
  "too-many-files": object;
  "job-failed": { readonly jobId: string };
  "docs-closed": object;
  "request-refused": object;
}

/** The same of the notes beside a verdict. */
interface OfNotes {
  "excuse-denied": { readonly denial: string };
  "no-key": object;
  unapproved: object;
  objection: { readonly login: string };
  "dashboard-closed": object;
  halted: object;
  merged: object;
  changed: object;
  limited: object;
  unsent: object;
  "others-first": object;
  uncertain: { readonly words: string };
  "no-draft": { readonly message: string };
}

interface Parameters extends OfVerdicts, OfNotes {}

type Code = keyof Parameters;

/** A code with its parameters. */
type GateReason<C extends Code> = {
  [K in C]: { readonly code: K } & Parameters[K];
}[C];

export type VerdictReason = GateReason<keyof OfVerdicts>;

/** What there is to say beside a verdict, such as why there is no draft. */
export type GateNote = GateReason<keyof OfNotes>;

/** Shows text from outside. */
type Quote = (text: string) => string;

interface GateEntry<C extends Code> extends ReasonEntry<GateReason<C>> {
  /** Null for a note. */
  readonly verdict: C extends keyof OfVerdicts ? GateVerdict : null;
  /** @param quote shows text from outside: by default as code */
  text(reason: GateReason<C>, quote?: Quote): string;
}

/** Longest text from outside in Markdown, in characters. */
const LONGEST = 400;

const DOCUMENT =
  'Change the docs in it, ask the agent with /docs, set a label that says that it needs none, or say so with a line "docs: none, REASON".';
const NEXT = "the next run asks again";

const NOBODY = { waitsFor: "nobody", longest: null, wayOut: "none is needed" } as const;
const NOT_NEEDED = { verdict: "not-needed", ...NOBODY } as const;
const NEEDED = { verdict: "needed", waitsFor: "person", longest: null, wayOut: DOCUMENT } as const;
const FOR_PERSON = { verdict: null, waitsFor: "person", longest: null } as const;
const FOR_REVIEWER = { verdict: null, waitsFor: "reviewer", longest: null } as const;
const FOR_NEXT_RUN = { verdict: null, waitsFor: "github", longest: HOUR, wayOut: NEXT } as const;

/** The text of a verdict's reason is a few words; that of a note, whole sentences. */
export const GATE_REASONS: { readonly [C in Code]: GateEntry<C> } = {
  closed: { ...NOT_NEEDED, text: () => "closed" },
  label: { ...NOT_NEEDED, text: ({ label }, quote = code) => `label ${quote(label)}` },
  author: { ...NOT_NEEDED, text: ({ author }, quote = code) => `author ${quote(author)}` },
  "no-files": { ...NOT_NEEDED, text: () => "changes no files" },
  "no-path": { ...NOT_NEEDED, text: () => "no file matches `paths`" },
  "by-agent": { ...NOT_NEEDED, text: () => "opened by the documentation agent" },
  docs: { verdict: "included", ...NOBODY, text: ({ path }, quote = code) => quote(path) },
  excuse: {
    verdict: "excused",
    ...NOBODY,
    text: ({ login, words }, quote = code) => quote(`${login}: ${words}`),
  },
  job: {
    verdict: "covered",
    waitsFor: "agent",
    longest: null,
    text: ({ jobId }, quote = code) => `job ${quote(jobId)}`,
    wayOut: "its docs pull request",
  },
  requesting: {
    verdict: "covered",
    waitsFor: "github",
    longest: 10 * MINUTE,
    text: () => "being requested",
    wayOut: "the job; after that time, it is not known whether there is one",
  },
  "no-docs": { ...NEEDED, text: () => "no file matches `docs-paths`" },
  "too-many-files": { ...NEEDED, text: () => `more than ${MOST_FILES} files` },
  "job-failed": { ...NEEDED, text: ({ jobId }, quote = code) => `job ${quote(jobId)} failed` },
  "docs-closed": { ...NEEDED, text: () => "the docs pull request was closed without merging" },
  "request-refused": { ...NEEDED, text: () => "docs job refused" },
  "excuse-denied": {
    ...FOR_PERSON,
    text: ({ denial }) => `A line \`docs: none, …\` does not count: ${denial}.`,
    wayOut: "the same line by somebody with write permission",
  },
  "no-key": {
    ...FOR_PERSON,
    text: () =>
      noDraft(
        "there is no `api-key`. Runs that a fork triggers by `pull_request` or `pull_request_review` get no secrets",
      ),
    wayOut: "a run on a schedule, or the inputs `api-key` and `project-id`",
  },
  unapproved: {
    ...FOR_REVIEWER,
    text: () => noDraft("nobody with write permission approves the pull request"),
    wayOut: "an approval by somebody with write permission",
  },
  objection: {
    ...FOR_REVIEWER,
    text: ({ login }, quote = code) => `There is no draft while ${quote(login)} asks for changes.`,
    wayOut: "their approval, or the dismissal of their review",
  },
  "dashboard-closed": {
    ...FOR_PERSON,
    text: () => noDraft("the dashboard is closed"),
    wayOut: "reopen upkeep's dashboard",
  },
  halted: {
    ...FOR_PERSON,
    text: () => noDraft("too many jobs in a row failed"),
    wayOut: 'the box "Go on" on upkeep\'s dashboard',
  },
  merged: {
    verdict: null,
    ...NOBODY,
    text: () => noDraft("the pull request was merged in the meantime"),
  },
  changed: {
    ...FOR_NEXT_RUN,
    text: () => noDraft("what it depends on changed right before the request"),
  },
  limited: {
    verdict: null,
    waitsFor: "limit",
    longest: HOUR,
    text: () =>
      noDraft(
        "the service's limit of 100 uses per project per hour is reached, so a later run requests it",
      ),
    wayOut: NEXT,
  },
  unsent: {
    ...FOR_NEXT_RUN,
    text: () => noDraft("the run was cancelled, or took too long to send the request"),
  },
  "others-first": {
    ...FOR_NEXT_RUN,
    text: () => noDraft("other runs wrote to the ledger first"),
  },
  uncertain: {
    ...FOR_PERSON,
    text: ({ words }, quote = code) =>
      noDraft(`the service may have received the request (${quote(words)})`),
    wayOut: "ask with `/docs`, or decide on upkeep's dashboard after the merge",
  },
  "no-draft": {
    ...FOR_PERSON,
    text: ({ message }, quote = code) => `There is no draft. ${quote(message)}`,
    wayOut: "what the message names, then the next run; or ask with `/docs`",
  },
};

function noDraft(why: string): string {
  return `There is no draft: ${why}.`;
}

function code(text: string): string {
  return inlineCode(text.replaceAll("`", ""), LONGEST);
}

/** In Markdown, with text from outside as code. */
export function gateReasonText<C extends Code>(reason: GateReason<C>): string {
  return GATE_REASONS[reason.code].text(reason);
}

/** Where Markdown is not rendered: with text from outside as it is. */
export function plainReason<C extends Code>(reason: GateReason<C>): string {
  return GATE_REASONS[reason.code].text(reason, (text) => text);
}
