import { checkModal } from 'local-slack';
import { describe, expect, it } from 'vitest';
import {
  environmentOfOption,
  type NewIssueModal,
  type NewIssueText,
  newIssueModal,
  newIssueTexts,
} from '../../../../src/bot/render/issues/new-issue.ts';

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
