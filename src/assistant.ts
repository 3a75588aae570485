import { runEntry } from "./entry.ts";
import { askAssistant } from "./question/ask.ts";

void runEntry(askAssistant);
