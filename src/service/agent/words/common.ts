import { amount } from '../../investigation/format.ts';
import { code } from '../echo.ts';
import type { Common } from '../tools/common.ts';

/** `91% of the 239 failing ones have sailing=HY-207, 4% of the 812 others`. */
export function commonInWords(found: Common | null, service: string, span: string): string {
  if (found === null)
    return `I can’t tell what they have in common: in ${span} I read too few traces and structured log lines of ${service}, good and bad, to compare them.`;
  const { of, kind, bad, others, shared } = found;
  const things = of === 'traces' ? 'requests' : 'lines';
  if (shared.length === 0)
    return `Nothing stands out: no field value is common in the ${bad} ${kind} ${things} of ${service} in ${span} and rare in the ${others} others.`;
  return [
    `**What the ${kind} ${things} of ${service} have in common** (${bad} of them and ${others} others compared, in ${span}):`,
    '',
    ...shared.map(
      ({ field, value, bad: own, others: rest }) =>
        `- ${amount(own, '1')} of the ${kind} ones have ${code(`${field}=${value}`)}, ${amount(rest, '1')} of the others.`,
    ),
  ].join('\n');
}
