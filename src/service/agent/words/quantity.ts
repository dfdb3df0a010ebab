import { amount, duration, timeOfDay } from '../../investigation/format.ts';
import type { Quantities, Quantity } from '../tools/quantity.ts';

/** What a metric says now, in a few lines, with the query that says it again. */
export function quantityInWords(
  { found, near, left }: Quantities,
  span: { from: number; to: number },
  now: number,
): string {
  const lines = [
    ...found.map((one) => whole(one, span, now)),
    ...(near.length === 0
      ? []
      : [['As near to what you ask:', ...near.map((one) => `- ${brief(one, now)}`)].join('\n')]),
    ...(left.length === 0
      ? []
      : [
          `No metric’s name or description has ${left.map((word) => `*${word}*`).join(', ')}, so that is not looked at.`,
        ]),
  ];
  return lines.join('\n\n');
}

function whole(one: Quantity, { from, to }: { from: number; to: number }, now: number): string {
  const { usual, max, since, unit, isMoment, parts, partsInAll, query, url, help, inAll } = one;
  const span = duration(to - from);
  const course = isMoment
    ? []
    : [
        ...(usual === null ? [] : [`usually ${amountOf(usual, unit)}`]),
        `max ${amountOf(max, unit)} in the last ${span}`,
        ...(inAll === null ? [] : [`about ${amount(inAll, unit.replace(/\/s$/u, ''))} in all`]),
        ...(since === null ? [] : [`away from that since ${timeOfDay(since)}`]),
      ];
  const more = partsInAll > parts.length ? [`- … and ${partsInAll - parts.length} more`] : [];
  return [
    `**${brief(one, now)}**${course.length === 0 ? '' : ` (${course.join(', ')})`}${help === '' ? '' : `. ${help.replace(/\.$/u, '')}`}.`,
    ...(partsInAll > 1
      ? [
          '',
          ...parts.map(
            ({ labels, value }) =>
              `- ${named(labels)}: ${isMoment ? momentOf(value, now) : amountOf(value, unit)}`,
          ),
          ...more,
        ]
      : []),
    '',
    `Query: ${url === null ? '' : `[`}\`${query.replaceAll('`', "'")}\`${url === null ? '' : `](${url})`}`,
  ].join('\n');
}

function brief({ name, unit, now, filters, isMoment }: Quantity, at: number): string {
  const where =
    filters.length === 0
      ? ''
      : ` of ${filters.map(({ label, values }) => `${label} ${values.slice(0, 3).join(', ')}`).join(', ')}`;
  return `\`${name}\`${where}: ${isMoment ? momentOf(now, at) : `${amountOf(now, unit)} now`}`;
}

function momentOf(seconds: number, now: number): string {
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const ms = seconds * 1000 - now;
  return ms >= 0 ? `in ${duration(ms)} (${day})` : `${duration(-ms)} ago (${day})`;
}

function amountOf(value: number, unit: string): string {
  const perSecond = unit.endsWith('/s') && !unit.startsWith('{');
  return perSecond ? `${amount(value, unit.slice(0, -2))}/s` : amount(value, unit);
}

function named(labels: Record<string, string>): string {
  const values = Object.values(labels).filter((value) => value !== '');
  return `\`${(values.length === 0 ? 'without a label' : values.join(' ')).slice(0, 120).replaceAll('`', "'")}\``;
}
