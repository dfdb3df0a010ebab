import { renderCard } from '../../bot/render/issues/card.ts';
import type { Rendered } from '../../bot/render/rendered.ts';
import { renderResults } from '../../bot/render/results/results.ts';
import type { CardView, ResultsView } from '../../bot/render/views.ts';
import type { Artifact, InvestigationResults } from '../../contract/answers.ts';
import { HARD_RESULTS } from './hard-results.ts';
import { investigations } from './investigations.ts';

/** One kind of results, as a thread shows it. */
export interface GalleryEntry {
  name: string;
  view: ResultsView;
  /** What the results were found in. */
  artifacts: readonly Artifact[];
  triggeredAt: number;
}

const AT = Date.UTC(2026, 5, 2, 14, 28);

/** Results of every kind: as the embedded service finds them, and as a service may answer them on a bad day. */
export async function galleryEntries(): Promise<GalleryEntry[]> {
  const found = (await investigations()).map(({ kind, results, artifacts, triggeredAt }) => ({
    name: kind.replaceAll('_', ' '),
    view: view(results, { title: 'Checkout is slow', simulated: true }),
    artifacts,
    triggeredAt,
  }));
  const hard = Object.entries(HARD_RESULTS).map(([name, results]) => ({
    name,
    view: view(results, name === 'hostile' ? { title: '<!channel> *Checkout* is slow' } : {}),
    artifacts: [],
    triggeredAt: AT,
  }));
  const [first, second] = found;
  if (!first || !second) throw new Error('The shop has no faults.');
  const newer = {
    ...first,
    name: 'a second version',
    view: { ...first.view, version: 2, before: { version: 1, results: second.view.results } },
  };
  return [...found, newer, ...hard];
}

/** The card and the messages of one entry. */
export function renderEntry({ view: shown, triggeredAt }: GalleryEntry): Rendered[] {
  return [renderCard(cardOf(shown, triggeredAt), triggeredAt + 5 * 60_000), ...renderResults(shown)];
}

function view(results: InvestigationResults, more: Partial<ResultsView>): ResultsView {
  return {
    issueId: 'issue-12',
    number: 12,
    version: 1,
    title: 'Checkout answers 502',
    results,
    simulated: false,
    ...more,
  };
}

/** The card of the issue that some results belong to. */
export function cardOf({ issueId, number, title, simulated }: ResultsView, at: number): CardView {
  return {
    issueId,
    number,
    title,
    severity: 'high',
    environment: 'production',
    service: 'checkout',
    status: 'ready_to_fix',
    failure: null,
    statusSince: at + 4 * 60_000,
    source: 'Alertmanager',
    alertUrl: 'https://alerts.example/12',
    repeats: 3,
    lastRepeatAt: at + 3 * 60_000,
    recoveredAt: null,
    lastAction: null,
    raisedFrom: null,
    note: null,
    mutedUntil: null,
    hidden: 0,
    earlier: null,
    relations: { attachedTo: null, attached: [], apartFrom: null, apart: [] },
    progress: null,
    investigation: null,
    requestedBy: null,
    offers: {
      evidence: true,
      notSame: false,
      attach: false,
      investigateAgain: true,
      delete: true,
      attachTo: null,
    },
    simulated,
  };
}
