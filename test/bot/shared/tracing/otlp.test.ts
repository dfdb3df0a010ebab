import { expect, it } from 'vitest';
import { startTracing } from '../../../../src/bot/shared/tracing/otlp.ts';
import {
  arriving,
  begins,
  callWasMade,
  traced,
  tracedCall,
} from '../../../../src/bot/shared/tracing/spans.ts';
import { unusedAddress } from '../../../support/scripted-service.ts';

const START = Date.UTC(2026, 2, 17);

it('without a receiver, everything works and nothing is traced', async () => {
  const handled = arriving('a delivery', START, async () => {
    begins('issue:one');
    return traced('issue:one', 'work', () => tracedCall('call', {}, async () => 'done'));
  });
  expect(await handled).toBe('done');
  expect(() => callWasMade('call', 5, null, {})).not.toThrow();
});

it('a failure of traced work reaches whoever did it', async () => {
  const failing = traced('issue:one', 'work', async () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
});

it('says how many spans a receiver that cannot be reached has lost', async () => {
  const lost: number[] = [];
  const tracing = startTracing({
    endpoint: await unusedAddress(),
    headers: {},
    version: '1.0.0',
    onLost: (_error, spans) => lost.push(spans),
  });
  await traced('issue:one', 'work', () => tracedCall('call', {}, async () => undefined));
  await tracing.stop();
  expect(lost).toEqual([2]);
});
