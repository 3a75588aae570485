import { expect, test } from "vitest";
import { issueOpened } from "../support/events.ts";
import { startWorld } from "../support/world/world.ts";

test("if the list may lack jobs of version 2, the log and the summary say so", async () => {
  await using world = await startWorld({ service: { listWithoutVersion2: true } });
  const inputs = { prompt: "Explain.\nemulate: duration=never", wait: "false" };
  const running = await world.run("root", { ...issueOpened(1), inputs });
  expect(running.outputs.status).toBe("active");
  const result = await world.run("jobs");
  expect(result.outputs).toMatchObject({ jobs: "[]", runningCount: "0" });
  const note = /started with version 2 may be missing/;
  expect(result.summary).toMatch(note);
  expect(result.visible.join("\n")).toMatch(note);
});
