import { describe, expect, it } from 'vitest';
import { planBlock, renderCard } from '../../../../src/bot/render/issues/card.ts';
import { section } from '../../../../src/bot/render/rendered.ts';
import { cardView } from '../../../support/views.ts';

const NOTHING = { overview: false, evidence: 0, ruledOut: 0, causes: 0 };
const statuses = (found: object) =>
  planBlock({ ...NOTHING, ...found }).tasks?.map((task) => ('status' in task ? task.status : null));

describe('the plan of an investigation', () => {
  it.each([
    ['nothing', {}, ['in_progress', 'pending', 'pending', 'pending']],
    ['what happened', { overview: true }, ['complete', 'in_progress', 'pending', 'pending']],
    ['evidence alone', { evidence: 2 }, ['complete', 'complete', 'in_progress', 'pending']],
    ['evidence ruled out', { ruledOut: 1 }, ['complete', 'complete', 'in_progress', 'pending']],
    ['causes', { causes: 3 }, ['complete', 'complete', 'complete', 'in_progress']],
  ])('that has found %s shows which step it is at', (_, found, shown) => {
    expect(statuses(found)).toEqual(shown);
  });

  it('counts what was found', () => {
    const { tasks = [] } = planBlock({ overview: true, evidence: 1, ruledOut: 2, causes: 4 });
    expect(JSON.stringify(tasks[1])).toContain('1 piece of evidence, 2 ruled out');
    expect(JSON.stringify(tasks[2])).toContain('4 causes and effects');
  });
});

describe('the card of an issue that somebody had investigated', () => {
  const NOW = Date.UTC(2026, 10, 20);
  const blocksOf = (view: Parameters<typeof cardView>[0]) => renderCard(cardView(view), NOW).blocks;
  const investigation = { found: NOTHING };

  it('shows the steps while it is under investigation', () => {
    const rendered = renderCard(cardView({ status: 'investigating', investigation }), NOW);
    expect(rendered.blocks.filter(({ type }) => type === 'plan')).toEqual([planBlock(NOTHING)]);
  });

  it.each(['muted', 'resolved', 'failed'])('shows no steps while it is %s', (status) => {
    expect(blocksOf({ status, investigation })).toEqual(blocksOf({ status, investigation: null }));
  });

  it('ends as the verdict', () => {
    const results = {
      rootCause: { rootCauseSummary: 'Deploy v2.41 leaks <connections>.' },
      causalTreeV2: { nodes: [{ id: 'a', title: 'Deploy', confidence: 'high' }] },
    };
    expect(blocksOf({ status: 'ready_to_fix', investigation: { results } })).toContainEqual(
      section('*Root cause* · confidence high\nDeploy v2.41 leaks &lt;connections&gt;.'),
    );
    expect(blocksOf({ status: 'ready_to_fix', investigation: { results: {} } })).toContainEqual(
      section('*No root cause found*'),
    );
  });
});
