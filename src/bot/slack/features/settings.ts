import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { cutAtWord } from '../../../lib/text.ts';
import { canonicalEnvironment } from '../../alerts/identity.ts';
import { SenderMap, variableName } from '../../alerts/senders/map.ts';
import type { Deps } from '../../deps.ts';
import { keepHistory } from '../../filing/learned.ts';
import { alertOf } from '../../filing/occurrence.ts';
import { issueIdOf } from '../../filing/reference.ts';
import { sendersIn } from '../../filing/senders.ts';
import { needsChannel, notWatched } from '../../render/issues/steering-notices.ts';
import { cameTooLate } from '../../render/notices.ts';
import { onTrialBefore, usageWatch, watchedOnTrial } from '../../render/settings/announcements.ts';
import { isNamedElsewhere, namingModal } from '../../render/settings/naming.ts';
import { renderSettings } from '../../render/settings/settings.ts';
import { type SettingsForm, settingsBounds, settingsModal } from '../../render/settings/settings-modal.ts';
import { unwatchModal } from '../../render/settings/unwatch-modal.ts';
import { viewIds } from '../../render/view-ids.ts';
import {
  allowNaming,
  changeSettings,
  settingsInWords,
  stateOf,
  unwatch as stopWatching,
} from '../../settings/change-settings.ts';
import { patternNotes, patternsIn, patternsProblem } from '../../settings/patterns.ts';
import { mapAsVariable, mapInWords } from '../../settings/senders.ts';
import { startTrial, TRIAL_DAYS } from '../../settings/trial.ts';
import type { ChannelSettings } from '../../store/channel-settings.ts';
import { isAgreed } from '../access/consent.ts';
import { accessProblem, mayConfigure, settingsRefused } from '../access/rights.ts';
import type { CommandCall, Subcommand } from '../commands/command.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { historyMessage, isOwn, MessageEvent } from '../listening/messages.ts';
import { openedView, openModal, readModalState } from '../listening/modals.ts';
import { notifyPerson } from '../listening/notify.ts';
import { anybody, onButton, onSubmit, type Press } from '../listening/press.ts';
import { slackTs } from '../timestamp.ts';
import { dryRun } from './dry-run.ts';
import { senderListeners } from './senders.ts';

async function isShown(channel: string, host: string, { originOf }: Deps): Promise<boolean> {
  return (await originOf({ channel, organization: null })).agreedModel === host;
}

/** `/gumshoe` alone: privately shows this channel's settings, with a button to change them. */
export async function showSettings({ channel, respond }: CommandCall, deps: Deps): Promise<void> {
  const problem = await accessProblem(channel, deps);
  if (problem) return notifyPerson(respond, problem, deps);
  const { watched, settings, isPrivate } = await deps.store.channels.get(channel);
  const model = await deps.languageModel();
  const view = {
    channel,
    watched,
    model:
      model === null ? null : { ...model, maySee: !isPrivate || (await isShown(channel, model.host, deps)) },
    named: isPrivate ? (settings.namedElsewhere ?? null) : null,
    needsConsent: await deps.needsConsent(channel),
    suggests: settings.mode === 'suggest',
    settings: settingsInWords(settings),
    senders: confirmedSenders(settings),
    defaultEnvironment: deps.defaultEnvironment,
    paused: await deps.store.flags.paused(),
  };
  await notifyPerson(respond, renderSettings(view), deps);
}

function confirmedSenders({ senders = {} }: ChannelSettings) {
  return Object.entries(senders).flatMap(([sender, { map: stored, by }]) => {
    const map = decodeStored(SenderMap, stored);
    const name = sender.slice(sender.indexOf(' ') + 1);
    return map === null
      ? []
      : [{ name, by, says: mapInWords(map), variable: mapAsVariable(variableName(sender), map) }];
  });
}

/** Slack shows more, but nobody reads it. */
const MAX_ERROR = 300;

type FieldErrors = Record<string, string>;

function formOf({ tickets: _, senders: __, ...settings }: ChannelSettings): SettingsForm {
  return {
    ...settings,
    include: settings.include.join('\n'),
    exclude: settings.exclude.join('\n'),
    environment: settings.environment ?? '',
    budgetIssues: String(settings.budget.issues),
    budgetMinutes: String(settings.budget.minutes),
    coolDownMinutes: String(settings.coolDownMinutes),
    recoveryMinutes: String(settings.recoveryMinutes),
  };
}

const typed = z.looseObject({ value: z.string().nullish() }).transform(({ value }) => value ?? '');
const checked = z
  .looseObject({ selected_options: z.array(z.unknown()).nullish() })
  .transform(({ selected_options }) => (selected_options ?? []).length > 0);

function chosen<const T extends string>(values: readonly T[]) {
  return z
    .looseObject({ selected_option: z.looseObject({ value: z.enum(values) }) })
    .transform(({ selected_option }) => selected_option.value);
}

const severity = chosen(['low', 'medium', 'high']);

/** `view.state.values`: each field is the only element of its block. */
const Fields = z
  .record(z.string(), z.record(z.string(), z.unknown()))
  .transform((blocks) =>
    Object.fromEntries(Object.entries(blocks).map(([name, elements]) => [name, Object.values(elements)[0]])),
  );

const Form: z.ZodType<SettingsForm> = Fields.pipe(
  z.object({
    mode: chosen(['automatic', 'suggest']),
    people: checked,
    include: typed,
    exclude: typed,
    minimumSeverity: severity,
    environment: typed,
    defaultSeverity: severity,
    onRecovery: chosen(['note', 'resolve']),
    budgetIssues: typed,
    budgetMinutes: typed,
    coolDownMinutes: typed,
    recoveryMinutes: typed,
    broadcast: checked,
    tickets: checked.exactOptional(),
  }),
);

function readForm(values: unknown): SettingsForm {
  return Form.parse(values);
}

function settingsOf(form: SettingsForm): { settings: ChannelSettings } | { errors: FieldErrors } {
  const { mode, people, minimumSeverity, defaultSeverity, onRecovery, broadcast } = form;
  const errors: FieldErrors = {};
  const patterns = (name: 'include' | 'exclude') => {
    const lines = patternsIn(form[name]);
    const problem = patternsProblem(lines);
    if (problem !== null) errors[name] = cutAtWord(problem, MAX_ERROR);
    return lines;
  };
  const whole = (name: keyof typeof settingsBounds) => {
    const { min, max } = settingsBounds[name];
    const n = /^\d{1,6}$/u.test(form[name].trim()) ? Number(form[name]) : Number.NaN;
    if (!(n >= min && n <= max)) errors[name] = `Enter a whole number from ${min} to ${max}.`;
    return n;
  };
  const settings = {
    mode,
    people,
    minimumSeverity,
    defaultSeverity,
    onRecovery,
    broadcast,
    include: patterns('include'),
    exclude: patterns('exclude'),
    environment: canonicalEnvironment(form.environment) || null,
    budget: { issues: whole('budgetIssues'), minutes: whole('budgetMinutes') },
    coolDownMinutes: whole('coolDownMinutes'),
    recoveryMinutes: whole('recoveryMinutes'),
    ...(form.tickets === true ? { tickets: true } : {}),
  };
  return Object.keys(errors).length > 0 ? { errors } : { settings };
}

/** How many of the channel's last messages the patterns are tried on. */
const TRIED_ON = 50;

/** The modal's state: its channel, and the settings when it was opened. */
const Metadata = z.object({ channel: z.string(), watched: z.boolean(), basedOn: z.string() });
type Metadata = z.infer<typeof Metadata>;

const readMetadata = (text: string) => readModalState(Metadata, text);

async function settingsView(channel: string, deps: Deps, isRead = true): Promise<ModalView> {
  const { watched, settings, isPrivate } = await deps.store.channels.get(channel);
  const basedOn = stateOf({ watched, settings });
  // By rule, nothing of a private channel goes to a tracker.
  const tickets = deps.tickets === null || isPrivate ? {} : { tickets: settings.tickets === true };
  return viewOf({ ...formOf(settings), ...tickets }, { channel, watched, basedOn }, deps, isRead);
}

/** The same modal with what was typed so far; `isRead`: how its senders write is known. */
async function viewOf(form: SettingsForm, metadata: Metadata, deps: Deps, isRead = true): Promise<ModalView> {
  const rows = await deps.store.alerts.newestIn(metadata.channel, TRIED_ON);
  const messages = rows.map((row) => ({ alert: alertOf(row), sender: row.sender }));
  const note = (text: string) => patternNotes(patternsIn(text), messages);
  return settingsModal({
    channel: metadata.channel,
    watched: metadata.watched,
    form,
    notes: { include: note(form.include), exclude: note(form.exclude) },
    defaultEnvironment: deps.defaultEnvironment,
    senders: isRead ? await sendersIn(deps.store, metadata.channel, deps) : null,
    metadata: JSON.stringify(metadata),
  });
}

const watch: Subcommand = {
  example: 'watch',
  does: 'files alerts posted in this channel; opens its settings; `watch trial` posts nothing in it for two weeks, then asks',
  run: (call, deps) => {
    if (call.words === '') return openSettings(call, deps);
    if (call.words.toLowerCase() === 'trial') return watchOnTrial(call, deps);
    return notifyPerson(call.respond, usageWatch(), deps);
  },
};

async function watchOnTrial(call: CommandCall, deps: Deps): Promise<void> {
  const { channel, userId: by, respond } = call;
  if (channel.startsWith('D')) return notifyPerson(respond, needsChannel(), deps);
  const refused = await settingsRefused(by, channel, deps);
  if (refused) return notifyPerson(respond, refused, deps);
  // A member agrees first.
  if (await deps.needsConsent(channel)) return openNaming(call, deps);
  const now = deps.clock.now();
  const isNew = await deps.store.transaction((tx) =>
    startTrial(tx, { channel, by, seenTs: slackTs(now), now }),
  );
  await notifyPerson(respond, isNew ? watchedOnTrial(TRIAL_DAYS) : onTrialBefore(), deps);
  if (isNew) await learnSenders(channel, deps);
}

/** Who asks, by a command or by a button. */
type Asker = Pick<CommandCall, 'userId' | 'channel' | 'triggerId' | 'respond'>;

/** Opens a channel's settings for somebody, or tells them why it cannot. */
async function openSettings({ userId, channel, triggerId, respond }: Asker, deps: Deps): Promise<void> {
  const refused = await settingsRefused(userId, channel, deps);
  if (refused) return notifyPerson(respond, refused, deps);
  if (await deps.needsConsent(channel)) {
    await openModal(triggerId, await namingView(channel, 'settings', deps), respond, deps);
    return;
  }
  const { watched } = await deps.store.channels.get(channel);
  const opened = await openedView(triggerId, await settingsView(channel, deps, watched), deps);
  if (opened === null) return notifyPerson(respond, cameTooLate(), deps);
  if (!watched) await showSenders(opened.id, channel, deps);
}

/** The form that is open shows how the senders write, once the channel's history is read. */
async function showSenders(id: string, channel: string, deps: Deps): Promise<void> {
  await learnSenders(channel, deps);
  await showAgain(id, await settingsView(channel, deps), deps);
}

/** Best effort: the modal may be closed by now. */
async function showAgain(id: string, view: ModalView, { client, log }: Deps): Promise<void> {
  try {
    await client.views.update({ view_id: id, view });
  } catch (error) {
    log.info({ err: error }, 'could not show how senders are read');
  }
}

/** What a person says of a sender, in or above the settings' form. What was typed there stays. */
const { sender, ...ofSenders } = senderListeners({
  channelOf: (metadata) => readMetadata(metadata)?.channel ?? null,
  refresh: async ({ id, metadata, values }, deps) => {
    const known = readMetadata(metadata);
    if (known === null) return;
    const view =
      values === null
        ? { ...(await settingsView(known.channel, deps)), private_metadata: metadata }
        : await viewOf(readForm(values), known, deps);
    await showAgain(id, view, deps);
  },
});

/** A button that only works in its own channel: a value that names another channel is forged. */
function onOwnChannel(
  name: 'openSettings' | 'openNaming',
  open: (press: Press, deps: Deps) => Promise<void>,
): Register {
  return onButton(
    name,
    async (press, deps) => {
      if (press.channel === '' || press.value !== press.channel) return cameTooLate();
      await open(press, deps);
      return undefined;
    },
    { may: anybody },
  );
}

/** *Change settings* or *Watch this channel*, under the answer of `/gumshoe`. */
const openSettingsAction = onOwnChannel('openSettings', openSettings);

/**
 * Somebody is typing a pattern in the settings: shows below the field what is wrong with it, or what it would match.
 * Best effort: the modal may be closed by now, and the patterns are checked again on submission.
 */
const typePatterns = onButton(
  'typePatterns',
  async ({ userId, body: { view } }, deps) => {
    if (view?.callback_id !== viewIds.settings) return;
    try {
      const metadata = readMetadata(view.private_metadata);
      if (metadata === null || (await deps.people.maySet(userId, metadata.channel, 'remembered')) !== null)
        return;
      const next = await viewOf(readForm(view.state.values), metadata, deps);
      await deps.client.views.update({ view_id: view.id, view: next });
    } catch (error) {
      // No retry: it could overwrite what was typed since.
      deps.log.info({ err: error }, 'could not show what patterns match');
    }
  },
  { may: anybody },
);

const MEANWHILE = 'Somebody changed these settings while this was open. Close it and open it again.';

/** The settings were submitted: shows errors at their fields, or saves the settings and tells the channel. */
const saveSettings = onSubmit(
  'settings',
  { read: readMetadata, may: mayConfigure },
  async ({ about: { channel, basedOn, watched }, userId: by, viewId, values }, deps) => {
    // Taken back while the modal was open, or a forged state.
    if (await deps.needsConsent(channel)) return { view: await namingView(channel, 'settings', deps) };
    const wanted = settingsOf(readForm(values));
    if ('errors' in wanted) return wanted;
    const { settings } = wanted;
    const now = deps.clock.now();
    await deps.checkpoint('settings: before store');
    const cause = issueIdOf('settings', viewId, JSON.stringify(settings));
    const outcome = await deps.store.transaction((tx) =>
      changeSettings(tx, { cause, channel, by, settings, basedOn, seenTs: slackTs(now), now }),
    );
    if (outcome === 'changed_meanwhile') return { errors: { mode: MEANWHILE } };
    await deps.checkpoint('settings: stored');
    return watched ? undefined : { later: () => learnSenders(channel, deps) };
  },
);

/** Of the messages before a channel is watched; Slack gives a thousand at once. */
const MOST_LEARNED = 500;

/** Reads who posts in a channel that is watched from now on, and how. Best effort: without it, senders are learned as they go. */
async function learnSenders(channel: string, deps: Deps): Promise<void> {
  try {
    const { messages = [] } = await deps.client.conversations.history({ channel, limit: MOST_LEARNED });
    const past = messages.flatMap((message) => {
      const event = MessageEvent.safeParse({ ...message, channel });
      if (!event.success || isOwn(event.data, deps.identity)) return [];
      return historyMessage({ ...message }, channel, deps) ?? [];
    });
    await keepHistory(deps.store, past);
    deps.log.info({ channel, messages: past.length }, 'learned how the senders in a channel write');
  } catch (error) {
    deps.log.warn(
      { err: error, channel },
      'could not read the history of a channel; its senders are learned as they go',
    );
  }
}

/** `next`: what the modal shows once somebody has agreed; `model`: the host that it names. */
const NamingMetadata = z.object({
  channel: z.string(),
  next: z.enum(['settings', 'done']),
  model: z.string().nullable().default(null),
});

const naming: Subcommand = {
  example: 'naming',
  does: 'lets this private channel’s issues be named in answers elsewhere; asks first',
  run: openNaming,
};

/** The modal that asks a channel's member whether its issues may be named elsewhere. */
async function namingView(
  channel: string,
  next: z.infer<typeof NamingMetadata>['next'],
  { store, languageModel }: Deps,
): Promise<ModalView> {
  const reach = store.hasPrivateOrganization ? 'private' : 'anywhere';
  const known = await languageModel();
  const model = known?.private === true ? known : null;
  const metadata = JSON.stringify({ channel, next, model: model?.host ?? null });
  return namingModal(channel, { reach, model, metadata });
}

async function openNaming({ userId, channel, triggerId, respond }: Asker, deps: Deps): Promise<void> {
  const refused = await settingsRefused(userId, channel, deps);
  if (refused) return notifyPerson(respond, refused, deps);
  const { isPrivate, settings } = await deps.store.channels.get(channel);
  const agreed = settings.namedElsewhere;
  if (isAgreed(agreed, await deps.languageModel()))
    return notifyPerson(respond, isNamedElsewhere(channel, agreed), deps);
  if (!isPrivate) return notifyPerson(respond, PUBLIC, deps);
  await openModal(triggerId, await namingView(channel, 'done', deps), respond, deps);
}

const PUBLIC = {
  text: 'This channel is public: its issues may be named anywhere.',
  blocks: [],
};

/** The button below *needs consent*, wherever it was shown. */
const openNamingAction = onOwnChannel('openNaming', openNaming);

/** Somebody agreed. Rights are checked again: the modal's state can be forged, and its person may have left. */
const agree = onSubmit(
  'naming',
  { read: (state) => readModalState(NamingMetadata, state), may: mayConfigure },
  async ({ about: { channel, next, model }, userId: by, viewId }, deps) => {
    const cause = issueIdOf('naming', viewId);
    await deps.store.transaction((tx) =>
      allowNaming(tx, { cause, channel, by, model, now: deps.clock.now() }),
    );
    const later = async () => {
      await deps.slackProblems.channelChanged(channel);
      if (next === 'settings') await showSenders(viewId, channel, deps);
    };
    return next === 'settings' ? { view: await settingsView(channel, deps, false), later } : { later };
  },
);

const unwatch: Subcommand = {
  example: 'unwatch',
  does: 'stops watching this channel; asks first',
  run: async ({ userId, channel, triggerId, respond }, deps) => {
    const refused = await settingsRefused(userId, channel, deps);
    if (refused) return notifyPerson(respond, refused, deps);
    const { watched, settings } = await deps.store.channels.get(channel);
    if (!watched && settings.namedElsewhere === undefined)
      return notifyPerson(respond, notWatched(channel), deps);
    await openModal(triggerId, unwatchModal(channel), respond, deps);
  },
};

const confirmUnwatch = onSubmit(
  'unwatch',
  { read: (channel) => channel, may: settingsRefused },
  async ({ about: channel, userId: by, viewId }, deps) => {
    const cause = issueIdOf('unwatch', viewId);
    await deps.store.transaction((tx) => stopWatching(tx, { cause, channel, by, now: deps.clock.now() }));
  },
);

export const settings: Feature = {
  subcommands: { watch, unwatch, naming, 'dry-run': dryRun },
  actions: {
    openSettings: openSettingsAction,
    openNaming: openNamingAction,
    typePatterns,
    ...ofSenders,
  },
  views: { settings: saveSettings, sender, unwatch: confirmUnwatch, naming: agree },
};
