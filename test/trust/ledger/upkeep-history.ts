import fc from "fast-check";
import type { Repository } from "../../../emulator/github/repository.ts";
import { iso } from "../../../emulator/github/site.ts";
import type { Plan } from "../../../emulator/local-world/memory-servers.ts";
import type { Ledger } from "../../../src/batches/model/ledger.ts";
import { upkeep } from "../../../src/upkeep/upkeep.ts";
import { keyIn, missingOf } from "../../support/landed.ts";
import { type Books, itemsOf } from "../../support/memory-world/ledger-world.ts";
import type { ActionInMemory, Ran } from "../../support/memory-world/runs.ts";
import { applyRepositoryEvent, type RepositoryEvent } from "../../support/repository-events.ts";
import { BatchHistory } from "./batch-history.ts";
import { often, one, plans, type Run } from "./events.ts";

const HOUR = 60 * 60_000;

type Method = "merge" | "squash" | "rebase";

/** What happens to sources and to the agent's pull requests. */
export type UpkeepEvent =
  | (RepositoryEvent & { of?: number })
  | { kind: "docs"; is: "merged" | "closed" | "reopened"; method: Method }
  | { kind: "release"; is: "of the tip" | "of an older version" | "moved" };

/** What is the same for a whole history. */
export interface UpkeepSetting {
  mode: "continue" | "hold" | "new";
  after: "merge" | "release";
  perDay: number;
  comment: boolean;
  /** How many repositories changes are read from. */
  sources: number;
  plans: Plan[];
  seed: number;
}

const method = fc.constantFrom<Method>("merge", "squash", "rebase");
const of = fc.nat({ max: 1 });
const commits = fc.integer({ min: 1, max: 4 });
const label = fc.integer({ min: 0, max: 5 }).map((it) => it === 5);
const people = fc.constantFrom("writer", "maintainer", "writer", "maintainer", "dependabot[bot]");

export const upkeepEvent: fc.Arbitrary<UpkeepEvent> = fc.oneof<
  fc.MaybeWeightedArbitrary<UpkeepEvent>[]
>(
  often(4, fc.record({ kind: one("push"), author: people, of })),
  often(8, fc.record({ kind: one("land"), method, by: people, of, commits, label })),
  fc.record({ kind: one("open"), of }),
  fc.record({ kind: one("merge open"), method, of }),
  fc.record({ kind: one("close open"), of }),
  fc.record({ kind: one("pull"), back: fc.integer({ min: 1, max: 4 }), of }),
  fc.record({ kind: one("drop"), commits: fc.integer({ min: 1, max: 5 }), of }),
  fc.record({ kind: one("rewrite"), commits, of }),
  fc.record({ kind: one("forget"), back: fc.integer({ min: 0, max: 4 }), of }),
  fc.record({ kind: one("rename branch"), of }),
  often(2, fc.record({ kind: one("docs"), is: one("merged", "closed", "reopened"), method })),
  fc.record({ kind: one("release"), is: one("of the tip", "of an older version", "moved") }),
);

export const upkeepSetting: fc.Arbitrary<UpkeepSetting> = fc.record({
  mode: fc.constantFrom("continue", "hold", "new"),
  after: fc.constantFrom("merge", "merge", "merge", "release"),
  perDay: fc.constantFrom(3, 24, 100),
  comment: fc.boolean(),
  sources: fc.constantFrom(1, 1, 2),
  plans,
  seed: fc.nat(),
});

/** Repositories whose changes are handed over, and the agent's pull requests. */
export class UpkeepHistory extends BatchHistory<UpkeepEvent> {
  protected readonly limit: { requests: number; within: number };
  readonly #setting: UpkeepSetting;
  readonly #repositories: Repository[];
  /** Of each repository, where its branch was, the newest first. */
  readonly #tips: string[][];
  /** Changes that the ledger ever named as passed over: it keeps only the newest. */
  readonly #passedOver = new Set<string>();
  /** Docs pull requests that the ledger knew before. */
  #links: readonly string[] = [];

  constructor(setting: UpkeepSetting) {
    super(setting.plans, setting.seed);
    this.#setting = setting;
    const others = setting.sources > 1 ? [this.servers.github.create("acme/library")] : [];
    this.#repositories = [this.world.home, ...others];
    this.#tips = this.#repositories.map((it) => [it.tip()]);
    this.limit = { requests: setting.perDay, within: 24 * HOUR };
  }

  protected override actionOf({ max = 20 }: Run<UpkeepEvent>): ActionInMemory {
    const { mode, after, perDay, comment } = this.#setting;
    return {
      main: upkeep,
      inputs: {
        since: "2026-02-01",
        after,
        comment: String(comment),
        "max-changes": String(max),
        "open-pull-request": mode,
        "max-jobs-per-day": String(perDay),
        "ignore-labels": "skip-docs",
        "ignore-authors": "dependabot[bot]",
        // Whoever renames a repository does not always know of every workflow that names it.
        repositories: ["acme/code", "acme/library"].slice(0, this.#repositories.length).join("\n"),
      },
    };
  }

  protected override applyOwn(event: UpkeepEvent): void {
    if (event.kind === "docs") {
      this.world.decideDocs(event.is, event.method);
    } else if (event.kind === "release") {
      this.#release(event.is);
    } else {
      const at = (event.of ?? 0) % this.#repositories.length;
      const repository = this.#repositories[at] as Repository;
      const tips = this.#tips[at] ?? [];
      applyRepositoryEvent(repository, event, tips);
      const [project] = this.servers.agent.service.state.projects;
      Object.assign(project ?? {}, { baseBranch: this.world.home.defaultBranch });
      if (tips[0] !== repository.tip()) tips.unshift(repository.tip());
    }
  }

  /** The docs pull requests that the ledger has in review. */
  linksInReview(): string[] {
    return this.world.books()?.ledger.reviews.map(({ prLink }) => prLink) ?? [];
  }

  #release(is: Extract<UpkeepEvent, { kind: "release" }>["is"]): void {
    const [, before] = this.#tips[0] ?? [];
    const [last] = this.world.home.releases.slice(-1);
    if (is === "of the tip") for (const it of this.#repositories) release(it, it.tip());
    // A fix of an older version is released later.
    if (is === "of an older version" && before !== undefined) {
      release(this.world.home, this.world.home.commit(before, { message: "Fix" }));
    }
    if (is === "moved" && last !== undefined) {
      this.world.home.setRef(`refs/tags/${last.tag_name}`, this.world.home.tip());
    }
  }

  protected override itemsIn(text: string): string[] {
    const link = /https:\/\/github\.com\/([\w-]+\/[\w-]+)\/(?:pull\/(\d+)|commit\/([0-9a-f]{40}))/g;
    // In a prompt, the first link of a change is its own. Others are in its description: that of a docs pull request, which
    // is handed over where no run knows of its job, names the changes that it documents.
    const [, ...changes] = text.split(/^## Change \d+: /m);
    const found =
      changes.length > 0
        ? changes.flatMap((it) => [...it.matchAll(link)].slice(0, 1))
        : [...text.matchAll(link)];
    const keys = found.map(([, name = "", number, sha]) =>
      keyIn(this.servers.github.find(name), sha ?? { number: Number(number) }),
    );
    return [...new Set(keys)];
  }

  protected override checkBooks({ ledger, lines }: Books): string[] {
    const { waiting, batches, passedOver, sources, agent } = ledger;
    for (const { change } of passedOver) this.#passedOver.add(change.key);
    const counted = [...waiting, ...batches, ...lines].flatMap(itemsOf);
    const known = [...counted, ...this.#passedOver];
    const wrong = this.#repositories.flatMap((repository) => {
      const source = sources.find(({ id }) => id === repository.id);
      if (source?.sha == null) return [];
      const lost = missingOf(repository, source.sha, known, this.world.wasBehind);
      const not = this.#notCounting(repository, ledger).filter((key) => counted.includes(key));
      return [
        ...lost.map((key) => `${key} is lost`),
        ...not.map((key) => `${key} does not count, and is handed over`),
      ];
    });
    this.#links = agent.links;
    return [...wrong, ...wrongReviews(ledger)];
  }

  /** Keys of what filters leave out; of docs pull requests, those that the ledger has known of for long. */
  #notCounting(repository: Repository, { agent }: Ledger): string[] {
    const known = this.#links.filter((it) => agent.links.includes(it));
    const isAgents = (number: number) => known.some((it) => it.endsWith(`/pull/${number}`));
    const pulls = repository.pulls.filter(
      ({ labels, number, author }) =>
        labels.includes("skip-docs") || (author === "docs-agent[bot]" && isAgents(number)),
    );
    const commits = [...repository.objects.commits.values()].filter(
      ({ author }) => author.name === "dependabot[bot]",
    );
    return [...pulls, ...commits.map(({ sha }) => sha)].map((it) => keyIn(repository, it));
  }

  protected override waitingIn({ ledger }: Books): string[] {
    // Of each group, the dashboard names ten.
    return ledger.waiting.flatMap((it) => itemsOf({ changes: it.changes.slice(0, 10) }));
  }

  protected override relieve({ outputs: { result } }: Ran): void {
    if (this.#setting.after === "release") this.applyOwn({ kind: "release", is: "of the tip" });
    if (result === "held") for (const it of this.servers.agent.pulls) this.world.home.close(it);
    if (result === "limited") this.servers.now += 24 * HOUR;
  }
}

/** Docs pull requests that are in two places, or document a change twice. */
function wrongReviews({ reviews, done }: Ledger): string[] {
  const links = reviews.map(({ prLink }) => prLink);
  const twice = links.filter((link, at) => links.indexOf(link) !== at);
  const shown = [...reviews, ...done.filter(({ prLink }) => prLink !== null)].flatMap((entry) =>
    itemsOf(entry).map((item) => `${item} of ${entry.prLink}`),
  );
  const doubled = shown.filter((item, at) => shown.indexOf(item) !== at);
  return [
    ...twice.map((link) => `${link} is twice in review`),
    ...doubled.map((item) => `${item} is shown twice`),
  ];
}

function release(repository: Repository, sha: string): void {
  const tag_name = `v${repository.releases.length + 1}`;
  const at = iso(repository.site.second);
  repository.setRef(`refs/tags/${tag_name}`, sha);
  repository.releases.push({
    id: repository.site.nextId(),
    tag_name,
    target_commitish: "",
    name: null,
    body: null,
    author: "maintainer",
    draft: false,
    prerelease: false,
    created_at: at,
    published_at: at,
  });
}
