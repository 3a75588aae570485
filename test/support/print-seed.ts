import { isExhaustive, seed } from "./sample.ts";

/** Runs once before the trust tests, and says which part of them runs. */
export default function printSeed(): void {
  const extent = isExhaustive ? "all of them" : "a sample (npm run test:exhaustive runs all)";
  console.log(`Trust tests: ${extent}. TRUST_SEED=${seed} runs the same again.`);
}
