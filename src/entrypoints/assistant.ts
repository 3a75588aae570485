import { askAssistant } from "../assistant/assistant.ts";
import { runEntrypoint } from "./run-entrypoint.ts";

void runEntrypoint(askAssistant);
