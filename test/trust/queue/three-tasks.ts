import { setUpQueue } from "../../support/queue-setup.ts";
import { LedgerKills } from "../ledger-kills.ts";
import { namesIn } from "./file.ts";

const NAMES = ["t1", "t2", "t3"];
const TASKS = JSON.stringify(NAMES.map((id) => ({ id, prompt: `Task ${id}.` })));

/** Three tasks that no run has seen. */
export const THREE_TASKS = new LedgerKills({
  set: async () => Object.assign(await setUpQueue(TASKS), { items: NAMES }),
  itemsIn: namesIn,
  isStarted: ({ outputs }) => outputs.startedCount === "3",
  isQuiet: ({ outputs: { result, runningCount } }) =>
    (result === "idle" || result === "finished") && runningCount === "0",
});
