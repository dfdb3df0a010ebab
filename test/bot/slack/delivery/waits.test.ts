import { describe, expect, it } from 'vitest';
import { observeWait } from '../../../../src/bot/slack/delivery/waits.ts';
import { cardKey, type OutboxKey, resultKey } from '../../../../src/bot/store/intents/keys.ts';

const ALERT = '1795221000.000100';

function observed(
  row: { key: OutboxKey; kind: 'card' | 'short_card' | 'result' | 'answer' | 'notice'; questionId?: string },
  threadTs: string | null = ALERT,
) {
  const seen: [string, number][] = [];
  const observe = (name: string, seconds: number) => void seen.push([name, seconds]);
  observeWait({ questionId: null, ...row }, { ts: '1795221012.000100', threadTs }, { observe });
  return seen;
}

describe('how long people waited', () => {
  it('for a card is the time since its alert, and since nothing where somebody asked for the issue', () => {
    expect(observed({ key: cardKey('i1'), kind: 'card' })).toEqual([['gumshoe_alert_to_card_seconds', 12]]);
    expect(observed({ key: cardKey('i1'), kind: 'card' }, null)).toEqual([]);
    expect(observed({ key: 'short:i1:C2:1.1', kind: 'short_card' })).toEqual([]);
  });

  it('for a verdict is measured at the first results of an issue', () => {
    const first = [['gumshoe_alert_to_verdict_seconds', 12]];
    expect(observed({ key: resultKey('i1', 1), kind: 'result' })).toEqual(first);
    expect(observed({ key: resultKey('i1', 2), kind: 'result' })).toEqual([]);
    expect(observed({ key: resultKey('i1', 11), kind: 'result' })).toEqual([]);
  });

  it('for an answer is the time since the message that asked', () => {
    const asked = observed({ key: 'answer:q', kind: 'answer', questionId: 'C1:1795221010.000100' });
    expect(asked).toEqual([['gumshoe_question_to_first_word_seconds', 2]]);
    expect(observed({ key: 'answer:q', kind: 'answer', questionId: 'modal-1' })).toEqual([]);
  });

  it('is never less than nothing, whatever the clocks say', () => {
    const asked = observed({ key: 'answer:q', kind: 'answer', questionId: 'C1:1795229999.000100' });
    expect(asked).toEqual([['gumshoe_question_to_first_word_seconds', 0]]);
  });
});
