import type { SectionBlock } from '@slack/types';
import type { IssueNumber } from '../../shared/issue-number.ts';
import { quoted } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { code } from '../links.ts';
import { inSections, type Rendered, section } from '../rendered.ts';

/**
 * Where Slack gave too little time to open the form of `/investigate`: `command` is how it was called, `typed` what
 * was said beside it, to be sent again; untrusted.
 */
export function usageInvestigate(command: string, typed: string): Rendered {
  const sentence =
    'Slack timed out before I could open the form. Try again, or describe the problem right away:';
  const examples = [
    `${command} checkout answers 500 since 14:00`,
    `${command} slow search severity:high env:staging service:search`,
  ];
  if (typed.trim() === '') return usage(sentence, examples);
  const { text, blocks } = usage(sentence, examples);
  return fitMessage({ text, blocks: [...blocks, section('You wrote:'), ...asTyped(command, typed)] });
}

/** `/gumshoe explain` without the link of a message of this channel; `command` is how it was called. */
export function usageExplain(command: string): Rendered {
  return usage('Add the link of a message in this channel (its *⋯* menu, _Copy link_):', [
    `${command} https://acme.slack.com/archives/C0ALERTS01/p1763460000000100`,
  ]);
}

/** A `severity:` that there is not, with all that was typed beside it, to be sent again; both are untrusted. */
export function unknownSeverity(command: string, asked: string, typed: string): Rendered {
  const text = `“${quoted(asked, 40)}” is not a severity; use low, medium or high. Nothing has been filed yet. You wrote:`;
  return fitMessage({ text, blocks: [section(text), ...asTyped(command, typed)] });
}

function asTyped(command: string, typed: string): SectionBlock[] {
  // Escaped, a character may become five.
  const pieces = `${command} ${typed}`.match(/[\s\S]{1,500}(?=\s|$)|[\s\S]{1,500}/gu) ?? [];
  return inSections(pieces.map(code));
}

type Verb = 'list' | 'show' | 'now' | 'results' | 'resolve' | 'mute' | 'reopen' | 'ready' | 'delete';

/** Why the arguments of `/issue` are not understood; `typed` is the offending word. */
export type Misunderstood =
  | { why: 'nothing' }
  /** A word that resembles a subcommand, or none. */
  | { why: 'unknown'; typed: string; nearest: Verb | null; number: IssueNumber | null }
  | { why: 'no_number'; verb: Verb }
  | { why: 'not_a_number'; typed: string; verb: Verb }
  | { why: 'bad_number'; typed: string }
  | { why: 'many_numbers'; verb: Verb; number: IssueNumber }
  | { why: 'two_verbs'; verbs: [Verb, Verb]; number: IssueNumber }
  | { why: 'span'; typed: string; number: IssueNumber }
  | { why: 'extra'; typed: string; verb: Verb; number: IssueNumber }
  | { why: 'too_long'; what: 'search' | 'environment' | 'status'; max: number };

const AN_ISSUE = 12;

/** The answer to an unknown `/issue` command: the nearest one, with an example. */
export function usageIssue(command: string, what: Misunderstood): Rendered {
  switch (what.why) {
    case 'nothing':
      return usage('For one issue, add its number; for a list, add filters or none:', [
        `${command} ${AN_ISSUE}`,
        `${command} list status:ready_to_fix env:production`,
        `${command} ${AN_ISSUE} now`,
        `${command} results ${AN_ISSUE}`,
        `${command} mute ${AN_ISSUE} 24h`,
        `${command} ${AN_ISSUE} note We rolled back at 14:20`,
        `${command} ${AN_ISSUE} writeup`,
      ]);
    case 'unknown':
      return unknownWord(command, what);
    case 'no_number':
      return usage('Which issue? Add the number on its card:', [example(command, what.verb, AN_ISSUE)]);
    case 'not_a_number':
      return usage(`“${quoted(what.typed, 40)}” is not an issue number. Use the number on its card:`, [
        example(command, what.verb, AN_ISSUE),
      ]);
    case 'bad_number':
      return usage(`There is no issue ${quoted(what.typed, 40)}. Numbers start at 1:`, [
        `${command} ${AN_ISSUE}`,
      ]);
    case 'many_numbers':
      return usage('One issue at a time, please:', [example(command, what.verb, what.number)]);
    case 'two_verbs':
      return usage(
        'That is two commands at once. Which one?',
        what.verbs.map((verb) => example(command, verb, what.number)),
      );
    case 'span':
      return usage(
        `I do not understand “${quoted(what.typed, 40)}”. Mute for 1 minute to 90 days; the default is 24 hours:`,
        ['30m', '24h', '2d'].map((span) => `${command} mute ${what.number} ${span}`),
      );
    case 'extra':
      return usage(`I do not understand “${quoted(what.typed, 40)}” here. Did you mean:`, [
        example(command, what.verb, what.number),
      ]);
    case 'too_long':
      return usage(`Too long: ${names[what.what]} can have at most ${what.max} characters. For example:`, [
        `${command} list status:ready_to_fix timeout`,
      ]);
  }
}

const names = {
  search: 'a search',
  environment: 'an environment',
  status: 'a status',
} as const;

function unknownWord(command: string, what: Extract<Misunderstood, { why: 'unknown' }>): Rendered {
  const number = what.number ?? AN_ISSUE;
  if (what.nearest !== null) {
    return usage(`I do not know “${quoted(what.typed, 40)}”. Did you mean:`, [
      example(command, what.nearest, number),
    ]);
  }
  return usage(`I do not know “${quoted(what.typed, 40)}”. To show an issue or search for one:`, [
    `${command} ${number}`,
    `${command} list timeout`,
  ]);
}

function example(command: string, verb: Verb, number: IssueNumber): string {
  switch (verb) {
    case 'list':
      return `${command} list`;
    case 'show':
      return `${command} ${number}`;
    case 'mute':
      return `${command} mute ${number} 24h`;
    default:
      return `${command} ${verb} ${number}`;
  }
}

export function usageAsk(command: string): Rendered {
  return usage('Add your question:', [`${command} which services are failing right now?`]);
}

export function usageMention(): Rendered {
  return usage('Mention me with a question:', ['why is checkout slow?', 'what changed before 14:00?']);
}

export function usageDryRun(most: number): Rendered {
  return usage(`How many of the latest messages should I check? 1 to ${most}:`, ['/gumshoe dry-run 50']);
}

function usage(sentence: string, examples: readonly string[]): Rendered {
  return notice([sentence, ...examples.map((example) => `\`${example}\``)].join('\n'));
}
