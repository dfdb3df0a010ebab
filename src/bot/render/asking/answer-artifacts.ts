import type { KnownBlock, SectionBlock } from '@slack/types';
import type { QueryArtifact } from '../../../contract/answers.ts';
import { actionIds } from '../action-ids.ts';
import { bare } from '../bare.ts';
import { bold, literal } from '../escape.ts';
import { providerName } from '../evidence/evidence-modal.ts';
import { kindName } from '../evidence/kinds.ts';
import { body } from '../links.ts';
import { button, context, section } from '../rendered.ts';
import { phrase } from '../results/phrases.ts';
import type { AnswerView } from '../views.ts';
import { count } from '../words.ts';

const MAX_ROWS = 8;
const MAX_SUMMARY = 200;
const MAX_NAME = 60;
const MAX_READ = 20_000;

/**
 * What the agent found on the way to its answer: a row each, by kind and provider, with a button that shows it; behind
 * the first few, how many more there are. What the answer's own words say of it is not repeated.
 */
export function artifactRows({
  artifacts,
  questionId,
  answer,
}: Pick<AnswerView, 'artifacts' | 'questionId' | 'answer'>): KnownBlock[] {
  const answered = bare(answer.slice(0, MAX_READ));
  // A button names a place among those that can be shown.
  const ids = artifacts.map(({ id }) => id).filter((id) => id !== undefined && id !== '');
  const rows = artifacts
    .filter(({ id }, index) => !id || artifacts.findIndex((other) => other.id === id) === index)
    .flatMap((found) => row(found, ids.indexOf(found.id), { questionId, said: answered }));
  const more = rows.length - MAX_ROWS;
  if (more <= 0) return rows;
  const how = rows.some(({ accessory }) => accessory) ? ': *Show* has all of them' : '';
  return [...rows.slice(0, MAX_ROWS), context(`… and ${count(more, 'more finding', 'more findings')}${how}`)];
}

function row(
  found: QueryArtifact,
  index: number,
  { questionId, said: answered }: { questionId: string; said: string },
): SectionBlock[] {
  const kind = capital(phrase(kindName(found.data_type) || found.tool_name?.replaceAll('_', ' '), MAX_NAME));
  const names = [bold(kind), literal(providerName(found.provider))].filter((name) => name !== '');
  const isRepeated = answered.includes(bare(phrase(found.summary, MAX_READ)));
  const summary = isRepeated ? '' : body(phrase(found.summary, MAX_SUMMARY));
  const text = [names.join(' · '), summary].filter((part) => part !== '').join(': ');
  if (index < 0) return text === '' ? [] : [section(text)];
  const show = button('Show', `${actionIds.artifact}:${index}`, `${index}:${questionId}`);
  return [{ ...section(text || 'What was found'), accessory: show }];
}

function capital(words: string): string {
  const [first = ''] = words;
  return `${first.toUpperCase()}${words.slice(first.length)}`;
}
