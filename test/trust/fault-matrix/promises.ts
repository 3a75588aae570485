/** What holds in every cell, whatever goes wrong. */

import type { RunResult } from "../../../emulator/runner/runner.ts";
import { KIND_WORDS } from "../../../src/runtime/errors.ts";
import type { RecordedRequest } from "../../support/faulty-server.ts";
import { API_KEY, TOKEN } from "../../support/scenario.ts";
import { misfits } from "../../support/sentences.ts";
import { brokenRules, type Met } from "./ends.ts";

/** What a comment of the action says. */
export type CommentState = "working" | "ended" | "error";

/** How a run ended, as far as people and later steps see it. */
export interface RunEnd {
  /** `green`, `skipped`, or the `errorKind`. */
  end: string;
  status: string;
  jobId: string;
  prLink: string;
  /** Comments on the issue, the oldest first. */
  comments: readonly CommentState[];
  invitations: number;
  /** Requests for work that the service accepted so far, or may have accepted. */
  accepted: number;
}

/** A run that met a fault, and what it left behind. */
export interface Seen extends RunEnd {
  result: RunResult;
  /** The longest that the run may take, in milliseconds. */
  within: number;
  /** The status of the fault; empty: it has none. */
  faultStatus: string;
  /** The request, and its fault. */
  purpose: Met["purpose"];
  host: Met["host"];
  kind: Met["kind"];
  times: Met["times"];
  action: string;
  /** Whether the request that meets the fault is the one that asks for work. */
  isStart: boolean;
  /** How often the request that meets the fault arrived. */
  arrived: number;
  toService: readonly RecordedRequest[];
  toGitHub: readonly RecordedRequest[];
  /** Connections to the host that nothing may be sent to. */
  elsewhere: number;
  /** The texts of all comments that were written, and of all that there are. */
  bodies: readonly string[];
  /** How the same run ends when nothing goes wrong. */
  undisturbed: RunEnd;
  /** How a run after this one ends, without any fault; null: there is none, as a run that succeeded is not repeated. */
  later: RunEnd | null;
}

/** What a message that was never written for people looks like. */
const RAW = /Cannot read|is not a function|is not iterable|undefined|\[object |NaN|at file:/;

/** What a message has that says what to do, or that nothing has to be done. */
const ADVICE =
  /\b(Check|Run|run|Set|Correct|Ask|ask|Look|Increase|increase|Give|Add|Before you|The next run|The service (knows|allows))\b/;

/** After these ends a person looks whether there is a job before the run is repeated. */
const MAYBE_ACCEPTED = ["create-uncertain", "invalid-response"];

/** Promises that were broken, as sentences. */
export function brokenPromises(seen: Seen): string[] {
  return [
    ...neverTwice(seen),
    ...noSecret(seen),
    ...clearEnd(seen),
    ...asRuled(seen),
    ...nothingLost(seen),
    ...laterTheSame(seen),
    ...misfits(seen.result),
  ];
}

type Demand = readonly [isKept: boolean, otherwise: string];

function brokenOf(...demands: Demand[]): string[] {
  return demands.filter(([isKept]) => !isKept).map(([, otherwise]) => otherwise);
}

/** Whether a run ended because GitHub said no, failed, or did not answer. */
function isOfGitHub(end: string): boolean {
  return end === "github-refused" || end === "github-unavailable";
}

function neverTwice({ accepted, end, comments, invitations }: Seen): string[] {
  const isNone = end === "skipped" || isOfGitHub(end);
  return brokenOf(
    [accepted <= 1, "the service may have accepted the request twice"],
    [!isNone || accepted === 0, `work was started in a run that ends as ${end}`],
    [workingIn({ comments }) <= 1, "several comments say that the agent is working"],
    [invitations <= 1, "several invitations"],
  );
}

function noSecret(seen: Seen): string[] {
  const { result, toService, toGitHub } = seen;
  const log = result.log.filter(({ kind }) => kind !== "mask");
  const { outputs, state, environment, summary, files, visible } = result;
  const places = { log, outputs, state, environment, summary, files, comments: seen.bodies };
  const everywhere = { ...places, "requests to GitHub": toGitHub.map(readable) };
  const key = Object.entries(everywhere).filter(([, text]) =>
    JSON.stringify(text).includes(API_KEY),
  );
  const beyondGitHub = JSON.stringify([toService.map(readable), log, outputs]);
  return [
    ...key.map(([place]) => `the key is in the ${place}`),
    ...brokenOf(
      [!beyondGitHub.includes(TOKEN), "the token is where it must not be"],
      [seen.elsewhere === 0, "a redirect was followed to another host"],
    ),
    ...visible.filter((line) => RAW.test(line)).map((line) => `the log says "${line}"`),
  ];
}

function readable({ path, headers, body }: RecordedRequest) {
  return { path, headers, body: body.toString("utf8") };
}

/** Green, or one clear error: a kind of the contract, and a message that says what to do. */
function clearEnd({ result, within, end }: Seen): string[] {
  const { errorKind = "", errorMessage = "" } = result.outputs;
  const isFailed = result.exitCode !== 0;
  const { durationMs, errors, warnings, signal } = result;
  return brokenOf(
    [signal === null, `ended by ${signal}`],
    [durationMs < within, `it took ${Math.round(durationMs)} ms`],
    [isFailed ? errorKind in KIND_WORDS : errorKind === "", `errorKind is "${errorKind}"`],
    [end !== "internal", "the error is unexpected"],
    [errors.length === (isFailed ? 1 : 0), `${errors.length} errors in the log`],
    [isFailed === (errorMessage !== ""), `errorMessage is "${errorMessage}"`],
    [!isFailed || ADVICE.test(errorMessage), `no advice in "${errorMessage}"`],
    // A comment that cannot be edited is missed twice: while the job works, and at its end.
    [
      warnings.every((text) => warnings.filter((other) => other === text).length <= 2),
      "a warning is repeated",
    ],
    [warnings.length <= 5, `${warnings.length} warnings`],
  );
}

/** The end is that of a rule, or of a named exception. */
function asRuled(seen: Seen): string[] {
  const { result, faultStatus } = seen;
  const said = [...result.visible, result.outputs.errorMessage ?? ""].join("\n");
  const isSaid = result.warnings.length + result.errors.length > 0;
  return brokenRules({ ...seen, isSaid, isNamed: said.includes(faultStatus) });
}

/** What was accepted is in outputs, comment or log; what is missing there, a warning or the error says. */
function nothingLost(seen: Seen): string[] {
  const { end, result, undisturbed, isStart, host, comments, invitations } = seen;
  if (end === "skipped") return brokenOf([comments.length === 0, "somebody else is answered"]);
  const isGreen = end === "green";
  const isNamed = isGreen || (!isStart && !isOfGitHub(end));
  const isSaid = result.warnings.length + result.errors.length > 0;
  const shown = comments.at(-1);
  const usual = undisturbed.comments.at(-1);
  const due = isGreen || usual === undefined ? usual : "error";
  const isShown = shown === due && (!isGreen || invitations === undisturbed.invitations);
  const isLeft = seen.action === "collect" && shown === "working";
  return brokenOf(
    [!isNamed || seen.jobId === undisturbed.jobId, `jobId is "${seen.jobId}"`],
    [!isGreen || seen.prLink === undisturbed.prLink, `prLink is "${seen.prLink}"`],
    [!isGreen || seen.status === undisturbed.status, `status is "${seen.status}"`],
    [!isGreen || seen.accepted === undisturbed.accepted, `${seen.accepted} were accepted`],
    [isShown || isLeft || (host === "github" && isSaid), `the comment says ${shown}, not ${due}`],
  );
}

function workingIn({ comments }: Pick<RunEnd, "comments">): number {
  return comments.filter((state) => state === "working").length;
}

/** A run after this one, without any fault, ends as if nothing had ever gone wrong. */
function laterTheSame({ later, undisturbed, ...seen }: Seen): string[] {
  if (later === null) return [];
  const { accepted, isStart, end, action, comments } = seen;
  const mayRepeat = accepted === 0 || (isStart && MAYBE_ACCEPTED.includes(end));
  const isQuestion = action === "assistant";
  const ended = undisturbed.comments.at(-1);
  const isShown = ended === undefined || later.comments.includes(ended);
  const isOver = workingIn(later) <= workingIn(undisturbed);
  // An invitation that GitHub refuses is left out, with a warning, and the comment is finished.
  const isFinished = comments.at(-1) === "ended" && seen.result.warnings.length > 0;
  const isInvited = later.invitations === undisturbed.invitations || isFinished;
  return brokenOf(
    [later.end === "green", `the next run ends as ${later.end}`],
    [later.jobId === undisturbed.jobId, `the next run's jobId is "${later.jobId}"`],
    [later.prLink === undisturbed.prLink, `the next run's prLink is "${later.prLink}"`],
    [isShown && isOver, "the next run does not finish the comment"],
    [isInvited, `after the next run there are ${later.invitations} invitations`],
    [
      later.accepted === accepted || mayRepeat || isQuestion,
      "the next run asks for the work again",
    ],
  );
}
