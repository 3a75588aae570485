/** What holds in every cell, whatever goes wrong, and the exceptions, each with its reason. */

import { ADMIN_KEY } from "../../../emulator/service/state.ts";
import { KIND_WORDS } from "../../../src/runtime/errors.ts";
import type { RecordedRequest } from "../../support/faulty-server.ts";
import { misfits } from "../../support/sentences.ts";
import { TOKEN } from "../../support/world/conversation.ts";
import { hostOf } from "../../support/world/servers.ts";
import type { Cell } from "./cells.ts";
import { ADVICE, errorsOf, isFinal, nameOfRequest } from "./errors.ts";
import { isNotReceived, isPassing, statusOf } from "./faults.ts";
import { isStart } from "./rows.ts";
import type { RunEnd, Seen } from "./seen.ts";

/** What a message that was never written for people looks like. */
const RAW = /Cannot read|is not a function|is not iterable|undefined|\[object |NaN|at file:/;

/** Maximum number of requests of one kind: in five minutes of polls, one a second, as `Retry-After` asks at the most. */
const mostRequests = ({ row }: Cell) => (row.name === "poll for five minutes" ? 400 : 100);

const isGreen = ({ end }: RunEnd) => end === "green";
const isOfGitHub = ({ end }: RunEnd) => end.startsWith("github-");
const isAtGitHub = ({ row }: Cell) => hostOf(row.route) === "github";
const isForGood = ({ times, fault }: Cell) => times === "for good" && fault.kind !== "good";
const isSaid = ({ result }: Seen) => result.warnings.length + result.errors.length > 0;
const working = ({ comments }: RunEnd) => comments.filter((state) => state === "working").length;
const messageOf = ({ result }: Seen) => result.outputs.errorMessage ?? "";

/** All that a run leaves where others may read it. */
function publicTexts({ result, toGitHub, bodies }: Seen): string {
  const log = result.log.filter(({ kind }) => kind !== "mask");
  const { outputs, state, environment, summary, files, visible } = result;
  const left = [log, outputs, state, environment, summary, files, visible];
  return JSON.stringify([left, toGitHub.map(readable), bodies]);
}

function readable({ path, headers, body }: RecordedRequest) {
  return { path, headers, body: body.toString("utf8") };
}

const INVARIANTS = {
  // Never two jobs.
  "the service accepts work once": ({ accepted }: Seen) => accepted <= 1,
  "nothing is started for nobody, or without GitHub": (seen: Seen) =>
    (seen.end !== "skipped" && !isOfGitHub(seen)) || seen.accepted === 0,
  "one comment says that the agent is working": (seen: Seen) => working(seen) <= 1,
  "people are invited once": ({ invitations }: Seen) => invitations <= 1,

  // No secret.
  "the key is only sent to the service": (seen: Seen) => !publicTexts(seen).includes(ADMIN_KEY),
  "the token is only sent to GitHub": ({ result, toService }: Seen) =>
    !JSON.stringify([toService.map(readable), result.log, result.outputs]).includes(TOKEN),
  "a redirect is not followed": ({ elsewhere }: Seen) => elsewhere === 0,

  // One clear error, or none.
  "the run ends by itself, in time": ({ result, within }: Seen) =>
    result.signal === null && result.durationMs < within,
  "a run that fails has one error, of the contract": ({ result }: Seen) => {
    const { errorKind = "", errorMessage = "" } = result.outputs;
    return result.exitCode === 0
      ? errorKind === "" && errorMessage === "" && result.errors.length === 0
      : errorKind in KIND_WORDS && errorMessage !== "" && result.errors.length === 1;
  },
  "an error says what to do": (seen: Seen) =>
    seen.result.exitCode === 0 || ADVICE[seen.end]?.test(messageOf(seen)) === true,
  "an error names the request": (seen: Seen) =>
    messageOf(seen) === "" ||
    ["timeout", "stream-interrupted"].includes(seen.end) ||
    (seen.fault.kind === "unreadable" && !isAtGitHub(seen)) ||
    messageOf(seen).includes(nameOfRequest(seen)),
  "an address that may be wrong is named": (seen: Seen) => {
    const { kind } = seen.fault;
    const isWrong = kind === "redirect" || (kind === "unreached" && seen.row.role !== "poll");
    const isError = !isGreen(seen) && !isAtGitHub(seen);
    return !isWrong || !isError || messageOf(seen).includes("`base-url`");
  },
  "a limit is named": (seen: Seen) =>
    seen.end !== "rate-limited" ||
    seen.row.route.startsWith("GET") ||
    messageOf(seen).includes("The service allows"),
  "warnings are few, and each is new": ({ result: { warnings } }: Seen) =>
    // A comment that cannot be edited is missed twice: while the job works, and at its end.
    warnings.length <= 5 &&
    warnings.every((text) => warnings.filter((other) => other === text).length <= 2),
  "messages are sentences for people": ({ result }: Seen) =>
    misfits(result).length === 0 && !result.visible.some((line) => RAW.test(line)),
  "GitHub's status is named": (seen: Seen) =>
    !isAtGitHub(seen) ||
    !isForGood(seen) ||
    [...seen.result.visible, messageOf(seen)].join("\n").includes(statusOf(seen.fault)),
  "what fails for good is said": (seen: Seen) =>
    isAtGitHub(seen) || !isForGood(seen) || isSaid(seen),
  "polls that fail are said, and that they no longer do": ({ row, fault, times, result }: Seen) =>
    row.role !== "poll" ||
    times === "for good" ||
    !isPassing(fault) ||
    result.visible.some((line) => line.includes("normally again")),

  // The end that the fault calls for.
  "what is aside does not fail the run": (seen: Seen) => seen.row.role !== "aside" || isGreen(seen),
  "a good answer is taken": (seen: Seen) => seen.fault.kind !== "good" || isGreen(seen),
  "what passes does not fail the run": (seen: Seen) =>
    seen.times === "for good" ||
    !isPassing(seen.fault) ||
    (isStart(seen.row) && !isNotReceived(seen.fault)) ||
    isGreen(seen),
  "no run succeeds without what it needs": (seen: Seen) =>
    seen.row.role === "aside" || !(isForGood(seen) || isFinal(seen)) || !isGreen(seen),
  "the error is what went wrong": (seen: Seen) =>
    isGreen(seen) || errorsOf(seen).includes(seen.end),
  "a clear refusal is not asked again": (seen: Seen) =>
    isAtGitHub(seen) || !isFinal(seen) || seen.arrived <= 1,
  "no request is sent over and over": (seen: Seen) => seen.arrived <= mostRequests(seen),

  // Nothing lost.
  "who may not ask gets no comment": ({ end, comments }: Seen) =>
    end !== "skipped" || comments.length === 0,
  "a job that is known is named": (seen: Seen) =>
    seen.jobId === seen.undisturbed.jobId ||
    (!isGreen(seen) && (isStart(seen.row) || isOfGitHub(seen) || seen.end === "skipped")),
  "a run that succeeds has its usual outputs": (seen: Seen) => {
    const { status, prLink, accepted } = seen.undisturbed;
    const isUsual = seen.status === status && seen.prLink === prLink && seen.accepted === accepted;
    return !isGreen(seen) || isUsual;
  },
  "the comment says how it ended, or the log does": (seen: Seen) => {
    const { comments, undisturbed, row, end } = seen;
    const usual = undisturbed.comments.at(-1);
    const due = isGreen(seen) || usual === undefined ? usual : "error";
    const isInvited = !isGreen(seen) || seen.invitations === undisturbed.invitations;
    const isShown = comments.at(-1) === due && isInvited;
    const isLeft = row.run.action === "collect" && comments.at(-1) === "working";
    return isShown || isLeft || end === "skipped" || (isAtGitHub(seen) && isSaid(seen));
  },

  // A run after this one, without any fault, ends as if nothing had ever gone wrong.
  "the next run ends as usual": ({ later, undisturbed }: Seen) =>
    later === null ||
    (later.end === "green" &&
      later.jobId === undisturbed.jobId &&
      later.prLink === undisturbed.prLink),
  "the next run finishes the comment": ({ later, undisturbed }: Seen) => {
    if (later === null) return true;
    const ended = undisturbed.comments.at(-1);
    const isShown = ended === undefined || later.comments.includes(ended);
    return isShown && working(later) <= working(undisturbed);
  },
  "the next run invites whom this one left out": ({ later, undisturbed, comments, result }: Seen) =>
    later === null ||
    later.invitations === undisturbed.invitations ||
    // An invitation that GitHub refuses is left out, with a warning, and the comment is finished.
    (comments.at(-1) === "ended" && result.warnings.length > 0),
  "the next run does not ask for the same work": (seen: Seen) => {
    const { later, accepted, end, row } = seen;
    // A person looks whether there is a job before the run is repeated.
    const isAdvised = isStart(seen.row) && ["create-uncertain", "invalid-response"].includes(end);
    const mayRepeat = accepted === 0 || isAdvised || row.role === "question";
    return later === null || later.accepted === accepted || mayRepeat;
  },
};

export type Invariant = keyof typeof INVARIANTS;

/** Where invariants about ends do not hold. */
interface Exception {
  why: string;
  to: readonly Invariant[];
  rows: readonly string[];
  /** Names of faults. */
  faults: RegExp;
  /** How the run ends instead. */
  ends: (cell: Cell) => readonly string[];
}

const FINAL: readonly Invariant[] = [
  "a clear refusal is not asked again",
  "no run succeeds without what it needs",
];
const SUCCESS: readonly Invariant[] = [
  "no run succeeds without what it needs",
  "what fails for good is said",
];
const asUsual = () => ["green"];

const EXCEPTIONS: readonly Exception[] = [
  {
    why: "The job of a conversation that is gone or takes no more is replaced by a new one.",
    to: [...FINAL, "what fails for good is said"],
    rows: ["message by phrase"],
    faults: /^(400|410|422)$/,
    ends: asUsual,
  },
  {
    why: "A busy job takes the follow-up a little later.",
    to: FINAL,
    rows: ["message", "message by phrase"],
    faults: /^409$/,
    ends: ({ times }) => [times === "once" ? "green" : "bad-request"],
  },
  {
    why: "A record may be late: a job or build is unknown only after two minutes.",
    to: [...FINAL, "the error is what went wrong"],
    rows: ["poll", "poll of a job taken up", "v1 poll", "deploy: poll"],
    faults: /^404$/,
    ends: ({ times }) => [times === "once" ? "green" : "timeout"],
  },
  {
    why: "It is asked for again until then.",
    to: ["a clear refusal is not asked again"],
    rows: ["poll for five minutes"],
    faults: /^404$/,
    ends: ({ times }) => [times === "once" ? "green" : "not-found"],
  },
  {
    why: "The next sweep polls again: the comment says that the job is gone, or goes on.",
    to: ["what fails for good is said"],
    rows: ["collect: poll"],
    faults: /^(400|402|403 with a page|404|409|410|422)$/,
    ends: asUsual,
  },
  {
    why: "A sweep can do nothing with a key or an address that is wrong.",
    to: ["what is aside does not fail the run"],
    rows: ["collect: poll"],
    faults: /^(401|403|30\d)$/,
    ends: errorsOf,
  },
  {
    why: "The headers name the job of version 1.",
    to: SUCCESS,
    rows: ["v1 create"],
    faults: /^(oversized|wrong length)$/,
    ends: asUsual,
  },
  {
    why: "The assistant's answer is whole before the padding.",
    to: SUCCESS,
    rows: ["assistant v1", "assistant v2"],
    faults: /^oversized$/,
    ends: asUsual,
  },
  {
    why: "An answer of GitHub that is no JSON, or of another shape, grants and shows nothing.",
    to: ["a good answer is taken", "what passes does not fail the run"],
    rows: ["comments of an earlier attempt", "collect: list"],
    faults: /^(wrong|HTML|empty|null|array)/,
    ends: () => ["github-unavailable"],
  },
  {
    why: "A permission that such an answer does not name is asked for again.",
    to: ["a good answer is taken", "no run succeeds without what it needs"],
    rows: ["permission"],
    faults: /^(wrong|HTML|empty|null|array|30\d)/,
    ends: ({ times }) => [times === "once" ? "green" : "github-unavailable"],
  },
  {
    why: "A page in place of GitHub's answer says nothing about the token.",
    to: ["an error says what to do"],
    rows: ["comments of an earlier attempt", "collect: list"],
    faults: /^403 with a page$/,
    ends: () => ["github-refused"],
  },
  {
    why: "What was made although GitHub failed is found.",
    to: ["GitHub's status is named"],
    rows: ["deploy: deployment", "deploy: comment"],
    faults: /^502 for work that was done$/,
    ends: asUsual,
  },
  {
    why: "A comment that is gone needs no edit.",
    to: ["GitHub's status is named"],
    rows: ["collect: read again"],
    faults: /^404$/,
    ends: asUsual,
  },
];

/** What does not hold, as sentences, and what was seen instead. */
export function broken(seen: Seen): string[] {
  const excepted = EXCEPTIONS.filter(
    ({ rows, faults }) => rows.includes(seen.row.name) && faults.test(seen.fault.name),
  );
  const isExcepted = (name: string) => excepted.some(({ to }) => to.some((one) => one === name));
  const invariants = Object.entries(INVARIANTS)
    .filter(([name, holds]) => !holds(seen) && !isExcepted(name))
    .map(([name]) => `Not so: ${name}.`);
  const exceptions = excepted
    .filter(({ ends }) => !ends(seen).includes(seen.end))
    .map(({ why }) => `Not so: ${why}`);
  const all = [...invariants, ...exceptions];
  return all.length === 0 ? [] : [...all, factsOf(seen)];
}

/** What helps to understand why something does not hold. */
function factsOf(seen: Seen): string {
  const ends = ["end", "status", "jobId", "prLink", "comments", "invitations", "accepted"];
  const others = ["arrived", "undisturbed", "later", "result", "outputs", "errorMessage"];
  return JSON.stringify(seen, [...ends, ...others, "visible", "durationMs", "signal"]);
}
