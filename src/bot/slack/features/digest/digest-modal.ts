import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { digestState, isZone } from '../../../digest/settings.ts';
import { type DigestForm, digestModal } from '../../../render/digest/digest-modal.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { readModalState } from '../../listening/modal-state.ts';

/** The modal's state: its channel, and the settings when it was opened. */
const Metadata = z.object({ channel: z.string(), basedOn: z.string() });
type Metadata = z.infer<typeof Metadata>;

const USUAL = { days: '12345', time: '09:00' };
const UTC = 'Etc/UTC';
const option = z.looseObject({ value: z.string() });

const Values = z.object({
  days: z.object({ days: z.looseObject({ selected_options: z.array(option).nullish() }) }),
  time: z.object({ time: z.looseObject({ selected_time: z.string().nullish() }) }),
  zone: z.object({ zone: z.looseObject({ selected_option: option.nullish() }) }).optional(),
});

/** The state of our digest modal; `null` if it is not one. */
export function readMetadata(text: string): Metadata | null {
  return readModalState(Metadata, text);
}

/** Reads the user's choices from `view.state.values`; `own` is the time zone if the modal does not ask for one. */
export function readDigestForm(values: unknown, own: string): DigestForm {
  const { days, time, zone } = Values.parse(values);
  return {
    days: (days.days.selected_options ?? [])
      .map(({ value }) => value)
      .filter((value) => /^[1-7]$/u.test(value))
      .sort()
      .join(''),
    time: time.time.selected_time ?? USUAL.time,
    zone: zone?.zone.selected_option?.value ?? own,
  };
}

/** A person's time zone, if Node.js knows it. */
export async function zoneOf(userId: string, { people }: Pick<ListenerDeps, 'people'>): Promise<string> {
  const zone = await people.zone(userId);
  return isZone(zone) ? zone : UTC;
}

/** A channel's digest modal, with the current settings. */
export async function digestView(channel: string, userId: string, deps: ListenerDeps): Promise<ModalView> {
  const digest = await deps.store.digests.get(channel);
  const own = await zoneOf(userId, deps);
  const form = digest ?? { ...USUAL, zone: own };
  return viewOf(form, { channel, basedOn: digestState(digest) }, { own, sent: false }, deps);
}

/** The same modal with the choices made so far. */
export async function viewOf(
  { days, time, zone }: DigestForm,
  metadata: Metadata,
  { own, sent }: { own: string; sent: boolean },
  { store }: Pick<ListenerDeps, 'store'>,
): Promise<ModalView> {
  const digest = await store.digests.get(metadata.channel);
  return digestModal({
    channel: metadata.channel,
    form: { days, time, zone },
    zones: { own, set: digest?.zone ?? null },
    nextAt: digest?.nextAt ?? null,
    sent,
    metadata: JSON.stringify(metadata),
  });
}
