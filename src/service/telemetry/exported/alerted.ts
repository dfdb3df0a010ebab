import { percentDecoded } from '../../../lib/text.ts';
import type { AlertRule, Series, StateFinding } from '../model.ts';
import { departureOf } from './departing.ts';
import { rounded, timeOfDay } from './words.ts';

/** What an alert measures is at least so many times what it was, in powers of two. */
const FAR = 1.5;
const SEEN = 0.6;

/** The expression in the link of an alert that Prometheus or vmalert sent. */
export function expressionIn(text: string): string | null {
  const url = /https?:\/\/\S*[?&]g0\.expr=([^&\s#>|]+)/u.exec(text)?.[1];
  return url === undefined ? null : percentDecoded(url.replaceAll('+', ' '));
}

/** What the alert's own expression says: a series that fires, and left what it was before. */
export function alertedIn({ rule, series }: { rule: AlertRule; series: readonly Series[] }): StateFinding[] {
  const { threshold } = rule;
  if (threshold === null) return [];
  return series.flatMap((one): StateFinding[] => {
    const departed = departureOf({
      ...WORDLESS,
      service: one.service,
      labels: one.labels,
      points: one.points,
    });
    if (departed === null || departed.far < FAR) return [];
    const { before, now, since } = departed;
    // What was past the threshold before does not fire because it moved.
    if (!fires(now, threshold) || fires(before, threshold)) return [];
    const labels = Object.values(one.labels).join(', ');
    return [
      {
        object: `app/${one.service || (Object.values(one.labels)[0] ?? rule.name)}`,
        cause: 'alert',
        namespace: null,
        sentence: `The metric of ${rule.name}${labels === '' ? '' : ` of ${labels}`} went from ${rounded(before)} to ${rounded(now)} at ${timeOfDay(since)}; it fires ${threshold.comparison} ${rounded(threshold.value)}.`,
        evidence: [`\`${rule.expression}\``],
        show: null,
        mend: null,
        confidence: SEEN,
        source: one.provider,
        query: rule.expression,
        since,
      },
    ];
  });
}

const WORDLESS = { name: '', type: 'gauge', help: '', unit: '' } as const;

/** Whether a value is past a rule's threshold. */
export function fires(
  value: number,
  { comparison, value: limit }: NonNullable<AlertRule['threshold']>,
): boolean {
  switch (comparison) {
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '==':
      return value === limit;
    default:
      return value !== limit;
  }
}
