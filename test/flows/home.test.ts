import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/compose/index.ts';
import { alertmanagerAlert, repliesTo, wordsOf } from '../support/alerts.ts';
import { type Surroundings, startBotOn, startSurroundings } from '../support/program.ts';
import { until } from '../support/until.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const CAROL = 'U0CAROL001';

let around: Surroundings;
let bot: Bot;

beforeEach(async () => {
  around = await startSurroundings('socket');
  bot = await startBotOn(around, {
    env: { ALERT_CHANNELS: `${around.workspace.channels.alerts},${around.workspace.channels.secrets}` },
  });
});

afterEach(async () => {
  await bot.stop();
  await around.close();
});

const words = (user: string) => JSON.stringify(around.workspace.home(user)?.home.blocks ?? []);
/** Presses a button on somebody's Home, or chooses in a menu there. */
function press(as: string, block_id: string, action_id: string, choice?: string) {
  const view_id = around.workspace.home(as)?.id ?? '';
  const state = choice === undefined ? {} : { state: { selected_option: { value: choice } } };
  return around.workspace.viewAction({ as, view_id, block_id, action_id, ...state });
}

const Issues = z.array(z.looseObject({ block_id: z.string().optional() }));

/** Our id of the only issue with a menu on somebody's Home. */
function issueOn(user: string): string {
  const blocks = Issues.parse(around.workspace.home(user)?.home.blocks ?? []);
  const ids = blocks.flatMap(({ block_id = '' }) =>
    block_id.startsWith('issue:') ? [block_id.slice(6)] : [],
  );
  return ids[0] ?? '';
}

it('a Home shows what is open, follows it, and acts on it; nothing of a private channel to others', async () => {
  const { workspace } = around;
  const { ts } = await workspace.post(alertmanagerAlert('HighErrorRate'));
  await workspace.post({ ...alertmanagerAlert('SecretTrouble', 'ledger'), channel: 'secrets' });
  await until('both are filed', () => repliesTo(around, ts).length > 0);
  for (const user of [ALICE, BOB, CAROL]) expect(await workspace.openHome(user)).toEqual({ ok: true });
  await until(
    'Bob sees both',
    () => words(BOB).includes('HighErrorRate') && words(BOB).includes('SecretTrouble'),
  );
  await until('Carol sees hers', () => words(CAROL).includes('HighErrorRate'));
  expect(words(CAROL)).not.toContain('SecretTrouble');
  expect(words(CAROL)).not.toContain(workspace.channels.secrets);
  await until('Alice sees the part for admins', () => words(ALICE).includes('For admins'));
  expect(words(BOB)).not.toContain('For admins');
  await until('the Home follows', () => words(CAROL).includes('1 ready to fix'));

  const id = issueOn(CAROL);
  expect(await press(CAROL, `issue:${id}`, 'home:issue', `resolve:${id}`)).toEqual({ ok: true });
  await until('it is resolved on the Home', () => words(CAROL).includes('Nothing is open'));
  await until('and on its card, by her', () =>
    wordsOf(repliesTo(around, ts)[0] ?? alone).includes(`<@${CAROL}>`),
  );
  await until('and on the Homes of others', () => !words(BOB).includes('HighErrorRate'));
  expect(words(BOB)).toContain('SecretTrouble');

  expect(await press(CAROL, 'home:new', 'home:new_issue')).toEqual({ ok: true });
  await until('the form stands open', () => workspace.views(CAROL).length > 0);
  expect(await press(ALICE, 'home:filing', 'home:pause')).toEqual({ ok: true });
  await until('everybody sees that filing is paused', () => words(BOB).includes('Filing is paused'));
});

const alone = { type: 'message' as const, channel: '', ts: '', text: '' };
