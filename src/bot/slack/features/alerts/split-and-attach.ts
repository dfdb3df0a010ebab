import type { z } from 'zod';
import { displayName } from '../../../../lib/text.ts';
import type { Deps } from '../../../deps.ts';
import { alertOf } from '../../../filing/occurrence.ts';
import {
  attach as attachIssue,
  attach as attachTogether,
  leaveIncident,
  splitIssue,
} from '../../../filing/split-attach.ts';
import {
  apartInputs,
  attachModal,
  notSameModal,
  type RepeatView,
} from '../../../render/alerts/split-issue.ts';
import { cannotAttach, nothingToSplit, whyNotAttached } from '../../../render/alerts/split-issue-notices.ts';
import { notThere } from '../../../render/notices.ts';
import { type IssueNumber, issueNumber, parseIssueNumber } from '../../../shared/issue-number.ts';
import type { AlertRow } from '../../../store/alerts.ts';
import { isPermitted } from '../../access/rights.ts';
import type { Register } from '../../listening/feature.ts';
import { type IssueActionContext, onIssueAction } from '../../listening/issue-actions.ts';
import { AboutIssue, ChosenValues, openModal, readModalState } from '../../listening/modals.ts';
import { notifyPerson, refusedAtLimit } from '../../listening/notify.ts';
import { onSubmit } from '../../listening/press.ts';

const MOST = 25;

/** *These are two problems*: a symptom leaves its incident; else a modal with this channel's repeats of the issue. */
export async function openNotSame(context: IssueActionContext, deps: Deps): Promise<void> {
  const { issue, channel, triggerId, respond } = context;
  if (issue.symptomOf !== null && channel === issue.channel) {
    await leaveIncident({ issueId: issue.id, by: context.userId }, deps);
    return;
  }
  const rows = await deps.store.alerts.ofIssue(issue.id, MOST + 1, channel);
  const repeats = rows.filter(({ decision }) => decision === 'repeat').slice(0, MOST);
  if (repeats.length === 0) return notifyPerson(respond, nothingToSplit(), deps);
  const first = await firstDetail(issue.id, deps);
  const about = { issueId: issue.id, channel, number: issueNumber(issue) };
  const views = repeats.map((row) => viewOf(row, first, deps));
  await openModal(triggerId, notSameModal(about, views), respond, deps);
}

/** What distinguishes the alert that opened the issue from others with the same fingerprint. */
async function firstDetail(issueId: string, { store }: Deps): Promise<string | null> {
  const rows = await store.alerts.ofIssue(issueId, 1_000);
  return rows.findLast(({ decision }) => decision === 'filed')?.detail ?? null;
}

function viewOf(row: AlertRow, first: string | null, { permalink }: Deps): RepeatView {
  const { title, errorMessage } = alertOf(row);
  return {
    channel: row.channel,
    ts: row.ts,
    at: Number(row.ts) * 1_000,
    title: title ?? errorMessage ?? 'Alert without a title',
    url: permalink(row.channel, row.ts),
    readsTheSame: first !== null && row.detail === first,
  };
}

const GONE = 'This alert no longer belongs to the issue. Close this and check its card.';

const readAbout = (state: string) => readModalState(AboutIssue, state);

/** *These are two problems* was submitted: files the chosen repeat as an issue of its own. */
export const notSame: Register = onSubmit(
  'notSame',
  { read: readAbout, field: apartInputs.repeat },
  async ({ about: { issueId, channel }, userId: by, viewId, values }, deps) => {
    const wrong = (words: string) => ({ errors: { [apartInputs.repeat]: words } });
    const chosen = ChosenValues.parse(values)[apartInputs.repeat]?.[apartInputs.repeat];
    const [place = '', ts = ''] = chosen?.selected_option?.value.split(':') ?? [];
    // The modal lists messages of one channel; a value that names another channel is forged.
    if (place !== channel) return wrong(GONE);
    const issue = await deps.store.issues.get(issueId);
    if (issue === null || !(await isPermitted('notSame', issue, channel, deps))) return wrong(GONE);
    const mayRead = await deps.mayRead({ person: by }, { channel }, 'now');
    if (!mayRead) return wrong(notThere().text);
    const wish = { issueId, channel, ts, permalink: deps.permalink(channel, ts), by, cause: viewId };
    const filed = await splitIssue(wish, deps);
    if (filed === null) return wrong(GONE);
    return typeof filed === 'string' ? undefined : wrong(refusedAtLimit(filed, deps).text);
  },
);

const MOST_CHOICES = 100;

/** *The same problem*: a modal with the channel's open issues, and room for a number. */
export async function openAttach(context: IssueActionContext, deps: Deps): Promise<void> {
  const { issue, channel, triggerId, respond } = context;
  if (channel !== issue.channel) return;
  const others = (await deps.store.issues.openIn(channel, MOST_CHOICES + 1)).filter(
    ({ id }) => id !== issue.id,
  );
  const open = others.flatMap((one) => {
    const number = issueNumber(one);
    return number === null ? [] : [{ number, title: displayName(one) }];
  });
  const about = { issueId: issue.id, channel, number: issueNumber(issue) };
  await openModal(triggerId, attachModal(about, open.slice(0, MOST_CHOICES)), respond, deps);
}

/** *Attach to #n*, offered right after *These are two problems*: puts the alert back on its original issue. */
export const attachTo = onIssueAction('attachTo', async ({ issue, userId, respond }, deps) => {
  const from = issue.apartFrom === null ? null : await deps.store.issues.get(issue.apartFrom);
  const number = (from === null ? null : issueNumber(from)) ?? 0;
  const refusal = await attachTogether({ issueId: issue.id, number, by: userId }, deps);
  if (refusal !== null) return notifyPerson(respond, cannotAttach(refusal, number), deps);
});

export const attach: Register = onSubmit(
  'attach',
  { read: readAbout, field: apartInputs.number },
  async ({ about: { issueId, channel }, userId: by, values }, deps) => {
    const wrong = (words: string) => ({ errors: { [apartInputs.number]: words } });
    const meant = chosenNumber(ChosenValues.parse(values));
    if (typeof meant === 'string') return wrong(meant);
    const { number } = meant;
    // The card is in the issue's own channel, and so was the button.
    const issue = await deps.store.issues.get(issueId);
    const isOfThere = issue !== null && issue.channel === channel;
    const mayRead = await deps.mayRead({ person: by }, { channel }, 'now');
    if (isOfThere && !mayRead) return wrong(notThere().text);
    const refused = isOfThere ? await attachIssue({ issueId, number, by }, deps) : ('unknown' as const);
    return refused === null ? undefined : wrong(whyNotAttached(refused, number));
  },
);

/** The issue number that was chosen or typed, or a sentence for the user if it is missing or ambiguous. */
function chosenNumber(values: z.infer<typeof ChosenValues>): { number: IssueNumber } | string {
  const chosen = values[apartInputs.issue]?.[apartInputs.issue]?.selected_option?.value;
  const typed = values[apartInputs.number]?.[apartInputs.number]?.value?.trim() ?? '';
  const number = parseIssueNumber(typed === '' ? (chosen ?? '') : typed);
  if (chosen !== undefined && typed !== '' && String(number) !== chosen) {
    return 'Choose an issue above or enter a number here, not both.';
  }
  return number === null ? 'Enter the number of the issue, for example 12.' : { number };
}
