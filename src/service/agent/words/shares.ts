import { amount } from '../../investigation/format.ts';
import type { Shares } from '../tools/shares.ts';

const FALLEN = 0.5;

function isFallen({ rate, before }: Shares['parts'][number]): boolean {
  return before !== null && rate < FALLEN * before;
}

/** Whether it is one or all, and each with its shares. */
export function sharesInWords({
  metric,
  label,
  parts,
  partsInAll,
  failing,
  moved,
  query,
  url,
}: Shares): string {
  const shown = (text: string) => `\`${text.slice(0, 80).replaceAll('`', "'")}\``;
  const isFailing = parts.some((one) => (one.failing ?? 0) > 0.001);
  const by = label.replaceAll('_', ' ');
  const other =
    moved === null || moved === failing ? '' : ` What differs is how much of it there is: ${shown(moved)}.`;
  const head = isFailing
    ? failing === null
      ? `**All alike: no ${by} fails far more than the others.**`
      : `**Mostly ${shown(failing)}**: no other ${by} fails nearly as much.`
    : moved === null
      ? `**All alike: no ${by} alone ${parts.every(isFallen) ? 'fell, each did' : 'is different from before'}.**`
      : `**Only ${shown(moved)}** is different from before.`;
  const more = partsInAll > parts.length ? [`- … and ${partsInAll - parts.length} more`] : [];
  return [
    `${head}${isFailing ? other : ''}`,
    '',
    ...parts.map(({ value, failing: share, rate, before }) =>
      [
        `- ${shown(value)}: `,
        share === null || !isFailing ? '' : `${amount(share, '1')} fail, `,
        `${amount(rate, '')}/s`,
        before === null ? '' : ` (${amount(before, '')}/s before)`,
      ].join(''),
    ),
    ...more,
    '',
    `As \`${metric}\` counts: ${url === null ? '' : '['}\`${query}\`${url === null ? '' : `](${url})`}`,
  ].join('\n');
}
