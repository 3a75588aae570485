import { expect, test } from "vitest";
import { ADMIN_KEY } from "../../../emulator/service/state.ts";
import { json } from "../../support/answers.ts";
import { checkRun, recordingConnections } from "../../support/check-run.ts";
import { everyNth, hostile } from "../../support/hostile-texts.ts";
import { sampleOf } from "../../support/sample.ts";
import { LIST_V1, session } from "../../support/world/sessions.ts";
import { startWorld } from "../../support/world/world.ts";

const RULES = { action: "jobs", secrets: [ADMIN_KEY] };

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
    await using world = await startWorld();
    const all = sessions(from, PAGE);
    world.on(LIST_V1, json(200, { allSessions: all }));
    const run = { debug: true, inputs: { limit: "1000" } };
    const result = await world.run("jobs", recordingConnections(run));
    expect(checkRun(result, world, RULES)).toEqual([]);
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
