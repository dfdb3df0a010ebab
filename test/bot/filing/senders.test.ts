import { expect, it } from 'vitest';
import { parseAlert } from '../../../src/bot/alerts/parse.ts';
import { observed } from '../../../src/bot/alerts/senders/history.ts';
import { mapOf, type ShownKind } from '../../../src/bot/alerts/senders/shown.ts';
import { confirmSender, sendersIn } from '../../../src/bot/filing/senders.ts';
import { type Deciding, deciding } from '../../support/deciding.ts';
import { toolMessage } from '../alerts/fixtures.ts';

function posts(d: Deciding, text: string) {
  const raw = toolMessage({ text, username: 'Watcher', channel: 'C1' });
  const alert = parseAlert(raw);
  const shown = observed(raw, alert);
  return d.alert(alert, { sender: 'Watcher', ...(shown === null ? {} : { observed: shown }) });
}

const slow = (shard: string, top: string, revision = '1.2') =>
  `FIRING: query is slow\nShard: ${shard}\nTop process: ${top}\nRevision: ${revision}`;

/** What a person who corrects the sender in the form of the settings says. */
async function corrects(d: Deciding, objects: (kind: ShownKind) => readonly string[]) {
  const [sender] = await sendersIn(d.store, 'C1', d.options);
  if (sender === undefined) throw new Error('no sender is known');
  const answers = sender.kinds.map((kind) => ({
    id: kind.id,
    is: 'trouble' as const,
    objects: objects(kind),
  }));
  const made = mapOf(sender.sender, sender.kinds, answers, null);
  if ('wrong' in made) throw new Error('it contradicts itself');
  const word = { cause: 'press', channel: 'C1', sender, map: made.map, by: 'U1' };
  await d.store.transaction((tx) => confirmSender(tx, word, d.options));
}

const labelled = (kind: ShownKind, ...labels: string[]) =>
  kind.parts.flatMap(({ key, label }) => (labels.includes(label ?? '') ? [key] : []));

it('a value that a person leaves out tells no problems apart, also those of values that were never seen', async () => {
  await using d = await deciding();
  const { issueId } = await posts(d, slow('eu', 'java'));
  expect(await posts(d, slow('eu', 'postgres'))).toMatchObject({ decision: 'filed' });
  await corrects(d, (kind) => labelled(kind, 'shard'));
  expect(await posts(d, slow('eu', 'nginx'))).toMatchObject({ decision: 'repeat', issueId });
  expect(await posts(d, slow('us', 'nginx'))).toMatchObject({ decision: 'filed' });
});

it('confirmed as it is shown, problems stay apart that were apart before', async () => {
  await using d = await deciding();
  await posts(d, slow('eu', 'java'));
  await posts(d, slow('eu', 'postgres'));
  await corrects(d, (kind) => kind.objects);
  for (const text of [slow('us', 'java'), slow('eu', 'nginx')])
    expect(await posts(d, text)).toMatchObject({ decision: 'filed' });
});

it('a value that a person adds parts what was taken for one problem; open issues keep theirs', async () => {
  await using d = await deciding();
  const { issueId } = await posts(d, slow('eu', 'java', 'alpha'));
  expect(await posts(d, slow('eu', 'java', 'beta'))).toMatchObject({ decision: 'repeat', issueId });
  await corrects(d, (kind) => labelled(kind, 'shard', 'revision'));
  expect(await posts(d, slow('eu', 'java', 'alpha'))).toMatchObject({ decision: 'repeat', issueId });
  const beta = await posts(d, slow('eu', 'java', 'beta'));
  expect(beta.decision).toBe('repeat');
  expect(beta.issueId).not.toBe(issueId);
  expect(await posts(d, slow('eu', 'java', 'gamma'))).toMatchObject({ decision: 'filed' });
});
