import type { Evidence, InvestigationResults } from '../../../contract/answers.ts';
import { oneLine } from '../../../lib/text.ts';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { changesIn } from '../charts/changes.ts';
import { type Metric, titleOf } from '../charts/metric.ts';
import { measureOf, written } from '../charts/units.ts';
import { duration } from '../digest/digest.ts';
import { clean } from '../escape.ts';
import { notice } from '../fit.ts';
import type { Rendered } from '../rendered.ts';
import { count, SIMULATED } from '../words.ts';

/** One of the issues that a write-up is about; texts are untrusted, times in milliseconds, people are named. */
export interface WriteupIssue {
  number: IssueNumber;
  title: string;
  severity: string;
  environment: string;
  service: string | null;
  /** The name of its channel, and a link to its thread. */
  channel: string | null;
  url: string | null;
  filedAt: number;
  /** `null` while it is open. */
  resolvedAt: number | null;
  recoveredAt: number | null;
  repeats: number;
  /** People attached it to the first: its alerts count there. */
  isAttached: boolean;
  /** No tool told of it, so none tells when it is over. */
  isReport?: boolean;
  steps: readonly {
    action: { title?: string | undefined; category?: string | undefined };
    step: { title?: string | undefined; label?: string | undefined; content?: string | undefined };
    done: { by: string; at: number } | null;
  }[];
  acts: readonly { at: number; who: string; what: string }[];
  notes: readonly { who: string; text: string; at: number; editedAt: number | null }[];
  /** What its investigations found that had another cause, and when they ended. */
  otherVerdicts: readonly { at: number; results: InvestigationResults }[];
}

/** What a write-up is made of: issues of one cause, the first of which has the results. */
export interface WriteupView {
  issues: readonly [WriteupIssue, ...WriteupIssue[]];
  results: InvestigationResults;
  /** When its investigation ended; `null` if it has not. */
  verdictAt: number | null;
  /** Metrics that count as evidence, by the id of their artifact. */
  peaks: readonly { id: string; metric: Metric }[];
  simulated: boolean;
}

const FOR_PEOPLE = ['What went well', 'What did not go well', 'Where we were lucky', 'What we learned'];

/**
 * Issues of one cause as a blameless write-up in Markdown: of what is stored, and nothing else. The evidence names its
 * artifacts, all times are UTC, and what only people know is an empty heading.
 */
export function writeupFile(view: WriteupView): { name: string; title: string; text: string } {
  const { issues, results } = view;
  const { rootCause } = results;
  const [{ number, title, environment }] = issues;
  const name = `Write-up of ${issues.map((issue) => `#${issue.number}`).join(' and ')}`;
  const parts = [
    `# ${name}: ${line(title)}`,
    view.simulated ? `**${SIMULATED}**` : '',
    'A draft from what Gumshoe has stored. All times are UTC. It is about systems, not people.',
    '## Summary',
    summaryOf(view) || `${line(title)} in ${line(environment)}.`,
    '## Issues',
    list(issues.map(issueLine)),
    '## Impact',
    list(impactOf(view)),
    '## Timeline',
    list(momentsOf(view).map(({ at, words }) => `${utc(at)} – ${words}`)),
    '## Cause',
    `${rootCause?.isUnexplained === true ? 'The cause is not known. ' : ''}${line(rootCause?.rootCauseSummary)}` ||
      'The investigation found no cause.',
    ...under('### Evidence', evidence(view, rootCause?.relevantEvidence)),
    ...under('### Ruled out', evidence(view, rootCause?.irrelevantEvidence)),
    '## What helped',
    list(helped(view)) || 'No step was marked as done.',
    ...under('## Notes', notesOf(view)),
    '## Follow-ups',
    followUps(issues) || '- [ ] ',
    ...FOR_PEOPLE.map((heading) => `## ${heading}`),
  ];
  return {
    name: `write-up-${number}.md`,
    title: name,
    text: `${parts.filter((part) => part !== '').join('\n\n')}\n`,
  };
}

/** The overview is of the moment of the verdict. */
function summaryOf(view: WriteupView): string {
  const { results, verdictAt } = view;
  const overview = inHindsight(line(results.rootCause?.incidentOverview), view);
  return overview === '' || verdictAt === null ? overview : `As of ${utc(verdictAt)}: ${overview}`;
}

const PRESENT = /(?:^|(?<=\s))Ongoing(?: since (?<since>\d\d:\d\d UTC))?\.(?:\s|$)/gu;

/** What the verdict called ongoing is not, once all is over. */
function inHindsight(text: string, view: WriteupView): string {
  if (spanOf(view).end === null) return text;
  return text.replace(PRESENT, (_, since?: string) => (since ? `From ${since} on. ` : '')).trim();
}

function issueLine(issue: WriteupIssue): string {
  const { number, url, title, severity, environment, channel, isAttached } = issue;
  const named = url === null ? `#${number}` : `[#${number}](${url})`;
  const where = channel === null ? '' : `, in ${line(channel)}`;
  const ends = [
    ...(isAttached ? ['attached by hand'] : []),
    ...(issue.recoveredAt === null ? [] : [`recovered ${utc(issue.recoveredAt)}`]),
    ...(issue.resolvedAt === null ? ['open'] : [`resolved ${utc(issue.resolvedAt)}`]),
  ];
  const times = [`filed ${utc(issue.filedAt)}`, ...ends].join(', ');
  return `${named} ${line(title)} (${line(severity)}, ${line(environment)}${where}): ${times}`;
}

/** When the first deviation was seen, and when the last alert was over; `null` while it is not. */
function spanOf({ issues, results }: WriteupView): {
  first: number;
  end: number | null;
  isRecovery: boolean;
} {
  const changes = new Set(changesIn(results).map(({ at }) => at));
  const deviations = entriesOf(results).filter(({ at }) => !changes.has(at));
  const first = Math.min(...issues.map(({ filedAt }) => filedAt), ...deviations.map(({ at }) => at));
  const own = issues.filter(({ isAttached }) => !isAttached);
  // What people reported has no recovery: it is over with the alerts.
  const alerts = own.filter(({ isReport }) => isReport !== true);
  const counted = alerts.length === 0 ? own : alerts;
  const ends = counted.map(({ recoveredAt, resolvedAt }) => recoveredAt ?? resolvedAt);
  const end = ends.includes(null) ? null : Math.max(...ends.map((at) => at ?? 0));
  return { first, end, isRecovery: counted.some(({ recoveredAt }) => recoveredAt === end) };
}

function impactOf(view: WriteupView): string[] {
  const { issues, peaks } = view;
  const { first, end, isRecovery } = spanOf(view);
  const lasted =
    end === null
      ? `Since ${utc(first)}, not over yet`
      : `${duration(Math.max(0, end - first))}, from ${utc(first)} to ${utc(end)} (${isRecovery ? 'the alert recovered' : 'resolved'})`;
  const alerted = distinct(issues.flatMap(({ service }) => (service === null ? [] : [line(service)])));
  // What a rule measures is called after the rule where its labels name no service.
  const alerts = new Set(issues.flatMap(({ title }) => [title, ...title.split(/ · |: /u).slice(0, 1)]));
  const measured = distinct(
    peaks.flatMap(({ metric }) => metric.series.flatMap((one) => one.attributes.get('service.name') ?? [])),
  ).filter((name) => !alerts.has(name));
  const repeats = issues.reduce((sum, issue) => sum + issue.repeats, 0);
  return [
    `How long: ${lasted}`,
    ...(alerted.length === 0 ? [] : [`Services with alerts: ${alerted.join(', ')}`]),
    ...(measured.length === 0 ? [] : [`Services in the evidence: ${measured.map(line).join(', ')}`]),
    `Severity: ${distinct(issues.map(({ severity }) => line(severity))).join(', ')}`,
    ...(repeats === 0 ? [] : [`Alerts fired again ${count(repeats, 'time')}`]),
    ...peaks.flatMap((peak) => peakOf(peak, first, end)),
  ];
}

/** The value farthest from what was usual, within the incident. */
function peakOf({ metric }: WriteupView['peaks'][number], first: number, end: number | null): string[] {
  const all = metric.series
    .flatMap((one) => one.samples)
    .flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
  const during = all.filter(({ at }) => at >= first && (end === null || at <= end));
  const before = all.filter(({ at }) => at < first).map(({ value }) => value);
  const [one] = during;
  if (one === undefined) return [];
  const usual = median(before.length > 0 ? before : during.map(({ value }) => value));
  const peak = during.reduce(
    (most, next) => (Math.abs(next.value - usual) > Math.abs(most.value - usual) ? next : most),
    one,
  );
  const values = all.map(({ value }) => value);
  const measure = measureOf(metric.unit, { least: Math.min(...values), most: Math.max(...values) });
  const usually = before.length === 0 ? '' : `, ${written(usual, measure)} before`;
  if (peak.value === usual) return [];
  const where = peak.value < usual ? 'at the lowest' : 'at the peak';
  return [`${line(titleOf(metric))}: ${written(peak.value, measure)} ${where}${usually}, ${utc(peak.at)}`];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function entriesOf({ timeline = [] }: InvestigationResults) {
  return timeline.flatMap(({ timestamp, title, description }) => {
    const at = Date.parse(timestamp ?? '');
    const words = [title, description].map(line).filter((text) => text !== '');
    return Number.isNaN(at) || words.length === 0 ? [] : [{ at, words: words.join(': ') }];
  });
}

/** Steps and notes have lines of their own, with their words; that it was read is nothing that happened. */
const LISTED_ELSEWHERE =
  /^(?:did|unticked) (?:the )?step|^(?:wrote|edited|deleted) note|^asked for the write-up/u;

/** What happened, who did what, and when it was over, in one order. */
function momentsOf({ issues, results, verdictAt }: WriteupView) {
  const verdict = ({ rootCause }: InvestigationResults) =>
    line(rootCause?.rootCauseSummary) || 'no cause found';
  const moments = [
    ...entriesOf(results),
    ...issues.flatMap(({ number, title, filedAt, acts, steps, recoveredAt, resolvedAt, otherVerdicts }) => {
      const listed = acts.filter(({ what }) => !LISTED_ELSEWHERE.test(what));
      const of = issues.length === 1 ? '' : ` (#${number})`;
      return [
        { at: filedAt, words: `Filed as #${number}${issues.length === 1 ? '' : `: ${line(title)}`}` },
        ...listed.map(({ at, who, what }) => ({ at, words: `${line(who)} ${line(what)}${of}` })),
        ...steps.flatMap(({ step, done }) =>
          done === null ? [] : [{ at: done.at, words: `${line(done.by)} did: ${stepName(step)}` }],
        ),
        ...(recoveredAt === null ? [] : [{ at: recoveredAt, words: `The alert recovered${of}` }]),
        ...(resolvedAt === null || listed.some(({ what }) => what === 'resolved it')
          ? []
          : [{ at: resolvedAt, words: `Resolved${of}` }]),
        ...otherVerdicts.flatMap((other) => [
          ...entriesOf(other.results),
          { at: other.at, words: `Verdict${of}: ${verdict(other.results)}` },
        ]),
      ];
    }),
    ...(verdictAt === null ? [] : [{ at: verdictAt, words: `Verdict: ${verdict(results)}` }]),
  ];
  const once = new Map(moments.map((moment) => [`${moment.at} ${moment.words}`, moment]));
  return [...once.values()].toSorted((a, b) => a.at - b.at);
}

/** The steps that were done, and what was changed between the verdict and the recovery. */
function helped(view: WriteupView): string[] {
  const { issues, results, verdictAt } = view;
  const { end } = spanOf(view);
  const changed = changesIn(results).filter(
    ({ at }) => verdictAt !== null && at > verdictAt && (end === null || at <= end),
  );
  const done = issues.flatMap(({ steps }) => steps);
  return [
    ...done.flatMap(({ action, step, done }) =>
      done === null ? [] : [`${line(action.title)}: ${stepName(step)} (${line(done.by)}, ${utc(done.at)})`],
    ),
    ...changed.map(({ title, at }) => {
      const before = end === null ? '' : `, ${duration(end - at)} before the end`;
      return `${line(title)} (seen in telemetry, ${utc(at)}${before})`;
    }),
  ];
}

function notesOf({ issues }: WriteupView): string[] {
  return issues
    .flatMap(({ notes, number }) => notes.map((note) => ({ ...note, issue: number })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ who, text, at, editedAt, issue }) => {
      const of = issues.length === 1 ? '' : ` on #${issue}`;
      const edited = editedAt === null ? '' : `, edited ${utc(editedAt)}`;
      return `${utc(at)}${edited}, ${line(who)}${of}: ${line(text)}`;
    });
}

/** The steps that were left, and all that follow a fix, as tasks: of the first issue, since the others have the same. */
function followUps([{ steps }]: WriteupView['issues']): string {
  return steps
    .filter(({ action, done }) => done === null || action.category === 'follow_up')
    .map(
      ({ action, step, done }) => `- [${done === null ? ' ' : 'x'}] ${line(action.title)}: ${stepName(step)}`,
    )
    .join('\n');
}

function stepName({ title, label, content }: WriteupIssue['steps'][number]['step']): string {
  return [title, label, content].map(line).find((text) => text !== '') ?? 'a step';
}

function evidence(view: WriteupView, found: readonly Evidence[] = []): string[] {
  return found.flatMap((one) => {
    const words = [one.title, one.description]
      .map((text) => inHindsight(line(text), view))
      .filter((text) => text !== '');
    return words.length === 0 ? [] : [`${words.join(': ')}${artifacts(artifactsOf([one]))}`];
  });
}

function artifactsOf(found: readonly Evidence[] = []): string[] {
  return found.flatMap(({ artifacts: refs = [] }) => refs.flatMap(({ documentId }) => documentId ?? []));
}

function artifacts(ids: readonly string[]): string {
  const all = distinct(ids).map((id) => `\`${line(id)}\``);
  return all.length === 0 ? '' : ` (${all.length === 1 ? 'artifact' : 'artifacts'} ${all.join(', ')})`;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function under(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, list(lines)];
}

function list(lines: readonly string[]): string {
  return lines.map((text) => `- ${text}`).join('\n');
}

/** One line without what Markdown would read as markup of its own. */
function line(text: string | undefined): string {
  const plain = oneLine(clean(text ?? ''));
  // Code reads literally, and is copied; a mark without its pair would take in what follows.
  const parts = plain.split('`');
  const isPaired = parts.length % 2 === 1 && !plain.includes('``');
  const isCode = (index: number) => isPaired && index % 2 === 1;
  return parts
    .map((part, index) => (isCode(index) ? part : part.replace(/[\\<>[\]]/gu, '\\$&')))
    .join(isPaired ? '`' : '\\`');
}

function utc(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * Somebody asked for the write-up.
 *
 * @param before how many others were asked for before it, and are not there yet
 */
export function writeupComes(number: IssueNumber | null, before = 0): Rendered {
  const wait =
    before === 0
      ? ''
      : ` ${before === 1 ? 'Another one is' : `${before} others are`} before it: it takes up to a minute.`;
  return notice(`The write-up of ${named(number)} will be posted in its thread as a file.${wait}`);
}

/** There is no thread it could go to. */
export function writeupTooEarly(number: IssueNumber | null): Rendered {
  return notice(
    `There is no thread for ${named(number)} to post a write-up in. Try again once its card is posted.`,
  );
}

function named(number: IssueNumber | null): string {
  return number === null ? 'this issue' : `#${number}`;
}
