import { expect, test } from "vitest";
import { startAssistantScenario } from "../support/assistant-scenario.ts";
import { tokenOf } from "../support/github.ts";
import { someOf } from "../support/sample.ts";
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

test.each(
  someOf([
    ["the root action", startScenario],
    ["the assistant", startAssistantScenario],
  ]),
)("%s sends no token to a GitHub that can be listened to", async (_, set) => {
  await using scenario = await set();
  const address = "http://github.example/api/v3";
  const result = await scenario.run({ inputs: { "github-api-url": address } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("invalid-input");
  expect(result.errors).toEqual([
    expect.stringMatching(/github-api-url: "http:\/\/github\.example.* https:/),
  ]);
  expect(scenario.service.requests).toEqual([]);
});
