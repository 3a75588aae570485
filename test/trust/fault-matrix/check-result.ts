import type { RunResult } from "../../../emulator/runner/runner.ts";
import { CREATE } from "../../support/scenario.ts";
import { CREATE_V1 } from "../../support/scenario-v1.ts";
import type { CellSetup, Times } from "./cell-setup.ts";
import type { CommentState, Expectation, Range } from "./expectation.ts";
import type { Fault } from "./fault.ts";
import type { Row } from "./row.ts";

/** A run that is over, and what stood around it. */
export interface Seen {
  result: RunResult;
  setup: CellSetup;
  /** The comments on the issue, oldest first. */
  comments: readonly string[];
  /** The comments on the job's pull request. */
  invitations: readonly string[];
  row: Row;
  fault: Fault;
  times: Times;
}

/** What of a cell's expectation did not come true, as sentences. */
export function problemsOf(expected: Expectation, seen: Seen): string[] {
  const { result, setup, row } = seen;
  const wrong: string[] = [];
  const demand = (isTrue: boolean, otherwise: string) => {
    if (!isTrue) wrong.push(otherwise);
  };
  const among = (what: string, value: string, allowed: readonly string[]) =>
    demand(
      allowed.includes(value),
      `${what} is "${value}", not ${allowed.join(" or ") || "empty"}`,
    );
  const within = (what: string, value: number, [least, most]: Range) =>
    demand(least <= value && value <= most, `${value} ${what}, not ${least} to ${most}`);

  const {
    errorKind = "",
    status = "",
    jobId = "",
    prLink = "",
    errorMessage = "",
  } = result.outputs;
  const fails = errorKind !== "";
  among("errorKind", errorKind, expected.errorKind.length === 0 ? [""] : expected.errorKind);
  among("status", status, expected.status.length === 0 ? [""] : expected.status);
  demand(result.exitCode === (fails ? 1 : 0), `exit code ${result.exitCode}`);
  demand(result.errors.length === (fails ? 1 : 0), `${result.errors.length} errors in the log`);
  demand((errorMessage !== "") === fails, `errorMessage is "${errorMessage}"`);
  const isJob = row.purpose !== "question";
  if (isJob && status === "completed") demand(prLink !== "", "prLink is not told");

  const host = row.host === "service" ? setup.service : setup.github.server;
  within(`requests to ${row.route}`, host.requestsTo(row.route).length, expected.arrives);
  within("jobs may have been started", receivedCreates(seen), expected.creates);
  const isKnown = isJob && status !== "" && status !== "skipped";
  if (isKnown || row.purpose === "message" || row.purpose.startsWith("poll")) {
    demand(jobId === (row.jobId ?? "job_1"), `jobId is "${jobId}"`);
  }

  const state = commentState(seen);
  demand(
    expected.comments.includes(state),
    `the comment says ${state}, not ${expected.comments.join(" or ")}`,
  );
  // That version 1 is deprecated is said in every run of it.
  const warnings = result.warnings.filter((it) => !it.includes("deprecated"));
  within(`warnings (${warnings.join(" | ")})`, warnings.length, expected.warnings);
  const said = [...result.visible, errorMessage].join("\n");
  for (const mention of expected.mentions) {
    demand(said.includes(mention), `the log does not mention ${mention}`);
  }
  demand(result.durationMs < expected.within, `it took ${Math.round(result.durationMs)} ms`);
  return wrong;
}

/** Requests for a new job that the service received and did not clearly refuse. */
export function receivedCreates({ setup, row, fault, times }: Seen): number {
  const arrived = arrivedCreates(setup);
  const { nature } = fault;
  if (!["create", "create-v1"].includes(row.purpose) || nature.type !== "status") return arrived;
  const isRefused =
    nature.status < 500 && ![408, 425].includes(nature.status)
      ? true
      : nature.status === 503 && nature.retryAfter !== "none";
  if (!isRefused) return arrived;
  return times === "once" ? arrived - 1 : 0;
}

/** Requests for a new job, in either version, whatever became of them. */
export function arrivedCreates({ service }: CellSetup): number {
  return service.requestsTo(CREATE).length + service.requestsTo(CREATE_V1).length;
}

/** What the newest comment on the issue says. */
function commentState({ comments }: Seen): CommentState {
  const body = comments.at(-1) ?? "";
  if (body === "" || body.startsWith("Any news")) return "none";
  if (body.startsWith("### ⏳")) return "working";
  return /^### (✅|💬)/u.test(body) ? "ended" : "error";
}
