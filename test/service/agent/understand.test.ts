import { describe, expect, it } from 'vitest';
import { plainly } from '../../../src/service/agent/understand.ts';

const nothing = { issue: null, said: [], asked: [], files: [] };
const seven = { number: 7, title: '', service: null, root_cause: null };

describe('a question in words alone', () => {
  it('is all of them, however many paragraphs they have', () => {
    expect(plainly('why?\n\nand since when?')).toEqual({
      ...nothing,
      question: 'why?\n\nand since when?',
    });
  });

  it('is the last paragraph where one before it names an issue', () => {
    const words = 'About issue #7: CPU is high\nService: web\n\nis it over?';
    expect(plainly(words)).toEqual({ ...nothing, issue: seven, question: 'is it over?' });
  });

  it('is what stands after the line that announces it, as a Gumshoe of before sends it', () => {
    const words = 'This is about issue #7: CPU is high\n\nThe question:\nwhy?';
    expect(plainly(words)).toEqual({ ...nothing, issue: seven, question: 'why?' });
  });

  it('names an issue itself', () => {
    expect(plainly('what was issue #7?')).toEqual({ ...nothing, question: 'what was issue #7?' });
  });
});
