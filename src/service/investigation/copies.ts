import { distinctBy } from '../telemetry/collect.ts';
import type { SystemCopy } from '../telemetry/source.ts';
import { joinNames } from './format.ts';
import type { Investigation } from './types.ts';

export interface InCopy {
  copy: SystemCopy;
  found: Investigation;
}

/** As many copies are looked at, each by itself. */
export const MOST_COPIES = 8;

/**
 * One result of what was found in each copy of a system, when nothing says which of them is meant: that of the copy
 * which is ill, with its name.
 *
 * @param skipped the copies that were not looked at
 */
export function acrossCopies(all: readonly InCopy[], skipped: readonly SystemCopy[]): Investigation {
  const ill = all
    .filter(({ found }) => found.results.rootCause.rootCauseSummary !== undefined)
    .sort((a, b) => weightOf(b.found) - weightOf(a.found));
  const well = all.filter((one) => !ill.includes(one));
  const [first = all[0], ...rest] = ill;
  if (first === undefined) throw new Error('A system has at least one copy.');
  const gaps = [
    ...all.flatMap(({ found }) => found.gaps),
    ...(skipped.length === 0
      ? []
      : [
          {
            source: 'prometheus',
            what: 'services',
            reason: `Only ${all.length} of ${all.length + skipped.length} systems were looked at: ${named(skipped)} not.`,
          },
        ]),
  ];
  const { rootCause, ...results } = first.found.results;
  const also = rest
    .map(({ copy, found }) => ` Also in ${copy.name}: ${found.results.rootCause.rootCauseSummary}`)
    .join('');
  const healthy = well.length === 0 ? '' : ` Nothing was found in ${named(well.map(({ copy }) => copy))}.`;
  const summary = rootCause.rootCauseSummary;
  return {
    ...first.found,
    unread: all.every(({ found }) => found.unread !== null) ? first.found.unread : null,
    results: {
      ...results,
      rootCause: {
        ...rootCause,
        ...(summary !== undefined && {
          rootCauseSummary: `${summary} This is in ${first.copy.name}.${also}`,
        }),
        incidentOverview:
          summary === undefined
            ? `${rootCause.incidentOverview ?? ''} Looked at one by one: ${named(all.map(({ copy }) => copy))}.`.trim()
            : `In ${first.copy.name}: ${rootCause.incidentOverview ?? ''}${also}${healthy}`,
      },
    },
    gaps: distinctBy(gaps, ({ source, what, reason }) => `${source} ${what} ${reason}`),
  };
}

/** The more that is relevant to a finding, and the surer, the more there is in it. */
function weightOf({ results }: Investigation): number {
  const sure: Readonly<Record<string, number>> = { high: 3, medium: 2, low: 1 };
  return Math.max(0, ...results.causalTreeV2.nodes.map(({ confidence }) => sure[String(confidence)] ?? 0));
}

function named(copies: readonly SystemCopy[]): string {
  return joinNames(copies.map(({ name }) => name));
}
