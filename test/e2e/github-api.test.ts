import { expect, test } from "vitest";
import { setScene } from "../support/scene.ts";

test("github-api-url and github-token take the place of the runner's own", async () => {
  await using scene = await setScene();
  const result = await scene.run({
    apiUrl: "http://127.0.0.1:9",
    token: "ghs_OfTheRunner",
    inputs: { "github-api-url": scene.github.url, "github-token": "ghp_OfSomebody" },
  });
  expect(result).toMatchObject({ exitCode: 0, warnings: [] });
  expect(scene.github.comments(7)).toHaveLength(1);
  for (const { headers } of scene.github.server.requests) {
    expect(headers.authorization).toMatch(/ghp_OfSomebody$/);
  }
});
