import type { Remediation } from '../../../contract/schema.ts';
import type { Change } from '../../telemetry/model.ts';
import { hasRollouts, isName, isSetting, kubectlFor, undoOf } from '../../telemetry/undo.ts';
import type { Candidate } from '../candidates.ts';
import { timeOfDay } from '../format.ts';
import { type Hypothesis, RESOURCES } from '../hypothesis.ts';
import { CHANGES, isProven } from '../kinds/changes.ts';
import {
  HELD_BY_SERVICES,
  LEAKS_SINCE,
  REDELIVERED,
  REMEDIES,
  type StepRow,
  UNPROVEN_CHANGE,
} from '../kinds/remedies.ts';
import type { IssueToInvestigate } from '../types.ts';
import { inWords } from './observed.ts';

interface Step {
  title: string;
  /** `command` to run, `check` to look at, `info` to know. */
  type: 'info' | 'command' | 'check';
  content: string;
  help: string;
  required: boolean;
}

interface Remedy {
  title: string;
  description: string;
  category: 'immediate' | 'follow_up';
  steps: Step[];
}

/**
 * What to do about a cause: the rows of its kind, filled in. A command has only names that were seen.
 *
 * @param logs where logs are read; `null` if there are none: then nobody is sent there
 */
function remediesOf(of: Hypothesis, logs: Logs): Remedy[] {
  const { kind, candidate, assessment } = of;
  const { change } = assessment.signs;
  const isUnproven = change !== undefined && !isProven(candidate, change);
  const isRedelivered = kind.name === 'queue backlog' && assessment.signs.line !== undefined;
  const isHeld = kind.name === 'connection-pool exhaustion' && RESOURCES.has(candidate.node.kind);
  const known = isRedelivered ? REDELIVERED : isHeld ? HELD_BY_SERVICES : (REMEDIES.get(kind.name) ?? []);
  // What is not known is found out, before anything is done about it.
  const open = kind.name === 'CPU starvation' && assessment.isOpen === true;
  const leaks = change !== undefined && kind.name === 'memory leak' ? LEAKS_SINCE : [];
  const rows = isUnproven
    ? UNPROVEN_CHANGE
    : open || leaks.length > 0
      ? [...leaks, ...known.slice(1)]
      : known;
  const blanks = blanksOf(of);
  const fill = (text: string): string => filled(text, blanks);
  return rows.map(({ title, description, category, steps }) => ({
    title: fill(title),
    description: fill(description),
    category,
    steps: steps
      .filter(({ isOfSeveral }) => !isOfSeveral || !isAlone(candidate))
      .flatMap((row) =>
        actionsOf(row, of, fill, logs).map((action) => ({
          ...action,
          help: fill(row.help),
          required: row.required,
        })),
      ),
  }));
}

/** Whether it is known to run as one instance, which nothing manages. */
function isAlone({ node: { workload, instances = [] } }: Candidate): boolean {
  return workload === null && instances.length === 1;
}

/** Their page, if people can open it. */
type Logs = { url: string | null } | null;

type Fill = (text: string) => string;
type Action = Pick<Step, 'title' | 'type' | 'content'>;

function actionsOf({ action, ...row }: StepRow, of: Hypothesis, fill: Fill, logs: Logs): Action[] {
  const title = fill(row.title);
  const content = fill(row.content);
  const instead: Action = { title, type: 'check', content: fill(row.otherwise) };
  const { node, oddInstance } = of.candidate;
  switch (action) {
    case 'check':
    case 'info':
    case 'command':
      return [{ title, type: action, content }];
    case 'shell':
      return [isName(node.name) ? { title, type: 'command', content } : instead];
    case 'logs': {
      const target = of.candidate.node.workload;
      const command = target && kubectlFor(target, (name) => `logs ${name} --since=1h`);
      if (logs !== null)
        return [
          {
            title,
            type: 'check',
            content: logs.url ? `${content.replace(/\.$/u, '')}: ${logs.url}` : content,
          },
        ];
      return [command ? { title, type: 'command', content: command } : instead];
    }
    case 'undo':
      return undoing(of, { title: row.otherwise || title, type: 'check', content });
    default: {
      const namespace = node.workload?.namespace ?? '';
      const pod = oddInstance?.pod ? { namespace, kind: 'pod', name: oddInstance.pod } : null;
      const target = action === 'kubectl' ? node.workload : pod;
      const command = target && kubectlFor(target, (name) => row.content.replace('{target}', name));
      return [command ? { title, type: 'command', content: command } : instead];
    }
  }
}

/** The steps that take a change back; the last of them, or else the only one, is a check if nothing can be run. */
function undoing({ candidate, assessment }: Hypothesis, otherwise: Action): Action[] {
  const { node, changes } = candidate;
  const { change } = assessment.signs;
  // Nothing is to be run that takes back what is not proven.
  if (change !== undefined && !isProven(candidate, change)) return [otherwise];
  const undo = change === undefined ? null : undoOf(change, changes).undo;
  if (undo !== null) {
    const title = undo.by === 'revert' ? 'Revert' : 'Roll back';
    return [{ title, type: undo.type, content: undo.content }];
  }
  const { workload } = node;
  const rollout = (words: (target: string) => string) =>
    workload !== null && hasRollouts(workload) ? kubectlFor(workload, words) : null;
  const history = rollout((target) => `rollout history ${target}`);
  if (history === null || !CHANGES.deploy.includes(change?.kind ?? '')) return [otherwise];
  const back = rollout((target) => `rollout undo ${target} --to-revision=`);
  return [
    { title: 'See which revision ran before', type: 'command', content: history },
    { title: 'Roll back to it', type: 'check', content: `Run \`${back}\` with the number of that revision.` },
  ];
}

type Blanks = Readonly<Record<string, string | null>>;

function blanksOf({ candidate, assessment }: Hypothesis): Blanks {
  const { node, oddInstance, brokenCalls, outside } = candidate;
  const { change } = assessment.signs;
  const log = assessment.observations.find((one) => one.type === 'log');
  return {
    service: node.name,
    onset: timeOfDay(candidate.onset),
    instance: oddInstance?.instance ?? `the bad instance of ${node.name}`,
    caller: brokenCalls[0]?.edge.caller ?? node.name,
    callee: outside?.host ?? brokenCalls[0]?.edge.callee ?? 'what it calls',
    line: log?.pattern.example ?? null,
    ...(log !== undefined && {
      slow: `Cancel the slow query on ${node.name}`,
      slowHelp: 'Cancel what is running so that other queries get through.',
    }),
    newError: log === undefined ? null : inWords(log, candidate).description,
    ...(isAlone(candidate) && {
      alone: 'One instance of it is known: requests fail while it restarts.',
      restart: `Restart ${node.name}.`,
      scale: `Run a second instance of ${node.name}.`,
    }),
    ...(change === undefined ? {} : blanksOfChange(change, candidate.changes, node.name)),
  };
}

function blanksOfChange(change: Change, others: readonly Change[], service: string): Blanks {
  const { before, note } = undoOf(change, others);
  return {
    version: change.version ?? 'the new version',
    what: change.version ?? `"${change.title}"`,
    change: change.title,
    url: change.url,
    previous: change.before ?? 'the previous version',
    before,
    toBefore: before === null ? '' : ` to ${before}`,
    back: isSetting(change)
      ? `Bring back what was set before "${change.title}".`
      : before === null
        ? `Deploy the version of ${service} that ran before ${change.version ?? `"${change.title}"`}.`
        : `Deploy ${service} ${before}.`,
    note: note === null ? '' : ` ${note}`,
  };
}

/** `{name}`, or `{name|what is said where there is none}`, which may have blanks of its own. */
const BLANK = /\{(\w+)(?:\|((?:[^{}]|\{\w+\})*))?\}/gu;

function filled(text: string, blanks: Blanks): string {
  return text.replaceAll(BLANK, (_, name: string, otherwise: string | undefined) => {
    const value = blanks[name] ?? null;
    return value ?? (otherwise === undefined ? '' : filled(otherwise, blanks));
  });
}

/** What to do about it, each with a prompt for a coding agent. */
export function remediationFor(
  best: Hypothesis,
  summary: string,
  issue: IssueToInvestigate,
  { id, logs }: { id: () => string; logs: Logs },
): Remediation {
  return {
    actions: remediesOf(best, logs).map((remedy) => ({
      id: id(),
      uuid: id(),
      title: remedy.title,
      description: remedy.description,
      category: remedy.category,
      markdownPrompt: promptFor(remedy, best, summary, issue),
      steps: remedy.steps.map((step) => ({
        id: id(),
        title: step.title,
        required: step.required,
        type: step.type,
        content: step.content,
        helpMarkdown: step.help,
        label: labelOf(step),
      })),
    })),
  };
}

function labelOf(step: Step): string {
  const what = { info: 'Note', command: 'Run', check: 'Check' }[step.type];
  return step.required ? what : `${what} (optional)`;
}

function promptFor(
  remedy: Remedy,
  { candidate, assessment }: Hypothesis,
  summary: string,
  issue: IssueToInvestigate,
): string {
  const observations = assessment.observations.map((one) => inWords(one, candidate));
  return [
    `# ${remedy.title}`,
    '',
    `You are helping with an incident in ${issue.environment}: "${issue.title}".`,
    '',
    '## What we know',
    summary,
    ...observations.map(({ title, description }) => `- ${title}. ${description}`),
    '',
    '## What to do',
    remedy.description,
    ...remedy.steps.map((step, i) => `${i + 1}. ${step.title}: ${step.content}`),
    '',
    'Propose the change, say how you would verify it, and touch nothing else.',
  ].join('\n');
}
