import { viewIds } from '../../../../src/bot/render/view-ids.ts';
import { ALICE, BOB, type Driver } from '../driver.ts';
import type { Move } from './move.ts';
import { windowOf } from './window.ts';

const isCalled = (id: string) => (modal: { callback_id?: string | undefined }) => modal.callback_id === id;

const DAYS = ['1', '2', '3', '4', '5'].map((value) => ({ value }));

async function gumshoe({ workspace, channel }: Driver, text: string): Promise<void> {
  await workspace.command({ as: BOB, channel: channel('general'), command: '/gumshoe', text });
}

/** A digest, at once. */
export function sendDigest(driver: Driver): Promise<void> {
  driver.note('/gumshoe digest now');
  return gumshoe(driver, 'digest now');
}

/** Another time for the digest of #general, which the channel is told. */
export async function setDigest(driver: Driver): Promise<void> {
  const { workspace, chance } = driver;
  const view = await windowOf(workspace, BOB, isCalled(viewIds.digest), () => gumshoe(driver, 'digest'));
  if (!view) return;
  const time = `1${chance.below(10)}:${10 + chance.below(50)}`;
  driver.note(`the digest of #general comes at ${time}`);
  await workspace.submit({
    as: BOB,
    view_id: view.id,
    values: { days: { days: { selected_options: DAYS } }, time: { time: { selected_time: time } } },
  });
}

/** Other settings of #general, which the channel is told. */
export async function setSettings(driver: Driver): Promise<void> {
  const { workspace, chance } = driver;
  const view = await windowOf(workspace, BOB, isCalled(viewIds.settings), () => gumshoe(driver, 'watch'));
  const [action = ''] = Object.keys(view?.values.coolDownMinutes ?? {});
  if (!view || action === '') return;
  const value = String(30 + chance.below(900));
  driver.note(`the cool-down of #general becomes ${value} minutes`);
  const values = { coolDownMinutes: { [action]: { type: 'number_input', value } } };
  const outcome = await workspace.submit({ as: BOB, view_id: view.id, values });
  if (!outcome.ok) driver.note(`the settings were not taken: ${outcome.error}`);
}

/** Somebody looks at their Home. */
export async function openHome({ workspace, chance, events, ledger, note }: Driver): Promise<void> {
  const who = chance.one([ALICE, BOB]) ?? ALICE;
  await workspace.openHome(who);
  if (events === 'once') ledger.homes.add(who);
  note(`${who} opens their Home`);
}

export const settingsMoves: readonly Move[] = [
  { name: '/gumshoe digest now', weight: 0.5, needsProgram: true, make: sendDigest },
  { name: '/gumshoe digest', weight: 0.5, needsProgram: true, make: setDigest },
  { name: '/gumshoe watch', weight: 0.5, needsProgram: true, make: setSettings },
  { name: 'the Home', weight: 0.5, needsProgram: false, make: openHome },
];
