/** Explores every way in which some runs can go beside each other over one ledger. */

import { hash } from "node:crypto";
import { batchFormat, type Ledger } from "../../../src/ledger/model/ledger.ts";
import type { LedgerEdit } from "../../../src/ledger/model/ledger-edit.ts";
import { type Handed, type RunSettings, storeOptions } from "../../../src/ledger/protocol/port.ts";
import { runLedger } from "../../../src/ledger/protocol/run-ledger.ts";
import { recordAll } from "../../../src/ledger/protocol/send-batches.ts";
import { LedgerStore } from "../../../src/ledger/protocol/store.ts";
import { Unavailable } from "../../../src/ledger/protocol/unavailable.ts";
import { ActionError } from "../../../src/runtime/errors.ts";
import { changeAt, takeFound } from "./source.ts";
import { type Calls, call, type Fault, faultsOf, isShared, type World } from "./world.ts";

const MINUTE = 60_000;
const IDENTITY = { action: "upkeep", project: "p" };

/** A run as far as it has come: it is what its answers have made of it. */
interface Run {
  name: string;
  /** What its commits and batches call it. */
  calledIn: string;
  kind: "main" | "post";
  /** Of a post step: what its main step has left. */
  memory: readonly Handed[] | null;
  answers: readonly unknown[];
  state: "alive" | "ended" | "killed";
}

interface Node {
  world: World;
  runs: readonly Run[];
  /** How many more faults and kills may happen. */
  faults: number;
  /** What happened, for a person to read. */
  path: readonly string[];
}

export interface Exploration {
  /** How many runs go beside each other. */
  runs: number;
  /** How many kills and faults happen at most. */
  faults: number;
  world: World;
  /** What a run calls itself in its commits; by default, each another name. */
  nameOf?: (run: string) => string;
}

export interface Explored {
  /** Different states that were reached. */
  states: number;
  /** How many ways came to an end and were checked. */
  ends: number;
  wrong: string[];
}

const same = (name: string) => name;

const NEW: Omit<Run, "name" | "calledIn"> = {
  kind: "main",
  memory: null,
  answers: [],
  state: "alive",
};

/** Visits every state that the runs can reach, and checks how each of them ends. */
export async function explore({
  runs,
  faults,
  world,
  nameOf = same,
}: Exploration): Promise<Explored> {
  const seen = new Set<string>();
  const checked = new Set<string>();
  const result: Explored = { states: 0, ends: 0, wrong: [] };
  const names = Array.from({ length: runs }, (_, nth) => `run${nth + 1}`);
  const first = names.map((name): Run => ({ ...NEW, name, calledIn: nameOf(name) }));
  const open: Node[] = [{ world, runs: first, faults, path: [] }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const key = keyOf(node);
    if (seen.has(key)) continue;
    seen.add(key);
    result.states += 1;
    const alive = node.runs.filter(({ state }) => state === "alive");
    for (const run of alive) open.push(...(await goOn(node, run)));
    if (alive.length > 0) continue;
    const end = hash("sha1", textOf(node.world), "base64");
    if (checked.has(end)) continue;
    checked.add(end);
    result.ends += 1;
    const wrong = await checkEnd(node.world);
    if (wrong.length > 0 && result.wrong.length < 5) {
      result.wrong.push(`${wrong.join("; ")}\n  ${node.path.join("\n  ")}`);
    }
  }
  return result;
}

/** Runs that have come equally far in the same world go on alike. */
function keyOf({ world, runs, faults }: Node): string {
  return hash("sha1", `${textOf(world)}${JSON.stringify([runs, faults])}`, "base64");
}

/** A commit is named by its content. */
function textOf({ commits, ...world }: World): string {
  return JSON.stringify([Object.keys(commits).sort(), world]);
}

/** Every way in which a run can make its next step that others may notice. */
async function goOn(node: Node, run: Run): Promise<Node[]> {
  const { world, answers, next } = await runAlone(node.world, run);
  if (next === null) return [replaceRun({ ...node, world }, { ...run, answers, state: "ended" })];
  const { name, args } = next;
  const after = (fault: Fault | null): Node => {
    const done = call(world, run.name, name, args, fault);
    const path = [...node.path, `${run.name} ${name}${fault === null ? "" : ` (${fault})`}`];
    const faults = node.faults - (fault === null ? 0 : 1);
    return replaceRun(
      { ...node, world: done.world, faults, path },
      { ...run, answers: [...answers, done.answer] },
    );
  };
  const ways = [after(null)];
  if (node.faults <= 0) return ways;
  ways.push(...faultsOf(name).map(after));
  const killed = (at: Node, when: string): Node[] => {
    const path = [...at.path, `${run.name} killed ${when} ${name}`];
    const faults = node.faults - 1;
    const dead = replaceRun({ ...at, faults, path }, { ...run, answers, state: "killed" });
    const memory = JSON.parse(at.world.memories[run.name] ?? "null") as Handed[] | null;
    if (memory === null) return [dead];
    const post: Run = { ...run, kind: "post", memory, answers: [], state: "alive" };
    return [dead, replaceRun({ ...at, faults, path: [...path, "its post step"] }, post)];
  };
  if (run.kind === "main")
    ways.push(...killed({ ...node, world }, "before"), ...killed(after(null), "after"));
  return ways;
}

function replaceRun(node: Node, run: Run): Node {
  return { ...node, runs: node.runs.map((it) => (it.name === run.name ? run : it)) };
}

interface Call {
  name: keyof Calls;
  args: readonly unknown[];
}

/** Makes the calls that no other run can notice. @returns the next one that others may, or null at the end */
async function runAlone(
  world: World,
  run: Run,
): Promise<{ world: World; answers: readonly unknown[]; next: Call | null }> {
  const answers: unknown[] = [];
  let at = world;
  const stopped = Promise.withResolvers<Call>();
  const perform = (name: keyof Calls, args: readonly unknown[]): unknown => {
    const isOver = answers.length >= run.answers.length;
    if (isOver && isShared(name, world)) {
      stopped.resolve({ name, args });
      return new Promise(() => {});
    }
    // What it found out went into the edit that it was given.
    if (!isOver && name === "choose") takeFound(args[0] as LedgerEdit, world.landed);
    const done = isOver ? call(at, run.name, name, args, null) : null;
    if (done !== null) at = done.world;
    const answer = done === null ? run.answers[answers.length] : done.answer;
    answers.push(answer);
    return answer;
  };
  const ended = start(run, perform, world).then(() => null);
  const next = await Promise.race([ended, stopped.promise]);
  return { world: at, answers, next };
}

type Perform = (name: keyof Calls, args: readonly unknown[]) => unknown;

/** Starts a run that makes its calls in this way. @returns what it ends with */
async function start(
  { calledIn, memory }: Run,
  perform: Perform,
  { hasIssues, now }: World,
): Promise<unknown> {
  const calls = new Proxy({} as Calls, {
    get:
      (_, name: keyof Calls) =>
      (...args: unknown[]) => {
        const answer = perform(name, args);
        if (answer instanceof Unavailable) throw answer;
        return answer;
      },
  });
  const settings = { dashboard: hasIssues ? null : 1, isDryRun: false, editedIssue: null };
  const runName = memory === null ? calledIn : `${calledIn}-post`;
  const { port, action } = portOf(calls, settings, runName, now);
  try {
    if (memory === null) return await runLedger(port, action);
    return await port.store.record((edit) => recordAll(edit, memory));
  } catch (error) {
    if (error instanceof ActionError) return error.message;
    throw error;
  }
}

function portOf(calls: Calls, settings: RunSettings, runName: string, now: number) {
  const rules = { maxAttempts: 3, deadline: 24 * 60 * MINUTE, comments: false };
  const ref = "refs/docs-agent/upkeep/p";
  const { choose, send, wait, commentOn, poll, readPullRequest, remember } = calls;
  const port = {
    settings,
    store: new LedgerStore(calls, storeOptions({ identity: IDENTITY, runName, ref, rules })),
    issue: {
      read: calls.readDashboard,
      find: calls.findDashboard,
      open: calls.openDashboard,
      write: calls.writeDashboard,
    },
    dependencies: { clock: { now: () => now, timeOfDay: () => now } },
    poll,
    readPullRequest,
    remember,
  };
  const render = (edit: LedgerEdit) => `${edit.ledger.writes}`;
  return { port, action: { choose, send, wait, commentOn, render } };
}

/** Most runs until nothing is left to do. */
const MOST_RUNS = 8;

/** What is wrong once everything has come to its end undisturbed, as sentences. */
async function checkEnd(end: World): Promise<string[]> {
  let world = end;
  let last = "";
  for (let nth = 1; nth <= MOST_RUNS; nth++) {
    world = { ...world, now: world.now + 11 * MINUTE };
    const before = world.accepted.length;
    const ran = await runWhole(world, `later${nth}`);
    world = ran.world;
    last = JSON.stringify(ran.result);
    if (world.accepted.length === before && nth > 2) break;
  }
  const ledger = ledgerOf(world);
  const visible = [...ledger.waiting, ...ledger.batches].flatMap(({ changes }) => changes);
  const sent = world.accepted.flatMap(({ keys }) => keys);
  const wrong: string[] = [];
  for (let nth = 1; nth <= world.landed; nth++) {
    const { key } = changeAt(nth);
    const times = sent.filter((it) => it === key).length;
    if (times > 1) wrong.push(`${key} is in ${times} accepted requests`);
    if (times === 0 && !visible.some((it) => it.key === key))
      wrong.push(`${key} is lost (${last})`);
  }
  const open = world.issues.filter(({ isDeleted }) => !isDeleted);
  if (world.hasIssues && open.length !== 1) wrong.push(`${open.length} dashboards`);
  return wrong;
}

function ledgerOf({ ref, commits }: World): Ledger {
  const text = commits[ref ?? ""]?.files["ledger.json"];
  return text === undefined ? batchFormat(IDENTITY).begin : JSON.parse(text);
}

/** One run that nothing disturbs. */
async function runWhole(world: World, name: string): Promise<{ world: World; result: unknown }> {
  let at = world;
  const perform: Perform = (call_, args) => {
    const done = call(at, name, call_, args, null);
    at = done.world;
    return done.answer;
  };
  const result = await start({ ...NEW, name, calledIn: name }, perform, world);
  return { world: at, result };
}
