import type { Series } from './model.ts';
import { joined } from './samples.ts';
import type { Snapshot } from './view.ts';

/**
 * The snapshot with the newest minutes of each series at the resolution at which they are scraped, and with rates over as
 * few samples as they take: what a sentence about the present is made from.
 */
export function withNewest(snapshot: Snapshot): Snapshot {
  const recent = new Map((snapshot.recent ?? []).map((one) => [keyOf(one), one]));
  if (recent.size === 0) return snapshot;
  const series = snapshot.series.map((one) => {
    const fine = recent.get(keyOf(one));
    if (fine === undefined || fine.points.times.length === 0) return one;
    // Who repeats it asks for what is said of now.
    const { query, asked, providerUrl } = fine;
    return { ...one, points: joined(one.points, fine.points), query, ...(asked && { asked }), providerUrl };
  });
  return { ...snapshot, series };
}

/** The same at another resolution has it too. */
export function keyOf({ signal, service, instance, edge }: Series): string {
  return JSON.stringify([signal.id, service, instance, edge]);
}
