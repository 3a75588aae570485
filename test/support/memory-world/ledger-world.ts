import { ancestors, mergeBase } from "../../../emulator/github/git/graph.ts";
import { WORKFLOW } from "../../../emulator/github/people.ts";
import { type Issue, isPull } from "../../../emulator/github/state.ts";
import { readMark } from "../../../src/batches/dashboard/render.ts";
import { type PastBatch, parseHistory } from "../../../src/batches/model/excerpts.ts";
import { batchFormat } from "../../../src/batches/model/format.ts";
import type { Change, Ledger } from "../../../src/batches/model/ledger.ts";
import { ledgerAt, ledgersOf, mistakeIn } from "../ledgers-of.ts";
import { type ServerEvent, World } from "./world.ts";

/** What happens to servers, dashboard and ref. */
export type WorldEvent =
  | ServerEvent
  | { kind: "tick"; what: Box; box: number }
  | { kind: "dashboard"; is: (typeof DASHBOARD)[number] }
  | { kind: "ref"; is: "deleted" | "deleted and forgotten" | "set back"; by: number }
  | { kind: "stranger"; does: (typeof STRANGER)[number] };

/** What a box on the dashboard is for. */
type Box = "again" | "leave" | "go-on";

export const DASHBOARD = [
  ...(["closed", "closed", "reopened", "deleted", "transferred"] as const),
  ...(["emptied", "edited", "unlabelled", "locked"] as const),
] as const;
export const STRANGER = ["comments", "copies the dashboard", "uses the label"] as const;

const FORMAT = batchFormat({ action: "upkeep", project: "p" });

/** A ledger as it is, and all that ever came to an end by it. */
export interface Books {
  ledger: Ledger;
  lines: PastBatch[];
}

/**
 * What a person did to the ref: where it is now, and the mark by which runs notice it. No `guard`:
 * runs cannot notice it.
 */
interface Dropped {
  to: string | null;
  guard: string | null;
}

/** A world with a ledger and its dashboard, and what people do to both. */
export class LedgerWorld extends World {
  /** How many runs are at work. */
  atWork = 0;
  /** How often a person touched the ref. */
  losses = 0;
  /** Items of the batches of a ledger that a person lost, and those that may be sent once more for that. */
  readonly lost: string[] = [];
  readonly anew: string[] = [];
  /** Items of what a person decided to hand over again, by batch. */
  readonly again = new Map<string, string[]>();
  #dropped: Dropped | null = null;
  #head: string | null = null;

  /** Whether a person touched the ref, and no run has written since. */
  get isDropped(): boolean {
    return this.#dropped !== null;
  }

  /** @param sha default: where the ref is */
  books(sha = ledgersOf(this.home)[0]?.sha): Books | null {
    if (sha === undefined || sha === "") return null;
    const { ledger, files } = ledgerAt(this.home, "", sha);
    const paths = Object.keys(files).filter((path) => path.startsWith("history/"));
    return { ledger, lines: paths.flatMap((path) => parseHistory(files[path] ?? "")) };
  }

  /** Checks that runs wrote only what is theirs, and restored a ledger that a person lost where they could know that. */
  check(): void {
    for (const what of this.servers.trespasses)
      this.wrong.push(`wrote what is not its own: ${what}`);
    for (const { files } of ledgersOf(this.home)) {
      const mistake = mistakeIn(files["ledger.json"] ?? "", FORMAT);
      if (mistake !== null) this.wrong.push(mistake);
    }
    this.#noteHead();
  }

  #noteHead(): void {
    const sha = ledgersOf(this.home)[0]?.sha ?? null;
    const dropped = this.#dropped;
    if (sha === null || sha === dropped?.to) return;
    const line = ancestors(this.home.find, sha);
    if (this.#head !== null && !line.has(this.#head)) {
      if (dropped === null) this.wrong.push("the ledger was set back by a run");
      const guard = dropped?.guard ?? null;
      if (guard !== null && !line.has(guard)) this.wrong.push(`the ledger at ${guard} is lost`);
      const kept = heldIn(this.books(mergeBase(this.home.find, this.#head, sha)?.sha ?? ""));
      const known = new Set(kept.map(({ id }) => id));
      const lost = heldIn(this.books(this.#head)).filter(({ id }) => !known.has(id));
      this.lost.push(...lost.flatMap(({ items }) => items));
      // What failed may be sent again anyway.
      this.anew.push(...lost.flatMap(({ items, isOver }) => (isOver ? [] : items)));
    }
    this.#head = sha;
    this.#dropped = null;
  }

  /** The issue that runs take for the dashboard. */
  dashboard(ledger = this.books()?.ledger): Issue | undefined {
    const { issues } = this.home;
    const ref = ledgersOf(this.home)[0]?.ref;
    const isThere = (it: Issue) => it.movedTo === undefined && !isPull(it);
    const isMarked = ({ body }: Issue) =>
      readMark(body ?? "")?.ref === (ref ?? readMark(body ?? "")?.ref) &&
      readMark(body ?? "") !== null;
    const known = issues.get(numberIn(ledger) ?? 0);
    const hasBoth = (it: Issue) => it.labels.length > 0 || isMarked(it);
    if (known !== undefined) return isThere(known) && hasBoth(known) ? known : undefined;
    const found = [...issues.values()].filter(
      (it) => isThere(it) && it.labels.length > 0 && it.author === WORKFLOW && isMarked(it),
    );
    return found.findLast(({ state }) => state === "open") ?? found.at(-1);
  }

  /** The dashboard knows of writes that the ledger lost by what a person did. */
  isSetBack(): boolean {
    const mark = readMark(this.dashboard()?.body ?? "");
    const sha = ledgersOf(this.home)[0]?.sha ?? "";
    return this.#dropped !== null || !ancestors(this.home.find, sha).has(mark?.sha ?? sha);
  }

  override apply(event: { kind: string }): boolean {
    const it = event as WorldEvent;
    switch (it.kind) {
      case "tick":
        this.tick(it.what, it.box);
        return true;
      case "dashboard":
        this.#touchDashboard(it.is);
        return true;
      case "ref":
        this.#dropRef(it);
        return true;
      case "stranger":
        this.#meetStranger(it.does);
        return true;
      case "trouble":
        this.loseGuard();
        return super.apply(event);
      default:
        return super.apply(event);
    }
  }

  /** Runs may no longer notice what a person did to the ref. */
  loseGuard(): void {
    if (this.#dropped !== null) this.#dropped.guard = null;
  }

  tick(what: Box, box: number): void {
    const dashboard = this.dashboard();
    const books = this.books();
    if (dashboard === undefined || books === null) return;
    let nth = -1;
    const body = (dashboard.body ?? "").replaceAll(
      /- \[ \] <!-- ([\w-]+):(\S+) -->/g,
      (all, is, id) => {
        nth += is === what ? 1 : 0;
        if (is !== what || nth !== box) return all;
        const name = Buffer.from(id, "base64url").toString("utf8");
        for (const batch of books.ledger.batches) {
          const isMeant = name.startsWith("all ") || name.split(" ")[0] === batch.id;
          if (isMeant && what === "again") this.again.set(batch.id, itemsOf(batch));
        }
        // A docs pull request that a person closed.
        const ended = books.ledger.done.find(({ prLink }) => `docs:${prLink}` === name);
        if (ended !== undefined && what === "again") this.again.set(name, itemsOf(ended));
        return all.replace("[ ]", "[x]");
      },
    );
    this.home.change(dashboard, { body });
  }

  #touchDashboard(is: Extract<WorldEvent, { kind: "dashboard" }>["is"]): void {
    const { home } = this;
    const dashboard = this.dashboard();
    if (dashboard === undefined) return;
    this.loseGuard();
    const { number } = dashboard;
    if (is === "closed") home.setState(dashboard, "closed", "writer");
    if (is === "reopened") home.setState(dashboard, "open", "writer");
    if (is === "deleted") home.moveIssue(number);
    if (is === "transferred") home.moveIssue(number, this.servers.github.create("acme/elsewhere"));
    if (is === "emptied") home.change(dashboard, { body: "" });
    if (is === "edited") home.change(dashboard, { body: `A note.\n\n${dashboard.body}` });
    if (is === "unlabelled") home.change(dashboard, { labels: [] });
    if (is === "locked") home.change(dashboard, { isLocked: true });
  }

  #dropRef({ is, by }: Extract<WorldEvent, { kind: "ref" }>): void {
    this.losses += 1;
    const [found] = ledgersOf(this.home);
    if (found === undefined) return;
    this.#noteHead();
    let to: string | null = null;
    if (is === "set back") {
      to = found.sha;
      for (let left = by; left > 0; left--) {
        const before: string = this.home.find(to)?.parents[0] ?? to;
        // Nobody can set it to what GitHub no longer has.
        to = this.home.gone.has(before) ? to : before;
      }
      if (to === found.sha) return;
    } else if (is === "deleted and forgotten") this.home.gone.add(found.sha);
    this.home.setRef(found.ref, to);
    const mark = readMark(this.dashboard()?.body ?? "");
    const isKept = mark !== null && !this.home.gone.has(mark.sha) && this.troubles.size === 0;
    // What a run at work writes on top of what it read before is a fast-forward of an earlier commit, too; and it
    // may show a commit that GitHub forgets at this moment.
    const most = is === "deleted" ? Number.POSITIVE_INFINITY : 0;
    // No dashboard shows a ledger that knows of none.
    const isShown = to === null || numberIn(this.books(to)?.ledger) !== null;
    const isGuarded = isKept && isShown && this.atWork <= most;
    this.#dropped = { to, guard: isGuarded ? mark.sha : null };
  }

  #meetStranger(does: Extract<WorldEvent, { kind: "stranger" }>["does"]): void {
    const dashboard = this.dashboard();
    const body = dashboard?.body ?? "";
    if (does === "comments" && dashboard !== undefined) {
      this.home.comment(dashboard, body, "outsider");
    }
    if (does === "copies the dashboard") {
      this.home.openIssue({ title: "Docs upkeep", body, author: "outsider" });
    }
    if (does === "uses the label") {
      const labels = ["docs-upkeep", "docs-queue"];
      this.home.openIssue({ title: "Docs upkeep", body: "Mine", author: "triager", labels });
    }
  }

  /** What people do in the end: reopen the dashboard, and do what a message says. @param message of a run that failed */
  restore(message: string): void {
    const dashboard = this.dashboard();
    if (dashboard?.state === "closed") this.home.setState(dashboard, "open", "writer");
    const [, sha, ref] =
      /git push --force-with-lease=\S+ origin ([0-9a-f]{40}):(\S+)/.exec(message) ?? [];
    if (sha === undefined || ref === undefined) return;
    this.#dropped ??= { to: null, guard: null };
    if (!this.home.gone.has(sha)) this.home.setRef(ref, sha);
    else if (dashboard !== undefined) this.home.moveIssue(dashboard.number);
  }
}

/** The number of the dashboard that a ledger knows; null if it knows of none. */
function numberIn(ledger: Ledger | undefined): number | null {
  return ledger?.dashboard.type === "open" ? ledger.dashboard.number : null;
}

/** A task for several files is named by their paths, one a line. */
export function itemsOf({ changes }: { changes: readonly Pick<Change, "key">[] }): string[] {
  return changes.flatMap(({ key }) => key.split("\n"));
}

/** Batches that were handed over, or are about to be. `isOver`: their items are given back. */
export function heldIn(books: Books | null): { id: string; items: string[]; isOver: boolean }[] {
  const open = (books?.ledger.batches ?? []).map((it) => ({
    id: it.id,
    items: itemsOf(it),
    isOver: false,
  }));
  const ended = (books?.lines ?? []).map((it) => ({
    id: it.batch,
    items: itemsOf(it),
    isOver: it.state === "failed" || it.state === "again",
  }));
  return [...open, ...ended];
}
