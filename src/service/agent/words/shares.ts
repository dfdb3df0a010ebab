import { amount, joinNames } from '../../investigation/format.ts';
import { code } from '../echo.ts';
import type { Shares } from '../tools/shares.ts';

const FAR = 2;
const LEAST_FAILING = 0.001;
const MOST_NAMED = 5;

/** Whether it is one or all, and each with its shares. */
export function sharesInWords(shares: Shares): string {
  const { metric, parts, partsInAll, query, url, unit } = shares;
  const isFailing = parts.some(({ failing }) => (failing ?? 0) > LEAST_FAILING);
  const levelOf = (value: number) => (unit === '/s' ? `${amount(value, '')}/s` : amount(value, unit));
  const more = partsInAll > parts.length ? [`- … and ${partsInAll - parts.length} more`] : [];
  return [
    headOf(shares, isFailing),
    '',
    ...parts.map(({ value, failing, rate, before }) => {
      const share = failing === null || !isFailing ? '' : `${amount(failing, '1')} fail, `;
      return `- ${shown(value)}: ${share}${levelOf(rate)}${before === null ? '' : ` (${levelOf(before)} before)`}`;
    }),
    ...more,
    '',
    `As \`${metric}\` says: ${url === null ? '' : '['}\`${query}\`${url === null ? '' : `](${url})`}`,
  ].join('\n');
}

function headOf({ label, parts, partsInAll, failing, moved }: Shares, isFailing: boolean): string {
  const by = label.replaceAll('_', ' ');
  if (isFailing) {
    const others = moved.filter((value) => !failing.includes(value));
    const more = others.length === 0 ? '' : ` What differs is the volume of ${named(others)}.`;
    return failing.length === 0
      ? `**All alike: no ${by} fails far more than the others.**${more}`
      : `**Mostly ${named(failing)}**: no other ${by} fails nearly as much.${more}`;
  }
  if (moved.length > 0)
    return `**Only ${named(moved)}** ${moved.length === 1 ? 'is' : 'are'} different from before.`;
  if (parts.every(({ before }) => before === null)) {
    const rates = parts.map(({ rate }) => rate);
    const isAlike = parts.length === partsInAll && Math.max(...rates) < FAR * Math.min(...rates);
    return isAlike ? `**All alike now: no ${by} has far more than another.**` : `**By ${by}**:`;
  }
  const isChanged = parts.every(
    ({ rate, before }) => before !== null && (rate > FAR * before || rate < before / FAR),
  );
  return `**No ${by} stands out: ${isChanged ? 'each' : 'none'} is far from what it was before.**`;
}

function named(values: readonly string[]): string {
  const more = values.length - MOST_NAMED;
  return joinNames([...values.slice(0, MOST_NAMED).map(shown), ...(more > 0 ? [`${more} more`] : [])]);
}

function shown(value: string): string {
  return code(value.slice(0, 80));
}
