import { setUpUpkeep } from "../../support/upkeep-setup.ts";
import { LedgerKills } from "../ledger-kills.ts";

/** Two changes that no run has seen. */
export const TWO_CHANGES = new LedgerKills({
  set: async () => {
    const it = await setUpUpkeep();
    const one = await it.history.land({ title: "Add retries" }, "squash");
    const two = await it.history.push({ message: "Rename a flag" });
    const { url, repository } = it.world.github;
    const items = [`${url}/${repository}/pull/${one.number}`, `${url}/${repository}/commit/${two}`];
    return { ...it, items };
  },
  itemsIn: (text, urls) => urls.filter((url) => text.includes(url)),
  isStarted: ({ outputs }) => outputs.result === "started",
  isQuiet: ({ outputs }) => outputs.result === "idle" && outputs.finished === "[]",
});
