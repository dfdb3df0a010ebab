import type { Evidence, InvestigationResults } from '../../../contract/answers.ts';
import type { IssueNumber } from '../../../lib/issue-number.ts';
import { oneLine } from '../../../lib/text.ts';
import { duration } from '../digest/digest.ts';
import { clean } from '../escape.ts';
import { fitMessage } from '../fit.ts';
import type { NoteView } from '../issues/notes.ts';
import { type Metric, titleOf } from '../pictures/metric.ts';
import { measureOf, written } from '../pictures/units.ts';
import { type Rendered, section } from '../rendered.ts';
import { SIMULATED } from '../words.ts';

/** What a write-up is made of; texts are untrusted, times in milliseconds. */
export interface WriteupView {
  number: IssueNumber;
  title: string;
  severity: string;
  environment: string;
  service: string | null;
  status: string;
  filedAt: number;
  /** `null` while it is open. */
  resolvedAt: number | null;
  recoveredAt: number | null;
  /** How often its alert fired again. */
  repeats: number;
  /** Issues of the same cause that were attached to it: one write-up for all of them. */
  attached: readonly IssueNumber[];
  results: InvestigationResults;
  /** Metrics that count as evidence, by the id of their artifact. */
  peaks: readonly { id: string; metric: Metric }[];
  steps: readonly {
    action: { title?: string | undefined; category?: string | undefined };
    step: { title?: string | undefined; label?: string | undefined; content?: string | undefined };
    done: { by: string; at: number } | null;
  }[];
  acts: readonly { at: number; who: string; what: string }[];
  notes: readonly NoteView[];
  simulated: boolean;
}

const FOR_PEOPLE = ['What went well', 'What did not go well', 'Where we were lucky', 'What we learned'];

/**
 * An issue as a blameless write-up in Markdown: of what is stored, and nothing else. Each figure names its artifact, all
 * times are UTC, and what only people know is an empty heading.
 */
export function writeupFile(view: WriteupView): { name: string; title: string; text: string } {
  const { number, results, notes } = view;
  const { rootCause } = results;
  const parts = [
    `# Write-up of #${number}: ${line(view.title)}`,
    view.simulated ? `**${SIMULATED}**` : '',
    'A draft from what Gumshoe has stored. All times are UTC. It is about systems and not about people.',
    '## Summary',
    line(rootCause?.incidentOverview) || `${line(view.title)} in ${line(view.environment)}.`,
    '## Impact',
    list(impactOf(view)),
    '## Timeline',
    list(momentsOf(view).map(({ at, words }) => `${utc(at)} – ${words}`)),
    '## Cause',
    line(rootCause?.rootCauseSummary) || 'The investigation found no cause.',
    ...under('### Evidence', evidence(rootCause?.relevantEvidence)),
    ...under('### Ruled out', evidence(rootCause?.irrelevantEvidence)),
    '## What helped',
    list(helped(view)) || 'No step was marked as done.',
    ...under(
      '## Notes',
      notes.map(({ who, text, at }) => `${utc(at)}, ${person(who)}: ${line(text)}`),
    ),
    '## Follow-ups',
    followUps(view) || '- [ ] ',
    ...FOR_PEOPLE.map((heading) => `## ${heading}`),
  ];
  return {
    name: `write-up-${number}.md`,
    title: `Write-up of #${number}`,
    text: `${parts.filter((part) => part !== '').join('\n\n')}\n`,
  };
}

function impactOf(view: WriteupView): string[] {
  const { results, filedAt, recoveredAt, resolvedAt, repeats, attached, peaks, service } = view;
  const first = Math.min(filedAt, ...entriesOf(results).map(({ at }) => at));
  const end = recoveredAt ?? resolvedAt;
  const lasted =
    end === null
      ? `Since ${utc(first)}, not over yet`
      : `${duration(Math.max(0, end - first))}, from ${utc(first)} to ${utc(end)} (${recoveredAt === null ? 'resolved' : 'the alert recovered'})`;
  return [
    `How long: ${lasted}`,
    ...(service === null ? [] : [`Service of the alert: ${line(service)} (${line(view.environment)})`]),
    `Severity: ${line(view.severity)}`,
    ...(repeats === 0 ? [] : [`The alert fired again ${repeats} ${repeats === 1 ? 'time' : 'times'}`]),
    ...(attached.length === 0 ? [] : [`Of the same cause: ${attached.map((one) => `#${one}`).join(', ')}`]),
    ...peaks.flatMap(peakOf),
  ];
}

function peakOf({ id, metric }: WriteupView['peaks'][number]): string[] {
  const samples = metric.series.flatMap((one) => one.samples);
  const measured = samples.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
  const [first] = measured;
  if (first === undefined) return [];
  const range = measured.reduce(
    ({ least, most }, { value }) => ({ least: Math.min(least, value), most: Math.max(most, value) }),
    { least: first.value, most: first.value },
  );
  const peak = measured.find(({ value }) => value === range.most) ?? first;
  const shown = written(peak.value, measureOf(metric.unit, range));
  return [`${line(titleOf(metric))}: ${shown} at the peak, ${utc(peak.at)} (artifact \`${line(id)}\`)`];
}

function entriesOf({ timeline = [] }: InvestigationResults) {
  return timeline.flatMap(({ timestamp, title, description }) => {
    const at = Date.parse(timestamp ?? '');
    const words = [title, description].map(line).filter((text) => text !== '');
    return Number.isNaN(at) || words.length === 0 ? [] : [{ at, words: words.join(': ') }];
  });
}

/** What happened, who did what, and when it was over, in one order. */
function momentsOf({ results, filedAt, number, acts, steps, recoveredAt }: WriteupView) {
  return [
    ...entriesOf(results),
    { at: filedAt, words: `Filed as #${number}` },
    ...acts
      // Steps have lines of their own, with their names.
      .filter(({ what }) => !/^(?:did|unticked) the step/u.test(what))
      .map(({ at, who, what }) => ({ at, words: `${person(who)} ${line(what)}` })),
    ...steps.flatMap(({ step, done }) =>
      done === null ? [] : [{ at: done.at, words: `${person(done.by)} did: ${stepName(step)}` }],
    ),
    ...(recoveredAt === null ? [] : [{ at: recoveredAt, words: 'The alert recovered' }]),
  ].toSorted((a, b) => a.at - b.at);
}

function helped({ steps }: WriteupView): string[] {
  return steps.flatMap(({ action, step, done }) =>
    done === null ? [] : [`${line(action.title)}: ${stepName(step)} (${person(done.by)}, ${utc(done.at)})`],
  );
}

/** The steps that were left, and all that follow a fix, as tasks. */
function followUps({ steps }: WriteupView): string {
  return steps
    .filter(({ action, done }) => done === null || action.category === 'follow_up')
    .map(
      ({ action, step, done }) => `- [${done === null ? ' ' : 'x'}] ${line(action.title)}: ${stepName(step)}`,
    )
    .join('\n');
}

function stepName({ title, label, content }: WriteupView['steps'][number]['step']): string {
  return [title, label, content].map(line).find((text) => text !== '') ?? 'a step';
}

function evidence(found: readonly Evidence[] = []): string[] {
  return found.flatMap(({ title, description, artifacts = [] }) => {
    const words = [title, description].map(line).filter((text) => text !== '');
    const ids = artifacts.flatMap(({ documentId }) => (documentId ? [`\`${line(documentId)}\``] : []));
    if (words.length === 0) return [];
    return [`${words.join(': ')}${ids.length === 0 ? '' : ` (artifact ${ids.join(', ')})`}`];
  });
}

function under(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, list(lines)];
}

function list(lines: readonly string[]): string {
  return lines.map((text) => `- ${text}`).join('\n');
}

/** One line without what Markdown would read as markup of its own. */
function line(text: string | undefined): string {
  return oneLine(clean(text ?? '')).replace(/[\\<>[\]]/gu, '\\$&');
}

/** Slack shows no names in a file. */
function person(id: string | null): string {
  return id === null ? 'somebody' : `@${id}`;
}

function utc(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** Somebody asked for the write-up. */
export function writeupComes(number: IssueNumber | null): Rendered {
  return sentence(`The write-up of ${named(number)} comes into its thread as a file.`);
}

/** There is no thread it could go to. */
export function writeupTooEarly(number: IssueNumber | null): Rendered {
  return sentence(
    `There is no thread for ${named(number)} to post a write-up in. Try again once its card is posted.`,
  );
}

function named(number: IssueNumber | null): string {
  return number === null ? 'this issue' : `#${number}`;
}

function sentence(text: string): Rendered {
  return fitMessage({ text, blocks: [section(text)] });
}
