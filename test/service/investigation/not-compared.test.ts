import { expect, it } from 'vitest';
import { partialSource } from '../../../src/service/telemetry/combined.ts';
import { type Exported, known } from '../../../src/service/telemetry/model.ts';
import { found, level, MINUTE, ONSET } from './freight.ts';

/** A gauge of an exporter, a sample a minute until the alert, and another level from the onset on. */
function exported(name: string, usual: number, then = usual): Exported {
  const times = Float64Array.from({ length: 30 }, (_, i) => ONSET + (i - 21) * MINUTE);
  return {
    name,
    service: 'store',
    type: 'gauge',
    help: '',
    unit: '',
    labels: { job: 'store', instance: 'store:9187' },
    points: { times, values: times.map((at) => (at >= ONSET ? then : usual)) },
  };
}

const exporting = (...all: Exported[]) =>
  partialSource({
    name: 'prometheus',
    check: async () => ({ name: 'prometheus', ok: true, summary: '', details: [] }),
    state: async () => known([]),
    exported: async () => known(all),
  });
const bare = { services: [{ name: 'store' }], metrics: [] };
const about = (service: string | null) => ({ title: 'Store is odd', service });

it('says how many exported series of a service were compared where no convention reads one', async () => {
  const { overview } = await found(bare, about('store'), [
    exporting(exported('locks', 5), exported('rows', 7)),
  ]);
  expect(overview).toContain('Of 2 exported series of store, compared from 10:01 UTC on, none changed.');
  expect(overview).not.toContain('could be compared');
});

it('names what of them departed, though nothing says that it is bad', async () => {
  const { overview } = await found(bare, about('store'), [
    exporting(exported('locks', 5, 9), exported('rows', 7)),
  ]);
  expect(overview).toContain('1 changed (`locks` 5 → 9); I can’t tell whether that is bad.');
});

it('names what departed hours ago and has not moved since, by the day before', async () => {
  const day = Float64Array.from({ length: 48 }, (_, i) => ONSET - 21 * MINUTE - (48 - i) * 30 * MINUTE);
  const since = (hours: number, usual: number, then: number): Exported => ({
    ...exported('evicted_keys', then),
    past: { times: day, values: day.map((at) => (at >= ONSET - hours * 60 * MINUTE ? then : usual)) },
  });
  const { overview } = await found(bare, about('store'), [exporting(since(3, 0, 177))]);
  expect(overview).toContain(
    'Of 1 exported series of store, compared with the day before, 1 changed (`evicted_keys` 0 → 177)',
  );
  expect((await found(bare, about('store'), [exporting(since(3, 177, 177))])).overview).toContain(
    'compared with the day before, none changed.',
  );
});

it('counts what names a thing that is no service, and says that there is nothing only where there is nothing', async () => {
  const named = { ...exported('locks', 5), labels: { dbinstance_identifier: 'orders-7' } };
  const title = { title: 'orders-7 is odd', service: null };
  const { overview } = await found(bare, title, [exporting(named)]);
  expect(overview).toMatch(/^No cause found\. Of 1 exported series of orders-7, compared/u);
  expect((await found(bare, title, [exporting()])).overview).toMatch(
    /^No cause found\. There are no metrics for orders-7\./u,
  );
});

it('says that nothing could be compared where nothing was', async () => {
  expect((await found(bare, about('store'))).overview).toContain(
    'Nothing of store could be compared: no series of it was read.',
  );
});

it('says that something was gone for a while and is back, where it is as it was now', async () => {
  const isAway = (at: number) => at >= ONSET - 2 * MINUTE && at < ONSET;
  const up = exported('store_up', 1);
  const values = up.points.values.map((value, i) => (isAway(up.points.times[i] ?? 0) ? 0 : value));
  const away = { ...up, points: { ...up.points, values } };
  const { overview } = await found(bare, about('store'), [exporting(away, exported('rows', 7))]);
  expect(overview).toContain(
    'none is other than it was, but `store_up` was 0 between 10:19 UTC and 10:22 UTC.',
  );
  const connections = {
    service: 'store',
    measure: 'connections' as const,
    unit: '{connection}',
    label: 'connections in use',
    at: (at: number) => (isAway(at) ? 0 : level(310)(at)),
  };
  const measured = await found({ ...bare, metrics: [connections] }, about('store'));
  expect(measured.overview).toContain('; store connections in use was 0 between 10:19 UTC and 10:22 UTC.');
  expect(measured.overview).not.toContain('usual range');
});
