import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MetricData } from '../../../src/contract/answers.ts';
import { createShop } from '../../../src/demo/shop/shop.ts';
import { SHOP } from '../../../src/demo/shop/topology.ts';
import { investigate } from '../../../src/service/investigation/investigate.ts';
import type { Investigation } from '../../../src/service/investigation/types.ts';
import { UNLIMITED } from '../../../src/service/telemetry/budget.ts';
import {
  readCases,
  readRecording,
  recordedSource,
} from '../../../src/service/telemetry/recorded/recording.ts';
import { type BenchCase, faultyCases, healthyCases } from '../../bench/cases.ts';
import { FAULTS_AROUND } from './faults-around.ts';
import { FAULTS_WITHIN } from './faults-within.ts';
import { found, ONSET } from './freight.ts';

const MINUTE = 60_000;
/** Other seeds than those that the bench measures with. */
const CASES = [...faultyCases(810_000, 48), ...healthyCases(820_000, 12)];

/** The whole results for a case of the shop. */
async function resultsOf({ seed, fault, named, title, triggeredAt }: BenchCase) {
  const shop = createShop({ seed, injected: () => (fault ? [fault] : []), recurring: false });
  const issue = { title, description: 'An alert.', environment: 'production', triggeredAt, context: {} };
  return investigate({ ...issue, service: named }, shop, {
    id: ids(),
    now: triggeredAt,
    budget: { ...UNLIMITED },
  });
}

interface Checked {
  name: string;
  triggeredAt: number;
  found: Investigation;
  /** The shop's case. */
  shop?: BenchCase;
}

let sets: Promise<Checked[]> | undefined;
const allSets = (): Promise<Checked[]> => {
  sets ??= investigated();
  return sets;
};

/** Every set that the project has: the shop's faults, the systems that tests make up, and a recorded incident. */
async function investigated(): Promise<Checked[]> {
  const shop = await Promise.all(
    CASES.map(async (one) => ({
      name: `shop ${one.seed}`,
      triggeredAt: one.triggeredAt,
      found: await resultsOf(one),
      shop: one,
    })),
  );
  const made = await Promise.all(
    Object.entries({ ...FAULTS_WITHIN, ...FAULTS_AROUND }).map(async ([name, { made: system, about }]) => ({
      name,
      triggeredAt: ONSET + 8 * MINUTE,
      found: (await found(system, about)).investigation,
    })),
  );
  const source = recordedSource(await readRecording(RECORDED));
  const recorded = await Promise.all(
    (await readCases(RECORDED)).map(async (one) => ({
      name: one.id,
      triggeredAt: one.triggeredAt,
      found: await investigate({ ...one, environment: '', context: {} }, source, {
        id: ids(),
        now: one.triggeredAt,
        budget: { ...UNLIMITED },
      }),
    })),
  );
  return [...shop, ...made, ...recorded];
}

const RECORDED = join(import.meta.dirname, '../../fixtures/rca/declined-payments');

function ids(): () => string {
  let last = 0;
  return () => `id-${last++}`;
}

/** A second, simple look at a series: its middle since a moment, and what it was between before. */
function hasMoved(data: unknown, moment: number): boolean {
  const points = (MetricData.parse(data).dataPoints ?? []).map(({ timeUnixNano, asDouble }) => ({
    at: Number(BigInt(timeUnixNano ?? '0') / 1_000_000n),
    value: asDouble ?? Number.NaN,
  }));
  const before = points.filter(({ at }) => at < moment).map(({ value }) => value);
  const since = points.filter(({ at }) => at >= moment).map(({ value }) => value);
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const room = Math.max(0.12 * Math.abs(middle(before)), 0.015);
  if (before.length < 3 || since.length === 0) return true;
  return middle(since) < Math.min(...before) - room || middle(since) > Math.max(...before) + room;
}

describe('what was ruled out', () => {
  it('did not move in the raw series either, and no change is cleared beneath what fails', async () => {
    let checked = 0;
    for (const { name, triggeredAt, found: one } of await allSets()) {
      const { results, artifacts } = one;
      const onset = results.timeline.find(({ type }) => type === 'onset')?.timestamp;
      const moment = onset === undefined ? triggeredAt - 15 * MINUTE : Date.parse(onset);
      for (const { title, artifacts: refs } of results.rootCause.irrelevantEvidence) {
        if (!/did not move|answers as before/u.test(title)) continue;
        for (const { documentId } of refs) {
          const data = artifacts.find(({ id }) => id === documentId)?.data;
          expect([name, title, hasMoved(data, moment)]).toEqual([name, title, false]);
          checked++;
        }
      }
    }
    expect(checked).toBeGreaterThan(60);
  });

  it('says nothing against the guilty change, in no case and with no confidence', async () => {
    const changed = (await allSets()).filter(
      ({ shop }) => shop?.fault?.kind === 'bad_deploy' || shop?.fault?.kind === 'config_change',
    );
    for (const { found: one, shop } of changed) {
      const { results } = one;
      const guilty = shop?.fault?.service ?? '';
      const cleared = results.rootCause.irrelevantEvidence.filter(({ artifacts: refs }) =>
        refs.some(({ dataType }) => dataType === 'change'),
      );
      expect(cleared.filter(({ title }) => title.includes(guilty))).toEqual([]);
    }
    expect(changed.length).toBeGreaterThan(8);
  });

  it('never counts as unmoved what the verdict is built on, nor calls anything normal that was not compared', async () => {
    for (const { name, found: one, shop } of await allSets()) {
      const { rootCause } = one.results;
      const named = shop?.named ?? null;
      const built = rootCause.relevantEvidence.flatMap(({ artifacts: refs }) =>
        refs.map(({ title }) => title),
      );
      const unmoved = rootCause.irrelevantEvidence
        .filter(({ title }) => /did not move|answers as before/u.test(title))
        .flatMap(({ artifacts: refs }) => refs.map(({ title }) => title));
      expect([name, unmoved.filter((title) => built.includes(title))]).toEqual([name, []]);
      expect(JSON.stringify(rootCause)).not.toMatch(
        /all normal|left its normal range|nothing is bad by itself|with no effect on|from (\S+%?) to \1[ .,;]/u,
      );
      if (rootCause.rootCauseSummary === undefined && named !== null && named in SHOP)
        expect(rootCause.incidentOverview).toMatch(/\d+ series of|^Over since|since|at \d\d:\d\d UTC/u);
    }
  });
});
