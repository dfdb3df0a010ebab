import { expect, it } from 'vitest';
import { createLogger } from '../../../../src/bot/shared/log.ts';
import { createGapRecorder } from '../../../../src/bot/slack/backfill/gaps.ts';

function recorder() {
  const did: string[] = [];
  const database = { isAway: false };
  const gaps = {
    begin: async () => {
      if (database.isAway) throw new Error('the database is away');
      did.push('began');
    },
    end: () => void did.push('ended'),
  };
  return { did, database, gap: createGapRecorder(gaps, createLogger('silent')) };
}

it('records a gap when it begins, and once', async () => {
  const { did, gap } = recorder();
  gap.begins();
  expect(await gap.isRecorded()).toBe(true);
  await gap.ends();
  expect(did).toEqual(['began', 'ended']);
});

it('records a gap that began without the database before deliveries are taken again', async () => {
  const { did, database, gap } = recorder();
  database.isAway = true;
  gap.begins();
  await new Promise((resolve) => setImmediate(resolve));
  expect(await gap.isRecorded()).toBe(false);
  database.isAway = false;
  expect(await gap.isRecorded()).toBe(true);
  await gap.ends();
  expect(did).toEqual(['began', 'ended']);
});

it('records a gap at its end if it could not be recorded sooner', async () => {
  const { did, database, gap } = recorder();
  database.isAway = true;
  gap.begins();
  await new Promise((resolve) => setImmediate(resolve));
  database.isAway = false;
  await gap.ends();
  expect(did).toEqual(['began', 'ended']);
});
