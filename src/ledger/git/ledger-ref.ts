/** Files under a git ref: reads them at a commit, writes commits, and moves the ref. It knows nothing of batches. */

import type { Octokit } from "@octokit/core";
import { owned } from "../../github/comments.ts";
import type { Connect } from "../../github/connect.ts";
import { explainRefusal, type Refusal } from "../../github/refusal.ts";
import { ActionError } from "../../runtime/errors.ts";

const PERMISSION = "contents: write";

/** What GitHub says when the ref is not where it was. */
const RACE = /not a fast.?forward|already exists|does not exist/i;

type Parameters = Record<string, unknown>;

/** GitHub refused or did not answer. `failed` says why: the rest of a sentence. */
export interface Failure {
  failed: string;
}

/** The ref as GitHub shows it, perhaps from an old copy. */
export interface RefRead {
  /** Null: there is no such ref. */
  sha: string | null;
  /** GitHub's time, in milliseconds since 1970. */
  now: number;
}

/** What became of moving the ref. */
export type Moved =
  | { type: "moved" }
  /** `isRace`: GitHub says that the ref is not where it was, or is there already. */
  | { type: "refused"; why: string; isRace: boolean }
  /** The request may have been received. */
  | { type: "unanswered"; why: string };

/** One ref of one repository. Nothing else in the action writes to git. */
export class LedgerRef {
  readonly #repository: string;
  readonly #ref: string;
  readonly #connect: Connect;
  /** How long GitHub asked to be left alone when it last refused, in milliseconds; undefined: it did not. */
  retryAfter: number | undefined;

  /**
   * @param repository `owner/name`
   * @param ref its full name, such as `refs/docs-agent/upkeep/1a2b3c4d5e6f`
   */
  constructor(repository: string, ref: string, connect: Connect) {
    this.#repository = repository;
    this.#ref = ref;
    this.#connect = connect;
  }

  async read(): Promise<RefRead | Failure> {
    const path = `/git/ref/${this.#ref.replace(/^refs\//, "")}`;
    return await this.#ask<RefRead>(async () => {
      try {
        const { data, headers } = await this.#request("GET", path);
        return { sha: String(data.object.sha), now: timeOf(headers.date) };
      } catch (error) {
        // An empty repository has no refs.
        if (!isStatus(error, 404) && !isStatus(error, 409)) throw error;
        return { sha: null, now: timeOf(headersOf(error).date) };
      }
    });
  }

  /** Null: there is no such file at this commit, or GitHub does not have the commit. */
  async readFile(sha: string, path: string): Promise<{ text: string | null } | Failure> {
    return await this.#ask(async () => {
      try {
        const { data } = await this.#request("GET", `/contents/${path}`, {
          ref: sha,
          headers: { accept: "application/vnd.github.raw+json" },
        });
        return { text: typeof data === "string" ? data : Buffer.from(data).toString("utf8") };
      } catch (error) {
        if (!isStatus(error, 404) && !isStatus(error, 422)) throw error;
        return { text: null };
      }
    });
  }

  /** A file that is there. Throws what the client throws. */
  async readText(sha: string, path: string): Promise<string> {
    const read = await this.readFile(sha, path);
    if ("failed" in read)
      throw new ActionError(
        "github-unavailable",
        `${path} of the ledger could not be read: ${read.failed}.`,
        "Nothing was sent.",
      );
    return read.text ?? "";
  }

  /** Paths of the files in a folder. */
  async listFiles(sha: string, folder: string): Promise<string[]> {
    try {
      const { data } = await this.#request("GET", `/contents/${folder}`, { ref: sha });
      return (data as { path: string }[]).map(({ path }) => path);
    } catch (error) {
      if (isStatus(error, 404)) return [];
      throw error;
    }
  }

  /** The refs whose names begin with a text, without `refs/`. */
  async listRefs(prefix: string): Promise<{ ref: string; sha: string }[]> {
    const { data } = await this.#request("GET", `/git/matching-refs/${prefix}`);
    const refs = data as { ref: string; object: { sha: string } }[];
    return refs.map(({ ref, object }) => ({ ref, sha: object.sha }));
  }

  /** Makes a commit that no ref leads to. Its tree has the parent's other files; GitHub names author and date. */
  async commit(
    parent: string | null,
    files: Readonly<Record<string, string>>,
    message: string,
  ): Promise<{ sha: string } | Failure> {
    const tree = Object.entries(files).map(([path, content]) => ({
      ...{ path, content, mode: "100644", type: "blob" },
    }));
    return await this.#ask(async () => {
      const parents = parent === null ? [] : [parent];
      const made = { message, parents, tree: await this.#tree(parent, tree) };
      const { data } = await this.#request("POST", "/git/commits", made);
      return { sha: String(data.sha) };
    });
  }

  /** GitHub takes a commit for its tree; where it does not, the tree is one more request away. */
  async #tree(parent: string | null, tree: object[]): Promise<string> {
    const path = "/git/trees";
    if (parent === null) return (await this.#request("POST", path, { tree })).data.sha;
    try {
      return (await this.#request("POST", path, { base_tree: parent, tree })).data.sha;
    } catch (error) {
      if (!isStatus(error, 422) || !/base_tree/.test(String(error))) throw error;
      const { data } = await this.#request("GET", `/git/commits/${parent}`);
      return (await this.#request("POST", path, { base_tree: data.tree.sha, tree })).data.sha;
    }
  }

  /** Moves the ref to a commit that descends from where it is; from null: creates it. Never by force. */
  async move(from: string | null, to: string): Promise<Moved> {
    try {
      if (from === null) await this.#request("POST", "/git/refs", { ref: this.#ref, sha: to });
      else {
        const path = `/git/refs/${this.#ref.replace(/^refs\//, "")}`;
        await this.#request("PATCH", path, { sha: to, force: false });
      }
      return { type: "moved" };
    } catch (error) {
      const refusal = this.#refusal(error);
      if (refusal.isPassing) return { type: "unanswered", why: refusal.why };
      const words = error instanceof Error ? error.message : "";
      const isRace = isStatus(error, 422) && RACE.test(words);
      const hint = isStatus(error, 422)
        ? `${words} (${this.#ref}). If a rule of the server refuses this ref, set \`ledger-ref\``
        : refusal.why;
      return { type: "refused", why: hint, isRace };
    }
  }

  /** Whether a commit is the head or one of its ancestors. */
  async contains(head: string, sha: string): Promise<{ contains: boolean } | Failure> {
    return await this.#ask(async () => {
      try {
        const { data } = await this.#request("GET", `/compare/${sha}...${head}`, { per_page: 1 });
        return { contains: data.status === "ahead" || data.status === "identical" };
      } catch (error) {
        // Two first commits have no ancestor in common.
        if (!isStatus(error, 404)) throw error;
        return { contains: false };
      }
    });
  }

  async #ask<T extends object>(request: () => Promise<T>): Promise<T | Failure> {
    try {
      return await request();
    } catch (error) {
      return { failed: this.#refusal(error).why };
    }
  }

  #refusal(error: unknown): Refusal {
    const refusal = explainRefusal(error, PERMISSION);
    this.retryAfter = refusal.retryAfter;
    return refusal;
  }

  async #request(method: string, path: string, parameters: Parameters = {}) {
    const github: Octokit = await this.#connect();
    const route = `${method} /repos/{owner}/{repo}${path}`;
    return await github.request(route, {
      ...owned({ repository: this.#repository }),
      ...parameters,
    });
  }
}

function isStatus(error: unknown, status: number): boolean {
  return (error as { status?: unknown }).status === status && headersOf(error) !== NO_ANSWER;
}

/** Octokit gives errors of its own a status, too. */
const NO_ANSWER: Record<string, string> = {};

function headersOf(error: unknown): Record<string, string> {
  return (
    (error as { response?: { headers: Record<string, string> } }).response?.headers ?? NO_ANSWER
  );
}

function timeOf(date: string | undefined): number {
  const time = Date.parse(date ?? "");
  if (Number.isNaN(time)) throw new Error("GitHub's response has no valid date");
  return time;
}
