import { describe, expect, it, onTestFinished } from 'vitest';
import { renderResults } from '../../../../src/bot/render/results/results.ts';
import { resultsInWords } from '../../../../src/bot/slack/messages/results.ts';
import { showMetric, wantBesideResults } from '../../../../src/bot/slack/uploads/beside-results.ts';
import { resultIntent } from '../../../../src/bot/store/intents/issue-intents.ts';
import type { OutboxKey } from '../../../../src/bot/store/intents/keys.ts';
import { transitions } from '../../../../src/bot/store/issue-transitions.ts';
import type { OutboxRow } from '../../../../src/bot/store/outbox.ts';
import { InvestigationResults } from '../../../../src/contract/answers.ts';
import { addCreated, intent } from '../../../support/issues.ts';
import { openTestStore } from '../../../support/open-test-store.ts';
import { messagesOf } from '../support/messages-of.ts';

const RESULT = 'result:issue-1:1';
const FILE = 'file:results:issue-1:1';
const LONG = 'What happened took a long time to tell. '.repeat(200).trim();

/** An issue whose results are to be posted. */
async function finished(rootCauseSummary: string, threadTs: string | null = '1.0') {
  const opened = await openTestStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store, clock } = opened;
  const contentOf = messagesOf({
    store,
    clock,
  });
  await addCreated(store, 0, { number: 12, threadTs });
  const results = {
    rootCause: { rootCauseSummary },
    causalTreeV2: { nodes: ['A deploy', 'A full pool', 'Errors'].map((title) => ({ id: title, title })) },
  };
  const stored = { issueId: 'issue-1', version: 1, results, at: clock.now(), isFolded: false };
  const onResults = wantBesideResults({ simulated: false });
  await store.results.save('issue-1', 1, JSON.stringify(results), 0);
  await store.outbox.want(resultIntent({ id: 'issue-1', channel: 'C1', threadTs }, 1, clock.now()));
  const storeAgain = () => store.transaction((tx) => onResults(tx, stored));
  await storeAgain();
  const row = async (key: OutboxKey): Promise<OutboxRow> => {
    const found = await store.outbox.get(key);
    if (!found) throw new Error(`nothing was wanted under ${key}`);
    return found;
  };
  return { store, storeAgain, of: async (key: OutboxKey) => contentOf(await row(key)) };
}

describe('results that are posted', () => {
  it('are shown again, with a chart, once a metric that they refer to is there', async () => {
    const { store, of } = await finished('A deploy.');
    await store.issues.rewrite('issue-1', { endedVersion: 1 });
    await store.outbox.delivered(RESULT, 1);
    const artifact = {
      id: 'a',
      type: 'metric' as const,
      data: { name: 'errors', dataPoints: [{ timeUnixNano: '1780000000000000000', asDouble: 1 }] },
    };
    const evidence = [{ title: 'Errors', artifacts: [{ documentId: 'a', dataType: 'metric' }] }];
    const results = { rootCause: { rootCauseSummary: 'A deploy.', relevantEvidence: evidence } };
    await store.results.save('issue-1', 1, JSON.stringify(results), 0);
    await store.artifacts.want('issue-1', ['a']);
    await store.artifacts.keep('issue-1', 'a', JSON.stringify(artifact), 0);
    const kept = { owner: 'issue-1', id: 'a', artifact, at: 0 };
    await store.transaction((tx) => showMetric(tx, { ...kept, artifact: { ...artifact, type: 'logs' } }));
    expect(await intent(store, RESULT)).toBe('idle');
    await store.transaction((tx) => showMetric(tx, kept));
    expect(await intent(store, RESULT)).toBe('due');
    expect(JSON.stringify(await of(RESULT))).toContain('data_visualization');
  });

  it('say in the thread which customers are hit, and to nobody else', async () => {
    const { store, of } = await finished('A deploy.');
    const customers = [{ name: 'acme', failed: 12, requests: 40 }];
    const results = { rootCause: { rootCauseSummary: 'A deploy.' }, customers };
    await store.results.save('issue-1', 1, JSON.stringify(results), 0);
    const [issue, parsed] = [await store.issues.get('issue-1'), InvestigationResults.parse(results)];
    if (issue === null) throw new Error('there is no issue');
    expect(JSON.stringify(await of(RESULT))).toContain('*acme* 12 of 40');
    const about = { version: 1, results: parsed, isNew: true, simulated: false };
    const elsewhere = renderResults(await resultsInWords(issue, about, store));
    expect(JSON.stringify(elsewhere)).not.toContain('acme');
  });

  it('want no file where nothing was cut', async () => {
    const { store, of } = await finished('A deploy.');
    await of(RESULT);
    expect(await intent(store, FILE)).toBeNull();
  });

  it('want a file with all of them, once, where something was cut; it comes after them', async () => {
    const { store, storeAgain, of } = await finished(LONG);
    const content = await of(RESULT);
    expect(JSON.stringify(content)).toMatch(/… shortened: \d+ more characters/u);
    expect(await of(FILE)).toEqual({ kind: 'later' });
    await store.outbox.delivered(RESULT, 1);
    const file = await of(FILE);
    if (file.kind !== 'file') throw new Error('it is a file');
    const { bytes, ...named } = file;
    expect(named).toEqual({
      kind: 'file',
      channel: 'C1',
      threadTs: '1.0',
      name: 'results-12-v1.md',
      title: 'All results of #12, version 1',
    });
    expect(new TextDecoder().decode(bytes)).toContain(LONG);

    await store.outbox.delivered(FILE, 1);
    await of(RESULT);
    await storeAgain();
    expect(await intent(store, FILE)).toBe('idle');
  });

  it('of an issue that had no thread yet are followed by their file into the thread that its card started', async () => {
    const { store, of } = await finished(LONG, null);
    await store.outbox.delivered(RESULT, 1);
    expect(await of(FILE)).toEqual({ kind: 'later' });
    await store.issues.rewrite('issue-1', { channel: 'D1', threadTs: '7.0' });
    expect(await of(FILE)).toMatchObject({ kind: 'file', channel: 'D1', threadTs: '7.0' });
  });

  it('that never get a thread have no file either', async () => {
    const { store, of } = await finished(LONG, null);
    await store.outbox.dead('card:issue-1', 'message_not_found');
    await store.outbox.delivered(RESULT, 1);
    expect(await of(FILE)).toEqual({ kind: 'nothing' });
  });

  it('want nothing more where they are rendered', async () => {
    const { store, of } = await finished(LONG);
    const wanted = () => store.outbox.due(Number.MAX_SAFE_INTEGER, 99);
    const before = await wanted();
    await of(RESULT);
    expect(await wanted()).toEqual(before);
  });
});

describe('the results of a later look', () => {
  const looked = async (now: string) => {
    const opened = await finished('Bad deploy of payments: errors went to 19% at 10:02.');
    const { store } = opened;
    await store.outbox.recordSent(RESULT, JSON.stringify([{ ts: '2.0', hash: 'x' }]));
    await store.outbox.delivered(RESULT, 1, 1);
    const graph = (confidence: string) => ({
      causalTreeV2: { nodes: [{ id: 'a', nodeType: 'cause', title: 'Bad deploy of payments', confidence }] },
    });
    const first = { rootCause: { rootCauseSummary: 'Errors went to 19% at 10:02.' }, ...graph('medium') };
    const second = { rootCause: { rootCauseSummary: now }, ...(now === '' ? {} : graph('high')) };
    await store.results.save('issue-1', 1, JSON.stringify(first), 0);
    await store.results.save('issue-1', 2, JSON.stringify(second), 1);
    await store.issues.rewrite('issue-1', { version: 2, endedVersion: 2 });
    const place = { id: 'issue-1', channel: 'C1', threadTs: '1.0' };
    return { ...opened, place };
  };

  it('that found the same are an edit of the message that is there, and one line with a link to it', async () => {
    const { store, of, place } = await looked('Errors went to 31% at 10:40.');
    await store.outbox.want(resultIntent(place, 2, 1, { isAsBefore: true }));
    const before = JSON.stringify(await of(RESULT));
    expect(before).toContain('Errors went to 31% at 10:40.');
    expect(before).toContain('version 2');
    expect(before).not.toMatch(/Same as last time|Different root cause/u);
    expect(await of('result:issue-1:2')).toMatchObject({
      kind: 'messages',
      threadTs: '1.0',
      parts: [
        {
          text: expect.stringMatching(
            /\nLooked again: the same root cause \(now confidence high, before confidence medium\)\. <\S+p20\|The result> above is up to date\.$/u,
          ),
        },
      ],
    });
  });

  it('that found the same say nothing where nobody waits for them', async () => {
    const { store, of, place } = await looked('Errors went to 31% at 10:40.');
    await store.outbox.want(resultIntent(place, 2, 1, { isAsBefore: true, isSaid: true }));
    expect(await of('result:issue-1:2')).toEqual({ kind: 'nothing' });
    await store.outbox.delivered('result:issue-1:2', 1, 1);
    await store.outbox.resultsAgain('issue-1');
    expect(await of('result:issue-1:2')).toEqual({ kind: 'nothing' });
  });

  it('that found something else are posted whole, and leave the older message as it was', async () => {
    const { store, of, place } = await looked('');
    await store.outbox.want(resultIntent(place, 2, 1));
    expect(JSON.stringify(await of(RESULT))).toContain('Errors went to 19% at 10:02.');
    const newer = JSON.stringify(await of('result:issue-1:2'));
    expect(newer).toContain('No root cause found');
    expect(newer).toContain('Root cause withdrawn: Errors went to 19% at 10:02.');
  });

  it('leave nothing standing of a longer one', async () => {
    const { store, of, place } = await looked('Errors went to 31% at 10:40.');
    await store.outbox.want(resultIntent(place, 2, 1, { isAsBefore: true }));
    const sent = ['2.0', '3.0'].map((ts) => ({ ts, hash: 'x' }));
    await store.outbox.recordSent(RESULT, JSON.stringify(sent));
    expect(await of(RESULT)).toMatchObject({
      parts: [{}, { text: 'Results of #12: all of them are above now.' }],
    });
  });
});

describe('the results of a symptom', () => {
  const said = async (change: (opened: Awaited<ReturnType<typeof finished>>) => Promise<unknown>) => {
    const opened = await finished('A deploy.');
    const { store, of } = opened;
    await store.channels.learn('C1', false);
    await addCreated(store, 0, { id: 'issue-2', identity: 'other', number: 13, title: 'Cart is slow' });
    await store.results.save('issue-2', 1, '{"rootCause":{"rootCauseSummary":"A deploy."}}', 0);
    await store.issues.apply('issue-1', transitions.announceEnd(1, { cause: 'a deploy' }));
    await store.issues.apply('issue-2', transitions.announceEnd(1, { cause: 'a deploy' }));
    await store.issues.apply('issue-2', transitions.joinIncident('issue-1'));
    const place = { id: 'issue-2', channel: 'C1', threadTs: '1.0' };
    await store.outbox.want(resultIntent(place, 1, 0));
    await change(opened);
    const text = JSON.stringify(await of('result:issue-2:1'));
    return text.includes('*A symptom of ') ? 'folded' : 'full';
  };

  it('are folded, and shown in full where the issue that leads is not to be seen', async () => {
    expect({
      both: await said(async () => undefined),
      resolved: await said(({ store }) =>
        store.issues.rewrite('issue-1', { status: 'resolved', isOpen: false }),
      ),
      deleted: await said(({ store }) => store.issues.apply('issue-1', transitions.markGone(1))),
      'private now': await said(async ({ store }) => {
        await store.issues.rewrite('issue-1', { channel: 'G1' });
      }),
      'of another cause since': await said(({ store }) =>
        store.issues.apply('issue-2', transitions.joinIncident(null)),
      ),
      'an older version': await said(({ store }) =>
        store.issues.apply('issue-2', transitions.announceEnd(2, { cause: null })),
      ),
    }).toEqual({
      both: 'folded',
      resolved: 'folded',
      deleted: 'full',
      'private now': 'full',
      'of another cause since': 'full',
      'an older version': 'folded',
    });
  });
});
