/** Git's objects in memory: blobs, trees and commits, named by git's own SHAs. */

import { hash } from "node:crypto";

export interface Signature {
  name: string;
  email: string;
  /** Milliseconds since 1970, in whole seconds. */
  at: number;
}

export interface Commit {
  sha: string;
  tree: string;
  parents: readonly string[];
  author: Signature;
  committer: Signature;
  message: string;
  /** When it was committed, in milliseconds since 1970. */
  at: number;
  /** The same, but not before a parent. */
  order: number;
  /** More than that of each parent. */
  depth: number;
}

export interface Entry {
  name: string;
  /** As git writes it: `100644`, `100755`, `120000`, or `40000` for a folder. */
  mode: string;
  sha: string;
  /** The entry as it is in the tree object, a character a byte. */
  raw: string;
}

export const FOLDER = "40000";

/** The objects of a repository. None ever changes. */
export class Objects {
  readonly blobs = new Map<string, Buffer>();
  readonly trees = new Map<string, readonly Entry[]>();
  readonly commits = new Map<string, Commit>();
  /** Annotated tags: what each points to, and when it was made, in milliseconds since 1970. */
  readonly tags = new Map<string, { target: string; at: number }>();
  /** When each commit came to GitHub, by its SHA. */
  readonly receivedAt = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  /** Keeps a file's content; returns its SHA. */
  blob(content: string | Buffer): string {
    const bytes = Buffer.from(content);
    const sha = nameOf("blob", bytes);
    this.blobs.set(sha, bytes);
    return sha;
  }

  /** Keeps a folder; returns its SHA. @param entries sorted as git sorts them */
  tree(entries: readonly Entry[]): string {
    const sha = nameOf("tree", Buffer.from(entries.map(({ raw }) => raw).join(""), "latin1"));
    if (!this.trees.has(sha)) this.trees.set(sha, entries);
    return sha;
  }

  /** Keeps a commit. Two with the same content are one commit. */
  commit(content: Omit<Commit, "sha" | "at" | "order" | "depth">): Commit {
    const { tree, parents, author, committer, message } = content;
    const lines = [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${signature(author)}`,
      `committer ${signature(committer)}`,
      "",
      message,
    ];
    const sha = nameOf("commit", Buffer.from(lines.join("\n")));
    const known = this.commits.get(sha);
    if (known !== undefined) return known;
    const parentCommits = parents.map((parent) => this.commits.get(parent));
    const depth = 1 + Math.max(0, ...parentCommits.map((parent) => parent?.depth ?? 0));
    const order = Math.max(committer.at, ...parentCommits.map((parent) => parent?.order ?? 0));
    const commit = { ...content, sha, at: committer.at, order, depth };
    this.commits.set(sha, commit);
    this.receivedAt.set(sha, this.#now());
    return commit;
  }

  /** Keeps an annotated tag. */
  tag(name: string, target: string, { name: tagger, email, at }: Signature): string {
    const by = signature({ name: tagger, email, at });
    const lines = [`object ${target}`, "type commit", `tag ${name}`, `tagger ${by}`, "", name];
    const sha = nameOf("tag", Buffer.from(lines.join("\n")));
    this.tags.set(sha, { target, at });
    return sha;
  }

  /** The SHA of what an annotated tag points to; any other SHA as it is. */
  peel(sha: string): string {
    return this.tags.get(sha)?.target ?? sha;
  }

  /** What kind of object a SHA names; undefined: there is none. */
  typeOf(sha: string): "commit" | "tree" | "blob" | "tag" | undefined {
    if (this.tags.has(sha)) return "tag";
    if (this.commits.has(sha)) return "commit";
    if (this.trees.has(sha)) return "tree";
    return this.blobs.has(sha) ? "blob" : undefined;
  }
}

/** A name in a folder. @param mode as git or as GitHub's API writes it */
export function entry(name: string, mode: string, sha: string): Entry {
  const plain = mode.replace(/^0/, "");
  const bytes = Buffer.concat([Buffer.from(`${plain} ${name}\0`), Buffer.from(sha, "hex")]);
  return { name, mode: plain, sha, raw: bytes.toString("latin1") };
}

function nameOf(type: string, content: Buffer): string {
  return hash("sha1", Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]));
}

function signature({ name, email, at }: Signature): string {
  return `${name} <${email}> ${Math.floor(at / 1000)} +0000`;
}
