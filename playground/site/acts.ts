/** What a person does on GitHub, done on the emulated one over its API, and told to its workflows. */

import type { LocalWorld } from "../../emulator/local-world/index.ts";
import type { WorkflowRuns } from "../actions/workflow-runs.ts";
import { MAINTAINER, PEOPLE } from "./people.ts";
import type { CommentRecord, IssueRecord } from "./records.ts";
import { Refused } from "./refused.ts";
import { bodyHash, withTask } from "./tasks.ts";

/** GitHub's own limits, in characters. */
const MAX_COMMENT = 65_536;
const MAX_TITLE = 256;

const IGNORED_LABEL = "skip-docs";

/**
 * GitHub's clock between two runs of upkeep, in milliseconds: less than a schedule's hour, and more than the
 * time for which a job's record may be an old one.
 */
const BETWEEN_RUNS = 60_000;

export class Acts {
  /** How much was done here: it is not sent over HTTP, so that GitHub does not count it. */
  count = 0;
  readonly #world: LocalWorld;
  readonly #runs: WorkflowRuns;
  #last: Promise<unknown> = Promise.resolve();
  #changes = 0;

  constructor(world: LocalWorld, runs: WorkflowRuns) {
    this.#world = world;
    this.#runs = runs;
  }

  /** Writes a comment. @throws Refused */
  async comment(number: number, login: string, text: string): Promise<void> {
    if (!Object.hasOwn(PEOPLE, login)) throw new Refused(422, `There is no account '${login}'.`);
    if (text.trim() === "")
      throw new Refused(422, "Write something first, such as: /docs explain…");
    if (text.length > MAX_COMMENT) {
      throw new Refused(422, `A comment has at most ${MAX_COMMENT} characters, as on GitHub.`);
    }
    const issue = await this.#issue(number);
    const comment = await this.#world.github.api<CommentRecord>(`/issues/${number}/comments`, {
      method: "POST",
      token: this.#world.github.tokenOf(login),
      body: { body: text },
    });
    await this.#tell("issue_comment", login, { action: "created", issue, comment });
  }

  /** Opens a pull request with a change of the code, and merges it. @throws Refused */
  async mergeChange(title: string, isIgnored: boolean): Promise<void> {
    const [line = ""] = title.trim().split(/[\r\n]/);
    if (line === "") throw new Refused(422, "Give the change a title.");
    if (line.length > MAX_TITLE) {
      throw new Refused(422, `A title has at most ${MAX_TITLE} characters, as on GitHub.`);
    }
    await this.#inTurn(async () => {
      this.#changes += 1;
      const words = line.toLowerCase().match(/[a-z0-9]+/g) ?? [];
      const file = `src/${[...words.slice(0, 5), this.#changes].join("-")}.ts`;
      const labels = isIgnored ? [IGNORED_LABEL] : [];
      const commits = [{ message: line, files: { [file]: `// ${line}\n` } }];
      // Another playground or a test may use the same repository: its branches have other names.
      const branch = `change/${Date.now()}-${this.#changes}`;
      this.#world.github.home.land({ title: line, labels, commits, branch }, "squash");
    });
  }

  /** Merges an open pull request. @throws Refused */
  async mergePull(number: number): Promise<void> {
    await this.#inTurn(async () => {
      const { home } = this.#world.github;
      const pull = home.pulls.find((it) => it.number === number);
      try {
        if (pull?.state !== "open") throw new Error("it is closed");
        home.merge(pull, "merge", MAINTAINER);
      } catch {
        throw new Refused(409, "This pull request cannot be merged: it was merged or closed.");
      }
    });
  }

  /**
   * Runs upkeep, as its *Run workflow* button on GitHub does, some time after the last run.
   *
   * @param isBroken whether the service breaks off when it receives the request
   */
  async runUpkeep(isBroken: boolean): Promise<void> {
    const { service } = this.#world;
    this.#world.github.emulated.site.advance(BETWEEN_RUNS);
    if (isBroken) {
      // A batch goes out as a new job, or as a message to the last one.
      await service.addFault({ route: "v2-create", status: 500 });
      await service.addFault({ route: "v2-message", status: 500 });
    }
    const end = this.#dispatch("workflow_dispatch", MAINTAINER, { inputs: null });
    if (isBroken) void end.finally(() => service.clearFaults().catch(() => {}));
  }

  /**
   * Ticks a box in an issue's text, or unticks it.
   *
   * @param seen the {@link bodyHash} of the text that the person saw
   * @throws Refused
   */
  async tick(number: number, task: number, isTicked: boolean, seen: string): Promise<void> {
    const issue = await this.#inTurn(() => this.#setTask(number, task, isTicked, seen));
    const changes = { body: { from: issue.from } };
    await this.#tell("issues", MAINTAINER, { action: "edited", issue: issue.now, changes });
  }

  async #setTask(number: number, task: number, isTicked: boolean, seen: string) {
    const { github } = this.#world;
    const from = (await this.#issue(number)).body ?? "";
    const body = bodyHash(from) === seen ? withTask(from, task, isTicked) : undefined;
    if (body === undefined) {
      throw new Refused(409, "The text has changed meanwhile. Look again, and tick the box then.");
    }
    const token = github.tokenOf(MAINTAINER);
    const call = { method: "PATCH", token, body: { body } };
    return { from, now: await github.api<IssueRecord>(`/issues/${number}`, call) };
  }

  async #issue(number: number): Promise<IssueRecord> {
    const path = `/issues/${number}`;
    const issue = await this.#world.github.api<IssueRecord | undefined>(path, { allow: [404] });
    if (issue === undefined) throw new Refused(404, `There is no issue #${number}.`);
    return issue;
  }

  async #tell(name: string, actor: string, payload: Record<string, unknown>): Promise<void> {
    void this.#dispatch(name, actor, {
      ...payload,
      repository: await this.#world.github.api<object>(""),
    });
  }

  #dispatch(name: string, actor: string, payload: Record<string, unknown>): Promise<void> {
    const sender = { login: actor, type: "User" };
    return this.#runs.dispatch({ name, actor, payload: { ...payload, sender } });
  }

  /** One after the other: what two browsers change at once does not mix. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}
