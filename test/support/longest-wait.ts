/**
 * How long a test waits for a state that must come, on a machine however busy: far beyond what any needs, so that it only
 * ends a hopeless wait, and well below the limit of a whole test. Each tier sets its own.
 */
export const LONGEST_WAIT_MS = Number(process.env.LONGEST_WAIT_MS ?? 60_000);
