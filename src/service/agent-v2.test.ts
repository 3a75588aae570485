import { expect, test } from "vitest";
import { Secrets } from "../text/secrets.ts";
import { bareJob } from "./agent.ts";
import { agentV1 } from "./agent-v1.ts";
import { agentV2 } from "./agent-v2.ts";

/** A transport whose every answer is this. */
function answering(value: unknown, retryAfter: number | null = null) {
  return {
    secrets: new Secrets([]),
    json: async () => ({ value, retryAfter }),
    stream: () => Promise.reject(new Error("Nothing is streamed")),
  };
}

const RECORD = { id: "job_1", status: "completed", prLink: "https://github.com/octo/docs/pull/1" };

test("a record that is asked for by its id is read", async () => {
  const { job, retryAfter } = await agentV2(answering(RECORD, 7), "docs").get("job_1");
  expect(job).toMatchObject(RECORD);
  expect(retryAfter).toBe(7);
  expect(job.record).toBe(RECORD);
});

test.each(["job_2", "JOB_1", "job_1 ", "job_10"])(
  "a record of %j is not that of job_1: it cannot be read",
  async (id) => {
    const agent = agentV2(answering({ ...RECORD, id }, 7), "docs");
    await expect(agent.get("job_1")).rejects.toMatchObject({
      failure: { type: "unreadable" },
      retryAfter: 7,
      message: expect.stringContaining("a different job"),
    });
  },
);

test("a message counts for the job it was sent to, even if the answer describes another one", async () => {
  const own = agentV2(answering(RECORD), "docs");
  expect(await own.send("job_1", "more")).toMatchObject(RECORD);
  const foreign = agentV2(answering({ ...RECORD, id: "job_2" }), "docs");
  expect(await foreign.send("job_1", "more")).toEqual(bareJob("job_1", null));
});

test("an answer to a message needs no status, and one to a create request does", async () => {
  const { status: _, ...withoutStatus } = RECORD;
  for (const record of [withoutStatus, { ...RECORD, status: "" }, { ...RECORD, status: 7 }]) {
    const agent = agentV2(answering(record), "docs");
    expect(await agent.send("job_1", "more")).toMatchObject({ ...withoutStatus, status: null });
    await expect(agent.send(null, "write")).rejects.toMatchObject({
      failure: { type: "unreadable" },
    });
  }
});

test.each([
  [{ sessionId: "session_1", haulted: false }, "session_1"],
  [{ haulted: false }, "session_1"],
  [{ sessionId: null, haultReason: "processing" }, "session_1"],
])("version 1: %j is the session asked for", async (record, id) => {
  const { job } = await agentV1(answering(record), "docs").get("session_1");
  expect(job).toMatchObject({ id, status: "active" });
});

test("version 1: a record of another session cannot be read", async () => {
  const agent = agentV1(answering({ sessionId: "session_2", haulted: true }), "docs");
  await expect(agent.get("session_1")).rejects.toMatchObject({ failure: { type: "unreadable" } });
});
