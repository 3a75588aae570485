import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { Secrets } from "../text/secrets.ts";
import { logWithout } from "./log.ts";

test("no secret gets into the log, at whatever level", () => {
  const { log, lines } = dependenciesOf();
  const safe = logWithout(new Secrets(["mint_k3yOfTheTest"]), log);
  for (const level of ["debug", "info", "notice", "warning", "error"] as const) {
    safe[level]("a mint_k3yOfTheTest b");
  }
  expect(lines).toEqual(
    ["debug", "info", "notice", "warning", "error"].map((level) => `${level}: a *** b`),
  );
});
