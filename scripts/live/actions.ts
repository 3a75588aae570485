/** Runs the actions from `dist/`, as GitHub's runner does, on the repository of a scene and the emulated service. */

import type { RunOptions } from "../../emulator/runner/run-options.ts";
import { type RunResult, runAction } from "../../emulator/runner/runner.ts";
import type { Tried } from "./beliefs.ts";
import type { Scene, TrialPull } from "./scene.ts";

/** The emulated service, which runs beside the trial. */
export interface TrialService {
  url: string;
  adminKey: string;
  projectId: string;
}

/** What the trial's pull requests are for. */
export interface TrialPulls {
  /** A change of code, which was merged. */
  change: TrialPull;
  /** What the agent would have opened for it. */
  docs: TrialPull;
}

/** How long a step may take, in milliseconds. */
const LIMIT = 180_000;
/** How long the emulated agent works. */
const DURATION = 200;

export class ActionTrial {
  readonly #scene: Scene;
  readonly #service: TrialService;
  readonly #pulls: TrialPulls;
  /** Variables of the workflow run, such as GITHUB_REPOSITORY_ID. */
  readonly #env: Record<string, string | undefined>;

  constructor(
    scene: Scene,
    service: TrialService,
    pulls: TrialPulls,
    env: Record<string, string | undefined>,
  ) {
    this.#scene = scene;
    this.#service = service;
    this.#pulls = pulls;
    this.#env = env;
  }

  /** Runs every action, in an order in which later ones find what earlier ones made. */
  async tryAll(): Promise<Tried[]> {
    const { docs } = this.#pulls;
    const link = docs.html_url;
    return [
      await this.#try(
        "root waits for a job and comments",
        `completed, ${link}, with a comment`,
        () => this.#root(),
      ),
      await this.#try(
        "root leaves a job, and collect finishes its comment",
        "started, then 1",
        () => this.#collect(),
      ),
      await this.#try("queue hands over a task once", "started, then finished with 1 done", () =>
        this.#queue(),
      ),
      await this.#try(
        "upkeep hands over a merged change once",
        "started, then idle with 1 done",
        () => this.#upkeep(),
      ),
      await this.#try("land looks after the docs pull request", "open", () => this.#land()),
      await this.#try("gate judges the docs pull request", "included", () => this.#gate()),
    ];
  }

  async #try(habit: string, expected: string, act: () => Promise<string>): Promise<Tried> {
    const answered = await act().catch((error: unknown) => `no answer: ${String(error)}`);
    return { habit, believed: [expected], answered, holds: answered === expected };
  }

  async #root(): Promise<string> {
    const { number } = this.#scene.issue;
    const { outputs } = await this.#run("completes", {
      inputs: { prompt: this.#prompt(), "issue-number": String(number), ...QUICK },
    });
    const comments = await this.#comments();
    const has = comments.some((body) => body.includes(this.#pulls.docs.html_url));
    return `${outputs.status}, ${outputs.prLink}, ${has ? "with" : "without"} a comment`;
  }

  async #collect(): Promise<string> {
    const { number } = this.#scene.issue;
    const { outputs } = await this.#run("starts", {
      inputs: { prompt: this.#prompt(), "issue-number": String(number), wait: "false" },
    });
    await jobEnds();
    const collected = await this.#run("collects", { action: "collect", inputs: { days: "1" } });
    const has = outputs.jobId === "" ? "not started" : "started";
    return `${has}, then ${collected.outputs.finishedCount}`;
  }

  async #queue(): Promise<string> {
    const tasks = JSON.stringify([{ id: "one", prompt: this.#prompt() }]);
    const options: RunOptions = {
      action: "queue",
      inputs: { ...(await this.#ledger("queue")), "tasks-file": "tasks.json" },
      workspaceFiles: { "tasks.json": tasks },
    };
    return await this.#twice(options, "doneCount");
  }

  async #upkeep(): Promise<string> {
    const { github, base, start } = this.#scene;
    const options: RunOptions = {
      action: "upkeep",
      inputs: {
        ...(await this.#ledger("upkeep")),
        repositories: `${github.place.repository}@${base}`,
        since: start,
        prompt: this.#prompt(),
      },
    };
    return await this.#twice(options, "finishedCount");
  }

  /**
   * Runs an action that hands over, and again after the job has ended.
   *
   * @param counted the output that counts what has ended
   */
  async #twice(options: RunOptions, counted: string): Promise<string> {
    const first = await this.#run("hands over", options);
    await jobEnds();
    const { outputs } = await this.#run("records", options);
    return `${first.outputs.result}, then ${outputs.result} with ${outputs[counted]} done`;
  }

  async #land(): Promise<string> {
    const { html_url: link } = this.#pulls.docs;
    const { outputs } = await this.#run("looks", {
      action: "land",
      inputs: { ...(await this.#ledger("land", false)), comment: "true" },
    });
    const pulls = JSON.parse(outputs.pullRequests || "[]") as { url: string; state: string }[];
    return pulls.find(({ url }) => url === link)?.state ?? "not found";
  }

  async #gate(): Promise<string> {
    const { number, head } = this.#pulls.docs;
    const { outputs } = await this.#run("judges", {
      action: "gate",
      inputs: { "docs-paths": "**.md", "if-needed": "warn", comment: "false" },
      eventName: "pull_request",
      event: { action: "opened", number, pull_request: { number, head: { sha: head } } },
    });
    return outputs.verdict ?? "no verdict";
  }

  /** The inputs for a ledger of the trial's own, and an issue for its dashboard. */
  async #ledger(action: string, hasDashboard = true): Promise<Record<string, string>> {
    const { name, github } = this.#scene;
    const ref = `docs-agent/live/${name}-${action}`;
    this.#scene.later(() => this.#scene.deleteRef(ref));
    if (!hasDashboard) return { "ledger-ref": `refs/${ref}` };
    const fields = { title: `Dashboard of ${action} in ${name}`, body: "" };
    const { number } = await github.need<{ number: number }>("POST /issues", fields);
    this.#scene.later(() => this.#scene.close(number));
    return { "ledger-ref": `refs/${ref}`, dashboard: String(number) };
  }

  /** A prompt after which the emulated agent says that it opened the docs pull request. */
  #prompt(): string {
    return `Describe the trial.\nemulate: duration=${DURATION}ms pr=${this.#pulls.docs.html_url}`;
  }

  async #comments(): Promise<string[]> {
    const route = `GET /issues/${this.#scene.issue.number}/comments?per_page=100`;
    return (await this.#scene.github.need<{ body: string }[]>(route)).map(({ body }) => body);
  }

  async #run(what: string, options: RunOptions): Promise<RunResult> {
    const { apiUrl, serverUrl, repository, token } = this.#scene.github.place;
    const service = this.#service;
    const result = await runAction({
      ...options,
      apiUrl,
      serverUrl,
      repository,
      token,
      env: this.#env,
      limitMs: LIMIT,
      inputs: {
        "api-key": service.adminKey,
        "project-id": service.projectId,
        "base-url": service.url,
        ...options.inputs,
      },
    });
    if (result.exitCode === 0) return result;
    const last = result.stdout.trim().split("\n").slice(-5).join(" | ");
    throw new Error(`${options.action ?? "root"} ${what}: exit code ${result.exitCode}: ${last}`);
  }
}

const QUICK = { "poll-interval-seconds": "1", "poll-max-interval-seconds": "1" };

async function jobEnds(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, DURATION + 300));
}
