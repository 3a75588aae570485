import { expect, test } from "vitest";
import { dependenciesOf } from "../../test/support/dependencies.ts";
import { HttpInProcess, INPUTS_IN_PROCESS } from "../../test/support/http-in-process.ts";
import { contextOf } from "../../test/support/run-context.ts";
import { ExchangeError } from "../net/http.ts";
import { Cancellation } from "../runtime/cancellation.ts";
import { land } from "./land.ts";

test("a run that is cancelled while it reads says that, and not that GitHub is unavailable", async () => {
  const cancellation = new Cancellation();
  const exchange = async () => {
    cancellation.cancel();
    throw new ExchangeError("sent", "stopped", "stopped by the run");
  };
  const http = new HttpInProcess(exchange);
  const dependencies = dependenciesOf({ http, cancellation });
  const run = land((name) => INPUTS_IN_PROCESS[name] ?? "", contextOf("schedule"), dependencies);
  await expect(run).rejects.toMatchObject({ kind: "cancelled" });
});

test("a run that is cancelled while it reads a broken ledger says what is wrong with the ledger", async () => {
  const cancellation = new Cancellation();
  const http = new HttpInProcess(async ({ url }) => {
    const isRef = url.pathname.includes("/git/ref/");
    if (!isRef) cancellation.cancel();
    const type = isRef ? "application/json" : "text/plain";
    const text = isRef ? JSON.stringify({ object: { sha: "a".repeat(40) } }) : "not a ledger";
    const date = "Fri, 01 May 2026 10:00:00 GMT";
    return { status: 200, headers: { "content-type": type, date }, text };
  });
  const dependencies = dependenciesOf({ http, cancellation });
  const run = land((name) => INPUTS_IN_PROCESS[name] ?? "", contextOf("schedule"), dependencies);
  await expect(run).rejects.toMatchObject({
    kind: "invalid-input",
    problem: expect.stringContaining("ledger.json"),
  });
});
