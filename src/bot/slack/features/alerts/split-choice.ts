import { issueNumber } from '../../../../lib/issue-number.ts';
import { alertOf } from '../../../filing/channel-message.ts';
import { notSameModal, type RepeatView } from '../../../render/alerts/split-issue.ts';
import { nothingToTellApart } from '../../../render/alerts/split-issue-notices.ts';
import type { AlertRow } from '../../../store/alerts.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { IssueActionContext } from '../../listening/on-issue-action.ts';
import { openModal } from '../../listening/open-modal.ts';
import { tellPerson } from '../../listening/tell.ts';

const MOST = 25;

/** *Split off*: a modal with this channel's repeats of the issue. */
export async function openNotSame(context: IssueActionContext, deps: ListenerDeps): Promise<void> {
  const { issue, channel, triggerId, respond } = context;
  const rows = await deps.store.alerts.ofIssue(issue.id, MOST + 1, channel);
  const repeats = rows.filter(({ decision }) => decision === 'repeat').slice(0, MOST);
  if (repeats.length === 0) return tellPerson(respond, nothingToTellApart(), deps);
  const first = await firstDetail(issue.id, deps);
  const about = { issueId: issue.id, channel, number: issueNumber(issue) };
  const views = repeats.map((row) => viewOf(row, first, deps));
  await openModal(triggerId, notSameModal(about, views), respond, deps);
}

/** What distinguishes the alert that opened the issue from others with the same fingerprint. */
async function firstDetail(issueId: string, { store }: ListenerDeps): Promise<string | null> {
  const rows = await store.alerts.ofIssue(issueId, 1_000);
  return rows.findLast(({ decision }) => decision === 'filed')?.detail ?? null;
}

function viewOf(row: AlertRow, first: string | null, { permalink }: ListenerDeps): RepeatView {
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
