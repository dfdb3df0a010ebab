import { afterEach, describe, expect, inject, it } from 'vitest';
import { systemClock, whenAborted } from '../../../src/lib/clock.ts';
import { createSession } from '../../../src/lib/postgres/session.ts';
import { startDatabaseProxy } from '../../support/postgres/database-proxy.ts';
import { createDatabase } from '../../support/postgres/databases.ts';

const stack: AsyncDisposableStack[] = [];

afterEach(async () => {
  for (const one of stack.splice(0)) await one.disposeAsync();
});

describe('the session of a replica', () => {
  it('ends, though the server does not hear it', async () => {
    const closing = new AsyncDisposableStack();
    stack.push(closing);
    const { url } = await createDatabase();
    const proxy = await startDatabaseProxy(inject('postgresSocket'));
    closing.defer(() => proxy.close());
    const led = Promise.withResolvers<void>();
    const session = createSession({
      url: proxy.url(url),
      applicationName: 'test',
      lock: 1,
      channel: 'test',
      clock: systemClock,
      random: Math.random,
      onNotification: () => undefined,
      lead: async (signal) => {
        led.resolve();
        await whenAborted(signal);
      },
      onFailure: () => undefined,
    });
    await session.start();
    await led.promise;
    proxy.cut();
    await expect(session.stop()).resolves.toBeUndefined();
  });
});
