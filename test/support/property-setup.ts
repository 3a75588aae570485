import fc from "fast-check";
import { runs, seed } from "./sample.ts";

// The defaults for properties without a number of runs and a seed of their own.
fc.configureGlobal({ numRuns: runs(100), seed: Number(seed) });
