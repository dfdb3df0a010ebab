import type { GlobalShortcut } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { oneLine } from '../../../../lib/text.ts';
import { canonicalEnvironment } from '../../../alerts/identity.ts';
import type { Deps } from '../../../deps.ts';
import { fileForPerson } from '../../../filing/on-request.ts';
import { issueIdOf } from '../../../filing/reference.ts';
import {
  type InvestigateWords,
  type IssueDraft,
  readInvestigate,
  requestForDraft,
  requestForWords,
} from '../../../filing/request.ts';
import { unknownSeverity, usageInvestigate } from '../../../render/admin/usage.ts';
import {
  environmentOfOption,
  type NewIssueForm,
  type NewIssueText,
  newIssueModal,
  newIssueTexts,
} from '../../../render/issues/new-issue.ts';
import { sentenceModal } from '../../../render/modal.ts';
import { cameTooLate, notAllowed, notThere } from '../../../render/notices.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { hasLeft } from '../../access/rights.ts';
import type { CommandCall, Subcommand } from '../../commands/command.ts';
import { shortcutIds } from '../../ids.ts';
import type { Register } from '../../listening/feature.ts';
import { CHANNEL_ID } from '../../listening/messages.ts';
import { opensInTime, readModalState } from '../../listening/modals.ts';
import { notifyPerson, postEphemeral, refusedAtLimit } from '../../listening/notify.ts';
import { onButton, onSubmit } from '../../listening/press.ts';
import { openDm } from '../../open-dm.ts';

const EARLIEST = Date.UTC(2000, 0, 1);
/** Tolerated clock skew. */
const AHEAD_MS = 5 * 60_000;
const MAX_SHOWN = 60;

const Field = z.looseObject({
  value: z.string().nullish(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
  selected_date_time: z.number().nullish(),
  selected_conversation: z.string().nullish(),
});
/** `view.state.values`: each field is the only element of its block. */
const Values = z.record(z.string(), z.record(z.string(), Field));

const Severity = z.enum(['low', 'medium', 'high']);

/** Reads what was typed so far from `view.state.values`. */
function readNewIssue(values: unknown): NewIssueForm {
  const blocks = Values.parse(values);
  const at = (name: string) => Object.values(blocks[name] ?? {})[0];
  const names = Object.keys(newIssueTexts).filter(isText);
  const severity = Severity.safeParse(at('severity')?.selected_option?.value);
  return {
    texts: Object.fromEntries(names.map((name) => [name, at(name)?.value ?? ''])),
    severity: severity.success ? severity.data : 'medium',
    environment: environmentOfOption(at('environment')?.selected_option?.value ?? ''),
    triggeredAt: at('triggeredAt')?.selected_date_time ?? null,
    channel: at('channel')?.selected_conversation ?? null,
  };
}

function isText(name: string): name is NewIssueText {
  return Object.hasOwn(newIssueTexts, name);
}

type FieldErrors = Record<string, string>;

/** The issue that a form describes, or its errors (bounds: contract 2.5). */
function draftOf(form: NewIssueForm, now: number): { draft: IssueDraft } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  const text = (name: NewIssueText) => form.texts[name]?.trim() ?? '';
  const required = (name: NewIssueText, missing: string) => {
    if (text(name) === '') errors[name] = missing;
    return text(name);
  };
  const title = required('title', 'Say what is wrong in a few words.');
  const description = text('description') || title;
  const environment =
    form.environment ?? required('otherEnvironment', 'Name the environment, for example production.');
  for (const [name, { label, max }] of Object.entries(newIssueTexts)) {
    if (isText(name) && text(name).length > max) errors[name] = `${label}: at most ${max} characters.`;
  }
  const at = form.triggeredAt === null ? null : form.triggeredAt * 1000;
  if (at !== null && at > now + AHEAD_MS)
    errors.triggeredAt = 'That is in the future. Choose when it started.';
  if (at !== null && at < EARLIEST) errors.triggeredAt = 'Choose a time after the year 2000.';
  const facts = factsIn(text('metadata'));
  if ('problem' in facts) errors.metadata = facts.problem;
  if (Object.keys(errors).length > 0 || 'problem' in facts) return { errors };
  const tags = text('tags').split(/[,\n]/u).map(oneLine).filter(Boolean);
  return {
    draft: {
      title,
      description,
      environment: oneLine(environment),
      severity: form.severity,
      triggeredAt: at,
      context: {
        alertUrl: text('alertUrl'),
        service: text('service'),
        traceId: text('traceId'),
        spanId: text('spanId'),
        errorType: text('errorType'),
        errorMessage: text('errorMessage'),
        host: text('host'),
        region: text('region'),
        version: text('version'),
      },
      tags: [...new Set(tags)],
      metadata: facts.facts,
    },
  };
}

/** `key: value` lines; `key=value` works too. */
function factsIn(text: string): { facts: Record<string, string> } | { problem: string } {
  const facts = new Map<string, string>();
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, key = '', value = ''] = /^([^:=]+)[:=](.*)$/u.exec(line) ?? [];
    const name = key.trim();
    const shown = oneLine(line).slice(0, MAX_SHOWN);
    if (name === '' || value.trim() === '') return { problem: `Use key: value, not “${shown}”.` };
    if (facts.has(name)) return { problem: `“${name.slice(0, MAX_SHOWN)}” appears twice.` };
    facts.set(name, value.trim());
  }
  return { facts: Object.fromEntries(facts) };
}

/** How many of the environments used before are offered. */
const OFFERED = 20;
const NOTHING = { severity: null, environment: null, service: null };

/** The modal's state: the channel it was opened in, if any, and whether *More context* was pressed. */
const Metadata = z.object({ channel: z.string().regex(CHANNEL_ID).nullable(), unfolded: z.boolean() });
type Metadata = z.infer<typeof Metadata>;

/** The state of our new-issue modal; `null` if it is not one. */
function readNewIssueMetadata(text: string): Metadata | null {
  return readModalState(Metadata, text);
}

/**
 * The new-issue modal, empty except for the environment and the given values.
 *
 * @param given values to fill in
 * @param channel where the card goes by default; `null` if it was not opened in a channel (shortcut, Home)
 */
export async function newIssueView(
  channel: string | null,
  deps: Deps,
  given: Pick<InvestigateWords, 'severity' | 'environment' | 'service'> = NOTHING,
): Promise<ModalView> {
  const { settings } = await deps.store.channels.get(channel ?? '');
  const form: NewIssueForm = {
    texts: { service: given.service ?? '' },
    severity: given.severity ?? 'medium',
    environment: canonicalEnvironment(given.environment ?? settings.environment ?? deps.defaultEnvironment),
    triggeredAt: null,
    // Only ids that begin with C are certain to be in the channel picker.
    channel: channel?.startsWith('C') === true ? channel : null,
  };
  return newIssueViewOf(form, { channel, unfolded: false }, deps);
}

/** The same modal with what was typed so far. */
async function newIssueViewOf(form: NewIssueForm, metadata: Metadata, deps: Deps): Promise<ModalView> {
  const used = await deps.store.issues.environmentsUsed(OFFERED);
  return newIssueModal({
    form,
    environments: [...new Set([canonicalEnvironment(deps.defaultEnvironment), ...used])],
    unfolded: metadata.unfolded,
    hasPlace: metadata.channel !== null,
    metadata: JSON.stringify(metadata),
    simulated: deps.simulated,
  });
}

/**
 * `/investigate <what is wrong> [severity:high] [env:staging] [service:…]` files an issue; without text, opens the
 * form.
 */
export const investigate: Subcommand = {
  example: 'investigate checkout is slow',
  does: 'same as `/investigate`',
  run: fileWords,
};

async function fileWords(asked: CommandCall, deps: Deps): Promise<void> {
  const { respond, cause: id, channel, userId: by, command } = asked;
  const words = readInvestigate(asked.words);
  if (words.unknownSeverity !== null) {
    return notifyPerson(respond, unknownSeverity(command, words.unknownSeverity, asked.words), deps);
  }
  if (words.text === '') {
    const view = await newIssueView(channel, deps, words);
    if (await opensInTime(asked.triggerId, view, deps)) return;
    return notifyPerson(respond, usageInvestigate(command, asked.words), deps);
  }
  const now = deps.clock.now();
  const origin = { issueId: id, channel, at: now, userId: by };
  const request = requestForWords(words, origin, deps.defaultEnvironment);
  const limit = await fileForPerson({ id, channel, by, request, now }, deps);
  if (limit) return notifyPerson(respond, refusedAtLimit(limit, deps), deps);
}

/**
 * Opens the new-issue form outside of any channel (shortcut, Home); the card is sent as a direct message unless a
 * channel is chosen. Somebody without permission is told so in the modal, or in a direct message once the trigger has
 * expired.
 */
async function openNewIssue(userId: string, triggerId: string, deps: Deps): Promise<void> {
  const refusal = await deps.people.refusal(userId);
  const view = refusal ? sentenceModal(notAllowed(refusal)) : await newIssueView(null, deps);
  if (await opensInTime(triggerId, view, deps)) return;
  const channel = await openDm(deps.client, userId);
  if (channel !== null) await postEphemeral(cameTooLate(), { channel, user: userId, threadTs: null }, deps);
}

export const newIssueShortcut: Register = (app, deps) => {
  app.shortcut<GlobalShortcut>(
    { type: 'shortcut', callback_id: shortcutIds.newIssue },
    async ({ ack, shortcut }) => {
      await ack();
      await openNewIssue(shortcut.user.id, shortcut.trigger_id, deps);
    },
  );
};

/**
 * A button or menu that changes the fields of the new-issue form: shows the new fields and keeps what was typed. Best
 * effort, since the modal may be closed by now.
 */
const changing = (name: 'moreContext' | 'chooseEnvironment'): Register =>
  onButton(
    name,
    async ({ body: { view } }, deps) => {
      const remembered =
        view?.callback_id === viewIds.newIssue ? readNewIssueMetadata(view.private_metadata) : null;
      if (!view || remembered === null) return;
      const { channel, unfolded } = remembered;
      const metadata = { channel, unfolded: unfolded || name === 'moreContext' };
      try {
        const next = await newIssueViewOf(readNewIssue(view.state.values), metadata, deps);
        await deps.client.views.update({ view_id: view.id, view: next });
      } catch (error) {
        deps.log.info({ err: error }, 'could not show more fields in a modal');
      }
    },
    { refused: async () => {} },
  );

/** *More context* shows the fields that few issues need. */
export const moreContext: Register = changing('moreContext');
/** *Another…* shows a field for the environment's name; any other choice hides it. */
export const chooseEnvironment: Register = changing('chooseEnvironment');

const NO_DM = 'I could not open a direct message with you. Choose a channel.';

/**
 * The new-issue form was submitted. It is stored before the modal closes, so nothing is lost if the service is down.
 */
export const fileNewIssue: Register = onSubmit(
  'newIssue',
  { read: readNewIssueMetadata, field: 'title' },
  async ({ about, userId: by, viewId, values }, deps) => {
    const now = deps.clock.now();
    const form = readNewIssue(values);
    // *Another…* was chosen, but its text field was never shown.
    if (form.environment === null && Values.parse(values).otherEnvironment === undefined) {
      return { view: await newIssueViewOf(form, about, deps) };
    }
    const read = draftOf(form, now);
    if ('errors' in read) return read;
    const place = form.channel ?? about.channel;
    const channel = place === null || place.startsWith('D') ? await openDm(deps.client, by) : place;
    if (channel === null) return { errors: { channel: NO_DM } };
    // If the bot is not in the channel, the card is sent as a direct message.
    if (await hasLeft(by, channel, deps)) return { errors: { channel: notThere().text } };
    const id = issueIdOf('new-issue', viewId);
    const request = requestForDraft(read.draft, { issueId: id, channel, now });
    const limit = await fileForPerson({ id, channel, by, request, now }, deps);
    return limit ? { errors: { title: refusedAtLimit(limit, deps).text } } : undefined;
  },
);
