import { expect, test } from "vitest";
import { startAssistantScenario } from "../support/assistant-scenario.ts";
import { tokenOf } from "../support/github.ts";
import { startScenario } from "../support/scenario.ts";

test("github-api-url and github-token take the place of the runner's own", async () => {
  await using scenario = await startScenario();
  const result = await scenario.run({
    apiUrl: "http://127.0.0.1:9",
    token: "ghs_OfTheRunner",
    inputs: { "github-api-url": scenario.github.url, "github-token": tokenOf("maintainer") },
  });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(await scenario.github.comments(7)).toMatchObject([{ user: { login: "maintainer" } }]);
  for (const { headers } of scenario.github.server.requests) {
    expect(headers.authorization).toBe(`token ${tokenOf("maintainer")}`);
  }
});

test("the assistant's answer goes to github-api-url, with github-token, on issue-number", async () => {
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
