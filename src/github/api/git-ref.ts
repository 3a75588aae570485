/** Files under a git ref: reads them at a commit, writes commits, and moves the ref. */

import { MINUTE } from "../../runtime/clock.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import type { Fact } from "../../runtime/fact.ts";
import { cut } from "../../text/markdown.ts";
import { clause } from "../../text/sentence.ts";
import type { Connect } from "./connect.ts";
import {
  expectFact,
  expectMade,
  type GitHubKind,
  type RefusedWrite,
  reasonOf,
  type Sent,
} from "./explain.ts";

/** Maximum length of a message from GitHub, in characters. */
const MAX_MESSAGE = 500;

/** How long a write that must not be lost is repeated, in milliseconds. */
const REPEAT_FOR = 5 * MINUTE;
/** Delay before the second attempt, in milliseconds; each further one takes twice as long, up to the other. */
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
/** Maximum number of repetitions after a signal. */
const ATTEMPTS_AFTER_SIGNAL = 3;

/** GitHub's messages if the ref was moved, created or deleted. */
const RACE = /not a fast.?forward|already exists|does not exist/i;

/** The result of moving or creating the ref. */
type Moved =
  | { type: "moved" }
  /** `isRace`: the ref was moved, created or deleted. */
  | { type: "refused"; reason: string; kind: GitHubKind; isRace: boolean }
  /** The request may have been received. */
  | { type: "unanswered"; reason: string };

/** What the owner of a ref says about it. */
export interface RefMessages {
  /** The error if GitHub refuses a request or does not answer it. The reason is the rest of a sentence. */
  unavailable: (reason: string, kind: GitHubKind) => Error;
  /** What happens if a write is repeated, for the log: a sentence up to the time. */
  repeating: string;
  /** What to do if GitHub refuses the ref: a sentence without its full stop. */
  ifRefused: string;
}

/** One ref of one repository. Nothing else in the action writes to git. Methods throw the error of its messages. */
export class GitRef {
  readonly #repository: string;
  readonly #ref: string;
  readonly #connect: Connect;
  readonly #dependencies: Dependencies;
  readonly #messages: RefMessages;
  /** When a write is no longer repeated, on the monotonic clock. */
  #deadline = 0;

  /** @param ref its full name, such as `refs/heads/main` */
  constructor(
    repository: string,
    ref: string,
    connect: Connect,
    dependencies: Dependencies,
    messages: RefMessages,
  ) {
    this.#repository = repository;
    this.#ref = ref;
    this.#connect = connect;
    this.#dependencies = dependencies;
    this.#messages = messages;
  }

  /**
   * The ref as GitHub shows it, perhaps from an old copy; `sha` is null if it does not exist. `now`: GitHub's time, in
   * milliseconds since 1970
   */
  async readRef(): Promise<{ sha: string | null; now: number }> {
    const github = await this.#connect();
    const fact = await github.refs.get({ repository: this.#repository, name: this.#name });
    const now = github.traffic.now;
    const sha = this.#expect(fact)?.object.sha ?? null;
    if (now === null)
      throw this.#messages.unavailable("GitHub's response has no valid date", "github-unavailable");
    return { sha, now };
  }

  /** Null if there is no such file or commit. @param sha null for the default branch */
  async readFile(sha: string | null, path: string): Promise<string | null> {
    // Git has no such names, and a URL would lead elsewhere.
    if (path.split("/").some((name) => ["", ".", ".."].includes(name))) return null;
    const github = await this.#connect();
    return this.#expect(await github.git.file({ repository: this.#repository, path, ref: sha }));
  }

  /** The refs whose names begin with a text, without `refs/`. */
  async listRefs(prefix: string): Promise<{ ref: string; sha: string }[]> {
    const github = await this.#connect();
    const refs = this.#expect(await github.refs.list({ repository: this.#repository, prefix }));
    return (refs ?? []).map(({ ref, object }) => ({ ref, sha: object.sha }));
  }

  /** Creates a commit without a ref. Its tree has the parent's other files. GitHub sets author and date. */
  async commit(
    parent: string | null,
    files: Readonly<Record<string, string>>,
    message: string,
  ): Promise<string> {
    const blob = { mode: "100644", type: "blob" };
    const entries = Object.entries(files).map(([path, content]) => ({ path, content, ...blob }));
    const tree = await this.#tree(parent, entries);
    const parents = parent === null ? [] : [parent];
    const github = await this.#connect();
    const place = { repository: this.#repository };
    return this.#made(await github.git.makeCommit({ ...place, message, parents, tree })).sha;
  }

  /** GitHub accepts a commit in place of its tree. If it does not, this reads the commit's tree. */
  async #tree(parent: string | null, tree: object[]): Promise<string> {
    const { git } = await this.#connect();
    const place = { repository: this.#repository };
    const sent = await git.makeTree({ ...place, base_tree: parent, tree });
    const isOfTree =
      sent.type === "refused" && sent.status === 422 && sent.message.includes("base_tree");
    if (parent === null || !isOfTree) return this.#made(sent).sha;
    const commit = this.#expect(await git.commit({ ...place, sha: parent }));
    return this.#made(await git.makeTree({ ...place, base_tree: commit?.tree.sha, tree })).sha;
  }

  /** Moves the ref to a descendant of its commit, or creates it if `from` is null. Never by force. */
  async move(from: string | null, to: string): Promise<Moved> {
    if (from === null) return await this.create(to);
    const { refs } = await this.#connect();
    const sent = await refs.move({ repository: this.#repository, name: this.#name, sha: to });
    return this.#moved(sent);
  }

  /** Creates the ref. */
  async create(sha: string): Promise<Moved> {
    const { refs } = await this.#connect();
    return this.#moved(await refs.create({ repository: this.#repository, ref: this.#ref, sha }));
  }

  #moved(sent: Sent<unknown>): Moved {
    switch (sent.type) {
      case "accepted":
        return { type: "moved" };
      case "limited":
        return {
          type: "refused",
          reason: sent.reason,
          kind: "github-unavailable",
          isRace: false,
        };
      case "not-sent":
      case "uncertain":
        return { type: "unanswered", reason: reasonOf(sent) };
      case "refused":
        return this.#refusedMove(sent);
    }
  }

  #refusedMove(sent: RefusedWrite): Moved {
    const kind = "github-refused";
    if (sent.status !== 422)
      return { type: "refused", reason: reasonOf(sent), kind, isRace: false };
    const message = cut(clause(sent.message.replace(/\s+/g, " ")), MAX_MESSAGE);
    return {
      type: "refused",
      reason: `${message} (${this.#ref}). ${this.#messages.ifRefused}`,
      kind,
      isRace: RACE.test(message),
    };
  }

  /** Deletes the ref. One that does not exist is deleted, too. */
  async remove(): Promise<void> {
    const { refs } = await this.#connect();
    const sent = await refs.remove({ repository: this.#repository, name: this.#name });
    if (sent.type === "refused") {
      const isRace = sent.status === 422 && RACE.test(sent.message);
      if (sent.status === 404 || isRace) return;
    }
    this.#made(sent);
  }

  /** Whether a commit is the head or one of its ancestors. */
  async contains(head: string, sha: string): Promise<boolean> {
    const { commits } = await this.#connect();
    // Two first commits have no ancestor in common.
    const fact = await commits.relation({ repository: this.#repository, base: sha, head });
    const status = this.#expect(fact)?.status;
    return status === "ahead" || status === "identical";
  }

  /** Waits before another attempt to write. @returns false if the run has to end */
  async pause(attempt: number): Promise<boolean> {
    const { clock, log, cancellation } = this.#dependencies;
    const { stop } = cancellation;
    if (attempt === 1) this.#deadline = clock.now() + REPEAT_FOR;
    if (stop.aborted) return attempt <= ATTEMPTS_AFTER_SIGNAL;
    const backoff = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
    const { traffic } = await this.#connect();
    const delay = Math.max(backoff, traffic.retryAfter);
    if (clock.now() + delay > this.#deadline) return false;
    if (attempt > 1) log.info(`${this.#messages.repeating} in ${Math.ceil(delay / 1000)} s.`);
    await clock.sleep(delay, stop);
    return true;
  }

  #expect<T>(fact: Fact<T>): T | null {
    return expectFact(fact, this.#messages.unavailable);
  }

  #made<T>(sent: Sent<T>): T {
    return expectMade(sent, this.#messages.unavailable);
  }

  /** The ref's name without `refs/`. */
  get #name(): string {
    return this.#ref.replace("refs/", "");
  }
}
