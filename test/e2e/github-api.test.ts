import { expect, test } from "vitest";
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
