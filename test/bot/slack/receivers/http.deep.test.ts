import { expect, it } from 'vitest';
import { until } from '../../../support/until.ts';
import { anEvent, receiving, send } from '../support/http-receiving.ts';

// Bolt itself waits three seconds of the machine.

it('a delivery that is acknowledged late gets its answer all the same, and it is said', async () => {
  const late = Promise.withResolvers<void>();
  const { port, lines } = await receiving(async ({ ack }) => {
    await late.promise;
    await ack({ text: 'done' });
  });
  const answer = send(port, [anEvent('hello')]);
  const [line] = await until('it is late', () => lines.length > 0 && lines);
  expect(line).toMatchObject({
    level: 40,
    msg: expect.stringMatching(/not acknowledged within three seconds/),
  });
  late.resolve();
  expect(await answer).toMatchObject({ status: 200, body: '{"text":"done"}' });
});
