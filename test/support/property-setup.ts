import fc from "fast-check";
import { runs, seed } from "./sample.ts";

// For properties that do not say how often they are tried, and from which seed.
fc.configureGlobal({ numRuns: runs(100), seed: Number(seed) });
