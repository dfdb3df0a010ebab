import { expect, it } from 'vitest';
import { relationsAsked } from '../../../../src/service/agent/understand.ts';
import { headed } from '../../../../src/service/agent/words/answer.ts';

const said = (
  question: string,
  tool: string,
  aspect: string | null,
  found: Omit<Parameters<typeof headed>[0], 'text'>,
) => headed({ text: 'What was found.', ...found }, relationsAsked({ question, aspect }, tool), question);

it.each([
  ['is payments over the hump and well?', 'health', 'status', 'over', 'Yes. What was found.'],
  ['is payments still failing?', 'health', 'status', 'over', 'What was found.'],
  ['is it over or is all still down?', 'health', 'status', 'over', 'What was found.'],
  ['how is payments?', 'health', 'health', 'over', 'What was found.'],
  ['was it the deploy?', 'health', 'certainty', 'blamed', 'Yes. What was found.'],
  ['was it the deploy?', 'health', 'certainty', 'affected', 'What was found.'],
  ['did omar deploy payments?', 'changes', null, 'changed', 'Yes. What was found.'],
  ['did the rollback help?', 'changes', 'effect', 'changed', 'What was found.'],
  ['same cause as the backlog?', 'issues', 'relation', 'related', 'Yes. What was found.'],
  ['is the replica up?', 'metric', null, 'set', 'Yes. What was found.'],
  ['is the replica down?', 'metric', null, 'set', 'What was found.'],
] as const)('“%s” of %s (%s), told whether it is %s: %s', (question, tool, aspect, relation, expected) => {
  expect(said(question, tool, aspect, { says: { relation, holds: true } })).toBe(expected);
});

it.each([
  ['what was computed and does not tell', { says: { relation: 'ran', holds: null } }, 'What was found.'],
  [
    'what is said otherwise',
    { says: { relation: 'ran', holds: true, text: 'Probably.' } },
    'Probably. What was found.',
  ],
  ['what says no by itself', { says: { relation: 'ran', holds: false, text: '' } }, 'What was found.'],
  ['what cannot be told', { says: { relation: 'ran', holds: true }, isUnknown: true }, 'What was found.'],
] as const)('%s is no plain yes', (_, found, expected) => {
  expect(said('did the backup run?', 'metric', null, found)).toBe(expected);
});

it('a comparison over many nights is a yes of who made it alone', () => {
  const asked = (relation: 'over' | 'recurs') =>
    said('is it slow every night?', 'metric', null, { says: { relation, holds: true } });
  expect(asked('recurs')).toBe('Yes. What was found.');
  expect(asked('over')).toBe(
    'I can’t tell: “every night” takes a comparison over time that I can’t make. What I see:\n\nWhat was found.',
  );
});
