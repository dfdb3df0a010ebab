import { renderCard } from '../../bot/render/issues/card.ts';
import type { Rendered } from '../../bot/render/rendered.ts';
import { renderResults } from '../../bot/render/results/results.ts';
import { slackChart } from '../../bot/render/results/slack-chart.ts';
import { cardOf, type GalleryEntry } from './entries.ts';

const STAGES = [
  { overview: false, evidence: 0, ruledOut: 0, causes: 0 },
  { overview: true, evidence: 0, ruledOut: 0, causes: 0 },
  { overview: true, evidence: 5, ruledOut: 7, causes: 4 },
];

/** The card of an investigation that somebody asked for, step by step; charts that Slack draws. */
export function newerBlockEntries(found: GalleryEntry): { name: string; messages: Rendered[] }[] {
  const { view, artifacts, triggeredAt } = found;
  const now = triggeredAt + 5 * 60_000;
  const card = { ...cardOf(view, triggeredAt), requestedBy: 'U0ALICE' };
  const charts = artifacts.flatMap((artifact) => {
    const drawn = slackChart(artifact);
    return drawn === null ? [] : [{ picture: null, drawn }];
  });
  return [
    {
      name: 'an investigation step by step',
      messages: [
        ...STAGES.map((stage) =>
          renderCard({ ...card, status: 'investigating', investigation: { found: stage } }, now),
        ),
        renderCard({ ...card, investigation: { results: view.results } }, now),
      ],
    },
    { name: 'results with charts of Slack', messages: renderResults({ ...view, charts }) },
  ];
}
