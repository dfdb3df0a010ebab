import { describe, expect, it } from 'vitest';
import { harness } from './harness.ts';

const NO_ISSUES = { object: 'list', data: [], has_more: false };
const OURS = { 'service-program': 'gumshoe' };
const MODEL = { name: 'm', host: 'model.example', private: false, tokens: 1, ceiling: 2 };

describe('the service is asked beyond the contract', () => {
  it('never if it is not ours: what it is, a call of the contract tells', async () => {
    await using world = await harness([
      { json: NO_ISSUES },
      { json: NO_ISSUES, headers: { 'service-program': 'other' } },
    ]);
    expect([await world.client.languageModel(), await world.client.languageModel()]).toEqual([null, null]);
    expect(world.service.received.map(({ path }) => path)).toEqual(['/api/v2/issues?limit=1']);
    await world.client.issues.page({});
    expect(await world.client.languageModel()).toBeNull();
    expect(world.service.received.map(({ path }) => path)).toEqual([
      '/api/v2/issues?limit=1',
      '/api/v2/issues',
    ]);
  });

  it('if its answers say that it is, a refusal too', async () => {
    await using world = await harness([
      { status: 404, headers: OURS, json: { type: 'invalid_request_error', message: 'no', request_id: 'r' } },
      { json: { model: MODEL } },
    ]);
    await expect(world.client.issues.get('x')).rejects.toThrow();
    expect(await world.client.languageModel()).toEqual(MODEL);
    expect(world.service.received.map(({ path }) => path)).toEqual(['/api/v2/issues/x', '/api/v2/model']);
  });

  it('no more once another has taken its place, and on after a failure of a proxy in front of it', async () => {
    await using world = await harness([
      { json: NO_ISSUES, headers: OURS },
      { status: 403, text: 'proxy' },
      { json: { model: MODEL }, headers: OURS },
      { json: NO_ISSUES },
    ]);
    await world.client.issues.page({});
    await expect(world.client.issues.page({})).rejects.toThrow();
    expect(await world.client.languageModel()).toEqual(MODEL);
    await world.client.issues.page({});
    expect(await world.client.languageModel()).toBeNull();
    expect(world.service.received).toHaveLength(4);
  });
});
