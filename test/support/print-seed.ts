import { isExhaustive, seed } from "./sample.ts";

/** Prints once, before the tests, which part of them runs. */
export default function printSeed(): void {
  if (process.env.SEED_IS_PRINTED === "true") return;
  process.env.SEED_IS_PRINTED = "true";
  const extent = isExhaustive ? "all of them" : "a sample (npm run test:exhaustive runs all)";
  console.log(`Tests: ${extent}. TRUST_SEED=${seed} runs the same tests again.`);
}
