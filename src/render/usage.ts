import { fitMessage } from './fit.ts';
import { type Rendered, section } from './rendered.ts';

/** What `/investigate` answers to what it does not understand (DESIGN section 3). */
export function usageInvestigate(): Rendered {
  return usage('To file an issue, write what is wrong:', [
    '/investigate checkout answers 500 since 14:00',
    '/investigate slow search severity:high env:staging service:search',
  ]);
}

/** What `/issue` answers to what it does not understand (DESIGN section 3). */
export function usageIssue(): Rendered {
  return usage('To see an issue, write its number:', ['/issue 12']);
}

/** What `/ask` answers where the question is missing (DESIGN section 3). */
export function usageAsk(): Rendered {
  return usage('To ask the agent, write a question:', ['/ask which services are failing right now?']);
}

/** What a mention without a question is answered with. */
export function usageMention(): Rendered {
  return usage('To ask me something, write it behind my name:', [
    'why is checkout slow?',
    'what changed before 14:00?',
  ]);
}

/** What `/gumshoe dry-run` answers to what is no number of messages. */
export function usageDryRun(most: number): Rendered {
  return usage(`To decide over the last messages here, write how many, 1 to ${most}:`, [
    '/gumshoe dry-run 50',
  ]);
}

function usage(sentence: string, examples: readonly string[]): Rendered {
  const text = [sentence, ...examples.map((example) => `\`${example}\``)].join('\n');
  return fitMessage({ text, blocks: [section(text)] });
}
