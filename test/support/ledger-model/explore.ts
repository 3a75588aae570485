/** Explores every way in which some runs can go beside each other over one ledger. */

import { Commits } from "../memory-git.ts";
import type { ItemLedger } from "./item-program.ts";
import { PROTOCOL, type Protocol } from "./protocol.ts";
import { newRun, type Position, type Run, replay, withAnswer } from "./run.ts";
import {
  ageOf,
  allItems,
  type Call,
  type Fault,
  faultsOf,
  LONG,
  land,
  makeCall,
  revoke,
  type World,
  waitLong,
  withItems,
  worldWith,
} from "./world.ts";

interface Node {
  world: World;
  runs: readonly Run[];
  /** How many more faults may happen. */
  faults: number;
  /** What happened last, for a person to read. */
  path: Path | null;
}

interface Path {
  event: string;
  before: Path | null;
}

export interface Exploration {
  /** How many runs go beside each other. */
  runs: number;
  /** How many kills, faults of calls and long waits happen at most. */
  faults: number;
  /** How many items have landed before. */
  landed: number;
  /** How many land while they go. */
  toLand: number;
  /** How many a person revokes while they go. */
  toRevoke: number;
  /** Whether another run has sent what had landed, and one more landed since. */
  isLater?: boolean;
  /** If they are named, the only faults that happen: no kills, and no long waits. */
  only?: readonly Fault[];
  protocol?: Protocol;
  /** Ends when something is wrong whose text contains this. */
  until?: string;
}

export interface Explored {
  /** Different states that were reached. */
  states: number;
  /** How many ends of ways were checked. */
  ends: number;
  /** What is wrong at the ends, each with the way to it: the first ones. */
  wrong: string[];
}

/** Visits every state that the runs can reach, and checks how each of them ends. */
export async function explore(exploration: Exploration): Promise<Explored> {
  return await new Explorer(exploration).explore();
}

/** After how many wrong ends an exploration is over. */
const MOST = 5;

class Explorer {
  readonly #exploration: Exploration;
  readonly #commits = new Commits();
  readonly #positions = new Map<string, Position>();
  readonly #numbers = new Numbers();

  constructor(exploration: Exploration) {
    this.#exploration = exploration;
  }

  async explore(): Promise<Explored> {
    const { runs, faults, until = null } = this.#exploration;
    const seen = new Set<string>();
    const checked = new Set<number>();
    const explored: Explored = { states: 0, ends: 0, wrong: [] };
    const first = Array.from({ length: runs }, (_, nth) => newRun(`run${nth + 1}`));
    const world = await this.#begin();
    const open: Node[] = [{ world, runs: first, faults, path: null }];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const key = this.#keyOf(node);
      if (seen.has(key)) continue;
      seen.add(key);
      explored.states += 1;
      const alive = node.runs.filter(({ state }) => state === "alive");
      for (const run of nextOf(alive)) open.push(...(await this.#goOn(node, run)));
      if (alive.length > 0 && node.faults > 0 && this.#exploration.only === undefined) {
        open.push(withFault({ ...node, world: waitLong(node.world) }, "11 minutes pass"));
      }
      if (alive.length > 0) continue;
      const end = this.#numbers.of(JSON.stringify(node.world));
      if (checked.has(end)) continue;
      checked.add(end);
      explored.ends += 1;
      const wrong = await this.#checkEnd(node.world);
      if (wrong.length === 0) continue;
      const sentences = wrong.join("; ");
      explored.wrong.push([sentences, ...eventsOf(node.path)].join("\n  "));
      const isOver = until === null ? explored.wrong.length === MOST : sentences.includes(until);
      if (isOver) break;
    }
    return explored;
  }

  async #begin(): Promise<World> {
    const { landed, toLand, toRevoke, isLater = false } = this.#exploration;
    const world = worldWith(landed, toLand, toRevoke);
    if (!isLater) return world;
    const after = await this.#runWhole(world, newRun("earlier"));
    return { ...after, landed: landed + 1 };
  }

  /** Every way in which a run can make its next call. The world changes only where the run can notice it. */
  async #goOn(node: Node, run: Run): Promise<Node[]> {
    const position = await this.#replay(run, node.world);
    const ways = this.#makeCall(node, run, position);
    for (const { event, world } of changesBefore(position, node.world)) {
      const path = { event, before: node.path };
      ways.push(...(await this.#goOn({ ...node, world, path }, run)));
    }
    return ways;
  }

  #makeCall(node: Node, run: Run, position: Position): Node[] {
    const { next, saved } = position;
    if (next === null) return [replaceRun(node, followerOf(run, saved))];
    const after = (fault: Fault | null): Node => {
      const called = makeCall(node.world, this.#commits, next, fault, run.foundOpen);
      const event = `${run.name} ${next.type}${fault === null ? "" : ` (${fault})`}`;
      const made = { ...node, world: called.world, path: { event, before: node.path } };
      const isOld = fault === "sent 11 minutes ago";
      const seen = isOld ? { ...node.world, now: node.world.now - LONG } : node.world;
      const goneOn = withAnswer(run, seen, position, called);
      return replaceRun(made, { ...goneOn, key: String(this.#numbers.of(goneOn.key)) });
    };
    const well = after(null);
    if (node.faults === 0) return [well];
    const { only } = this.#exploration;
    const faults = faultsOf(next, node.world, run.steps.length === 0);
    const happening = faults.filter((fault) => only?.includes(fault) ?? true);
    const faulty = happening.map((fault) => {
      const at = after(fault);
      const isBelieved = next.type === "readRef" && this.#isBelieved(node.world, run, fault);
      const world = isBelieved ? { ...at.world, unclear: allItems(at.world) } : at.world;
      return { ...at, world, faults: node.faults - 1 };
    });
    if (only !== undefined) return [well, ...faulty];
    const sent = next.type === "send" ? [next.item] : [];
    const killed = [
      ...kills(withUnclear(node, sent), run, saved, `before ${next.type}`),
      ...kills(withUnclear(well, sent), run, saved, `after ${next.type}`),
    ];
    return [well, ...faulty, ...killed];
  }

  /** Runs that have come equally far in the same world go on alike. */
  #keyOf({ world, runs, faults }: Node): string {
    const states = runs.map(({ key, state }) => (state === "alive" ? key : state));
    // Only a fault shows what the ref was before.
    const refs = faults === 0 ? world.refs.slice(0, 1) : world.refs;
    const number = this.#numbers.of(JSON.stringify({ ...world, refs }));
    return `${number} ${states.join()} ${faults}`;
  }

  /** Whether a post step cannot tell an old copy: it is as new as all that its main step knew of. */
  #isBelieved({ refs }: World, { saved }: Run, fault: Fault): boolean {
    if (saved === null) return false;
    const text = this.#commits.readFile(refs[ageOf(fault)] ?? null, "ledger.json") ?? "{}";
    const { writes = 0 }: Partial<ItemLedger> = JSON.parse(text);
    return writes >= saved.writes;
  }

  async #replay(run: Run, world: World): Promise<Position> {
    const { protocol = PROTOCOL } = this.#exploration;
    const key = `${world.now} ${world.landed} ${run.key}`;
    const known = this.#positions.get(key);
    if (known !== undefined) return known;
    const position = await replay(run, world, this.#commits, protocol);
    this.#positions.set(key, position);
    return position;
  }

  /** What is wrong once runs that nothing disturbs have brought everything to its end, as sentences. */
  async #checkEnd(end: World): Promise<string[]> {
    let world = end;
    // The first one may wait for an intent to expire, the next one sends, and the last one has nothing to do.
    for (let nth = 1; nth <= LATER_RUNS; nth++) {
      world = { ...world, now: waitLong(world).now };
      if (world.toLand > 0) world = land(world);
      world = await this.#runWhole(world, newRun(`later${nth}`));
    }
    const text = this.#commits.readFile(world.refs[0] ?? null, "ledger.json") ?? "{}";
    const { waiting = [], uncertain = [] }: Partial<ItemLedger> = JSON.parse(text);
    const visible = [...waiting, ...uncertain.map(({ item }) => item)];
    const wrong: string[] = [];
    for (const item of allItems(world)) {
      const times = world.accepted.filter((accepted) => accepted === item).length;
      if (times > 1) wrong.push(`item ${item} is in ${times} accepted requests`);
      const isDue = !world.revoked.includes(item) && !visible.includes(item);
      if (times === 0 && isDue) wrong.push(`item ${item} is lost`);
    }
    for (const item of world.sentRevoked) {
      wrong.push(`item ${item} was sent though it had been revoked before the run asked again`);
    }
    for (const item of world.askedNeedlessly) {
      wrong.push(`a person was asked about item ${item}, which a run knew about`);
    }
    return wrong;
  }

  /** A run and its post step that nothing disturbs. */
  async #runWhole(before: World, whole: Run): Promise<World> {
    let [world, run] = [before, whole];
    while (run.state === "alive") {
      const position = await this.#replay(run, world);
      const { next } = position;
      if (next === null) {
        run = followerOf(run, position.saved);
        continue;
      }
      const made = makeCall(world, this.#commits, next, null, run.foundOpen);
      run = withAnswer(run, world, position, made);
      world = made.world;
    }
    return world;
  }
}

const LATER_RUNS = 4;

/** What can happen before a run's next call, where this call or what the run counts before it shows it. */
function changesBefore({ next, countsLanded }: Position, world: World) {
  const changes: { event: string; world: World }[] = [];
  if (countsLanded && world.toLand > 0)
    changes.push({ event: "an item lands", world: land(world) });
  if (world.toRevoke === 0) return changes;
  for (const item of itemsOf(next)) {
    if (world.revoked.includes(item)) continue;
    changes.push({ event: `item ${item} is revoked`, world: revoke(world, item) });
  }
  return changes;
}

/** The items of a call to which it matters whether they are revoked. */
function itemsOf(call: Call | null): readonly number[] {
  if (call?.type === "send") return [call.item];
  return call?.type === "readRevoked" ? call.items : [];
}

/** The runs that can make a call next. Those that have not begun differ in their names alone: one stands for all. */
function nextOf(alive: readonly Run[]): Run[] {
  const hasBegun = ({ steps, saved }: Run) => steps.length > 0 || saved !== null;
  return [...alive.filter(hasBegun), ...alive.filter((run) => !hasBegun(run)).slice(0, 1)];
}

/** Numbers for values that are compared often: the same number for the same text. */
class Numbers {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

function eventsOf(path: Path | null): string[] {
  return path === null ? [] : [...eventsOf(path.before), path.event];
}

/** After a main step that has saved something, its post step. */
function followerOf(run: Run, saved: Position["saved"]): Run {
  if (run.saved !== null || saved === null) return { ...run, state: "ended" };
  return newRun(run.name, saved);
}

/** The run dies: with its runner, or so that its post step follows. */
function kills(node: Node, run: Run, saved: Position["saved"], when: string): Node[] {
  const event = `${run.name} killed ${when}`;
  const withRunner = withFault(
    withUnclear(node, allItems(node.world)),
    `${event}, with its runner`,
  );
  const lost = replaceRun(withRunner, { ...run, state: "killed" });
  if (run.saved !== null) return [lost];
  return [lost, replaceRun(withFault(node, event), followerOf(run, saved))];
}

function withFault(node: Node, event: string): Node {
  return { ...node, faults: node.faults - 1, path: { event, before: node.path } };
}

function withUnclear(node: Node, items: readonly number[]): Node {
  const unclear = withItems(node.world.unclear, items);
  return { ...node, world: { ...node.world, unclear } };
}

function replaceRun(node: Node, run: Run): Node {
  return { ...node, runs: node.runs.map((other) => (other.name === run.name ? run : other)) };
}
