import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageMessage } from 'local-slack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { ALICE, BOB, type ChannelViews, channelViews } from '../support/channel-views.ts';
import { fastClock, pacedClock } from '../support/paced-clock.ts';
import { onPostgres } from '../support/postgres/databases.ts';
import { SERVICE_KEY, type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { tablesOfProgram } from '../support/program-database.ts';
import { isOver } from '../support/talking.ts';
import { until } from '../support/until.ts';

let around: Surroundings;
let bot: Bot;
let views: ChannelViews;

beforeEach(async () => {
  around = await startSurroundings('socket');
  views = channelViews(around);
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

async function start(options: Parameters<typeof startBotOn>[1] = {}): Promise<void> {
  bot = await startBotOn(around, options);
}

type Where = keyof Surroundings['workspace']['channels'];

async function issue(text: string, as = BOB, where: Where = 'general'): Promise<void> {
  const channel = around.workspace.channels[where];
  expect(await around.workspace.command({ as, channel, command: '/issue', text })).toEqual({ ok: true });
}

/** What somebody is told behind a command, newest first. */
function told(pattern: RegExp, where: Where = 'general'): Promise<PageMessage> {
  const look = () =>
    around.workspace
      .messages(around.workspace.channels[where])
      .findLast((message) => message.ephemeral_to !== undefined && pattern.test(wordsOf(message)));
  return until(`somebody is told ${pattern}`, look);
}

const TOO_SLOW = /timed out\. Nothing was changed; try again/;

/**
 * The modal that asks an admin whether to delete. A trigger leaves two seconds for the look-up at the service: a machine
 * too busy for that is asked again, as the person is told to.
 */
async function deletionModal(text: string) {
  const { workspace } = around;
  const tooSlow = () =>
    workspace.messages(workspace.channels.general).filter((message) => TOO_SLOW.test(wordsOf(message)))
      .length;
  for (;;) {
    const before = tooSlow();
    await issue(text, ALICE);
    const opened = await until(
      'a modal opens',
      () => workspace.views(ALICE).at(-1) ?? (tooSlow() > before && 'too slow'),
      () => workspace.messages(workspace.channels.general).map(wordsOf),
    );
    if (opened !== 'too slow') return opened;
  }
}

async function service(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${SERVICE_KEY}`, 'content-type': 'application/json' };
  return fetch(`${around.service.url}${path}`, { ...init, headers });
}

/** An issue that was filed elsewhere. */
async function filedElsewhere(title: string, environment = 'production'): Promise<void> {
  const body = JSON.stringify({ title, description: 'From elsewhere.', environment });
  expect((await service('/issues', { method: 'POST', body })).ok).toBe(true);
}

async function uuidOf(number: number): Promise<string> {
  return Object(await (await service(`/issues/by_number/${number}`)).json()).uuid;
}

/** An alert's issue whose investigation has ended, with its card. */
async function investigated(): Promise<{ ts: string; card: PageMessage }> {
  const { ts } = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
  await views.seen(/Results of/, 'alerts', ts);
  return { ts, card: await views.seen(/#1[\s\S]*Ready to fix/, 'alerts', ts) };
}

describe('/issue list', () => {
  it('turns pages both ways in one message that only the asker sees, and keeps its filter', async () => {
    await start();
    for (let n = 1; n <= 23; n += 1)
      await filedElsewhere(`Trouble ${n}`, n === 23 ? 'staging' : 'production');
    await issue('list env = “prod” TROUBLE');
    const first = await told(/Issues, in production, with “TROUBLE”/);
    expect(first.ephemeral_to).toBe(BOB);
    const numbers = (message: PageMessage) =>
      [...wordsOf(message).matchAll(/^#(\d+)$/gmu)].map(([, number]) => Number(number));
    const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);
    expect(numbers(first)).toEqual(range(22, 13));
    const turn = async (by: 'issues:next' | 'issues:previous', expected: number[]) => {
      await views.press('general', await told(/Issues, in production/), by);
      await until(`the page with ${expected[0]} shows`, async () => {
        const message = await told(/Issues, in production/);
        return numbers(message)[0] === expected[0] && message;
      });
      expect(numbers(await told(/Issues, in production/))).toEqual(expected);
    };
    await turn('issues:next', range(12, 3));
    await turn('issues:next', [2, 1]);
    expect(JSON.stringify((await told(/Issues, in production/)).blocks)).not.toContain('Next');
    await turn('issues:previous', range(12, 3));
    await turn('issues:previous', range(22, 13));
    expect(around.workspace.messages(around.workspace.channels.general)).toHaveLength(1);
  });
});

describe('a status that is set by command', () => {
  it('shows on the card, says who did it, and the results are shown to whoever asks', async () => {
    await start();
    const { ts } = await investigated();
    await issue('resolve #1.');
    await told(/#1 \*HighErrorRate.* is now ✅ Resolved/);
    await views.seen(new RegExp(`✅ Resolved[\\s\\S]*<@${BOB}> resolved it`), 'alerts', ts);
    await issue('unmute 1', ALICE);
    await told(/is now 🛠️ Ready to fix/);
    await issue('1 mute for 2 hours', ALICE);
    await told(/is now 🔕 Muted until/);
    await views.seen(/🔕 Muted[\s\S]*Muted until/, 'alerts', ts);
    await issue('results 1');
    expect((await told(/Results of/)).ephemeral_to).toBe(BOB);
    await issue('results 1 v9');
    await told(/has one version of its results; there is no version 9/);
  });

  // How soon is tested with a clock that is set by hand (bot/watching/rotation.test.ts and sync-issue.test.ts).
  it('elsewhere shows on the card', async () => {
    await start({ clock: fastClock(20) });
    const { ts } = await investigated();
    const uuid = await uuidOf(1);
    const body = JSON.stringify({ status: 'resolved' });
    expect((await service(`/issues/${uuid}`, { method: 'PATCH', body })).ok).toBe(true);
    await views.seen(/✅ Resolved/, 'alerts', ts);
  });
});

describe('/issue delete', () => {
  it('is for admins, asks first, deletes at the service, and the card says by whom', async () => {
    await start();
    const { ts } = await investigated();
    const uuid = await uuidOf(1);
    await issue('delete 1');
    await told(/Only admins can delete issues/);
    const { modal, id } = await deletionModal('rm 1');
    expect(JSON.stringify(modal)).toMatch(/Permanently delete #1 \*HighErrorRate.*\?/u);
    expect(await around.workspace.submit({ as: ALICE, view_id: id, values: {} })).toEqual({ ok: true });
    await until('the window says that it is deleted', () =>
      JSON.stringify(around.workspace.views(ALICE)).includes('🗑️ #1 has been deleted.'),
    );
    const card = await views.seen(/🗑️ Deleted/, 'alerts', ts);
    expect(wordsOf(card)).toMatch(new RegExp(`<@${ALICE}> deleted it`));
    expect((await service(`/issues/${uuid}`)).status).toBe(404);
    await issue('1');
    await told(/🗑️ Deleted/);
    await issue('resolve 1');
    await told(/There is no issue 1/);
    // The alert fires again: that is a new issue.
    const again = await around.workspace.post(alertmanagerAlert('HighErrorRate'));
    await views.seen(/#2/, 'alerts', again.ts);
  });

  it('of an issue that is gone at the service already clears what is kept here', async () => {
    await start();
    const { ts, card } = await investigated();
    await views.press('alerts', card, 'issue:more', /Delete/u, ALICE);
    const { id } = await views.modal(ALICE);
    await service(`/issues/${await uuidOf(1)}`, { method: 'DELETE' });
    await around.workspace.submit({ as: ALICE, view_id: id, values: {} });
    await until('the window says so', () =>
      JSON.stringify(around.workspace.views(ALICE)).includes('was already gone at the service'),
    );
    await views.seen(/🗑️ Deleted/, 'alerts', ts);
  });

  it('leaves no word of the alert, or of what was asked about it, in the database and its log', async () => {
    const clock = pacedClock();
    await start({ clock });
    const alert = JSON.stringify(alertmanagerAlert('HighErrorRate')).replaceAll(
      'HighErrorRate',
      'Quagga77Rate',
    );
    const { ts } = await around.workspace.post(JSON.parse(alert));
    await views.seen(/#1 Quagga77Rate[\s\S]*Ready to fix/, 'alerts', ts);
    const { alerts } = around.workspace.channels;
    const text = `<@${around.workspace.botUserId}> is the quagga77 healthy?`;
    const question = await around.workspace.post({ channel: alerts, user: BOB, text, thread_ts: ts });
    await until('it is answered', () =>
      repliesTo(around, ts).some((reply) => Number(reply.ts) > Number(question.ts) && isOver(reply)),
    );
    expect((await stored()).some((bytes) => bytes.includes('quagga77'))).toBe(true);
    const { id } = await deletionModal('delete 1');
    expect(await around.workspace.submit({ as: ALICE, view_id: id, values: {} })).toEqual({ ok: true });
    await views.seen(/🗑️ Deleted/, 'alerts', ts);
    // Slack tells of edited messages what they said before: that is gone within a minute.
    clock.go(60);
    await until('no file of the database has a word of it', async () =>
      (await stored()).every((bytes) => !bytes.includes('quagga77')),
    );
  });
});

/** The bytes of the database and its log, in lower case; on PostgreSQL, whose files are the server's, its rows. */
async function stored(): Promise<string[]> {
  if (onPostgres) return [JSON.stringify(await tablesOfProgram(around)).toLowerCase()];
  const file = join(around.folder, 'gumshoe.db');
  return ['', '-wal', '-shm']
    .filter((end) => existsSync(file + end))
    .map((end) => readFileSync(file + end, 'latin1').toLowerCase());
}
