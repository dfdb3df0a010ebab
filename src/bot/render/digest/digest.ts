import { oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { date } from '../dates.ts';
import { clean, literal, userMention } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import { type MemberView, symptomsLine } from '../issues/incident.ts';
import { issueNumberAndTitle } from '../issues/issue-reference.ts';
import { inReadersTime } from '../readers-time.ts';
import { type RecordLineView, recordInDigest } from '../record/record.ts';
import { columns, context, inSections, type Rendered, section } from '../rendered.ts';
import { count, SIMULATED, statusWords } from '../words.ts';
import { type HygieneView, hygieneInDigest } from './hygiene.ts';

/** An issue in a digest. `title` is untrusted. */
export interface DigestIssueView {
  number: IssueNumber | null;
  title: string;
  /** The root cause in one line, once it is known; untrusted. */
  cause?: string | null;
  /** Of the incident that it leads. */
  symptoms?: readonly MemberView[];
  url: string | null;
  /** When it was filed, or last investigated: what its cause says of a time of day is near that. */
  at: number;
}

/** A channel's digest, about issues that live in the channel. Times are in milliseconds. */
export interface DigestView {
  since: number;
  /** When it was due, if it is late. */
  lateFrom: number | null;
  /** Who asked for it; `null` if it came by itself. */
  askedBy: string | null;
  open: { status: string; n: number }[];
  filed: DigestIssueView[];
  resolved: DigestIssueView[];
  /** Between filing and resolving; `null` if nothing was resolved. */
  medianMs: number | null;
  stuck: (DigestIssueView & { why: 'investigating' | 'open'; since: number })[];
  offenders: (DigestIssueView & { times: number })[];
  votes: { up: number; down: number };
  /** Once a week, where the channel wants it. */
  hygiene?: Pick<HygieneView, 'rules' | 'days'> | null;
  /** What became of the verdicts since then. */
  record?: readonly RecordLineView[];
  simulated: boolean;
}

const SHOWN = 5;
const MINUTE_MS = 60_000;

export function renderDigest(view: DigestView): Rendered {
  const open = view.open.reduce((sum, { n }) => sum + n, 0);
  const text = `Digest: ${open} open, ${view.filed.length} new, ${view.resolved.length} resolved`;
  const votes = view.votes.up + view.votes.down;
  const once = causesOnce();
  const isQuiet = open + view.filed.length + view.resolved.length + view.offenders.length + votes === 0;
  return fitMessage({
    text: view.simulated ? `${SIMULATED}. ${text}` : text,
    blocks: [
      ...(view.simulated ? [context(SIMULATED)] : []),
      section(`📊 *Digest* · since ${date(view.since)}`),
      ...(view.lateFrom === null
        ? []
        : [context(`⏰ Late: it was due ${date(view.lateFrom)} but could not be sent then.`)]),
      isQuiet
        ? section('All quiet in this channel: nothing open, nothing filed, nothing resolved.')
        : columns(figures(view, open)),
      ...list('Stuck', view.stuck, stuckWords, once),
      ...list('New', view.filed, () => '', once),
      ...list('Noisiest', view.offenders, ({ times }) => ` · ${count(times, 'time')}`, once),
      ...list('Resolved', view.resolved, () => '', once),
      ...recordInDigest(view.record ?? []),
      ...(view.hygiene ? hygieneInDigest(view.hygiene) : []),
      ...(view.askedBy === null ? [] : [context(`Requested by ${userMention(view.askedBy)}`)]),
    ],
  });
}

function figures({ open, filed, resolved, medianMs, votes }: DigestView, sum: number): string[] {
  const byStatus = open.map(({ status, n }) => `${n} ${statusWords(status)}`).join(' · ');
  const half = medianMs === null ? '' : `\nmedian ${duration(medianMs)}`;
  const voted = votes.up + votes.down > 0;
  return [
    `*Open* ${sum}${byStatus === '' ? '' : `\n${byStatus}`}`,
    `*New* ${filed.length}`,
    `*Resolved* ${resolved.length}${half}`,
    ...(voted ? [`*Votes on results and answers*\n👍 ${votes.up} · 👎 ${votes.down}`] : []),
  ];
}

function stuckWords({ why, since }: DigestView['stuck'][number]): string {
  return why === 'investigating' ? ` · investigating since ${date(since)}` : ` · open since ${date(since)}`;
}

function list<T extends DigestIssueView>(
  heading: string,
  issues: readonly T[],
  more: (issue: T) => string,
  causeOnce: (issue: T) => string,
) {
  if (issues.length === 0) return [];
  const lines = issues
    .slice(0, SHOWN)
    .map((issue) => `• ${issueNumberAndTitle(issue)}${more(issue)}${causeOnce(issue)}`);
  const rest = issues.length - SHOWN;
  return inSections([`*${literal(heading)}*`, ...lines, ...(rest > 0 ? [`… and ${rest} more`] : [])]);
}

/** An issue's cause and symptoms where it is first listed, and nothing where it is again. */
function causesOnce(): (issue: DigestIssueView) => string {
  const shown = new Set<IssueNumber | null>();
  return ({ number, cause, symptoms = [], at }) => {
    if (shown.has(number)) return '';
    shown.add(number);
    const others = symptomsLine(symptoms);
    const why = cause == null ? '' : inReadersTime(`\n  _Cause:_ ${literal(oneLine(clean(cause)))}`, at);
    return others === null ? why : `${why}\n  ${others}`;
  };
}

/** `2 h 10 min`; `ms` is at least 0. */
export function duration(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 1) return 'a minute';
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [rest, 'min'],
  ] as const;
  return parts
    .filter(([n]) => n > 0)
    .slice(0, 2)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}
