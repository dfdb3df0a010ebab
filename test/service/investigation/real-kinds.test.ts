import { describe, expect, it } from 'vitest';
import { FAULTS_AROUND } from './faults-around.ts';
import { FAULTS_WITHIN } from './faults-within.ts';
import { deploy, found, level, MINUTE, ONSET, system } from './freight.ts';

const CASES = { ...FAULTS_WITHIN, ...FAULTS_AROUND };

describe('in a system that nobody configured', () => {
  it.each(Object.entries(CASES))('it names %s', async (_, { made, cause, says, about }) => {
    const verdict = await found(made, about);
    expect(verdict.cause).toContain(cause);
    expect(verdict.summary).toMatch(says);
    expect(verdict.summary.startsWith(verdict.cause)).toBe(true);
  });

  it('it finds nothing where nothing is wrong', async () => {
    const { cause, summary } = await found(system({ felt: false, tariffs: {} }));
    expect({ cause, summary }).toEqual({ cause: 'nothing', summary: '' });
  });
});

it('a traffic surge comes in at a service, which is not what causes it', async () => {
  const surge = system({
    tariffs: { requests: level(80, 320), latency: level(0.04, 0.5) },
    metrics: [
      {
        service: 'tariffs',
        measure: 'cpu',
        unit: '{core}',
        limit: 2,
        label: 'CPU usage',
        at: level(0.5, 1.9),
      },
    ],
  });
  const { cause, overview } = await found(surge);
  expect(cause).toBe('Traffic surge on tariffs');
  expect(overview).toMatch(/More requests than usual come in at tariffs/u);
  expect(overview).not.toContain('Caused by');
});

describe('commands', () => {
  const proven = {
    changes: [
      deploy('tariffs', ONSET - MINUTE, { details: 'src/rates.ts\n+  return rates.zone_table[zone]' }),
    ],
    logs: [
      {
        at: ONSET + 10_000,
        service: 'tariffs',
        instance: null,
        level: 'error',
        message: 'KeyError: zone_table',
        traceId: null,
      },
    ],
  };

  it('name the namespace and the workload that were seen', async () => {
    const { commands } = await found(system(proven));
    // Which revision ran before is not known, so none is made up.
    expect(commands).toEqual(['kubectl -n freight rollout history deployment/tariffs']);
  });

  it('take back no change that is not proven', async () => {
    const { commands } = await found(system({ changes: [deploy('tariffs', ONSET - MINUTE)] }));
    expect(commands).toEqual([]);
  });

  it.each(Object.keys(CASES))('of %s name no workload that was not seen', async (name) => {
    const { made, about } = CASES[name] ?? { made: system({}) };
    const bare = { ...made, services: made.services.map((service) => ({ ...service, workload: null })) };
    const { commands } = await found(bare, about);
    expect(
      commands.filter(
        (command) => /kubectl|docker|systemctl/u.test(command ?? '') && !/ pod[ /]/u.test(command ?? ''),
      ),
    ).toEqual([]);
  });
});
