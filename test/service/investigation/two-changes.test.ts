import { expect, it } from 'vitest';
import type { Change, LogLine } from '../../../src/service/telemetry/model.ts';
import { deploy, found, MINUTE, ONSET, system } from './freight.ts';

const older = deploy('tariffs', ONSET - 4 * MINUTE, {
  version: '7.2.9',
  title: 'Deploy tariffs 7.2.9',
  ref: 'a1',
});
const newer = deploy('tariffs', ONSET - MINUTE, { ref: 'b2' });

/** The new error of `tariffs`, after lines of a healthy hour. */
const logs: LogLine[] = [
  ...Array.from({ length: 60 }, (_, i) => ['info', 'quoted a price', ONSET - (62 - i) * MINUTE] as const),
  ...Array.from(
    { length: 9 },
    (_, i) => ['error', 'surcharge is undefined in roundSurcharge', ONSET + i * 10_000] as const,
  ),
].map(([level, message, at]) => ({
  at,
  service: 'tariffs',
  instance: 'tariffs-0',
  level,
  message,
  traceId: null,
}));

async function verdict(changes: readonly Change[]) {
  const { causes, summary, evidence } = await found(system({ changes, logs }));
  return {
    causes,
    version: /7\.\d\.\d/u.exec(summary)?.[0],
    isSure: evidence.some(({ confidence }) => confidence === 'high'),
  };
}

it('one deploy minutes before is named, and not called the cause', async () => {
  expect(await verdict([newer])).toEqual({
    causes: ['Degradation of tariffs after a deploy'],
    version: '7.3.0',
    isSure: false,
  });
});

it('of two deploys of the failing service minutes apart, of which only versions are known, none is called the cause', async () => {
  expect(await verdict([older, newer])).toEqual({
    causes: ['Degradation of tariffs after a deploy'],
    version: '7.3.0',
    isSure: false,
  });
});

it('the one whose changed lines the first new errors speak of is told from the other', async () => {
  const guilty = {
    ...older,
    details: 'src/price.ts\n-  return roundSurcharge(surcharge ?? 0)\n+  return roundSurcharge(surcharge)',
  };
  const harmless = { ...newer, details: 'src/banner.ts\n-  color = red\n+  color = blue' };
  expect(await verdict([guilty, harmless])).toEqual({
    causes: ['Bad deploy of tariffs'],
    version: '7.2.9',
    isSure: true,
  });
});

it('the artifact of the change has the lines that prove it marked, and that of another change has none', async () => {
  const details = [
    'a1b2c3d Round surcharges (Ada)',
    'src/price.ts',
    '--- a/src/price.ts',
    '+++ b/src/price.ts',
    '@@ -7 +7 @@ priceOf()',
    '-  return surcharge ?? 0',
    '+  return roundSurcharge(surcharge)',
  ].join('\n');
  const guilty = { ...older, details, authors: ['Ada'], files: ['src/price.ts'] };
  const { investigation } = await found(
    system({ changes: [guilty, { ...newer, details: 'src/a.ts\n+a' }], logs }),
  );
  const changes = investigation.artifacts.filter(({ type }) => type === 'change');
  expect(changes.map(({ data }) => [data.version, data.marked])).toEqual([
    ['7.2.9', ['src/price.ts: +  return roundSurcharge(surcharge)']],
    ['7.3.0', undefined],
  ]);
});
