import { afterEach, expect, test, vi } from "vitest";
import { Secrets } from "../text/secrets.ts";
import { actionsLog } from "./log.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("no secret gets into the log, at whatever level", () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  const log = actionsLog("Docs agent", new Secrets(["mint_k3yOfTheTest"]));
  for (const level of ["debug", "info", "notice", "warning", "error"] as const) {
    log[level]("a mint_k3yOfTheTest b");
  }
  expect(written.filter((text) => text.includes("a *** b"))).toHaveLength(5);
  expect(written.join()).not.toContain("mint_k3y");
});
