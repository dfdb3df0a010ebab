import { expect, it } from 'vitest';
import { openStore } from '../../src/bot/store/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { auditExport } from '../../src/tools/audit-export.ts';
import { call } from '../support/call.ts';
import { createDatabase } from '../support/postgres/databases.ts';

it('on PostgreSQL every entry is exported in order, whichever replica wrote it', async () => {
  const { url } = await createDatabase();
  const open = () =>
    openStore({ url, clock: systemClock, random: Math.random, onConnectionLost: () => undefined });
  const stores = await Promise.all([open(), open(), open()]);
  await Promise.all(
    Array.from({ length: 30 }, (_, n) => {
      const entry = { at: 1_000 + n, who: 'U1', what: `act ${n}`, issueId: null };
      const store = stores[n % 3];
      return n % 2 === 0 ? store?.audit.add(entry) : store?.transaction((tx) => tx.audit.add(entry));
    }),
  );
  for (const store of stores) await store.close();
  const { stdout } = await call(auditExport, ['--since', '1970-01-01'], {
    DATABASE_URL: url,
  });
  const whats = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).what);
  expect(whats).toEqual(Array.from({ length: 30 }, (_, n) => `act ${n}`));
});
