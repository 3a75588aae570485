import { expect, test } from "vitest";
import { setAssistantScene } from "../support/assistant-scene.ts";
import { tokenOf } from "../support/github.ts";
import { setScene } from "../support/scene.ts";

test("github-api-url and github-token take the place of the runner's own", async () => {
  await using scene = await setScene();
  const result = await scene.run({
    apiUrl: "http://127.0.0.1:9",
    token: "ghs_OfTheRunner",
    inputs: { "github-api-url": scene.github.url, "github-token": tokenOf("maintainer") },
  });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(await scene.github.comments(7)).toMatchObject([{ user: { login: "maintainer" } }]);
  for (const { headers } of scene.github.server.requests) {
    expect(headers.authorization).toBe(`token ${tokenOf("maintainer")}`);
  }
});

test.each([
  ["the root action", setScene],
  ["the assistant", setAssistantScene],
])("%s sends no token to a GitHub that can be listened to", async (_, set) => {
  await using scene = await set();
  const address = "http://github.example/api/v3";
  const result = await scene.run({ inputs: { "github-api-url": address } });
  expect(result.exitCode).toBe(1);
  expect(result.outputs.errorKind).toBe("invalid-input");
  expect(result.errors).toEqual([
    expect.stringMatching(/github-api-url: "http:\/\/github\.example.* https:/),
  ]);
  expect(scene.service.requests).toEqual([]);
});
