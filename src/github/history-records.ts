/** Commits, pull requests and changed files from GitHub's answers: the fields that the action uses, checked. */

import * as z from "zod/mini";

/** Empty if GitHub leaves it out. */
export const text = z.catch(z.string(), "");
export const required = z.string().check(z.minLength(1));
const count = z.catch(z.number(), 0);
const account = z.catch(z.nullable(z.object({ login: text, type: text })), null);
/** Null if the repository of a branch was deleted. */
const repository = z.nullish(z.object({ id: z.number() }));

const VISIBILITIES = ["public", "internal", "private"];

export const repositoryFacts = z.pipe(
  z.object({
    ...{ id: z.number(), full_name: required, default_branch: required },
    ...{ visibility: text, private: z.catch(z.boolean(), false) },
  }),
  z.transform(({ id, full_name: fullName, default_branch: defaultBranch, ...fields }) => {
    const visibility = fields.visibility || (fields.private ? "private" : "public");
    /** Higher means that fewer people can read the repository. */
    return { id, fullName, defaultBranch, privacy: VISIBILITIES.indexOf(visibility) };
  }),
);

export type RepositoryFacts = z.infer<typeof repositoryFacts>;

const signature = z.catch(z.object({ name: text, email: text, date: text }), {
  ...{ name: "", email: "", date: "" },
});

export const commit = z.pipe(
  z.object({
    ...{ sha: required, parents: z.array(z.object({ sha: required })), html_url: text },
    author: account,
    commit: z.object({
      ...{ message: text, author: signature, committer: signature },
      tree: z.object({ sha: text }),
    }),
  }),
  z.transform(({ sha, parents, html_url: url, author: by, commit }) => {
    const { message, author, committer, tree } = commit;
    const [title = "", ...body] = message.split("\n");
    return {
      ...{ sha, parents: parents.map((parent) => parent.sha), url },
      ...{ title: title.trim(), body: body.join("\n").trim() },
      author: { login: by?.login ?? "", name: author.name, isBot: by?.type === "Bot" },
      committer: `${committer.name} <${committer.email}>`,
      identity: identityOf(author, message),
      tree: tree.sha,
      ...{ authoredAt: author.date, committedAt: committer.date },
    };
  }),
);

export type Commit = z.infer<typeof commit>;

/** A commit from the GraphQL API. */
export const commitNode = z.pipe(
  z.object({
    commit: z.object({
      ...{ oid: required, message: text, authoredDate: text },
      author: z.catch(z.object({ name: text, email: text }), { name: "", email: "" }),
    }),
  }),
  z.transform(({ commit: { oid, message, authoredDate, author } }) => ({
    ...{ sha: oid, identity: identityOf({ ...author, date: authoredDate }, message) },
  })),
);

export type CommitIdentity = z.infer<typeof commitNode>;

/** What is the same after a rebase. */
function identityOf({ name, email, date }: z.infer<typeof signature>, message: string): string {
  return JSON.stringify([name, email, date, message]);
}

const branch = z.catch(z.object({ ref: text, sha: text, repo: repository }), {
  ...{ ref: "", sha: "", repo: null },
});

export const pull = z.pipe(
  z.object({
    ...{ number: z.int(), title: text, body: text, html_url: text, user: account },
    ...{ labels: z.nullish(z.array(z.object({ name: text }))), head: branch, base: branch },
    ...{ state: text, merged_at: text, merge_commit_sha: text, updated_at: text },
    changed_files: count,
  }),
  z.transform(({ number, title, body, html_url: url, user, labels, head, base, ...fields }) => ({
    ...{ number, title, body, url, labels: (labels ?? []).map(({ name }) => name) },
    // GitHub, too, shows a deleted account as `ghost`.
    author: { login: user?.login || "ghost", name: "", isBot: user?.type === "Bot" },
    ...{ branch: head.ref, head: head.sha, base: base.ref },
    isFork: head.repo?.id !== base.repo?.id,
    repositoryId: base.repo?.id ?? 0,
    isOpen: fields.state === "open",
    /** ISO 8601; null if not merged. */
    mergedAt: fields.merged_at || null,
    /** The merge commit; after a rebase, the last commit. */
    mergeSha: fields.merge_commit_sha,
    updatedAt: fields.updated_at,
    /** Not in lists. */
    fileCount: fields.changed_files,
  })),
);

export type Pull = z.infer<typeof pull>;

export const review = z.pipe(
  z.object({ user: account, state: text }),
  z.transform(({ user, state }) => ({ login: user?.login ?? "", state })),
);

export type Review = z.infer<typeof review>;

export interface ChangedFile {
  path: string;
  /** The path before the file was renamed. */
  previousPath?: string;
  additions: number;
  deletions: number;
  patch?: string;
}

export const file = z.pipe(
  z.object({
    ...{ filename: required, previous_filename: text, patch: text },
    ...{ additions: count, deletions: count },
  }),
  z.transform(
    ({ filename: path, previous_filename: previousPath, patch, ...lines }): ChangedFile => ({
      ...{ path, ...lines },
      ...(previousPath && { previousPath }),
      ...(patch && { patch }),
    }),
  ),
);
