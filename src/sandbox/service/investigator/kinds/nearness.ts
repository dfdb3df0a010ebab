const MINUTE = 60_000;

/** How much a change that came `lead` milliseconds before the onset weighs: 1 within 3 minutes, 0.3 at 15. */
export function nearness(lead: number): number {
  if (lead <= 3 * MINUTE) return 1;
  return Math.max(0.3, 1 - (0.7 * (lead - 3 * MINUTE)) / (12 * MINUTE));
}
