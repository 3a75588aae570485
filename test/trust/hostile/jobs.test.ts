import { expect, test } from "vitest";
import { type RunResult, runAction } from "../../../emulator/runner/runner.ts";
import { json } from "../../support/answers.ts";
import { recordingConnections } from "../../support/check-run.ts";
import { checkScenario } from "../../support/check-scenario.ts";
import { startFaultyServer } from "../../support/faulty-server.ts";
import { ALL_HOSTILE, hostile } from "../../support/hostile-texts.ts";
import { sampleOf } from "../../support/sample.ts";
import { API_KEY } from "../../support/scenario.ts";
import { LIST_V1, session } from "../../support/scenario-v1.ts";

async function list(url: string): Promise<RunResult> {
  const inputs = { "api-key": API_KEY, "project-id": "docs", "base-url": url, limit: "1000" };
  return await runAction(recordingConnections({ action: "jobs", debug: true, inputs }));
}

const RULES = { action: "jobs", secrets: [API_KEY] };

/** What a hostile list holds: each field of each session another text. */
function sessions(from: number, count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => {
    const nth = from + index;
    return session({
      sessionId: `${nth} ${hostile(nth)}`,
      subdomain: hostile(nth + 1),
      branch: hostile(nth + 2),
      haultReason: hostile(nth + 3),
      haulted: nth % 2 === 0,
      pullRequestLink: hostile(nth + 4),
      messageToUser: hostile(nth + 5),
      todos: [{ content: hostile(nth + 6), status: hostile(nth + 7), priority: hostile(nth + 8) }],
      userId: hostile(nth + 9),
      title: hostile(nth + 10),
      createdAt: hostile(nth + 11),
    });
  });
}

const PAGE = 80;
const FIRSTS = Array.from({ length: Math.ceil(ALL_HOSTILE.length / PAGE) }, (_, nth) => nth * PAGE);

test.each(sampleOf(FIRSTS, 1, "sessions"))(
  "a list of sessions of hostile fields (from %i) is a table and JSON",
  async (from) => {
    await using service = await startFaultyServer();
    const all = sessions(from, PAGE);
    service.on(LIST_V1, json(200, { allSessions: all }));
    const result = await list(service.url);
    expect(checkScenario(result, { service }, RULES)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    const told: Record<string, unknown>[] = JSON.parse(result.outputs.jobs ?? "");
    // Those whose id is too long for one are no sessions.
    const expected = all.filter(({ sessionId }) => String(sessionId).length <= 1000);
    expect(told).toHaveLength(expected.length);
    const names = ["sessionId", "branch", "title", "userId", "createdAt", "haultReason"];
    // Half a character too: JSON tells it by its number.
    for (const one of expected) {
      const same = told.find(({ sessionId }) => sessionId === one.sessionId);
      for (const name of names) expect(same?.[name], name).toBe(one[name]);
    }
  },
);
