import { readFileSync } from "node:fs";
import { AGENT } from "../../emulator/github/people.ts";
import type { NewPull } from "../../emulator/github/repository.ts";
import type { Status } from "../../emulator/github/state.ts";
import type { LocalWorldOptions } from "../../emulator/local-world/index.ts";
import type { RunningAction, RunOptions, RunResult } from "../../emulator/runner/runner.ts";
import { type LedgerAction, type LedgerSetup, setUpLedger } from "./ledger-setup.ts";
import type { LedgerAtRef } from "./ledgers-of.ts";
import { byPhrase, comment } from "./phrase-events.ts";

interface PostedComment {
  id: number;
  body: string;
  html_url: string;
  user: { login: string };
}

/** A commit status, as GitHub has it. */
type ShownStatus = Pick<Status, "state" | "context" | "description" | "target_url">;

/** The local world, with the gate on its pull requests. */
export interface GateSetup extends Omit<LedgerSetup, "ledger"> {
  /** Posts a comment with a request by phrase on a pull request, and runs the root action on it. */
  askByPhrase(number: number, body: string, options?: RunOptions): Promise<RunResult>;
  /** Runs the gate on a pull request, as an event of it does. */
  gate(number: number, options?: RunOptions): Promise<RunResult>;
  startGate(number: number, options?: RunOptions): Promise<RunningAction>;
  upkeep(options?: RunOptions): Promise<RunResult>;
  land(options?: RunOptions): Promise<RunResult>;
  /** Submits a review. */
  review(number: number, login?: string, event?: string): Promise<void>;
  /** The statuses of a commit, the newest first. Default: of the head of a pull request. */
  statuses(number: number, sha?: string): ShownStatus[];
  /** The gate's own comments on a pull request. */
  gateComments(number: number): Promise<PostedComment[]>;
  ledger(): LedgerAtRef | undefined;
}

/** The options of a run that asks for drafts. */
export const DRAFTS: RunOptions = { inputs: { draft: "approved", paths: "src/**" } };

export async function setUpGate(options: LocalWorldOptions = {}): Promise<GateSetup> {
  const gate: LedgerAction = {
    action: "gate",
    label: "docs-upkeep",
    stepOf: async () => () => ({}),
  };
  const setup = await setUpLedger(gate, options);
  const { github } = setup.world;
  const since = setup.history.home.tip();
  const gateRun = async (number: number, over: RunOptions): Promise<RunOptions> => {
    const pull_request = await github.api(`/pulls/${number}`);
    const event = { action: "synchronize", number, pull_request };
    const inputs = { paths: "src/**", ...over.inputs };
    return { eventName: "pull_request", event, ...over, inputs };
  };
  return {
    ...setup,
    askByPhrase: async (number, body, { inputs, ...over } = {}) => {
      const call = { method: "POST", token: github.tokenOf("writer"), body: { body } };
      const { id } = await github.api<PostedComment>(`/issues/${number}/comments`, call);
      const subject = await github.api<{ title: string; body: string; html_url: string }>(
        `/pulls/${number}`,
      );
      const by = { login: "writer", type: "User" };
      const event = comment(body, {
        number,
        id,
        by,
        onPullRequest: true,
        subject,
        serverUrl: github.url,
        repository: github.repository,
      });
      const request = byPhrase(event, {
        "poll-interval-seconds": "0.05",
        "poll-max-interval-seconds": "0.1",
        ...inputs,
      });
      return setup.run({ action: ".", ...request, ...over });
    },
    gate: async (number, over = {}) => setup.run(await gateRun(number, over)),
    startGate: async (number, over = {}) => setup.start(await gateRun(number, over)),
    upkeep: (over = {}) =>
      setup.run({ action: "upkeep", ...over, inputs: { since, ...over.inputs } }),
    land: (over = {}) => setup.run({ action: "land", ...over }),
    review: async (number, login = "maintainer", event = "APPROVE") => {
      const token = github.tokenOf(login);
      await github.api(`/pulls/${number}/reviews`, {
        method: "POST",
        token,
        body: { event, body: "Reviewed." },
      });
    },
    statuses: (number, sha) => {
      const head = sha ?? github.home.pulls.find((pull) => pull.number === number)?.head;
      return github.home.statuses.filter((status) => status.sha === head).toReversed();
    },
    gateComments: async (number) => {
      const all = await github.api<PostedComment[]>(`/issues/${number}/comments?per_page=100`);
      return all.filter(({ body }) => body.startsWith("<!-- docs-agent-gate:"));
    },
    ledger: () => setup.ledgers()[0],
  };
}

/** A row of the table of verdicts in docs/gate.md. */
export interface VerdictRow {
  text: string;
  files: string;
  label: string;
  author: string;
  job: string;
  verdict: string;
}

/** Reads the table of verdicts in docs/gate.md, which holds for `paths: src/**` and the other defaults. */
export function verdictRows(): VerdictRow[] {
  const page = readFileSync(new URL("../../docs/gate.md", import.meta.url), "utf8");
  const [, table = ""] = /<!-- verdicts -->([\s\S]*?)<!-- end -->/.exec(page) ?? [];
  const lines = table.trim().split("\n").slice(2);
  return lines.map((text) => {
    const cells = text.split("|").slice(1, -1);
    const [files = "", label = "", author = "", job = "", verdict = ""] = cells.map((cell) =>
      cell.trim().replaceAll("`", ""),
    );
    return { text, files, label, author, job, verdict };
  });
}

/**
 * The files of a row: `a, b`, `a → b`, or `N files in src/`. `from` and `to` differ if a file was moved, and are
 * equal if it was changed.
 */
export function filesOf({ files }: VerdictRow): { from: string; to: string }[] {
  const [, digits = "0"] = /^([\d,]+) files in src\/$/.exec(files) ?? [];
  const count = Number(digits.replaceAll(",", ""));
  if (count > 0) {
    const paths = Array.from({ length: count }, (_, nth) => `src/many/${nth}.ts`);
    return paths.map((path) => ({ from: path, to: path }));
  }
  return files.split(", ").map((file) => {
    const [from = "", to = from] = file.split(" → ");
    return { from, to };
  });
}

/** The pull request of a row. @param text the content of the files that existed before */
export function pullOf(row: VerdictRow, text: string): NewPull {
  const files = filesOf(row).flatMap(({ from, to }): [string, string | null][] =>
    from === to
      ? [[to, `${to}\n`]]
      : [
          [from, null],
          [to, text],
        ],
  );
  return {
    author: row.author === "the agent" ? AGENT : row.author,
    labels: row.label === "" ? [] : [row.label],
    commits: [{ files: Object.fromEntries(files) }],
  };
}
