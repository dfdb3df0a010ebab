import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startService } from '../../../src/service/server.ts';
import { madeSource } from '../../support/made-source.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../support.ts';
import { deploy, found, level, MINUTE, ONSET, red, system } from './freight.ts';

/** `booking` calls both `tariffs` and `seats`, and both degrade in the same way at the same time. */
function undecided() {
  return system({
    services: ['portal', 'booking', 'tariffs', 'seats'].map((name) => ({ name })),
    edges: [
      { caller: 'portal', callee: 'booking' },
      { caller: 'booking', callee: 'tariffs' },
      { caller: 'booking', callee: 'seats' },
    ],
    metrics: red('seats', { latency: level(0.04, 0.42), errors: level(0.002, 0.12) }),
    changes: [deploy('tariffs', ONSET - MINUTE), deploy('seats', ONSET - 2 * MINUTE)],
  });
}

it('two causes between which telemetry does not decide are shown as two', async () => {
  const { causes, summary, overview, evidence, actions } = await found(undecided());
  expect([...causes].sort()).toEqual([
    'Degradation of seats after a deploy',
    'Degradation of tariffs after a deploy',
  ]);
  expect(summary).toMatch(
    /^Degradation of (tariffs|seats) after a deploy: .+\. About as likely: Degradation of (?!\1)(tariffs|seats) after a deploy: /u,
  );
  expect(overview).toMatch(
    /Telemetry does not decide between two causes: (?:seats|tariffs) is about as likely\./u,
  );
  expect(actions).toEqual(expect.arrayContaining(['Look at 7.3.0 of seats', 'Look at 7.3.0 of tariffs']));
  const titles = evidence.map(({ title }) => title);
  expect(titles).toHaveLength(new Set(titles).size);
});

it.each(['tariffs', 'seats'])('the one that is open already comes first: %s', async (place) => {
  const told = (open: unknown) => found(undecided(), { metadata: { open } });
  const { summary } = await told([
    { issue: 7, cause: `degradation of ${place} after a deploy`, service: place },
  ]);
  expect(summary).toMatch(new RegExp(`^Degradation of ${place} after a deploy: `, 'u'));
  for (const open of [[null, { cause: 7 }], 'x'])
    expect((await told(open)).summary).toMatch(/^Degradation of (?:tariffs|seats) after a deploy: /u);
});

it('says nothing with high confidence then', async () => {
  const { evidence } = await found(undecided());
  expect(evidence.map(({ confidence }) => confidence)).not.toContain('high');
});

it('a cause that stands out is shown alone', async () => {
  const { causes, summary } = await found(system({ changes: [deploy('tariffs', ONSET - MINUTE)] }));
  expect(causes).toEqual(['Degradation of tariffs after a deploy']);
  expect(summary).not.toContain('likely');
});

it('two resources of one service at their limit are two facts, the first to run out first', async () => {
  const made = (cpu: number, disk: number) =>
    system({
      tariffs: { latency: level(0.04, 0.42) },
      metrics: [
        { service: 'tariffs', measure: 'cpu', unit: '1', at: level(0.3, 0.95, ONSET + cpu * MINUTE) },
        { service: 'tariffs', measure: 'disk', unit: '1', at: level(0.5, 0.99, ONSET + disk * MINUTE) },
      ],
    });
  expect((await found(made(0, -2))).summary).toMatch(
    /^Disk full on tariffs: .+\. Also: CPU starvation of tariffs: /u,
  );
  expect((await found(made(-2, 0))).summary).toMatch(
    /^CPU starvation of tariffs: .+\. Also: Disk full on tariffs: /u,
  );
});

const Results = z.looseObject({
  rootCause: z.looseObject({
    rootCauseSummary: z.string(),
    relevantEvidence: z.array(z.looseObject({ confidence: z.string() })),
  }),
});

it('a result fetched from the service names both, with at most medium confidence', async () => {
  const clock = manualClock(ONSET + 8 * MINUTE);
  const telemetry = madeSource(undecided());
  const file = join(temporaryFolder(), 'service.db');
  const service = await startService({ file, keys: { key: 'acme' }, clock, telemetry });
  onTestFinished(service.close);
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${service.url}${path}`, init)).json();
  };
  const issue = { title: 'Portal is slow', description: 'Half a second a page', environment: 'production' };
  const { uuid } = z.looseObject({ uuid: z.string() }).parse(await ask('/issues', issue));
  await expect.poll(() => ask(`/issues/${uuid}`)).toMatchObject({ status: 'ready_to_fix' });
  const { rootCause } = Results.parse(await ask(`/issues/${uuid}/results`));
  expect(rootCause.rootCauseSummary).toMatch(
    /seats.*About as likely.*tariffs|tariffs.*About as likely.*seats/u,
  );
  expect(rootCause.relevantEvidence.map(({ confidence }) => confidence)).not.toContain('high');
});
