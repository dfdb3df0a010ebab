import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askToDelete, deletionOutcome } from '../../../../src/bot/render/issues/delete-issue.ts';
import {
  environmentOfOption,
  type NewIssueModal,
  type NewIssueText,
  newIssueModal,
  newIssueTexts,
} from '../../../../src/bot/render/issues/new-issue.ts';
import { checkModal } from '../../../../src/sandbox/slack/validate/view.ts';
import { anyText } from '../../../support/arbitrary-views.ts';
import { unsafeSpots } from '../../../support/block-safety.ts';
import { runs } from '../../../support/property-runs.ts';

const modal: NewIssueModal = {
  form: { texts: {}, severity: 'medium', environment: 'production', triggeredAt: null, channel: null },
  environments: ['production', 'staging'],
  unfolded: false,
  hasPlace: true,
  metadata: '{}',
  simulated: false,
};

const sent = (view: object) => checkModal(JSON.parse(JSON.stringify(view)));

describe('the form of a new issue', () => {
  it('is one that Slack takes, whatever was typed and whichever environments there were', () => {
    const names = Object.keys(newIssueTexts);
    const texts = fc.dictionary(fc.constantFrom(...names), anyText);
    fc.assert(
      fc.property(
        texts,
        fc.array(anyText, { maxLength: 150 }),
        fc.option(anyText),
        fc.boolean(),
        fc.boolean(),
        (typed, environments, environment, unfolded, simulated) => {
          const form = { ...modal.form, texts: typed, environment };
          expect(() =>
            sent(newIssueModal({ ...modal, form, environments, unfolded, simulated })),
          ).not.toThrow();
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('has room for what is allowed, and keeps all of it', () => {
    const texts = Object.fromEntries(
      Object.entries(newIssueTexts).map(([name, { max }]) => [name, 'x'.repeat(max)]),
    ) satisfies Partial<Record<NewIssueText, string>>;
    const form = { ...modal.form, texts, environment: null };
    const view = JSON.stringify(sent(newIssueModal({ ...modal, form, unfolded: true })));
    for (const { max } of Object.values(newIssueTexts)) expect(view).toContain(`"${'x'.repeat(max)}"`);
  });

  it('tells an environment from “Another…”, even one of that name', () => {
    expect(['env:qa', 'env:another', 'another', ''].map(environmentOfOption)).toEqual([
      'qa',
      'another',
      null,
      null,
    ]);
  });

  it('offers each environment once, and the one that is chosen first', () => {
    const form = { ...modal.form, environment: 'qa' };
    const view = JSON.stringify(
      newIssueModal({ ...modal, form, environments: ['production', 'qa', 'production'] }),
    );
    expect([...view.matchAll(/"value":"(env:\w+)"\}[,\]]/gu)].map(([, value]) => value)).toEqual([
      'env:qa',
      'env:production',
    ]);
  });
});

describe('the window that asks before an issue is deleted', () => {
  it('is one that Slack takes, and mentions nothing, whatever the issue is called and the service says', () => {
    fc.assert(
      fc.property(fc.option(anyText), anyText, (title, failed) => {
        for (const view of [
          askToDelete({ number: 12, title }, '{}', { messages: 3, answers: 1, files: 2 }),
          ...(['under_way', 'deleted', 'gone', { failed }] as const).map((outcome) =>
            deletionOutcome(12, outcome),
          ),
        ]) {
          expect(() => sent(view)).not.toThrow();
          expect(unsafeSpots({ text: 'a', blocks: view.blocks })).toEqual([]);
        }
      }),
    );
  });
});
