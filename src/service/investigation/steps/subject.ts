import { viewOf } from '../../telemetry/view.ts';
import { alertedSeries } from '../alerted.ts';
import type { Case } from '../case.ts';
import { namedService, unknownSubject } from '../names.ts';
import { openPlaces } from '../open-causes.ts';

/** What the issue is about, and the measure of the alert's own rule, which is a series of that service like any other. */
export function subject(c: Case): Case {
  const { issue, view } = c;
  const { snapshot } = view;
  const alerted = alertedSeries(snapshot);
  const measured = alerted.filter(({ service }) => service !== null).map(({ series }) => series);
  const named =
    namedService(issue, snapshot.services) ?? alerted.find(({ isFiring }) => isFiring)?.service ?? null;
  return {
    ...c,
    view: viewOf({ ...snapshot, series: [...snapshot.series, ...measured] }),
    subject: {
      named,
      unknown: named === null ? unknownSubject(issue) : null,
      text: `${issue.title} ${issue.description}`,
      open: openPlaces(issue, snapshot.services),
      alerted,
      since:
        alerted.find(({ service }) => named === null || service === null || service === named)?.since ?? null,
    },
  };
}
