import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { answered, jobOf } from "../../test/support/job.ts";
import { waitForJob } from "./wait-for-job.ts";

const ACTIVE = jobOf("active");

test.each([
  [401, /^answered 401\. `api-key` must be/],
  [403, /^answered 403\. .* IP allow-list/],
  [400, /^answered 400\. A later run finishes the batch\.$/],
])("a batch's job whose poll is answered with %i: what to do", async (status, message) => {
  const agent = { get: () => Promise.reject(answered(status)) } as never;
  const limits = { pace: { initial: 1, max: 1 }, timeout: 1000 };
  const { error } = await waitForJob(ACTIVE, false, agent, limits, dependenciesOf());
  expect(error?.message).toMatch(message);
});
