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
