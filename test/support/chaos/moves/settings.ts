import { BOB, type Driver } from '../driver.ts';
import type { Move } from './move.ts';

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
  await gumshoe(driver, 'digest');
  const view = workspace.views(BOB).at(-1);
  if (!view) return;
  const time = `1${chance.below(10)}:${10 + chance.below(50)}`;
  driver.note(`the digest of #general comes at ${time}`);
  await workspace.submit({
    as: BOB,
    view_id: view.id,
    values: { days: { days: { selected_options: DAYS } }, time: { time: { selected_time: time } } },
  });
}

export const settingsMoves: readonly Move[] = [
  { name: '/gumshoe digest now', weight: 0.5, needsProgram: true, make: sendDigest },
  { name: '/gumshoe digest', weight: 0.5, needsProgram: true, make: setDigest },
];
