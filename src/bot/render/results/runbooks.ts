import type { ContainerBlock } from '@slack/types';
import { bold, clean, cutEscaped, literal } from '../escape.ts';
import { body, link } from '../links.ts';
import { folded, section } from '../rendered.ts';
import type { RunbookView } from '../views.ts';
import { count } from '../words.ts';
import { pages, passage, phrase } from './phrases.ts';

const MAX_TITLE = 100;
const MAX_HEADING = 160;
const MAX_STEP = 900;
const MAX_ANSWER = 300;
const PAGE = 2_400;
const MOST_PAGES = 3;

/** What people wrote down to do, folded, with what of it the evidence has answered. */
export function runbookBlocks(runbooks: readonly RunbookView[]): ContainerBlock[] {
  return runbooks.flatMap(({ title, url, steps }) => {
    const answered = steps.filter(({ answers }) => answers.length > 0).length;
    const parts = [
      `Runbook · ${phrase(title, MAX_TITLE)}`,
      count(steps.length, 'step'),
      ...(answered === 0 ? [] : [`evidence for ${answered}`]),
    ];
    const lines = steps.map((step, index) => stepLines(step, steps[index - 1]?.heading ?? ''));
    const where = url === null ? [] : [link(url, 'Open the runbook')];
    return folded(parts.join(' · '), pages([...where, ...lines], PAGE, MOST_PAGES).map(section));
  });
}

function stepLines({ heading, number, text, answers }: RunbookView['steps'][number], above: string): string {
  const step = cutEscaped(body(passage(text, MAX_STEP)), MAX_STEP);
  return [
    ...(heading === '' || heading === above ? [] : [bold(phrase(heading, MAX_HEADING))]),
    `${literal(clean(number))}. ${step}`,
    ...answers.map(
      (answer) => `↳ _In evidence:_ ${cutEscaped(body(phrase(answer, MAX_ANSWER)), MAX_ANSWER)}`,
    ),
  ].join('\n');
}
