import { describe, expect, test } from "vitest";
import {
  type Plan,
  type PlannedOutcome,
  REPOSITORY,
} from "../../../emulator/local-world/memory-servers.ts";
import { jobMarkers } from "../../../src/github/conversation/job-marker.ts";
import {
  type DisturbedRun,
  REQUEST,
  runCollect,
  runRequest,
} from "../../support/memory-world/disturbed.ts";
import { type Fault, FaultyServers } from "../../support/memory-world/faulty-servers.ts";
import { chance, Turns } from "../../support/memory-world/runs.ts";
import { isExhaustive, sampleOf, seedOf } from "../../support/sample.ts";

const MINUTE = 60_000;
/** Thousands of histories take their time. */
const LONG = { timeout: 30 * MINUTE };
/** How many histories run; in a sample, as many as take about a second. */
const COUNT = Number(process.env.HISTORIES ?? (isExhaustive ? 500 : 10));
const OUTCOMES: readonly PlannedOutcome[] = [
  "completed",
  "no-changes",
  "failed",
  "unknown",
  "archived",
];

interface World {
  servers: FaultyServers;
  ask(issue: number, more?: Partial<DisturbedRun>): Promise<void>;
  sweep(more?: Partial<DisturbedRun>): ReturnType<typeof runCollect>;
}

/** Two issues, and an agent whose turns end as planned. */
function worldOf(seed: number, plan: () => Plan): World {
  const servers = new FaultyServers(plan);
  for (const title of ["One", "Two"]) servers.repository.openIssue({ title });
  const random = chance(seed);
  return {
    servers,
    ask: async (issue, more = {}) => {
      const { id } = servers.repository.comment({ number: issue }, REQUEST, "writer");
      const inputs = { wait: "false" };
      await runRequest(servers, {
        issue,
        id,
        random,
        ...more,
        inputs: { ...inputs, ...more.inputs },
      });
    },
    sweep: (more = {}) => runCollect(servers, { random, ...more }),
  };
}

/** What a person sees in the end: texts and reactions. Ids, which differ, are left out. */
function shown({ servers: { repository } }: World) {
  return {
    comments: [...repository.comments.values()]
      .map(({ issue, body }) => `${issue}: ${body.replace(/<!--.*-->/s, "").trim()}`)
      .sort(),
    reactions: repository.reactions.map(({ subject, content }) => `${subject} ${content}`).sort(),
  };
}

/** What is wrong with all that there is, once everything has come to its end. @param most invitations to one place */
function wrongWith({ servers: { agent, repository } }: World, most = 1): string[] {
  const markers = jobMarkers(["mint_test"], "docs");
  const wrong: string[] = [];
  const last = new Map<string, string>();
  const comments = [...repository.comments.values()];
  for (const { id, issue, body } of comments) {
    const marker = markers.read(body, { repository: REPOSITORY, issue }, id);
    if (marker === null) continue;
    if (marker.request === "accepted" && !marker.ended) wrong.push(`#${id} was not finished`);
    if (marker.request === "accepted" && marker.later) last.set(marker.job, body);
  }
  for (const job of agent.jobs) {
    const body = last.get(job.id);
    if (body === undefined) continue;
    const [outcome] = job.turns
      .slice(-1)
      .map(({ steering }) => (steering.isForgotten ? "unknown" : steering.outcome));
    const words = {
      completed: "completed with a pull request",
      failed: "the job failed",
      archived: "the job was archived",
      unknown: "could not be polled to its end",
      "no-changes": job.prLink === null ? "completed without" : "completed with a pull request",
    };
    if (outcome !== undefined && !body.includes(words[outcome])) {
      wrong.push(`the comment of ${job.id} does not tell that it came to: ${outcome}`);
    }
  }
  for (const { number } of repository.pulls) {
    const invited = comments.filter(({ issue }) => issue === number).length;
    if (invited > most) wrong.push(`${invited} invitations on #${number}`);
  }
  return wrong;
}

/** Notes each text that is written over one that told an end. */
function watchEnds(world: World, wrong: string[]): NonNullable<DisturbedRun["onRequest"]> {
  const markers = jobMarkers(["mint_test"], "docs");
  return ({ method, url, body }) => {
    const [, id] = /\/issues\/comments\/(\d+)$/.exec(url.pathname) ?? [];
    if (method !== "PATCH" || id === undefined) return;
    const comment = world.servers.repository.comments.get(Number(id));
    if (comment === undefined) return;
    const place = { repository: REPOSITORY, issue: comment.issue };
    const isEnded = markers.read(comment.body, place, comment.id)?.ended;
    const text = String((JSON.parse(String(body)) as { body: string }).body);
    if (isEnded && text !== comment.body)
      wrong.push(`#${id} had told an end, and was written over`);
  };
}

const always = (outcome: PlannedOutcome) => () => ({ outcome, takes: 2 * MINUTE });

describe.each(sampleOf(OUTCOMES, 1, "outcomes"))(
  "of a job that comes to %s, a sweep that is killed",
  LONG,
  (outcome) => {
    const asked = async () => {
      const world = worldOf(7, always(outcome));
      await world.ask(1);
      world.servers.now += 20 * MINUTE;
      return world;
    };

    test("at any request is made good by the next one", async () => {
      const whole = await asked();
      const { requests } = await whole.sweep();
      expect(wrongWith(whole)).toEqual([]);
      expect(requests.length).toBeGreaterThan(2);
      for (let at = 0; at < requests.length; at++) {
        for (const when of ["before", "after"] as const) {
          const world = await asked();
          expect((await world.sweep({ kill: { at, when } })).isKilled).toBe(true);
          world.servers.now += 10 * MINUTE;
          await world.sweep();
          expect(shown(world), `killed ${when} ${requests[at]}`).toEqual(shown(whole));
        }
      }
    });

    test("or met a fault there, too", async () => {
      const whole = await asked();
      const { requests } = await whole.sweep();
      const faults: Fault[] = [
        { kind: "lost" },
        { kind: "lost after" },
        { kind: "error after", status: 502 },
        { kind: "no connection" },
        { kind: "refused", status: 429 },
      ];
      for (let at = 0; at < requests.length; at++) {
        for (const fault of faults) {
          const world = await asked();
          await world.sweep({ faults: new Map([[at, fault]]) });
          world.servers.now += 10 * MINUTE;
          await world.sweep();
          expect(shown(world), `${fault.kind} at ${requests[at]}`).toEqual(shown(whole));
        }
      }
    });
  },
);

test("two sweeps at once write what one does", LONG, async () => {
  for (let nth = 1; nth <= (isExhaustive ? 150 : 3); nth++) {
    const seed = seedOf(`two sweeps ${nth}`);
    const worlds = [];
    for (const count of [1, 2]) {
      const world = worldOf(seed, always("completed"));
      await world.ask(1);
      await world.ask(2);
      world.servers.now += 20 * MINUTE;
      const order = chance(seed);
      const turns = new Turns(count, () => Math.floor(order() * 1000));
      await Promise.all(Array.from({ length: count }, () => world.sweep({ turns })));
      // Two sweeps may both invite to the same pull request.
      expect(wrongWith(world, count), `history ${nth}`).toEqual([]);
      const { comments, reactions } = shown(world);
      worlds.push({ comments: [...new Set(comments)], reactions });
    }
    expect(worlds[1], `history ${nth}`).toEqual(worlds[0]);
  }
});

test(
  "whatever is asked and disturbed, calm sweeps bring every comment to its end, once",
  LONG,
  async () => {
    for (let nth = 1; nth <= COUNT; nth++) {
      const seed = seedOf(`calm sweeps ${nth}`);
      const draw = chance(seed);
      const pick = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)] as T;
      const world = worldOf(seed, () => ({
        outcome: pick(OUTCOMES),
        takes: pick([0.2, 2, 15, 40]) * MINUTE,
      }));
      const wrong: string[] = [];
      const onRequest = watchEnds(world, wrong);
      for (let step = 0; step < 12; step++) {
        world.servers.now += pick([0.1, 1, 5, 12]) * MINUTE;
        const at = Math.floor(draw() * 8);
        const kill = { kill: { at, when: pick(["before", "after"] as const) } };
        const fault = { faults: new Map([[at, pick(FAULTS)]]) };
        const disturbance = pick([{}, {}, kill, fault]);
        if (draw() < 0.4) await world.ask(pick([1, 2]));
        else await world.sweep({ ...disturbance, onRequest });
        world.servers.catchUp();
      }
      for (const wait of [60, 20, 20]) {
        world.servers.now += wait * MINUTE;
        await world.sweep({ onRequest });
      }
      expect([...wrong, ...wrongWith(world)], `history ${nth}`).toEqual([]);
      const before = shown(world);
      expect((await world.sweep()).requests, `history ${nth}`).toHaveLength(1);
      expect(shown(world)).toEqual(before);
    }
  },
);

const FAULTS: readonly Fault[] = [
  { kind: "lost" },
  { kind: "lost after" },
  { kind: "error", status: 500 },
  { kind: "error after", status: 502 },
  { kind: "refused", status: 429 },
  { kind: "behind", by: 30_000 },
  { kind: "no connection" },
];
