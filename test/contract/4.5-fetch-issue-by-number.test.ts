import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testService } from '../service/support.ts';
import { runs } from '../support/property-runs.ts';
import { serviceClient } from './service-client.ts';

describe('4.5 fetch issue by number', () => {
  it('answers the same as by id', async () => {
    const service = await testService();
    const client = await serviceClient(service);
    const { uuid, number } = await service.create();
    await service.create();
    expect(await client.issues.byNumber(number)).toEqual(await client.issues.get(uuid));
  });

  it('knows the numbers of its issues; others are 404 from 1 to the bound, and all else is refused', async () => {
    const { create, get } = await testService();
    await create();
    const number = fc.oneof(
      fc.maxSafeInteger().map(String),
      fc.constantFrom('1', '2', '9007199254740991', '9007199254740992', '0', '-1', '1.0', '1e3', '٣', 'one'),
    );
    await fc.assert(
      fc.asyncProperty(number, async (text) => {
        const { status } = await get(`/issues/by_number/${encodeURIComponent(text)}`);
        const valid = /^[1-9]\d*$/u.test(text) && BigInt(text) <= 9007199254740991n;
        expect(status).toBe(text === '1' ? 200 : valid ? 404 : 400);
      }),
      { numRuns: runs(80) },
    );
  });
});
