import { expect, test } from "vitest";
import { startAssistantScenario } from "../support/assistant-scenario.ts";
import { tokenOf } from "../support/github.ts";

test("the answer goes to github-api-url, with github-token, on issue-number", async () => {
  await using scenario = await startAssistantScenario();
  const result = await scenario.run({
    apiUrl: "http://127.0.0.1:9",
    token: "ghs_OfTheRunner",
    inputs: {
      "github-api-url": scenario.github.url,
      "github-token": tokenOf("maintainer"),
      "issue-number": "12",
    },
  });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(await scenario.github.comments(12)).toMatchObject([{ user: { login: "maintainer" } }]);
  expect(await scenario.github.comments(7)).toEqual([]);
  for (const { headers } of scenario.github.server.requests) {
    expect(headers.authorization).toBe(`token ${tokenOf("maintainer")}`);
  }
});
