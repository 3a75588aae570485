import { expect, test } from "vitest";
import { type RunResult, runAction } from "../../../emulator/runner/runner.ts";
import { json } from "../../support/answers.ts";
import { recordingConnections } from "../../support/check-run.ts";
import { checkScenario } from "../../support/check-scenario.ts";
import { startFaultyServer } from "../../support/faulty-server.ts";
import { everyNth, hostile } from "../../support/hostile-texts.ts";
import { sampleOf } from "../../support/sample.ts";
import { API_KEY } from "../../support/scenario.ts";
import { LIST_V1, session } from "../../support/scenario-v1.ts";

async function list(url: string): Promise<RunResult> {
  const inputs = { "api-key": API_KEY, "project-id": "docs", "base-url": url, limit: "1000" };
  return await runAction(recordingConnections({ action: "jobs", debug: true, inputs }));
}

const RULES = { action: "jobs", secrets: [API_KEY] };

/** A hostile list, in which each field of each session has another text. */
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

test.each(sampleOf(everyNth(PAGE), 1, "sessions"))(
  "a list of sessions with hostile fields (from text %i) is shown without any effect",
  async (from) => {
    await using service = await startFaultyServer();
    const all = sessions(from, PAGE);
    service.on(LIST_V1, json(200, { allSessions: all }));
    const result = await list(service.url);
    expect(checkScenario(result, { service }, RULES)).toEqual([]);
    expect(result).toMatchObject({ exitCode: 0, errors: [] });
    const jobs: Record<string, unknown>[] = JSON.parse(result.outputs.jobs ?? "");
    // Sessions with an ID of more than 1000 characters are left out.
    const expected = all.filter(({ sessionId }) => String(sessionId).length <= 1000);
    expect(jobs).toHaveLength(expected.length);
    const names = ["sessionId", "branch", "title", "userId", "createdAt", "haultReason"];
    // Lone surrogates are kept, because JSON escapes them.
    for (const sent of expected) {
      const listed = jobs.find(({ sessionId }) => sessionId === sent.sessionId);
      for (const name of names) expect(listed?.[name], name).toBe(sent[name]);
    }
  },
);
