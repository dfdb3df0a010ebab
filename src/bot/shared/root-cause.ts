/** What results say of the cause. */
interface RootCause {
  rootCauseSummary?: string | undefined;
  isUnexplained?: boolean | undefined;
}

/** `Root cause: …`; where only what is wrong is known, and not why, `Root cause unknown: …`. */
export function rootCauseLine(found: RootCause | undefined): string {
  const { rootCauseSummary: summary, isUnexplained = false } = found ?? {};
  if (!summary?.trim()) return 'Root cause: not found yet';
  return `Root cause${isUnexplained ? ' unknown' : ''}: ${summary}`;
}
