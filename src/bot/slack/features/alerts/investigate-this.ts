import type { MessageShortcut, RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { cutAtWord, oneLine } from '../../../../lib/text.ts';
import { formats } from '../../../alerts/formats/index.ts';
import { type Alert, emptyAlert } from '../../../alerts/types.ts';
import type { Deps } from '../../../deps.ts';
import { environmentOf, severityOf } from '../../../filing/identity.ts';
import { type Occurrence, readAlert, seenOfRow } from '../../../filing/occurrence.ts';
import { fileOnRequest, type IssueEdit, issueOfMessage } from '../../../filing/on-request.ts';
import { explainDecision } from '../../../filing/why.ts';
import { cannotReadMessage, messageOfOurs } from '../../../render/alerts/already-filed.ts';
import {
  hasItAlready,
  type InvestigateField,
  investigateFields,
  investigateForm,
  investigateNames,
  openItAgain,
} from '../../../render/alerts/investigate-this.ts';
import { whyModal, whyOurs } from '../../../render/alerts/why.ts';
import { limits } from '../../../render/limits.ts';
import { notAllowed, notThere } from '../../../render/notices.ts';
import type { Issue } from '../../../store/issues.ts';
import type { Store } from '../../../store/open.ts';
import { hasLeft } from '../../access/rights.ts';
import { shortcutIds } from '../../ids.ts';
import type { Register } from '../../listening/feature.ts';
import {
  CHANNEL_ID,
  historyMessage,
  isOwn,
  MessageEvent,
  requestedMessage,
} from '../../listening/messages.ts';
import { openModal } from '../../listening/modals.ts';
import { notifyPerson, refusedAtLimit } from '../../listening/notify.ts';
import { onSubmit } from '../../listening/press.ts';
import { issueReference } from '../issues/find.ts';

/** The message that a modal is about, as stored in the modal. */
const Remembered = z.object({
  channel: z.string().regex(CHANNEL_ID),
  ts: z.string(),
  threadTs: z.string().nullable(),
  sender: z.string().nullable(),
  alert: z.unknown(),
});

/** A message as `private_metadata`; the longest parts of an alert are dropped until it fits. */
function remember({ channel, ts, threadTs, sender, alert: whole }: Occurrence): string {
  const { basis: _, ...alert } = whole;
  const { kind, format, fingerprint, environment, severity } = alert;
  const bare: Alert = { ...emptyAlert(format), kind, fingerprint, environment, severity };
  const shorter: Alert[] = [
    alert,
    { ...alert, description: null },
    { ...alert, description: null, errorMessage: null },
    { ...alert, description: null, errorMessage: null, tags: [], alertUrl: null },
    bare,
    { ...bare, environment: null },
  ];
  const texts = shorter.map((one) => JSON.stringify({ channel, ts, threadTs, sender, alert: one }));
  const fitting = texts.find((text) => text.length <= limits.viewMetadata);
  return fitting ?? JSON.stringify({ channel, ts, threadTs, sender: null, alert: emptyAlert(format) });
}

/** The message that a modal is about: from the store if recorded, else from the modal; `null` if neither has it. */
async function recall(
  metadata: string,
  { store, permalink }: { store: Store; permalink: (channel: string, ts: string) => string },
): Promise<Occurrence | null> {
  try {
    const { alert, ...message } = Remembered.parse(JSON.parse(metadata));
    const { channel, ts } = message;
    const link = permalink(channel, ts);
    const row = await store.alerts.find(channel, ts);
    if (row) return seenOfRow(row, link);
    const read = readAlert(JSON.stringify(alert));
    if (read === null) return null;
    return { ...message, permalink: link, alert: read, byPerson: false, edited: false, note: null };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/**
 * *Investigate this* in a message's menu: opens the form, filled in from the message. If the alert already has an open
 * issue, says so instead and counts the message as a repeat.
 */
export const investigateThis: Register = onMessageMenu(
  shortcutIds.investigateThis,
  async ({ user, channel, message, trigger_id: trigger }, respond, deps) => {
    if (isOwn(message, deps.identity)) return notifyPerson(respond, messageOfOurs(), deps);
    const seen = requestedMessage(message, channel.id, deps);
    if (seen === null) return notifyPerson(respond, cannotReadMessage(), deps);
    const issue = await issueOfMessage(seen, deps);
    if (issue?.isOpen !== true) return openModal(trigger, await formFor(seen, issue, deps), respond, deps);
    const counts = seen.alert.kind === 'firing';
    const view = hasItAlready(await issueReference(issue, seen.channel, deps), counts, null);
    await openModal(trigger, view, respond, deps);
    await fileOnRequest(seen, user.id, deps);
  },
);

/** Listens to an entry in a message's menu; who may not use Gumshoe is told so. */
function onMessageMenu(
  callbackId: string,
  run: (shortcut: MessageShortcut, respond: RespondFn, deps: Deps) => Promise<void>,
): Register {
  return (app, deps) =>
    app.shortcut<MessageShortcut>(
      { type: 'message_action', callback_id: callbackId },
      async ({ ack, shortcut, respond }) => {
        await ack();
        const refusal = await deps.people.refusal(shortcut.user.id);
        if (refusal) return notifyPerson(respond, notAllowed(refusal), deps);
        await run(shortcut, respond, deps);
      },
    );
}

async function formFor(seen: Occurrence, before: Issue | null, deps: Deps): Promise<ModalView> {
  const { alert, channel } = seen;
  const { settings } = await deps.store.channels.get(channel);
  return investigateForm({
    fields: {
      title: oneLine(alert.title ?? ''),
      description: alert.description ?? alert.title ?? '',
      environment: oneLine(environmentOf(alert, settings, deps.defaultEnvironment)),
      service: oneLine(alert.service ?? ''),
      alertUrl: oneLine(alert.alertUrl ?? ''),
      host: oneLine(alert.host ?? ''),
      errorMessage: alert.errorMessage ?? '',
    },
    severity: severityOf(alert, settings),
    before: before === null ? null : await issueReference(before, channel, deps),
    remember: remember(seen),
    simulated: deps.simulated,
  });
}

const Severity = z.enum(['low', 'medium', 'high']);
const Typed = z.record(
  z.string(),
  z.object({
    value: z.object({
      value: z.string().nullish(),
      selected_option: z.object({ value: z.string() }).nullish(),
    }),
  }),
);

/** Required by the contract (2.5). */
const REQUIRED: Partial<Record<InvestigateField, string>> = {
  title: 'Say what is wrong in a few words.',
  description: 'Describe it. A copy of the title will do.',
  environment: 'Name the environment, for example production.',
};

/** *Investigate this* was submitted: files the message with the fields as edited. */
export const fileThis: Register = onSubmit(
  'investigateThis',
  { read: (state) => state, field: 'title' },
  async ({ about, userId, values }, deps) => {
    const typed = read(values);
    if (!typed.ok) return { errors: typed.errors };
    const seen = await recall(about, deps);
    if (seen === null) return { view: openItAgain() };
    // The shortcut also works in channels that the bot is not in.
    if (await hasLeft(userId, seen.channel, deps)) return { errors: { title: notThere().text } };
    const requested = await fileOnRequest(seen, userId, deps, whole(typed.edit, seen));
    if (requested.became === 'refused') {
      return { errors: { title: refusedAtLimit(requested.limit, deps).text } };
    }
    const { issueId, became } = requested;
    const issue = became === 'filed' ? null : await deps.store.issues.get(issueId);
    // The same person submitted twice (the acknowledgement was lost): they have what they wanted.
    const isTheirs = became === 'already' && issue?.requestedBy === userId;
    if (issue === null || isTheirs) return undefined;
    const reference = await issueReference(issue, seen.channel, deps);
    return { view: hasItAlready(reference, became === 'counted', typed.edit.description) };
  },
);

type Read = { ok: true; edit: IssueEdit } | { ok: false; errors: Record<string, string> };

function read(values: unknown): Read {
  const typed = Typed.parse(values);
  const at = (name: InvestigateField) => typed[name]?.value.value?.trim() ?? '';
  const errors: Record<string, string> = {};
  for (const name of investigateNames) {
    const { max, label } = investigateFields[name];
    const missing = at(name) === '' ? REQUIRED[name] : undefined;
    if (missing !== undefined) errors[name] = missing;
    if (at(name).length > max) errors[name] = `${label}: at most ${max} characters.`;
  }
  const severity = Severity.safeParse(typed.severity?.value.selected_option?.value);
  if (!severity.success) errors.severity = 'Choose one of the three.';
  if (!severity.success || Object.keys(errors).length > 0) return { ok: false, errors };
  const edit = {
    title: at('title'),
    description: at('description'),
    severity: severity.data,
    environment: at('environment'),
    service: at('service') || null,
    alertUrl: at('alertUrl') || null,
    host: at('host') || null,
    errorMessage: at('errorMessage') || null,
  };
  return { ok: true, edit };
}

/** A field that was shortened to fit the form, and that nobody edited, is filed in full. */
function whole(edit: IssueEdit, { alert }: Occurrence): IssueEdit {
  const kept = (name: 'description' | 'errorMessage') => {
    const shown = cutAtWord(alert[name] ?? '', investigateFields[name].max).trim();
    return edit[name] === shown && alert[name] !== null ? alert[name] : edit[name];
  };
  return {
    ...edit,
    description: kept('description') ?? edit.description,
    errorMessage: kept('errorMessage'),
  };
}

/** *Why was this (not) filed?* in a message's menu: what was parsed, the decision, and the rule behind it. */
export const whyFiled: Register = onMessageMenu(
  shortcutIds.whyFiled,
  async ({ channel, message, trigger_id: trigger }, respond, deps) => {
    const view = await whyModalOf(message, channel.id, deps);
    if (view === null) return notifyPerson(respond, cannotReadMessage(), deps);
    await openModal(trigger, view, respond, deps);
  },
);

/** What *Why was this (not) filed?* shows of a message in a channel; `null` if it is none that can be read. */
export async function whyModalOf(
  message: Record<string, unknown>,
  channel: string,
  deps: Deps,
): Promise<ModalView | null> {
  const event = MessageEvent.safeParse({ ...message, channel });
  if (!event.success) return null;
  const isOurs = isOwn(event.data, deps.identity);
  // Gumshoe posts the alerts that webhooks deliver, so its own messages can have a decision.
  const received = isOurs ? await deps.store.alerts.find(channel, event.data.ts) : null;
  if (isOurs && received === null) return whyOurs();
  const seen =
    received === null
      ? historyMessage(message, channel, deps)
      : seenOfRow(received, deps.permalink(channel, received.ts));
  return seen === null ? null : explain(seen, deps);
}

async function explain(seen: Occurrence, deps: Deps): Promise<ModalView> {
  const { alert, sender, identity, record, missed, issue, hold } = await explainDecision(seen, deps);
  return whyModal({
    alert,
    tool: formats.find(({ name }) => name === alert.format)?.tool ?? null,
    sender,
    identity,
    record: record === null ? null : { ...record, at: record.decidedAt },
    missed,
    issue: issue === null ? null : await issueReference(issue, seen.channel, deps),
    hold,
  });
}
