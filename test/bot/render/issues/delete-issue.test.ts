import { expect, it } from 'vitest';
import { askToDelete } from '../../../../src/bot/render/issues/delete-issue.ts';

const wordsOf = (left: Parameters<typeof askToDelete>[2]) =>
  JSON.stringify(askToDelete({ number: 12, title: 'CPU is high' }, '{}', left).blocks);

it('before an issue is deleted, what stays in Slack is named', () => {
  const words = wordsOf({ messages: 3, answers: 1, files: 2 });
  expect(words).toContain('• the message it was filed from, and what people wrote in its thread');
  expect(words).toContain('• 3 of my messages about it');
  expect(words).toContain('• 1 answer to a question about it');
  expect(words).toContain('• 2 files');
  expect(words).toContain('Backups are not touched.');
});

it('what there is none of is not named, nor anything of an issue that was filed elsewhere', () => {
  const words = wordsOf({ messages: 1, answers: 0, files: 0 });
  expect(words).toContain('• 1 of my messages about it');
  expect(words).not.toMatch(/answer|file\b(?!d)/u);
  expect(wordsOf(null)).not.toContain('What stays in Slack');
});
