import { describe, expect, it } from 'vitest';
import { type Transition, transitions } from '../../../src/bot/store/issue-transitions.ts';
import type { Issue } from '../../../src/bot/store/issues.ts';
import { filesBelow, projectFile, projectRoot } from '../../support/files.ts';
import { newIssue, theIssue } from '../../support/issues.ts';
import { openTestStore } from '../../support/open-test-store.ts';

const STATES = ['pending', 'created', 'failed', 'gone'] as const;
type State = (typeof STATES)[number];

const NOW = 1_700_000_000_000;
const BY_ALICE = { by: 'U0ALICE', at: NOW };
const AGAIN = { failure: 'It does not answer.', nextAt: NOW, isCertainlyNotSent: false };
const SEEN = {
  number: 7,
  title: 'Disk is full',
  severity: 'high',
  environment: 'production',
  isOurStatus: false,
  isWatchedEnough: false,
  changed: { status: 'muted', version: 2, isOpen: true, isNewVersion: true, statusBefore: 'ready_to_fix' },
};
const MUTED = {
  status: 'muted',
  what: 'muted it',
  isOpen: true,
  mutedUntil: NOW + 1,
  statusBefore: 'investigating',
  newVersion: null,
};

const CREATED = { uuid: 'u-1', number: 7, status: 'investigating', version: 1 };
const DISCOUNT = { lastRepeatAt: null, wasHidden: false, raisedSeverity: null };
const ABSORBED = { identity: 'disk@production', repeats: 3, lastRepeatAt: NOW, raisedSeverity: 'high' };

type Row = [
  name: keyof typeof transitions,
  make: (issue: Issue) => Transition,
  from: readonly State[],
  to: State | 'same',
];

/** The table of the state machine, spelled out a second time. */
const ROWS: Row[] = [
  ['attemptCreate', () => transitions.attemptCreate(NOW), ['pending'], 'pending'],
  ['postponeCreate', (issue) => transitions.postponeCreate(issue, AGAIN), ['pending'], 'pending'],
  ['awaitService', (issue) => transitions.awaitService(issue, 'Waiting.'), ['pending'], 'pending'],
  ['markCreated', () => transitions.markCreated(CREATED, NOW), ['pending'], 'created'],
  ['fail', (issue) => transitions.fail(issue, AGAIN), ['pending'], 'failed'],
  ['failDamaged', () => transitions.failDamaged('Damaged.'), ['pending'], 'failed'],
  ['retry', () => transitions.retry(BY_ALICE, true), ['failed'], 'pending'],
  ['markGone', () => transitions.markGone(NOW), ['created'], 'gone'],
  ['markDeleted', () => transitions.markDeleted(BY_ALICE), STATES, 'gone'],
  ['observe', () => transitions.observe(SEEN, NOW), ['created'], 'created'],
  ['announceEnd', () => transitions.announceEnd(1), ['created'], 'created'],
  ['setStatus', () => transitions.setStatus(MUTED, BY_ALICE), ['created'], 'created'],
  ['wantStatus', () => transitions.wantStatus('resolved'), ['created'], 'created'],
  ['statusPushed', (issue) => transitions.statusPushed(issue, 'resolved', NOW), ['created'], 'created'],
  [
    'statusNotPushed',
    (issue) => transitions.statusNotPushed(issue, { ...AGAIN, isFinal: true }),
    ['created'],
    'created',
  ],
  ['postponeStatus', () => transitions.postponeStatus(NOW), ['created'], 'created'],
  ['muteUntil', () => transitions.muteUntil(NOW), ['created'], 'created'],
  ['endMute', () => transitions.endMute('ready_to_fix', 'Mute ended', NOW), ['created'], 'created'],
  ['reopen', () => transitions.reopen('ready_to_fix', 'Fired again', NOW), ['created'], 'created'],
  ['lookAnew', (issue) => transitions.lookAnew(issue, NOW), ['created'], 'created'],
  [
    'lookBegun',
    (issue) => transitions.lookBegun(issue, { status: 'investigating', version: 2 }, NOW),
    ['created'],
    'created',
  ],
  [
    'endForAnother',
    (issue) => transitions.endForAnother(issue, { firings: 1, overAt: NOW }, NOW),
    ['created'],
    'created',
  ],
  ['recover', (issue) => transitions.recover(issue, true, NOW), STATES, 'same'],
  ['countRepeat', (issue) => transitions.countRepeat(issue, 'ready_to_fix', NOW), STATES, 'same'],
  ['countHeld', (issue) => transitions.countHeld(issue, { repeats: 2, lastAt: NOW }), STATES, 'same'],
  ['discountRepeat', (issue) => transitions.discountRepeat(issue, DISCOUNT), STATES, 'same'],
  ['raiseSeverity', () => transitions.raiseSeverity('high'), STATES, 'same'],
  ['note', () => transitions.note({ text: 'Looking.', at: NOW, channel: 'C1' }), STATES, 'same'],
  ['releaseFromHold', () => transitions.releaseFromHold(BY_ALICE, true), STATES, 'same'],
  ['splitFrom', (issue) => transitions.splitFrom({ ...issue, id: 'issue-2' }), STATES, 'same'],
  [
    'attachTo',
    (issue) => transitions.attachTo(issue, { id: 'issue-2', what: 'attached it to #2' }, BY_ALICE),
    STATES,
    'same',
  ],
  ['absorb', () => transitions.absorb(ABSORBED), STATES, 'same'],
  ['joinIncident', () => transitions.joinIncident('issue-2'), STATES, 'same'],
  ['place', () => transitions.place('C2', '2.0'), STATES, 'same'],
];

describe('the state machine of an issue', () => {
  it('has every transition in this table', () => {
    expect(ROWS.map(([name]) => name).sort()).toEqual(Object.keys(transitions).sort());
  });

  it.each(ROWS.flatMap(([name, make, from, to]) => STATES.map((state) => ({ name, make, from, to, state }))))(
    '$name of an issue that is $state',
    async ({ make, from, to, state }) => {
      await using opened = await openTestStore();
      const { store } = opened;
      await store.issues.add(newIssue());
      await store.issues.rewrite('issue-1', { state });
      const before = await theIssue(store);
      const isAllowed = from.includes(state);
      expect(await store.issues.apply('issue-1', make(before))).toBe(isAllowed);
      const after = await theIssue(store);
      if (isAllowed) expect(after.state).toBe(to === 'same' ? state : to);
      else expect(after).toEqual(before);
    },
  );

  it('is the only way to change an issue', () => {
    const rewriting = (file: string) => projectFile(`src/bot/${file}`).includes('issues.rewrite(');
    expect(filesBelow(`${projectRoot}src/bot`, rewriting)).toEqual([]);
  });
});
