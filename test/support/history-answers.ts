/** A commit as GitHub's API returns it, whose author has no account. */
export const commit = (sha: string) => ({
  sha,
  parents: [],
  html_url: "https://github.com/acme/code/commit/1",
  author: null,
  commit: {
    author: { name: "Writer", email: "w@example.com", date: "2026-05-01T10:00:00Z" },
    committer: { name: "GitHub", email: "noreply@github.com", date: "2026-05-01T11:00:00Z" },
    message: "Change",
    tree: { sha: "t" },
  },
});

/** A closed pull request as GitHub's API returns it. */
export const PULL = {
  number: 7,
  title: "Change",
  html_url: "https://github.com/acme/code/pull/7",
  state: "closed",
  labels: [],
  merged_at: null,
  updated_at: "2026-05-01T11:00:00Z",
  head: { ref: "topic", sha: "h", repo: null },
  base: { ref: "main", repo: { id: 1 } },
};
