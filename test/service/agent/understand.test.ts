import { describe, expect, it } from 'vitest';
import { plainly, subjectAfter, understand } from '../../../src/service/agent/understand.ts';

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

describe('a question that goes on', () => {
  const MINUTE = 60_000;
  const NOW = Date.UTC(2026, 4, 12, 15);
  const after = (question: string) => subjectAfter(understand(question, null, [], NOW), []);
  const timeOf = (question: string, first: string) => {
    const { window, at } = understand(question, after(first), [], NOW + 10 * MINUTE);
    return { from: window.from - NOW, to: window.to - NOW, at: at - NOW };
  };

  it('after one about now is about now, however much later it comes', () => {
    expect(timeOf('and latency?', 'errors in the last 30 min')).toEqual({
      from: -20 * MINUTE,
      to: 10 * MINUTE,
      at: 10 * MINUTE,
    });
    expect(timeOf('and this time yesterday?', 'error rate').at).toBe(10 * MINUTE);
  });

  it('after one about another time is about that', () => {
    expect(timeOf('and latency?', 'errors at 13:00')).toEqual({
      from: -180 * MINUTE,
      to: -90 * MINUTE,
      at: -120 * MINUTE,
    });
  });
});
