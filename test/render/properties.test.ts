import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderAnswer, renderAnswerParts } from '../../src/render/answer.ts';
import { renderCard } from '../../src/render/card.ts';
import { asPlainText } from '../../src/render/plain.ts';
import type { Rendered } from '../../src/render/rendered.ts';
import { renderResults } from '../../src/render/results.ts';
import { renderShortCard } from '../../src/render/short-card.ts';
import { renderVerdict } from '../../src/render/verdict.ts';
import { anyAnswer, anyCard, anyResultsView, anyShortCard, anyVerdict } from '../support/arbitrary-views.ts';
import { limitProblems } from '../support/block-limits.ts';
import { unsafeSpots } from '../support/block-safety.ts';

const MAY = { users: ['U0ALICE'], channels: ['C0HOME'] };

function expectSound(messages: readonly Rendered[]): void {
  for (const message of messages) {
    expect(limitProblems(message)).toEqual([]);
    expect(unsafeSpots(message, MAY)).toEqual([]);
    const plain = asPlainText(message);
    expect(limitProblems({ ...plain, blocks: [{ type: 'divider' }] })).toEqual([]);
    expect(unsafeSpots(plain, MAY)).toEqual([]);
  }
}

describe('whatever the service, the alert or the agent say', () => {
  it('a card stays within Slack’s limits and mentions and links nothing of theirs', () => {
    fc.assert(
      fc.property(anyCard, fc.nat(), (view, now) => expectSound([renderCard(view, now)])),
      { numRuns: 400 },
    );
  });

  it('a short card, and a verdict, stay within Slack’s limits and mention and link nothing of theirs', () => {
    fc.assert(
      fc.property(anyShortCard, anyVerdict, (card, verdict) =>
        expectSound([renderShortCard(card), renderVerdict(verdict)]),
      ),
      { numRuns: 200 },
    );
  });

  it('results stay within Slack’s limits, in at most three messages, and mention and link nothing of theirs', () => {
    fc.assert(
      fc.property(anyResultsView, (view) => {
        const messages = renderResults(view);
        expect(messages.length).toBeGreaterThanOrEqual(1);
        expect(messages.length).toBeLessThanOrEqual(3);
        expectSound(messages);
        // Each part shortens itself, so that none is left off whole.
        expect(JSON.stringify(messages)).not.toContain(' more parts');
      }),
      { numRuns: 150 },
    );
  });

  it('an answer stays within Slack’s limits and mentions and links nothing of theirs', () => {
    fc.assert(
      fc.property(anyAnswer, (view) => {
        expectSound(renderAnswerParts(view));
        expectSound([renderAnswer(view)]);
      }),
      { numRuns: 400 },
    );
  });
});
