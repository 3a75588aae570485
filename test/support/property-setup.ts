import fc from "fast-check";
import { runs } from "./sample.ts";

// For properties that do not say how often they are tried.
fc.configureGlobal({ numRuns: runs(100) });
