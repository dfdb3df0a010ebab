import type { AnswerView, CardView, ResultsView } from '../../src/bot/render/views.ts';

/** A card of an issue that is being investigated. */
export function cardView(overrides: Partial<CardView> = {}): CardView {
  return {
    issueId: 'issue-1',
    number: 12,
    title: 'Checkout answers 502',
    severity: 'high',
    environment: 'production',
    service: 'checkout',
    status: 'investigating',
    failure: null,
    statusSince: Date.parse('2026-11-20T08:00:00Z'),
    source: 'Alertmanager',
    alertUrl: 'https://alerts.example/a?x=1&y=2',
    repeats: 0,
    lastRepeatAt: null,
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
      notSame: false,
      attach: false,
      investigateAgain: false,
      delete: false,
      evidence: false,
      attachTo: null,
    },
    simulated: false,
    ...overrides,
  };
}

/** Results of issue 12; empty unless given. */
export function resultsView(
  results: ResultsView['results'],
  overrides: Partial<ResultsView> = {},
): ResultsView {
  return {
    issueId: 'issue-1',
    number: 12,
    version: 1,
    title: 'Checkout answers 502',
    results,
    simulated: false,
    ...overrides,
  };
}

/** A whole answer without artifacts. */
export function answerView(overrides: Partial<AnswerView> = {}): AnswerView {
  return {
    questionId: 'question-1',
    askedBy: null,
    question: null,
    answer: 'The pool is full.',
    artifacts: [],
    state: 'complete',
    ahead: 0,
    elapsedMs: 0,
    stoppedBy: null,
    note: null,
    listening: true,
    issueLinks: {},
    simulated: false,
    ...overrides,
  };
}
