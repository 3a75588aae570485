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
const HOUR = 60 * MINUTE;
/** Thousands of histories take long. */
const LONG = { timeout: 30 * MINUTE };
/** Number of histories. A sample takes about a second. */
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
  request(issue: number, more?: Partial<DisturbedRun>): Promise<void>;
  sweep(more?: Partial<DisturbedRun>): ReturnType<typeof runCollect>;
}

/** A world with two issues, and an agent whose turns end as planned. */
function worldOf(seed: number, plan: () => Plan): World {
  const servers = new FaultyServers(plan);
  for (const title of ["One", "Two"]) servers.repository.openIssue({ title });
  const random = chance(seed);
  return {
    servers,
    request: async (issue, more = {}) => {
      const { id } = servers.repository.comment({ number: issue }, REQUEST, "writer");
      const inputs = { wait: "false", ...more.inputs };
      await runRequest(servers, { issue, id, random, ...more, inputs });
    },
    sweep: (more = {}) => runCollect(servers, { random, ...more }),
  };
}

/** What a person sees in the end: texts and reactions, without IDs. */
function visibleState({ servers: { repository } }: World) {
  return {
    comments: [...repository.comments.values()]
      .map(({ issue, body }) => `${issue}: ${body.replace(/<!--.*-->/s, "").trim()}`)
      .sort(),
    reactions: repository.reactions.map(({ subject, content }) => `${subject} ${content}`).sort(),
  };
}

/** The problems of the final state. @param maxInvitations maximum number of invitations on a pull request */
function problemsOf({ servers: { agent, repository } }: World, maxInvitations = 1): string[] {
  const markers = jobMarkers(["mint_test"], "docs");
  const problems: string[] = [];
  const last = new Map<string, string>();
  const comments = [...repository.comments.values()];
  for (const { id, issue, body } of comments) {
    const marker = markers.read(body, { repository: REPOSITORY, issue }, id);
    if (marker === null) continue;
    if (marker.request === "accepted" && !marker.ended) problems.push(`#${id} was not finished`);
    if (marker.request === "accepted" && marker.later && marker.job) last.set(marker.job, body);
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
      problems.push(`the comment of ${job.id} does not have the outcome ${outcome}`);
    }
  }
  for (const { number } of repository.pulls) {
    const invitations = comments.filter(({ issue }) => issue === number).length;
    if (invitations > maxInvitations) {
      problems.push(`${invitations} invitations on #${number}`);
    }
  }
  return problems;
}

/** Adds a problem for each comment that is overwritten although it had an outcome. */
function watchOutcomes(world: World, problems: string[]): NonNullable<DisturbedRun["onRequest"]> {
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
      problems.push(`#${id} had an outcome, and was overwritten`);
  };
}

const always = (outcome: PlannedOutcome) => () => ({ outcome, takes: 2 * MINUTE });

describe.each(sampleOf(OUTCOMES, 1, "outcomes"))(
  "after a sweep of a job with the outcome %s",
  LONG,
  (outcome) => {
    const setUpRequest = async () => {
      const world = worldOf(7, always(outcome));
      await world.request(1);
      world.servers.now += 20 * MINUTE;
      if (outcome === "completed" || outcome === "failed") return world;
      // One poll alone does not prove these; and the only job is unknown after a day.
      await world.sweep();
      world.servers.now += 25 * HOUR;
      return world;
    };

    test("is killed at any request, the next sweep writes the same as one that is not killed", async () => {
      const whole = await setUpRequest();
      const { requests } = await whole.sweep();
      expect(problemsOf(whole)).toEqual([]);
      expect(requests.length).toBeGreaterThan(2);
      for (let at = 0; at < requests.length; at++) {
        for (const when of ["before", "after"] as const) {
          const world = await setUpRequest();
          expect((await world.sweep({ kill: { at, when } })).isKilled).toBe(true);
          world.servers.now += 10 * MINUTE;
          await world.sweep();
          expect(visibleState(world), `killed ${when} ${requests[at]}`).toEqual(
            visibleState(whole),
          );
        }
      }
    });

    test("meets a fault at any request, the next sweep writes the same as one without a fault", async () => {
      const whole = await setUpRequest();
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
          const world = await setUpRequest();
          await world.sweep({ faults: new Map([[at, fault]]) });
          world.servers.now += 10 * MINUTE;
          await world.sweep();
          expect(visibleState(world), `${fault.kind} at ${requests[at]}`).toEqual(
            visibleState(whole),
          );
        }
      }
    });
  },
);

test("two sweeps at once write the same as one", LONG, async () => {
  for (let nth = 1; nth <= (isExhaustive ? 150 : 3); nth++) {
    const seed = seedOf(`two sweeps ${nth}`);
    const worlds = [];
    for (const count of [1, 2]) {
      const world = worldOf(seed, always("completed"));
      await world.request(1);
      await world.request(2);
      world.servers.now += 20 * MINUTE;
      const order = chance(seed);
      const turns = new Turns(count, () => Math.floor(order() * 1000));
      await Promise.all(Array.from({ length: count }, () => world.sweep({ turns })));
      // Two sweeps may both post an invitation on the same pull request.
      expect(problemsOf(world, count), `history ${nth}`).toEqual([]);
      const { comments, reactions } = visibleState(world);
      worlds.push({ comments: [...new Set(comments)], reactions });
    }
    expect(worlds[1], `history ${nth}`).toEqual(worlds[0]);
  }
});

test(
  "after any history of requests, sweeps, kills and faults, three undisturbed sweeps within a day finish every comment once",
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
      const problems: string[] = [];
      const onRequest = watchOutcomes(world, problems);
      for (let step = 0; step < 12; step++) {
        world.servers.now += pick([0.1, 1, 5, 12]) * MINUTE;
        const at = Math.floor(draw() * 8);
        const kill = { kill: { at, when: pick(["before", "after"] as const) } };
        const fault = { faults: new Map([[at, pick(FAULTS)]]) };
        const disturbance = pick([{}, {}, kill, fault]);
        if (draw() < 0.4) await world.request(pick([1, 2]));
        else await world.sweep({ ...disturbance, onRequest });
        world.servers.catchUp();
      }
      for (const minutes of [60, 25 * 60, 20]) {
        world.servers.now += minutes * MINUTE;
        await world.sweep({ onRequest });
      }
      expect([...problems, ...problemsOf(world)], `history ${nth}`).toEqual([]);
      const before = visibleState(world);
      expect((await world.sweep()).requests, `history ${nth}`).toHaveLength(1);
      expect(visibleState(world)).toEqual(before);
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
