import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { nearest } from '../../../lib/text.ts';
import type { Deps } from '../../deps.ts';
import { sendDigestNow as sendDigest } from '../../digest/digests.ts';
import { hygieneOf } from '../../digest/hygiene.ts';
import { digestState, digestWords, isZone, setDigest } from '../../digest/settings.ts';
import { issueIdOf } from '../../filing/reference.ts';
import {
  type DigestForm,
  digestIsOff,
  digestIsSent,
  digestModal,
  notReadable,
  usageDigest,
  usageHygiene,
} from '../../render/digest/digest-modal.ts';
import { renderHygiene } from '../../render/digest/hygiene.ts';
import { needsChannel } from '../../render/issues/steering-notices.ts';
import { sentenceModal } from '../../render/modal.ts';
import { viewIds } from '../../render/view-ids.ts';
import { mayConfigure, settingsRefused } from '../access/rights.ts';
import { type CommandCall, channelNamed, type Subcommand } from '../commands/command.ts';
import type { Feature } from '../listening/feature.ts';
import { openModal, readModalState } from '../listening/modals.ts';
import { notifyPerson } from '../listening/notify.ts';
import { anybody, onButton, onSubmit } from '../listening/press.ts';

const hygiene: Subcommand = {
  example: 'hygiene',
  does: 'shows how often each alert of this channel fired in two weeks, and which of them nobody needed',
  run: async ({ words, channel: here, userId, respond }, deps) => {
    const channel = words === '' ? here : channelNamed(words);
    if (channel === undefined) return notifyPerson(respond, usageHygiene(), deps);
    if (channel.startsWith('D')) return notifyPerson(respond, needsChannel(), deps);
    if (!(await deps.mayRead({ person: userId }, { channel })))
      return notifyPerson(respond, notReadable(), deps);
    const found = await hygieneOf(channel, deps.clock.now(), deps.store);
    const view = { ...found, channel, simulated: deps.simulated };
    await notifyPerson(respond, renderHygiene(view), deps);
  },
};

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
  // A window from before this field has none.
  hygiene: z.object({ hygiene: z.looseObject({ selected_options: z.array(option).nullish() }) }).optional(),
});

const readMetadata = (text: string) => readModalState(Metadata, text);

/** Reads the user's choices from `view.state.values`; `own` is the time zone if the modal does not ask for one. */
function readDigestForm(values: unknown, own: string): DigestForm {
  const { days, time, zone, hygiene } = Values.parse(values);
  return {
    days: (days.days.selected_options ?? [])
      .map(({ value }) => value)
      .filter((value) => /^[1-7]$/u.test(value))
      .sort()
      .join(''),
    time: time.time.selected_time ?? USUAL.time,
    zone: zone?.zone.selected_option?.value ?? own,
    hygiene: (hygiene?.hygiene.selected_options ?? []).length > 0,
  };
}

/** A person's time zone, if Node.js knows it. */
async function zoneOf(userId: string, { people }: Deps): Promise<string> {
  const zone = await people.zone(userId);
  return isZone(zone) ? zone : UTC;
}

async function digestView(channel: string, userId: string, deps: Deps): Promise<ModalView> {
  const digest = await deps.store.digests.get(channel);
  const own = await zoneOf(userId, deps);
  const { settings } = await deps.store.channels.get(channel);
  const form = { ...(digest ?? { ...USUAL, zone: own }), hygiene: settings.hygiene ?? false };
  return viewOf(form, { channel, basedOn: digestState(digest, settings) }, { own, sent: false }, deps);
}

/** The same modal with the choices made so far. */
async function viewOf(
  { days, time, zone, hygiene }: DigestForm,
  metadata: Metadata,
  { own, sent }: { own: string; sent: boolean },
  { store }: Deps,
): Promise<ModalView> {
  const digest = await store.digests.get(metadata.channel);
  return digestModal({
    channel: metadata.channel,
    form: { days, time, zone, hygiene },
    zones: { own, set: digest?.zone ?? null },
    nextAt: digest?.nextAt ?? null,
    sent,
    metadata: JSON.stringify(metadata),
  });
}

const words: Record<string, (asked: CommandCall, deps: Deps) => Promise<void>> = {
  '': async ({ channel, userId, triggerId, respond }, deps) =>
    openModal(triggerId, await digestView(channel, userId, deps), respond, deps),
  now: async ({ channel, userId, cause, respond }, deps) => {
    const wish = { cause, channel, by: userId, now: deps.clock.now() };
    await deps.store.transaction((tx) => sendDigest(tx, wish));
    await notifyPerson(respond, digestIsSent(), deps);
  },
  off: async ({ channel, userId, cause, respond }, deps) => {
    await deps.store.transaction(async (tx) => {
      const { settings } = await tx.channels.get(channel);
      const basedOn = digestState(await tx.digests.get(channel), settings);
      const now = deps.clock.now();
      await setDigest(tx, { cause, channel, by: userId, times: null, basedOn, now });
    });
    await notifyPerson(respond, digestIsOff(), deps);
  },
};

const digestSubcommand: Subcommand = {
  example: 'digest',
  does: 'schedules a digest of this channel’s issues; `digest now` sends one, `digest off` turns it off',
  run: async (asked, deps) => {
    const { userId, channel, respond } = asked;
    const typed = asked.words.toLowerCase();
    const act = Object.hasOwn(words, typed) ? words[typed] : undefined;
    if (!act) return notifyPerson(respond, usageDigest(nearest(typed, ['now', 'off'])), deps);
    const refused = await settingsRefused(userId, channel, deps);
    if (refused) return notifyPerson(respond, refused, deps);
    await act(asked, deps);
  },
};

const MEANWHILE = 'Somebody changed the digest while this was open. Close it and open it again.';
const NO_TIME = 'Choose a time, such as 09:00.';

/** The digest's days and time were submitted: saves them and tells the channel. */
const saveDigest = onSubmit(
  'digest',
  { read: readMetadata, may: mayConfigure },
  async ({ about: { channel, basedOn }, userId: by, viewId, values }, deps) => {
    const form = readDigestForm(values, await zoneOf(by, deps));
    if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(form.time) || !isZone(form.zone)) {
      return { errors: { time: NO_TIME } };
    }
    const times = form.days === '' ? null : form;
    const cause = issueIdOf('digest', viewId, times === null ? 'off' : digestWords(times, form));
    const now = deps.clock.now();
    await deps.checkpoint('digest times: before store');
    const outcome = await deps.store.transaction((tx) =>
      setDigest(tx, { cause, channel, by, times, hygiene: form.hygiene, basedOn, now }),
    );
    if (outcome === 'changed_meanwhile') return { errors: { time: MEANWHILE } };
    await deps.checkpoint('digest times: stored');
    return undefined;
  },
);

/** *Send one now* in the digest modal: one digest per opened modal, however often it is pressed. */
const sendDigestNow = onButton(
  'sendDigestNow',
  async ({ userId: by, body: { view } }, deps) => {
    const metadata = view?.callback_id === viewIds.digest ? readMetadata(view.private_metadata) : null;
    if (!view || metadata === null) return;
    const { channel } = metadata;
    const refused = await settingsRefused(by, channel, deps);
    if (!refused) {
      const cause = issueIdOf('digest', view.id);
      await deps.store.transaction((tx) => sendDigest(tx, { cause, channel, by, now: deps.clock.now() }));
    }
    const own = await zoneOf(by, deps);
    const form = readDigestForm(view.state.values, own);
    const next = refused ? sentenceModal(refused) : await viewOf(form, metadata, { own, sent: true }, deps);
    // Only feedback: the request is stored, and the modal may be closed by now.
    await deps.client.views.update({ view_id: view.id, view: next }).catch((error) => {
      deps.log.info({ err: error }, 'could not update the digest modal');
    });
  },
  { may: anybody },
);

/** A channel's digest of its issues, and which of its alerts are worth being woken up by. */
export const digest: Feature = {
  subcommands: { digest: digestSubcommand, hygiene },
  actions: { sendDigestNow },
  views: { digest: saveDigest },
};
