import type { KnownBlock, ModalView } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import type { Alert } from '../../alerts/types.ts';
import type { Reason } from '../../store/reasons.ts';
import { date } from '../dates.ts';
import { clean, quoted } from '../escape.ts';
import { type IssueReference, issueLine } from '../issues/issue-reference.ts';
import { code, link } from '../links.ts';
import { fitModal } from '../modal.ts';
import { context, section } from '../rendered.ts';
import { reasonWords } from './reasons.ts';

/** What *Why was this (not) filed?* shows. All texts are untrusted, but `missed.why`, which is ours. */
export interface WhyView {
  alert: Alert;
  /** What people call the tool whose format read it; `null` if none did. */
  tool: string | null;
  sender: string | null;
  identity: string | null;
  record: { decision: string; reason: Reason; at: number; outcome: string | null } | null;
  missed: { why: string; would: { decision: string; reason: Reason } | null } | null;
  issue: IssueReference | null;
  hold: { reason: string; state: string } | null;
}

const TITLE = 'Why (not) filed';
const MAX_VALUE = 300;
const MAX_REASON = 500;

const DECISIONS: Record<string, string> = {
  filed: '✅ Filed',
  repeat: '🔁 Repeat',
  recovered: '💚 Recovery',
  ignored: '⏭️ Not filed',
  held: '✋ On hold',
  not_an_alert: '💬 Not an alert',
};

const HOLDS: Record<string, string> = {
  storm: 'many problems fired within a minute',
  budget: 'the channel’s budget of new issues was used up',
  day: 'the workspace’s limit on new issues in 24 hours was reached',
  paused: 'filing was paused',
};

const OUTCOMES: Record<string, string> = {
  filed: 'filed from there later',
  joined: 'counted toward an open issue',
  recovered: 'recovered on its own',
  dismissed: 'dismissed later',
};

const KINDS: Record<Alert['kind'], string> = {
  firing: 'an alert that fired',
  resolved: 'a recovery',
  not_an_alert: 'not an alert',
};

export function whyModal(view: WhyView): ModalView {
  const blocks: KnownBlock[] = [
    section(verdict(view)),
    ...(view.issue === null ? [] : [section(`*Issue*\n${issueLine(view.issue)}`)]),
    ...(view.hold === null ? [] : [section(`*Held*\n${holdLine(view.hold, view.record?.outcome ?? null)}`)]),
    section(`*How I read it*\n${reading(view)}`),
    ...facts(view.alert).map((lines) => section(lines)),
    ...basisLines(view.alert).map((line) => section(line)),
    context(...identityLines(view)),
  ];
  return fitModal({ callbackId: 'message:why', title: TITLE, blocks });
}

export function whyOurs(): ModalView {
  const text = 'That is one of my own messages. I only read what tools and people post.';
  return fitModal({ callbackId: 'message:why', title: TITLE, blocks: [section(text)] });
}

function verdict({ record, missed }: WhyView): string {
  if (record) {
    return `*${decisionWords(record.decision)}* · ${date(record.at)}\n${value(reasonWords(record.reason), MAX_REASON)}`;
  }
  const why = `*Not processed*\n${missed?.why ?? 'no record of it'}`;
  const would = missed?.would ?? null;
  if (would === null) return why;
  return `${why}\n\n*If it came now: ${decisionWords(would.decision)}*\n${value(reasonWords(would.reason), MAX_REASON)}`;
}

function decisionWords(decision: string): string {
  return (Object.hasOwn(DECISIONS, decision) && DECISIONS[decision]) || value(decision);
}

function holdLine({ reason, state }: { reason: string; state: string }, outcome: string | null): string {
  const since = outcome === null ? undefined : OUTCOMES[outcome];
  const waits =
    state === 'closed' ? 'nobody decided' : 'waiting under this channel’s message about held alerts';
  const why = (Object.hasOwn(HOLDS, reason) && HOLDS[reason]) || value(reason);
  return `${why}; ${since ?? waits}`;
}

function reading({ alert, tool, sender }: WhyView): string {
  const by = sender === null ? 'a person' : value(sender);
  const format = tool === null ? 'the generic format' : value(tool);
  return `Posted by ${by}, read as ${format}: ${KINDS[alert.kind]}.`;
}

/** A line a field; as few sections as Slack’s limits allow. */
function facts(alert: Alert): string[] {
  const url = alert.alertUrl;
  const fields: [string, string][] = [
    ['Title', value(alert.title)],
    ['Severity', value(alert.severity)],
    ['Environment', value(alert.environment)],
    ['Service', value(alert.service)],
    ['Host', value(alert.host)],
    ['Region', value(alert.region)],
    ['Version', value(alert.version)],
    ['Error', value([alert.errorType, alert.errorMessage].filter((part) => part !== null).join(': '))],
    ['Time', value(alert.triggeredAt)],
    ['Trace', value([alert.traceId, alert.spanId].filter((part) => part !== null).join(' / '))],
    ['Tags', value(alert.tags.join(', '))],
    ['Link', url === null ? '' : link(url, 'Open the alert')],
    ['Description', value(alert.description)],
  ];
  const stated = fields.filter(([, words]) => words !== '').map(([name, words]) => `*${name}:* ${words}`);
  const half = Math.ceil(stated.length / 2);
  return [stated.slice(0, half), stated.slice(half)]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'));
}

const MAX_BASIS = 1_200;

/** What identifies this alert, and what was left out because it changes while a problem lasts. */
function basisLines({ basis }: Alert): string[] {
  if (basis === undefined) return [];
  const listed = (values: readonly { key: string; text: string }[]) =>
    value(values.map(({ key, text }) => (key === '' ? text : `${key}: ${text}`)).join(' · '), MAX_BASIS);
  const stated = basis.isStated === true ? [{ key: 'stated identity', text: basis.of.at(-1) ?? '' }] : [];
  return [
    `*Identified by*\n${listed([...stated, ...basis.by])}`,
    ...(basis.left.length === 0 ? [] : [`*Left out, because it changes*\n${listed(basis.left)}`]),
  ];
}

function identityLines({ alert, identity }: WhyView): string[] {
  if (alert.fingerprint === null) return ['No fingerprint, so repeats cannot be recognized.'];
  const shown = (text: string) => code(cutAtWord(oneLine(clean(text)), MAX_VALUE));
  return [
    `Fingerprint ${shown(alert.fingerprint)}`,
    ...(identity === null ? [] : [`tracked as ${shown(identity)}`]),
  ];
}

function value(text: string | null, max = MAX_VALUE): string {
  return quoted(text ?? '', max);
}
