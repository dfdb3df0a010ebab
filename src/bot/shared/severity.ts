const RANKS: Record<string, number> = { low: 1, medium: 2, high: 3 };

/** The greater, the more severe; 0 for an unknown severity. */
export function rankOf(severity: string): number {
  return RANKS[severity] ?? 0;
}

/** Whether `a` is more severe than `b`; an unknown severity is neither more nor less severe. */
export function isMoreSevere(a: string, b: string): boolean {
  return (RANKS[a] ?? 0) > (RANKS[b] ?? Number.POSITIVE_INFINITY);
}
