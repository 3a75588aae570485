import { expect, test } from "vitest";
import { setAssistantScene } from "../support/assistant-scene.ts";
import { tokenOf } from "../support/github.ts";

test("the answer goes to github-api-url, with github-token, on issue-number", async () => {
  await using scene = await setAssistantScene();
  const result = await scene.run({
    apiUrl: "http://127.0.0.1:9",
    token: "ghs_OfTheRunner",
    inputs: {
      "github-api-url": scene.github.url,
      "github-token": tokenOf("maintainer"),
      "issue-number": "12",
    },
  });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(await scene.github.comments(12)).toMatchObject([{ user: { login: "maintainer" } }]);
  expect(await scene.github.comments(7)).toEqual([]);
  for (const { headers } of scene.github.server.requests) {
    expect(headers.authorization).toBe(`token ${tokenOf("maintainer")}`);
  }
});
