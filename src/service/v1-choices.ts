/** Roles of the messages that version 1 takes. */
export const V1_ROLES = ["system", "user", "assistant"] as const;

/** A message as version 1 takes it. */
export interface V1Message {
  role: (typeof V1_ROLES)[number];
  content: string;
}

/** What only version 1 of the agent lets a caller choose; null is left to the service. */
export interface V1Choices {
  /** Branch to work on: the interface requires one. */
  branch: string;
  asDraft: boolean | null;
  model: string | null;
  /** Sent ahead of the prompt. */
  messages: readonly V1Message[];
}
