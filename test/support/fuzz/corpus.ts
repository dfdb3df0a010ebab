import type { Workspace } from 'local-slack';
import { actionIds } from '../../../src/bot/render/action-ids.ts';
import { viewIds } from '../../../src/bot/render/view-ids.ts';
import { shortcutIds } from '../../../src/bot/slack/ids.ts';
import { alertmanagerAlert, corpusMessage } from '../alerts.ts';
import { until } from '../until.ts';
import { closeModals, pressEverything, windowOf } from './crawl.ts';
import { nameOf, type Payload } from './payload.ts';

const ALICE = 'U0ALICE001';
const BOB = 'U0BOB00001';
const DM = 'D0ALICE001';
/** Of a window that is needed: it is waited for as long as it can still open. */
const MANY_LOOKS = 200;

const COMMANDS = [
  ['/investigate', 'checkout is slow severity:high env:staging'],
  ['/investigate', ''],
  ['/issue', 'list'],
  ['/issue', 'list status:investigating env:production checkout'],
  ['/issue', '1'],
  ['/issue', 'results 1 v1'],
  ['/issue', 'mute 1 2h'],
  ['/issue', 'reopen 1'],
  ['/issue', 'resolve 2'],
  ['/issue', 'delete 2'],
  ['/issue', 'nonsense'],
  ['/ask', 'what is open?'],
  ['/gumshoe', ''],
  ['/gumshoe', 'dry-run'],
  ['/gumshoe', 'digest'],
  ['/gumshoe', 'status'],
  ['/gumshoe', 'audit 1'],
  ['/gumshoe', 'audit'],
  ['/gumshoe', 'pause'],
  ['/gumshoe', 'resume'],
  ['/gumshoe', 'help'],
  ['/gumshoe', 'unwatch'],
  ['/gumshoe', 'watch'],
] as const;

/** Has people and tools do each thing that they can do: what Slack sends for it goes by the recorder. */
export async function doEverything(workspace: Workspace): Promise<void> {
  const { alerts: channel, general } = workspace.channels;
  const done = new Set<string>();
  const first = await workspace.post(alertmanagerAlert('FuzzErrors'));
  await workspace.post(corpusMessage('datadog', 'datadog-log-triggered'));
  const changed = await workspace.post(alertmanagerAlert('FuzzLatency'));
  await workspace.edit({ channel, ts: changed.ts, text: 'It was edited.' });
  const removed = await workspace.post({ channel, user: BOB, text: 'checkout is down, errors everywhere' });
  await workspace.remove(channel, removed.ts);
  await workspace.post({
    channel,
    user: BOB,
    text: 'payments is down since 10:00, 500 errors for everybody',
  });
  const spoken = await workspace.post({
    channel: general,
    user: ALICE,
    text: `<@${workspace.botUserId}> what is open?`,
  });
  await workspace.post({ channel: general, user: ALICE, thread_ts: spoken.ts, text: 'and since when?' });
  await workspace.post({ channel: DM, user: ALICE, text: 'which services are slow?' });
  const content = 'ERROR timeout\n'.repeat(20);
  await workspace.upload({ channel: DM, user: ALICE, text: 'why?', files: [{ name: 'app.log', content }] });
  await workspace.react({ as: ALICE, channel: general, message_ts: spoken.ts, name: 'mag', on: true });
  await workspace.openHome(ALICE);
  await workspace.openMessagesTab({ user: ALICE, channel });
  await workspace.lookAt({ user: ALICE, channel: general });
  await until('there are results', () => workspace.messages(channel, first.ts).length >= 3);
  for (const [command, text] of COMMANDS) {
    await workspace.command({ as: ALICE, channel, command, text });
    await closeModals(workspace, done);
  }
  for (const callback_id of Object.values(shortcutIds)) {
    const on = callback_id === shortcutIds.newIssue ? {} : { channel, message_ts: first.ts };
    await workspace.shortcut({ as: ALICE, callback_id, ...on });
    await closeModals(workspace, done);
  }
  await pressEverything(workspace, done);
  await workspace.openHome(ALICE);
  await pressEverything(workspace, done);
  await watch(workspace, channel);
}

/** Has a channel watched, with the settings that its window proposes: as often as it takes, where the machine is busy. */
export async function watch(workspace: Workspace, channel: string): Promise<void> {
  await workspace.command({ as: ALICE, channel, command: '/gumshoe', text: 'resume' });
  await until('the channel is watched', async () => {
    for (const { id } of workspace.views(ALICE)) await workspace.closeView({ as: ALICE, view_id: id });
    await workspace.command({ as: ALICE, channel, command: '/gumshoe', text: 'watch' });
    const window = await windowOf(workspace, MANY_LOOKS);
    if (window?.modal.callback_id !== viewIds.settings) return false;
    return (await workspace.submit({ as: ALICE, view_id: window.id, values: {} })).ok;
  });
}

/** Payloads of every id that is registered: those that were seen, and for the others what they would look like. */
export function withEveryId(seen: readonly Payload[]): Payload[] {
  const known = seen.map(nameOf).join('\n');
  const like = (type: string, change: (value: Record<string, unknown>) => unknown): Payload[] => {
    const found = seen.find(({ value }) => Object(value).type === type);
    return found ? [{ form: 'interaction', value: change(Object(structuredClone(found.value))) }] : [];
  };
  const missing = (id: string) => !known.includes(id);
  return [
    ...seen,
    ...Object.values(actionIds)
      .filter(missing)
      .flatMap((action_id) =>
        like('block_actions', (value) => ({
          ...value,
          actions: [{ ...Object(value.actions)[0], action_id }],
        })),
      ),
    ...Object.values(viewIds)
      .filter(missing)
      .flatMap((callback_id) =>
        like('view_submission', (value) => ({ ...value, view: { ...Object(value.view), callback_id } })),
      ),
  ];
}
