import { expect, it } from 'vitest';
import { writeup } from '../../../../src/bot/slack/messages/writeup.ts';
import { deciding } from '../../../support/deciding.ts';

const found = (summary: string, sign: number) => ({
  rootCause: { rootCauseSummary: summary },
  timeline: [
    { timestamp: new Date(0).toISOString(), type: 'alert', title: 'Alert' },
    { timestamp: new Date(sign).toISOString(), type: 'onset', title: 'It begins' },
  ],
});

it('a write-up keeps the cause that was found, though a later look tells of what came after', async () => {
  await using d = await deciding();
  const { store, clock } = d;
  const { issueId } = await d.alert({ service: 'loans', title: 'loans fails' });
  const id = issueId ?? '';
  const at = clock.now();
  await store.issues.rewrite(id, {
    ...{ state: 'created', number: 1, status: 'ready_to_fix', version: 2, endedVersion: 2 },
    recoveredAt: at + 60_000,
  });
  const save = (version: number, summary: string, sign: number) =>
    store.results.save(id, version, JSON.stringify(found(summary, sign)), sign + 1);
  await save(1, 'Bad deploy of loans.', at - 60_000);
  await save(2, 'redis is down.', at + 120_000);
  const cause = async () => {
    const file = await writeup(id, {
      store,
      mayRead: async () => true,
      nameOf: async () => null,
      permalink: (channel, ts) => `https://acme.slack.com/archives/${channel}/p${ts}`,
      simulated: false,
    });
    const text = file.kind === 'file' ? new TextDecoder().decode(file.bytes) : '';
    return /## Cause\n\n(?<cause>.+)/u.exec(text)?.groups?.cause;
  };
  expect(await cause()).toBe('Bad deploy of loans.');
  await save(2, 'Bad deploy of loans; it ended with the rollback.', at - 60_000);
  expect(await cause()).toBe('Bad deploy of loans; it ended with the rollback.');
});
