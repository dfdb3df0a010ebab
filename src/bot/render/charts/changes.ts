import type { InvestigationResults } from '../../../contract/answers.ts';

/** A deploy or another change that a chart marks; `title` is untrusted. */
export interface ChartedChange {
  /** Milliseconds since the epoch. */
  at: number;
  title: string;
}

export function changesIn({ timeline = [] }: Pick<InvestigationResults, 'timeline'>): ChartedChange[] {
  return timeline.flatMap(({ type, title = '', timestamp }) => {
    const at = Date.parse(timestamp ?? '');
    return /change|deploy|config|release|flag/iu.test(type ?? '') && !Number.isNaN(at) ? [{ at, title }] : [];
  });
}
