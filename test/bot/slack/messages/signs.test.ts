import { expect, it } from 'vitest';
import { deciding } from '../../../support/deciding.ts';
import { messagesOf } from '../support/messages-of.ts';

const down = (since: string) => ({
  rootCause: { rootCauseSummary: `redis is down since ${since} UTC: its exporter says so.` },
  causalTreeV2: { nodes: [{ id: 'redis', nodeType: 'cause', title: 'State of redis' }], edges: [] },
});

it('a firing that is looked at anew shows what that look found, and until then no verdict of the time before', async () => {
  await using d = await deciding();
  const { store, clock } = d;
  const ids: string[] = [];
  for (const [index, service] of ['redis', 'loans'].entries()) {
    const { issueId } = await d.alert({ service, fingerprint: service, title: `${service} fails` });
    ids.push(issueId ?? '');
    await store.issues.rewrite(ids[index] ?? '', {
      ...{ state: 'created', number: index + 1, status: 'ready_to_fix', version: 1, endedVersion: 1 },
      symptomOf: index === 0 ? null : (ids[0] ?? null),
    });
    await store.results.save(ids[index] ?? '', 1, JSON.stringify(down('12:00')), clock.now());
  }
  await d.alert({ kind: 'resolved', fingerprint: 'loans' });
  await clock.sleep(20 * 60_000);
  const { ts } = await d.alert({ service: 'loans', fingerprint: 'loans', title: 'loans fails' });
  const said = async () => {
    const row = await store.outbox.get(`sign:C1:${ts}`);
    return row === null ? null : JSON.stringify(await messagesOf({ ...d.options, store })(row));
  };
  expect(await said()).toMatch(/Fired again after it was over: investigated again in/u);
  expect(await said()).not.toMatch(/12:00/u);
  await store.results.save(ids[1] ?? '', 2, JSON.stringify(down('12:20')), clock.now());
  expect(await said()).toMatch(/redis is down since 12:20 UTC/u);
});
