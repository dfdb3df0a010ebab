import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { alertOf } from '../../../filing/channel-message.ts';
import { type SettingsForm, settingsModal } from '../../../render/settings/settings-modal.ts';
import { stateOf } from '../../../settings/change-settings.ts';
import { patternNotes, patternsIn } from '../../../settings/patterns.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';
import { formOf } from './form.ts';

/** How many of the channel's last messages the patterns are tried on. */
const TRIED_ON = 50;

/** The modal's state: its channel, and the settings when it was opened. */
const Metadata = z.object({ channel: z.string(), watched: z.boolean(), basedOn: z.string() });
type Metadata = z.infer<typeof Metadata>;
type Deps = Pick<ListenerDeps, 'store' | 'defaultEnvironment'>;

/** The state of our settings modal; `null` if it is not one. */
export function readMetadata(text: string): Metadata | null {
  return readModalState(Metadata, text);
}

/** A channel's settings modal, with the current settings. */
export async function settingsView(channel: string, deps: Deps): Promise<ModalView> {
  const { watched, settings } = await deps.store.channels.get(channel);
  const basedOn = stateOf({ watched, settings });
  return viewOf(formOf(settings), { channel, watched, basedOn }, deps);
}

/** The same modal with what was typed so far. */
export async function viewOf(form: SettingsForm, metadata: Metadata, deps: Deps): Promise<ModalView> {
  const rows = await deps.store.alerts.newestIn(metadata.channel, TRIED_ON);
  const messages = rows.map((row) => ({ alert: alertOf(row), sender: row.sender }));
  const note = (text: string) => patternNotes(patternsIn(text), messages);
  return settingsModal({
    channel: metadata.channel,
    watched: metadata.watched,
    form,
    notes: { include: note(form.include), exclude: note(form.exclude) },
    defaultEnvironment: deps.defaultEnvironment,
    metadata: JSON.stringify(metadata),
  });
}
