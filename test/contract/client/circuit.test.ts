import { expect, test } from 'vitest';
import type { Reply } from '../../support/scripted-service.ts';
import { all, errorOf, type Harness, harness, UUID } from './harness.ts';

const DETAIL: Reply = { json: { uuid: UUID, number: 1, status: 'muted' } };
const BROKEN: Reply = { status: 500, json: { type: 'api_error', message: 'oops', request_id: 'r' } };
const CREATE = { title: 'Disk full', description: 'on pay-db-2', environment: 'production' };

/** Makes five calls that change or ask something, which are not repeated, to a service that fails. */
async function failFive(h: Harness, call: () => Promise<unknown>): Promise<void> {
  h.service.script(...Array(5).fill(BROKEN));
  for (let count = 0; count < 5; count++) await errorOf(call());
}

test('after five failed calls nothing is sent until the pause is over', async () => {
  await using h = await harness([]);
  await failFive(h, () => h.client.issues.create(CREATE));
  expect(await errorOf(h.client.issues.get(UUID))).toMatchObject({
    name: 'CircuitOpenError',
    operation: 'issues.get',
    retryAfterMs: 10_000,
  });
  expect(h.service.received).toHaveLength(5);
  await h.clock.sleep(10_000);
  h.service.script(DETAIL);
  expect(await h.client.issues.get(UUID)).toEqual(DETAIL.json);
});

test('a call that was not let through is reported as one', async () => {
  await using h = await harness([]);
  await failFive(h, () => h.client.issues.create(CREATE));
  await errorOf(h.client.issues.delete(UUID));
  expect(h.calls.at(-1)).toEqual({
    operation: 'issues.delete',
    status: null,
    ms: 0,
    requestId: null,
    outcome: 'CircuitOpenError',
  });
});

test('the repeats of one call count as one failure, and their success as none', async () => {
  await using h = await harness([BROKEN, BROKEN, BROKEN, BROKEN]);
  expect(await errorOf(h.client.issues.get(UUID))).toMatchObject({ name: 'RejectedError' });
  await failFive(h, () => h.client.issues.create(CREATE));
  expect(h.service.received).toHaveLength(4 + 4);

  await using recovering = await harness([]);
  for (let count = 0; count < 5; count++) {
    recovering.service.script(BROKEN, DETAIL);
    expect(await recovering.client.issues.get(UUID)).toEqual(DETAIL.json);
  }
});

test('an agent that fails holds up neither issues nor artifacts', async () => {
  await using h = await harness([]);
  await failFive(h, () => all(h.client.query.stream({ question: 'why?' })));
  expect(await errorOf(h.client.query.ask({ question: 'why?' }))).toMatchObject({ name: 'CircuitOpenError' });
  h.service.script(DETAIL, { json: [{ id: 'a' }] });
  expect(await h.client.issues.get(UUID)).toEqual(DETAIL.json);
  expect(await h.client.artifacts.get(['a'])).toEqual([{ id: 'a' }]);
});
