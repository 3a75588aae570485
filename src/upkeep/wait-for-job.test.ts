import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, jobOf } from "../../test/support/job.ts";
import type { Agent } from "../service/agent.ts";
import { waitForJob } from "./wait-for-job.ts";

test.each([
  [401, /^answered 401\. `api-key` must be/],
  [403, /^answered 403\. .* IP allow-list/],
  [400, /^answered 400\. A later run finishes the batch\.$/],
])("a batch's job whose poll is answered with %i: what to do", async (status, message) => {
  const agent: Agent = {
    send: () => Promise.reject(answered(status)),
    get: () => Promise.reject(answered(status)),
  };
  const limits = { pace: { initial: 1, max: 1 }, timeout: 1000 };
  const { error } = await waitForJob(jobOf("active"), false, agent, limits, dependenciesOf());
  expect(error?.message).toMatch(message);
});
