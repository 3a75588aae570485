/** Files under a git ref: reads them at a commit, writes commits, and moves the ref. */

import type { OctokitResponse } from "@octokit/types";
import * as z from "zod/mini";
import { MINUTE } from "../../runtime/clock.ts";
import type { Dependencies } from "../../runtime/dependencies.ts";
import { cut } from "../../text/markdown.ts";
import { clause } from "../../text/sentence.ts";
import { readAnswer, UnusableAnswer } from "./answer.ts";
import type { Connect } from "./connect.ts";
import {
  explainRefusal,
  type GitHubKind,
  hasStatus,
  kindOfRefusal,
  type TokenPermissions,
  timeIn,
  type UnavailableError,
  unlessRefused,
} from "./refusal.ts";
import { encodedPath, owned } from "./rest.ts";

/** Maximum length of a message from GitHub, in characters. */
const MAX_MESSAGE = 500;
const PERMISSIONS: TokenPermissions = ["contents: write"];

/** How long a write that must not be lost is repeated, in milliseconds. */
const REPEAT_FOR = 5 * MINUTE;
/** Delay before the second attempt, in milliseconds; each further one takes twice as long, up to the other. */
const FIRST_DELAY = 1_000;
const LONGEST_DELAY = 30_000;
/** Maximum number of repetitions after a signal. */
const ATTEMPTS_AFTER_SIGNAL = 3;

/** GitHub's messages if the ref was moved, created or deleted. */
const RACE = /not a fast.?forward|already exists|does not exist/i;

const shaSchema = z.object({ sha: z.string() });
const refSchema = z.object({ object: shaSchema });
const refsSchema = z.array(z.object({ ref: z.string(), object: shaSchema }));
/** A file with `accept: application/vnd.github.raw+json`; bytes if it is not declared as text. */
const fileSchema = z.union([z.string(), z.instanceof(Uint8Array)]);
const commitSchema = z.object({ tree: shaSchema });
const comparisonSchema = z.object({ status: z.string() });

/** The result of moving or creating the ref. */
type Moved =
  | { type: "moved" }
  /** `isRace`: the ref was moved, created or deleted. */
  | { type: "refused"; reason: string; kind: GitHubKind; isRace: boolean }
  /** The request may have been received. */
  | { type: "unanswered"; reason: string };

/** What the owner of a ref says about it. */
export interface RefMessages {
  /** The error if GitHub refuses a request or does not answer it. */
  unavailable: UnavailableError;
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
  /** The delay that GitHub's last refusal asked for, in milliseconds. */
  #retryAfter = 0;
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
    return await this.#answered(async () => {
      // An empty repository has no refs.
      const path = `/git/ref/${this.#path()}`;
      const { data, headers } = await this.#ask(refSchema, path, {}, [404, 409]);
      return { sha: data?.object.sha ?? null, now: timeOf(headers.date) };
    });
  }

  /** Null if there is no such file or commit. @param sha null for the default branch */
  async readFile(sha: string | null, path: string): Promise<string | null> {
    // Git has no such names, and a URL would lead elsewhere.
    if (path.split("/").some((name) => ["", ".", ".."].includes(name))) return null;
    return await this.#answered(async () => {
      const headers = { accept: "application/vnd.github.raw+json" };
      const place = sha === null ? { headers } : { ref: sha, headers };
      const route = `/contents/${encodedPath(path)}`;
      const { data } = await this.#ask(fileSchema, route, place, [404, 422]);
      return data instanceof Uint8Array ? Buffer.from(data).toString("utf8") : data;
    });
  }

  /** The refs whose names begin with a text, without `refs/`. */
  async listRefs(prefix: string): Promise<{ ref: string; sha: string }[]> {
    return await this.#answered(async () => {
      const { data } = await this.#request("GET", `/git/matching-refs/${encodedPath(prefix)}`);
      const refs = readAnswer(refsSchema, data);
      return refs.map(({ ref, object }) => ({ ref, sha: object.sha }));
    });
  }

  /** Creates a commit without a ref. Its tree has the parent's other files. GitHub sets author and date. */
  async commit(
    parent: string | null,
    files: Readonly<Record<string, string>>,
    message: string,
  ): Promise<string> {
    const blob = { mode: "100644", type: "blob" };
    const tree = Object.entries(files).map(([path, content]) => ({ path, content, ...blob }));
    return await this.#answered(async () => {
      const parents = parent === null ? [] : [parent];
      const fields = { message, parents, tree: await this.#tree(parent, tree) };
      const { data } = await this.#request("POST", "/git/commits", fields);
      return readAnswer(shaSchema, data).sha;
    });
  }

  /** GitHub accepts a commit in place of its tree. If it does not, this reads the commit's tree. */
  async #tree(parent: string | null, tree: object[]): Promise<string> {
    const post = async (base: object) => {
      const { data } = await this.#request("POST", "/git/trees", { ...base, tree });
      return readAnswer(shaSchema, data).sha;
    };
    if (parent === null) return await post({});
    try {
      return await post({ base_tree: parent });
    } catch (error) {
      const refusal = explainRefusal(error, PERMISSIONS);
      const isOfTree = hasStatus(refusal, 422) && refusal.message.includes("base_tree");
      if (!isOfTree) throw error;
      const { data } = await this.#request("GET", "/git/commits/{parent}", { parent });
      return await post({ base_tree: readAnswer(commitSchema, data).tree.sha });
    }
  }

  /** Moves the ref to a descendant of its commit, or creates it if `from` is null. Never by force. */
  async move(from: string | null, to: string): Promise<Moved> {
    if (from === null) return await this.create(to);
    return await this.#write("PATCH", `/git/refs/${this.#path()}`, { sha: to, force: false });
  }

  /** Creates the ref. */
  async create(sha: string): Promise<Moved> {
    return await this.#write("POST", "/git/refs", { ref: this.#ref, sha });
  }

  async #write(method: string, path: string, parameters: object): Promise<Moved> {
    try {
      await this.#request(method, path, parameters);
      return { type: "moved" };
    } catch (error) {
      const refusal = explainRefusal(error, PERMISSIONS);
      const { reason, isPassing } = refusal;
      if (isPassing && refusal.type !== "limited") return { type: "unanswered", reason };
      const kind = kindOfRefusal(refusal);
      if (!hasStatus(refusal, 422)) return { type: "refused", reason, kind, isRace: false };
      const message = cut(clause(refusal.message.replace(/\s+/g, " ")), MAX_MESSAGE);
      return {
        type: "refused",
        reason: `${message} (${this.#ref}). ${this.#messages.ifRefused}`,
        kind,
        isRace: RACE.test(message),
      };
    }
  }

  /** Deletes the ref. One that does not exist is deleted, too. */
  async remove(): Promise<void> {
    const request = async () => {
      await this.#request("DELETE", `/git/refs/${this.#path()}`);
      return true;
    };
    await unlessRefused(request, PERMISSIONS, this.#messages.unavailable, (refusal) => {
      const isRace = hasStatus(refusal, 422) && RACE.test(refusal.message);
      return hasStatus(refusal, 404) || isRace ? true : undefined;
    });
  }

  /** Whether a commit is the head or one of its ancestors. */
  async contains(head: string, sha: string): Promise<boolean> {
    return await this.#answered(async () => {
      const range = { basehead: `${sha}...${head}`, per_page: 1 };
      // Two first commits have no ancestor in common.
      const { data } = await this.#ask(comparisonSchema, "/compare/{basehead}", range, [404]);
      return data?.status === "ahead" || data?.status === "identical";
    });
  }

  /** Waits before another attempt to write. @returns false if the run has to end */
  async pause(attempt: number): Promise<boolean> {
    const { clock, log, cancellation } = this.#dependencies;
    const { stop } = cancellation;
    if (attempt === 1) this.#deadline = clock.now() + REPEAT_FOR;
    if (stop.aborted) return attempt <= ATTEMPTS_AFTER_SIGNAL;
    const backoff = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
    const delay = Math.max(backoff, this.#retryAfter);
    if (clock.now() + delay > this.#deadline) return false;
    if (attempt > 1) log.info(`${this.#messages.repeating} in ${Math.ceil(delay / 1000)} s.`);
    await clock.sleep(delay, stop);
    return true;
  }

  async #answered<T>(request: () => Promise<T>): Promise<T> {
    return await unlessRefused(request, PERMISSIONS, this.#messages.unavailable);
  }

  /** @param absent statuses that say that there is no such thing: `data` is null */
  async #ask<T>(
    schema: z.ZodMiniType<T>,
    path: string,
    parameters: object,
    absent: readonly number[],
  ): Promise<{ data: T | null; headers: { date?: string | undefined } }> {
    try {
      const { data, headers } = await this.#request("GET", path, parameters);
      return { data: readAnswer(schema, data), headers };
    } catch (error) {
      const refusal = explainRefusal(error, PERMISSIONS);
      if (hasStatus(refusal, ...absent)) return { data: null, headers: refusal.headers };
      throw error;
    }
  }

  /** The ref's name in a path, without `refs/`. */
  #path(): string {
    return encodedPath(this.#ref.replace("refs/", ""));
  }

  /** @param path below the repository, encoded */
  async #request(
    method: string,
    path: string,
    parameters: object = {},
  ): Promise<OctokitResponse<unknown>> {
    try {
      const github = await this.#connect();
      const place = { ...owned({ repository: this.#repository }), ...parameters };
      return await github.request(`${method} /repos/{owner}/{repo}${path}`, place);
    } catch (error) {
      const refusal = explainRefusal(error, PERMISSIONS);
      this.#retryAfter = refusal.type === "limited" ? refusal.retryAfter : 0;
      throw error;
    }
  }
}

function timeOf(date: string | undefined): number {
  const time = timeIn(date);
  if (time === null) throw new UnusableAnswer("GitHub's response has no valid date");
  return time;
}
