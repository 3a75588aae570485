/** What the trial makes in the repository, and how it takes it away again. */

import { type Answered, GitHubApi, inWords, type Place } from "./github-api.ts";

interface Named {
  number: number;
  html_url: string;
  node_id: string;
}

/** A pull request of the trial, into its own branch. */
export interface TrialPull extends Named {
  branch: string;
  head: string;
  /** Of the file that it adds. */
  path: string;
}

export class Scene {
  readonly github: GitHubApi;
  /** In the names of everything that the trial makes. */
  readonly name: string;
  /** The commit that the trial's branches begin at. */
  readonly start: string;
  /** A branch that the trial merges into, so that no other changes. */
  readonly base: string;
  readonly issue: Named;
  readonly #cleanUps: (() => Promise<unknown>)[];

  private constructor(github: GitHubApi, fields: Pick<Scene, "name" | "start" | "base" | "issue">) {
    this.github = github;
    this.name = fields.name;
    this.start = fields.start;
    this.base = fields.base;
    this.issue = fields.issue;
    this.#cleanUps = [];
  }

  /** @param run identifies the trial among those of the repository: digits and hyphens */
  static async begin(place: Place, run: string): Promise<Scene> {
    const github = new GitHubApi(place);
    const name = `docs-agent-live-${run}`;
    const { default_branch: main } = await github.need<{ default_branch: string }>("GET ");
    const { commit } = await github.need<{ commit: { sha: string } }>(`GET /branches/${main}`);
    const base = `${name}/base`;
    await github.need("POST /git/refs", { ref: `refs/heads/${base}`, sha: commit.sha });
    const issue = await github.need<Named>("POST /issues", {
      title: `Trial ${name}`,
      body: "A trial of Docs Agent Action made this issue, and closes it.",
    });
    const scene = new Scene(github, { name, start: commit.sha, base, issue });
    scene.later(() => scene.deleteRef(`heads/${base}`));
    scene.later(() => scene.close(issue.number));
    return scene;
  }

  /** Registers what is to be done at the end, before what was registered earlier. */
  later(cleanUp: () => Promise<unknown>): void {
    this.#cleanUps.unshift(cleanUp);
  }

  /** Takes away what the trial made. @returns what could not be taken away */
  async end(): Promise<string[]> {
    const problems: string[] = [];
    for (const cleanUp of this.#cleanUps) {
      await cleanUp().catch((error: unknown) => problems.push(String(error)));
    }
    return problems;
  }

  /** A commit on top of another one, which no ref names yet. @returns its SHA */
  async commit(parent: string, files: Record<string, string>): Promise<string> {
    const tree = Object.entries(files).map(([path, content]) => {
      return { path, mode: "100644", type: "blob", content };
    });
    const made = await this.github.need<{ sha: string }>("POST /git/trees", {
      base_tree: parent,
      tree,
    });
    const { sha } = await this.github.need<{ sha: string }>("POST /git/commits", {
      message: `Trial ${this.name}`,
      tree: made.sha,
      parents: [parent],
    });
    return sha;
  }

  /** Opens a pull request with one new file into the trial's branch. @param title a word */
  async openPull(title: string): Promise<TrialPull> {
    const branch = `${this.name}/${title.toLowerCase()}`;
    const path = `${branch.replaceAll("/", "-")}.md`;
    const head = await this.commit(this.start, { [path]: `# ${title}\n` });
    await this.github.need("POST /git/refs", { ref: `refs/heads/${branch}`, sha: head });
    this.later(() => this.deleteRef(`heads/${branch}`));
    const fields = { title: `${title} (${this.name})`, head: branch, base: this.base, body: "" };
    const pull = await this.github.need<Named>("POST /pulls", fields).catch((error: Error) => {
      throw new Error(
        `${error.message}. Does the repository allow GitHub Actions to create pull requests?`,
      );
    });
    this.later(() => this.github.need(`PATCH /pulls/${pull.number}`, { state: "closed" }));
    return { ...pull, branch, head, path };
  }

  /** @param ref without `refs/` */
  async deleteRef(ref: string): Promise<void> {
    const { status, body } = await this.github.call(`DELETE /git/refs/${ref}`);
    const isGone =
      status === 404 || (status === 422 && /does not exist/.test(inWords(status, body)));
    if (status >= 300 && !isGone)
      throw new Error(`${ref} could not be deleted: ${inWords(status, body)}`);
  }

  async close(issue: number): Promise<Answered<unknown>> {
    return await this.github.call(`PATCH /issues/${issue}`, { state: "closed" });
  }
}
