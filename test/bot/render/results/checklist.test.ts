import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checklistOf, progressOf } from '../../../../src/bot/issues/checklist.ts';
import { folded, button as pressed, section } from '../../../../src/bot/render/rendered.ts';
import { checklistBlocks } from '../../../../src/bot/render/results/checklist.ts';
import { renderResults } from '../../../../src/bot/render/results/results.ts';
import type { ChecklistView } from '../../../../src/bot/render/views.ts';
import type { Remediation, RemediationStep } from '../../../../src/contract/answers.ts';
import { anyChecklist } from '../../../support/arbitrary-checklists.ts';
import { runs } from '../../../support/property-runs.ts';
import { resultsView } from '../../../support/views.ts';
import { refusals } from '../every-renderer/limits.ts';

const ABOUT = { issueId: 'abc', version: 2 };
const REMEDIATION: Remediation = {
  actions: [
    {
      title: 'Roll back payments',
      category: 'immediate',
      description: 'The last good version is v2.40.',
      markdownPrompt: 'Roll it back.',
      steps: [
        { title: 'Roll back', required: true, type: 'command', content: 'rollout undo' },
        { title: 'Watch the <!channel> rate', type: 'info' },
      ],
    },
    { title: 'Tell the others', steps: [{ title: 'Write it down' }] },
    { title: 'Think', steps: [] },
  ],
};
const AT = Date.parse('2026-11-20T08:15:00Z');
const DATE = '<!date^1795162500^{time} {date_short_pretty}|2026-11-20 08:15 UTC>';

/** A checklist on which the nth steps are done by those people. */
function checklist(
  remediation: Remediation,
  done: Record<number, string> = {},
  more: Partial<ChecklistView> = {},
): ChecklistView {
  let n = 0;
  const steps = checklistOf({ remediation }, []).map((list) =>
    list.map(({ required }) => {
      const by = done[n];
      const key = `k${n}`;
      n += 1;
      return { key, required, done: by === undefined ? null : { by, at: AT } };
    }),
  );
  return { steps, progress: progressOf(steps.flat()), offersResolve: false, ...more };
}

describe('the checklist', () => {
  it('has a fold an action and a button a step, says who did one and when, and offers to ask and to copy the prompt', () => {
    expect(checklistBlocks(REMEDIATION, checklist(REMEDIATION, { 0: 'U0ALICE' }), ABOUT)).toEqual([
      ...folded(
        'Steps · 1. Roll back payments · 1 of 2 steps done, all required ones · immediate',
        [
          section('The last good version is v2.40.'),
          {
            ...section(`✅ Roll back (required)\n\`\`\`rollout undo\`\`\`\n_Done by <@U0ALICE>_ · ${DATE}`),
            accessory: pressed('Undo', 'step:untick', `2.k0.${AT}:abc`),
          },
          {
            ...section('⬜ Watch the &lt;!channel&gt; rate'),
            accessory: pressed('Done', 'step:tick', '2.k1:abc'),
          },
          {
            type: 'actions',
            elements: [
              {
                type: 'static_select',
                action_id: 'step:ask',
                placeholder: { type: 'plain_text', text: 'Ask about this step…', emoji: true },
                options: [
                  { text: { type: 'plain_text', text: 'Roll back', emoji: false }, value: '2.k0:abc' },
                  {
                    text: { type: 'plain_text', text: 'Watch the ‹!channel› rate', emoji: false },
                    value: '2.k1:abc',
                  },
                ],
              },
              pressed('Copy prompt', 'step:prompt', '2.0:abc'),
            ],
          },
        ],
        true,
      ),
      ...folded('Steps · 2. Tell the others · 1 step', [
        { ...section('⬜ Write it down'), accessory: pressed('Done', 'step:tick', '2.k2:abc') },
        { type: 'actions', elements: [pressed('Ask about this step', 'step:ask', '2.k2:abc')] },
      ]),
    ]);
  });

  it('is folded until somebody has begun, and again where all of it is done', () => {
    const isOpen = (done: Record<number, string>) =>
      checklistBlocks(REMEDIATION, checklist(REMEDIATION, done), ABOUT).map(
        (block) => 'default_collapsed' in block && block.default_collapsed !== true,
      );
    expect([isOpen({}), isOpen({ 0: 'U0ALICE' }), isOpen({ 0: 'U0ALICE', 1: 'U0ALICE' })]).toEqual([
      [false, false],
      [true, false],
      [false, false],
    ]);
  });

  it('does not mention who did a step where that would notify them again', () => {
    const view = checklist(REMEDIATION, { 0: 'U0ALICE' });
    const steps = view.steps.map((list) =>
      list.map((step) => ({ ...step, done: step.done && { ...step.done, by: null } })),
    );
    expect(JSON.stringify(checklistBlocks(REMEDIATION, { ...view, steps }, ABOUT))).toContain(
      `_Done_ · ${DATE}`,
    );
  });

  it('is absent where nothing is to be done', () => {
    expect(checklistBlocks({ actions: [{}, { steps: [{}] }] }, checklist({}), ABOUT)).toEqual([]);
  });

  it('of one step is what to do first, and nothing below it', () => {
    const remediation = {
      actions: [
        {
          title: 'Restart payments',
          description: 'Its pool is full.',
          markdownPrompt: 'Restart it.',
          steps: [{ title: 'Restart', type: 'command', content: 'rollout restart' }],
        },
      ],
    };
    const first = (done: Record<number, string>, more: Partial<ChecklistView> = {}) => {
      const view = resultsView({ remediation }, { checklist: checklist(remediation, done, more) });
      return renderResults(view)[0]?.blocks.slice(2, -2);
    };
    const rest = [
      pressed('Ask about this step', 'step:ask', '1.k0:issue-1'),
      pressed('Copy prompt', 'step:prompt', '1.0:issue-1'),
    ];
    expect(first({})).toEqual([
      section('*Do first:* Restart payments\n```rollout restart```\nIts pool is full.'),
      { type: 'actions', elements: [pressed('Done', 'step:tick', '1.k0:issue-1'), ...rest] },
    ]);
    expect(first({ 0: 'U0ALICE' }, { offersResolve: true })).toEqual([
      section(`✅ *Restart payments*\n_Done by <@U0ALICE>_ · ${DATE}`),
      {
        type: 'actions',
        elements: [
          pressed('Undo', 'step:untick', `1.k0.${AT}:issue-1`),
          pressed('Resolve', 'issue:resolve', 'issue-1', 'primary'),
          ...rest,
        ],
      },
    ]);
  });

  it('of sixty steps goes on in further messages, each step with its button', () => {
    const steps = Array.from({ length: 60 }, (_, n) => ({
      title: `Step ${n}`,
      content: 'Read it. '.repeat(40),
    }));
    const remediation = { actions: [{ title: 'Long', steps }] };
    const view = resultsView({ remediation }, { checklist: checklist(remediation) });
    const messages = renderResults(view);
    expect(messages.length).toBeGreaterThan(2);
    expect(messages.flatMap(refusals)).toEqual([]);
    // The line that says what to do first has the button too.
    const shown = JSON.stringify(messages.map(({ blocks }) => blocks));
    expect(shown.match(/"step:tick"/gu)).toHaveLength(60 + 1);
    expect(shown).not.toContain('shortened');
  });
});

describe('the line that says what to do first', () => {
  const lines = (done: Record<number, string>, more: Partial<ChecklistView> = {}) => {
    const view = resultsView({ remediation: REMEDIATION }, { checklist: checklist(REMEDIATION, done, more) });
    return renderResults(view)[0]?.blocks.slice(2, 4);
  };
  const buttons = (...elements: object[]) => ({ type: 'actions', elements });

  it('stands below the verdict, with the button that marks the first step done; then says what is next', () => {
    expect(lines({})).toEqual([
      section('*Do first:* Roll back payments\n```rollout undo```'),
      buttons(pressed('Done', 'step:tick', '1.k0:issue-1')),
    ]);
    expect(lines({ 0: 'U0ALICE' })).toEqual([
      section('*Do next:* Roll back payments\nWatch the &lt;!channel&gt; rate'),
      buttons(pressed('Done', 'step:tick', '1.k1:issue-1')),
    ]);
    expect(lines({ 0: 'U0ALICE' }, { offersResolve: true })).toEqual([
      section('✅ *All required steps are done*'),
      buttons(pressed('Resolve', 'issue:resolve', 'issue-1', 'primary')),
    ]);
    expect(lines({ 0: 'U0ALICE', 1: 'U0BOB', 2: 'U0BOB' })?.[0]).toEqual(section('✅ *All steps are done*'));
  });

  it('has the command or the link by which it is done, also while another step comes first', () => {
    const line = (steps: RemediationStep[], done: Record<number, string> = {}) => {
      const remediation = { actions: [{ title: 'Roll back payments', steps }] };
      const view = resultsView({ remediation }, { checklist: checklist(remediation, done) });
      expect(renderResults(view).flatMap(refusals)).toEqual([]);
      const [first] = (renderResults(view)[0]?.blocks.slice(2) ?? []).filter(
        ({ type }) => type === 'section',
      );
      return first;
    };
    const undo = 'kubectl -n shop rollout undo deployment/payments --to-revision=41';
    const check = { title: 'Check that no migration blocks it', required: true };
    const command = { title: 'Roll back', required: true, type: 'command', content: undo };
    const optional = { title: 'Ask who changed it', required: false };
    expect(line([optional, check, command])).toMatchObject(
      section(
        `*Do first:* Roll back payments\n1. Check that no migration blocks it\n2. Roll back\n\`\`\`${undo}\`\`\``,
      ),
    );
    expect(line([optional, check, command], { 1: 'U0ALICE' })).toMatchObject(
      section(`*Do next:* Roll back payments\n\`\`\`${undo}\`\`\``),
    );
    const page = {
      title: 'Roll back',
      content: 'On https://cd.example/a?rollback=1 press Rollback at <!here>.',
    };
    expect(line([page])).toMatchObject(
      section(
        '*Do first:* Roll back payments\nOn <https://cd.example/a?rollback=1> press Rollback at &lt;!here&gt;.',
      ),
    );
    const script = { title: 'Run it', type: 'command', content: `${'x'.repeat(600)} y` };
    expect(line([script])).toMatchObject(section('*Do first:* Roll back payments\nRun it'));
  });

  it('names the version to roll back to, where the timeline says which one ran before', () => {
    const timeline = [{ type: 'change', title: 'Deploy payments 1.184.0 (was 1.183.47)' }];
    const view = { remediation: REMEDIATION, timeline };
    expect(
      renderResults(resultsView(view, { checklist: checklist(REMEDIATION) }))[0]?.blocks[2],
    ).toMatchObject(section('*Do first:* Roll back payments to 1.183.47\n```rollout undo```'));
  });
});
describe('whatever the service says', () => {
  it('a tick changes no message but the first and those that show its step', () => {
    fc.assert(
      fc.property(anyChecklist, fc.nat(), (view, nth) => {
        const before = renderResults(view);
        expect(before.length).toBeLessThanOrEqual(8);
        const all = view.checklist.steps.flat();
        const chosen = all[nth % Math.max(1, all.length)];
        const steps = view.checklist.steps.map((list) =>
          list.map((step) => (step === chosen ? { ...step, done: { by: 'U0ALICE', at: AT } } : step)),
        );
        const after = renderResults({ ...view, checklist: { ...view.checklist, steps } });
        expect(after).toHaveLength(before.length);
        const changed = after.filter((message, n) => JSON.stringify(message) !== JSON.stringify(before[n]));
        // The first says what to do next.
        expect(changed.filter((message) => message !== after[0]).length).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(25), endOnFailure: true },
    );
  });
});
