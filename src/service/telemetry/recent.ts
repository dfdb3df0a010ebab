import type { Points, Series } from './model.ts';
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

/** The coarse samples up to where the fine ones begin. */
function joined(coarse: Points, fine: Points): Points {
  const first = fine.times[0] ?? Number.POSITIVE_INFINITY;
  const count = coarse.times.findIndex((time) => time >= first);
  const kept = count < 0 ? coarse.times.length : count;
  const times = new Float64Array(kept + fine.times.length);
  const values = new Float64Array(times.length);
  times.set(coarse.times.subarray(0, kept));
  times.set(fine.times, kept);
  values.set(coarse.values.subarray(0, kept));
  values.set(fine.values, kept);
  return { times, values };
}

function keyOf({ signal, service, instance, edge }: Series): string {
  return JSON.stringify([signal.id, service, instance, edge]);
}
