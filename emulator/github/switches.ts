/** Habits of GitHub that are rare, or that only some servers have. A scenario turns them on. */
export class Switches {
  /** How long after they are reported checks appear, in milliseconds. */
  checksLate = 0;
}
