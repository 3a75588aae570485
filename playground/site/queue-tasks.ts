/** The queue's list of tasks, as the workflow of the examples names it. */

export const TASKS_FILE = "docs/tasks.yml";

/** What it holds at first. */
export const TASKS = `- id: users
  prompt: Document the endpoints below /users.
- id: orders
  prompt: Document the endpoints below /orders.
- id: style
  prompt: |
    Apply the style guide to the first page.
    emulate: outcome=no-changes
`;
